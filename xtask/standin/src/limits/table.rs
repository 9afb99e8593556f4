//! The rate limits of each family of programs, by release.
//!
//! Mastodon's are in `config/initializers/rack_attack.rb` and `app/lib/rate_limiter.rb`; `GoToSocial`'s is the default of
//! `advanced-rate-limit-requests`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fedispec::runtime::{Family, StableVersion, Version};
use serde::Deserialize;

use super::LimitedCall;
use crate::operations::fits;
use crate::store::clock::{Millis, time};

/// The callers whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum By {
    Token,
    Account,
    /// An address, where there is no account.
    Stranger,
    Address,
}

/// The calls that a limit counts.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    /// All below `/api`.
    Api,
    /// Requests with these methods and paths, where `:id` is any segment.
    Paths(Vec<(String, String)>),
    /// Requests for a page of a list.
    Pages,
    /// Calls to operations.
    Operations(Vec<String>),
}

/// A number of calls that each caller has in a time, from a release until another.
#[derive(Debug, Deserialize)]
pub(crate) struct Throttle {
    family: Family,
    pub(crate) name: String,
    since: StableVersion,
    until: Option<StableVersion>,
    pub(crate) calls: u32,
    pub(crate) seconds: u32,
    pub(crate) by: By,
    of: Of,
}

static ALL: LazyLock<Vec<Throttle>> =
    LazyLock::new(|| serde_json::from_str(include_str!("table.json")).unwrap_or_default());

/// The limits of a release.
pub(super) fn of(
    family: Option<Family>,
    version: &Version,
) -> impl Iterator<Item = &'static Throttle> {
    ALL.iter().filter(move |throttle| {
        family == Some(throttle.family)
            && throttle.since.version() <= *version
            && throttle.until.is_none_or(|until| *version < until.version())
    })
}

/// The names of all limits.
pub(super) fn names() -> BTreeSet<&'static str> {
    ALL.iter().map(|throttle| &*throttle.name).collect()
}

impl Throttle {
    /// Whether it counts a call.
    pub(super) fn counts(&self, asked: &LimitedCall<'_>) -> bool {
        match &self.of {
            Of::Api => asked.path.starts_with("/api/"),
            Of::Paths(paths) => paths
                .iter()
                .any(|(method, path)| asked.method.as_str() == method && fits(path, asked.path)),
            Of::Pages => form_urlencoded::parse(asked.query.as_bytes())
                .any(|(name, _)| ["page", "min_id", "max_id", "since_id"].contains(&&*name)),
            Of::Operations(ids) => ids.iter().any(|id| asked.operation == Some(id.as_str())),
        }
    }

    /// The words of its 429.
    pub(super) fn told(&self) -> &'static str {
        if self.family == Family::Gin { "rate limit reached" } else { "Too many requests" }
    }

    /// The end of the present period as the program tells it: GoToSocial to the second, in milliseconds, and Mastodon with the fraction of
    /// the present second, in microseconds.
    pub(super) fn reset(&self, now: Millis) -> String {
        let period = i64::from(self.seconds) * 1000;
        let end = (now.div_euclid(period) + 1) * period;
        if self.family == Family::Gin {
            return time(end).to_string();
        }
        time(end + now.rem_euclid(1000)).to_string().replace('Z', "000Z")
    }
}
