//! The bodies that the control API takes.

use std::time::Duration;

use fedispec::enums::AdminDomainBlockSeverity;
use fedispec::runtime::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ControlError;
use crate::post::{Post, moment};
use crate::text::is_domain;

/// The longest that the clock is moved at once, in seconds: a thousand years.
const FARTHEST: f64 = 31_556_952_000.0;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Clock {
    set: Option<String>,
    advance: Option<f64>,
    pub(super) freeze: Option<bool>,
}

impl Clock {
    /// The time to set and the time to move it by.
    pub(super) fn read(&self) -> Result<(Option<Timestamp>, Option<Duration>), ControlError> {
        let is_nothing = self.set.is_none() && self.advance.is_none() && self.freeze.is_none();
        refuse_if!(is_nothing, ControlError::invalid("name one of set, advance and freeze"));
        let time = self.set.as_deref().map(|text| moment(text).map(|_| text.into())).transpose()?;
        let is_far = self.advance.is_some_and(|seconds| !(0.0..=FARTHEST).contains(&seconds));
        let told = "advance is a number of seconds, of a thousand years at most";
        refuse_if!(is_far, ControlError::invalid(told));
        let by = self.advance.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Ok((time, by))
    }
}

/// Reads the account of a body and, where it has more, the status.
pub(super) fn status(
    mut body: Value,
    account: &str,
) -> Result<(String, Option<Post>), ControlError> {
    let told = || ControlError::invalid(format!("the body is no object with a text {account:?}"));
    let members = body.as_object_mut().ok_or_else(told)?;
    let named = members.remove(account).and_then(|one| one.as_str().map(str::to_owned));
    let named = named.ok_or_else(told)?;
    if members.is_empty() {
        return Ok((named, None));
    }
    let post = serde_json::from_value(body).map_err(unusable)?;
    Ok((named, Some(post)))
}

/// Checks the address of an account of another server.
pub(super) fn address(text: &str) -> Result<(), ControlError> {
    let is_letter = |one: char| one.is_ascii_alphanumeric() || "_.-".contains(one);
    let parts = text.trim_start_matches('@').split_once('@');
    let is_address = parts.is_some_and(|(name, domain)| {
        !name.is_empty() && name.chars().all(is_letter) && is_domain(&domain.to_lowercase())
    });
    let told = || ControlError::invalid(format!("{text:?} is no address; write bob@other.example"));
    if is_address { Ok(()) } else { Err(told()) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Announcement {
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blocked {
    pub(super) domain: String,
    pub(super) severity: Option<AdminDomainBlockSeverity>,
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn unusable(error: serde_json::Error) -> ControlError {
    ControlError::invalid(format!("the body cannot be used: {error}"))
}
