//! The program and release that a server emulates.

use std::fmt;

use axum::http::StatusCode;
use axum::http::header::HeaderValue;

use crate::Version;

/// The program and release that a server emulates. Handlers find it in [`Call::target`](super::Call::target).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The program's key in the catalogue: `mastodon`.
    pub program: Box<str>,
    /// The release.
    pub version: Version,
}

impl Target {
    /// Creates a target.
    pub fn new(program: impl Into<Box<str>>, version: Version) -> Self {
        Self {
            program: program.into(),
            version,
        }
    }
}

/// Prints `mastodon@4.2.0`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.program, self.version)
    }
}

/// How a program takes what clients send, where programs differ.
#[derive(Debug)]
pub(super) struct Ways {
    /// Its key in the catalogue.
    pub(super) program: &'static str,
    /// What it answers to a number in a query that is none; without it the digits at the beginning count.
    pub(super) no_number: Option<Refused>,
    /// Whether of `id[]=7&id=8` the list counts, and not what is sent later.
    pub(super) lists_first: bool,
    /// Whether a negative `limit` is taken without its sign, and not as 1.
    pub(super) absolute_limits: bool,
    /// The calls that a rate limit counts together.
    pub(super) counted: Counted,
    /// How the end of a rate limit is written.
    pub(super) clock: Clock,
    /// The words of a 429.
    pub(super) too_many_requests: &'static str,
    /// A release as its server shows it.
    pub(super) shown_version: fn(&Version) -> String,
    /// Where the source of a release is.
    pub(super) source: fn(&Version) -> &'static str,
    /// What a release answers where it has no route; the text is the header `Accept`.
    pub(super) nothing: fn(&Version, &str) -> Nothing,
    /// What it answers to a method that a path does not have.
    pub(super) other_method: fn(&Version, &str) -> Nothing,
    /// Whether those who are refused are told so as GoToSocial tells them, and not as Mastodon does.
    pub(super) refuses_as_gotosocial: bool,
}

/// A status, and its words for the name of a parameter and the text sent.
pub(super) type Refused = (StatusCode, fn(&str, &str) -> String);

/// A status, a media type and a body.
pub(super) type Nothing = (StatusCode, Option<HeaderValue>, &'static str);

/// The calls that a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Those of an account, or of an address where there is no account.
    ByAccount,
    /// Those of an address, with or without accounts.
    ByAddress,
}

/// How exactly a time is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Clock {
    Milliseconds,
    Microseconds,
}

static WAYS: [Ways; 2] = [
    Ways {
        program: "mastodon",
        no_number: None,
        lists_first: false,
        absolute_limits: true,
        counted: Counted::ByAccount,
        clock: Clock::Microseconds,
        too_many_requests: "Too many requests",
        shown_version: Version::to_string,
        source: |_| "https://github.com/mastodon/mastodon",
        nothing: mastodon_nothing,
        other_method: mastodon_nothing,
        refuses_as_gotosocial: false,
    },
    Ways {
        program: "gotosocial",
        // `parseInt` of internal/api/util/parsequery.go.
        no_number: Some((StatusCode::BAD_REQUEST, |param, sent| {
            format!(
                "Bad Request: error parsing key {param} with value {sent} as int: strconv.Atoi: parsing {sent:?}: invalid syntax"
            )
        })),
        lists_first: true,
        absolute_limits: false,
        counted: Counted::ByAddress,
        clock: Clock::Milliseconds,
        too_many_requests: "rate limit reached",
        shown_version: gotosocial_version,
        source: |version| {
            if *version < Version::new(0, 19, 0) {
                "https://github.com/superseriousbusiness/gotosocial"
            } else {
                "https://codeberg.org/superseriousbusiness/gotosocial"
            }
        },
        nothing: gotosocial_nothing,
        other_method: gotosocial_other_method,
        refuses_as_gotosocial: true,
    },
];

const JSON: Option<HeaderValue> = Some(HeaderValue::from_static("application/json; charset=utf-8"));
const HTML: Option<HeaderValue> = Some(HeaderValue::from_static("text/html; charset=utf-8"));
const NOT_FOUND: &str = "{\"error\":\"Not Found\"}";
const PAGE: &str = "<!DOCTYPE html>\n<title>404 Not Found</title>\n<p>The page you are looking for is not here.</p>\n";

/// With the commit that it was built from, which is nobody's here; before 0.14.0 after a space.
fn gotosocial_version(version: &Version) -> String {
    let between = if *version < Version::new(0, 14, 0) {
        ' '
    } else {
        '+'
    };
    format!("{version}{between}git-0000000")
}

/// `ApplicationController#not_found`: a page, unless JSON is named; before 3.1.0 nothing, unless a page is named.
fn mastodon_nothing(version: &Version, accept: &str) -> Nothing {
    let missing = StatusCode::NOT_FOUND;
    if *version < Version::new(3, 1, 0) {
        return if accept.contains("text/html") {
            (missing, HTML, PAGE)
        } else {
            (missing, None, "")
        };
    }
    if accept.contains("application/json") {
        (missing, JSON, NOT_FOUND)
    } else {
        (missing, HTML, PAGE)
    }
}

/// JSON, unless a page is named before it; up to 0.7 a page, unless JSON is named.
fn gotosocial_nothing(version: &Version, accept: &str) -> Nothing {
    let (json, html) = (accept.find("json"), accept.find("text/html"));
    let is_page = match (json, html) {
        (Some(json), Some(html)) => html < json,
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => *version < Version::new(0, 8, 0),
    };
    if is_page {
        (StatusCode::NOT_FOUND, HTML, PAGE)
    } else {
        (StatusCode::NOT_FOUND, JSON, NOT_FOUND)
    }
}

/// Since 0.13.0 its router tells methods that a path does not have.
fn gotosocial_other_method(version: &Version, accept: &str) -> Nothing {
    if *version < Version::new(0, 13, 0) {
        return gotosocial_nothing(version, accept);
    }
    let text = HeaderValue::from_static("text/plain");
    (
        StatusCode::METHOD_NOT_ALLOWED,
        Some(text),
        "405 method not allowed",
    )
}

impl Ways {
    /// The ways of a target's program, or those of Mastodon.
    pub(super) fn of(target: Option<&Target>) -> &'static Self {
        let [mastodon, ..] = &WAYS;
        let known =
            target.and_then(|target| WAYS.iter().find(|ways| *ways.program == *target.program));
        known.unwrap_or(mastodon)
    }
}
