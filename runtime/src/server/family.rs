//! Families of programs: the framework behind a program's errors decides their words, their shape, and what is checked first.

mod gin;
mod rails;
mod stated;

use axum::http::StatusCode;
use axum::http::header::HeaderValue;
use fedispec_since::profile::{ErrorReleases, reached};
use fedispec_since::{ErrorCase, StableVersion};

use super::Caller;
use super::refusal::Refusal;
use crate::{Auth, Version};

/// A text in place of a number or a switch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unreadable<'a> {
    pub(super) operation: &'a str,
    pub(super) param: &'a str,
    pub(super) sent: &'a str,
    pub(super) is_query: bool,
    pub(super) is_switch: bool,
}

/// A status, a media type and a body.
pub(super) type Nothing = (StatusCode, Option<HeaderValue>, &'static str);

const JSON: Option<HeaderValue> = Some(HeaderValue::from_static("application/json; charset=utf-8"));
const HTML: Option<HeaderValue> = Some(HeaderValue::from_static("text/html; charset=utf-8"));
const NOT_FOUND: &str = "{\"error\":\"Not Found\"}";
const PAGE: &str = "<!DOCTYPE html>\n<title>404 Not Found</title>\n<p>The page you are looking for is not here.</p>\n";

/// The release that is emulated, and those at which its program's errors change their form.
#[derive(Clone, Copy)]
pub(super) struct Errors<'a> {
    pub(super) release: Option<&'a Version>,
    pub(super) releases: Option<&'static ErrorReleases>,
}

impl Errors<'_> {
    /// Whether a form of errors has been reached. Without a release it has, as in today's.
    fn have(&self, since: fn(&ErrorReleases) -> Option<StableVersion>) -> bool {
        self.releases.and_then(since).is_none_or(|since| self.is_from(since))
    }

    /// The answer that the profile states, with this status where it says no other.
    fn stated(
        &self,
        case: ErrorCase,
        status: StatusCode,
    ) -> Option<(StatusCode, Option<&'static str>)> {
        let worded = reached(self.releases?.words.get(&case)?, self.release?)?;
        let stated = worded.status.and_then(|status| StatusCode::from_u16(status).ok());
        Some((stated.unwrap_or(status), worded.text.as_deref()))
    }

    fn is_from(&self, since: StableVersion) -> bool {
        self.release.is_none_or(|release| *release >= since.version())
    }
}

/// The way in which a framework takes every request.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Manners {
    /// Whether a body is read for the operations alone that take something from it.
    pub(super) reads_few_bodies: bool,
    /// Whether a program takes what it can: it drops what is no object from a list of objects, takes any text for a switch or a number, and reads a
    /// body of JSON in any request.
    pub(super) is_lenient: bool,
    /// Whether a body is bound to types: a value of another one is answered 400, and a text in place of a file is none.
    pub(super) binds_types: bool,
    /// Whether scopes are looked at before the kind of token.
    pub(super) asks_scopes_first: bool,
}

/// The answers that programs on one framework have in common.
pub(super) trait Family: Sync {
    fn manners(&self) -> Manners {
        Manners::default()
    }

    /// The words of a 400 for a text in place of a number or a switch; `None` where such a text is taken for something.
    fn unreadable(&self, text: &Unreadable<'_>, errors: &Errors<'_>) -> Option<String>;

    /// The words of a 400 for a body that is no JSON, where the program has its own.
    fn malformed(&self, _error: &serde_json::Error, _body: &[u8]) -> Option<String> {
        None
    }

    /// The answer to a path in which a parameter is empty, where it is not that to any parameter that is missing.
    fn empty_in_path(&self, _: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        None
    }

    /// The answer to a request without a parameter, of a read or of a write, where the catalogue has no words for it.
    fn missing(&self, _key: &str, _is_read: bool, _: &Errors<'_>) -> Option<(StatusCode, String)> {
        None
    }

    /// The answer to a text in place of a time.
    fn no_time(&self, _param: &str) -> Option<(StatusCode, &'static str)> {
        None
    }

    /// The answer to a value that is not one of those listed, of a read or of a write, where the program has its own.
    fn unlisted(
        &self,
        _key: &str,
        _sent: &str,
        _is_read: bool,
        _listed: &str,
    ) -> Option<(StatusCode, String)> {
        None
    }

    /// The answer of a path that has no route, by the header `Accept`.
    fn nothing(&self, accept: &str, errors: &Errors<'_>) -> Nothing;

    /// The answer to a method that a path does not have, by the header `Accept`.
    fn other_method(&self, accept: &str, errors: &Errors<'_>) -> Nothing;

    /// Whether a token that is worth nothing counts as none.
    fn ignores_bad_tokens(&self, auth: &Auth) -> bool;

    /// The answer of an error that says no more than its status, where it is not that of `Error`.
    fn plain(&self, status: StatusCode, errors: &Errors<'_>) -> Option<(StatusCode, &'static str)>;

    /// The answer to a value of so many characters or elements, where fewer are taken.
    fn too_long(
        &self,
        key: &str,
        count: u64,
        most: u64,
        errors: &Errors<'_>,
    ) -> (StatusCode, String);

    /// The answer to a caller whom an operation refuses.
    fn refuse(
        &self,
        refusal: Refusal,
        auth: &Auth,
        caller: Option<&Caller>,
        errors: &Errors<'_>,
    ) -> (StatusCode, String);
}

/// The family of a name; programs without one are taken for Rails, on which the API began.
pub(super) fn of(family: Option<fedispec_since::Family>) -> &'static dyn Family {
    match family {
        Some(fedispec_since::Family::Gin) => &gin::Gin,
        Some(fedispec_since::Family::Rails) | None => &rails::Rails,
        Some(_) => &stated::Stated,
    }
}
