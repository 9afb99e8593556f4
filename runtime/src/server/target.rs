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
        Self { program: program.into(), version }
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
    /// The words of a 400 for a number that is none and for a switch that is neither on nor off; without them it is lenient.
    pub(super) unreadable: Option<fn(&Unreadable<'_>) -> String>,
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
    /// The answer of a release where it has no route; the text is the header `Accept`.
    pub(super) nothing: fn(&Version, &str) -> Nothing,
    /// Its answer to a method that a path does not have.
    pub(super) other_method: fn(&Version, &str) -> Nothing,
    /// Whether those who are refused are told so as GoToSocial tells them, and not as Mastodon does.
    pub(super) refuses_as_gotosocial: bool,
}

/// A text in place of a number or a switch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unreadable<'a> {
    pub(super) operation: &'a str,
    /// The emulated release.
    pub(super) version: Option<&'a Version>,
    pub(super) param: &'a str,
    pub(super) sent: &'a str,
    pub(super) is_query: bool,
    pub(super) is_switch: bool,
}

/// The words that Go's `strconv.ParseBool` takes for a switch.
pub(super) const GO_SWITCHES: [&str; 12] =
    ["1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"];

/// A status, a media type and a body.
pub(super) type Nothing = (StatusCode, Option<HeaderValue>, &'static str);

/// The calls that a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Calls count for the account, or for the address where there is no account.
    ByAccount,
    /// Calls count for the address, with or without accounts.
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
        unreadable: None,
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
        unreadable: Some(gotosocial_unreadable),
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

/// Handlers of GoToSocial that read their query themselves, and the first release that leaves it to internal/api/util/parsequery.go; the others
/// do so since 0.10.0.
const READS_ITSELF: [(&str, Option<Version>); 8] = [
    ("accounts.statuses", None),
    ("admin_emojis.list", Some(Version::new(0, 17, 0))),
    ("admin_reports.list", Some(Version::new(0, 17, 0))),
    ("blocks.list", Some(Version::new(0, 11, 0))),
    ("bookmarks.list", None),
    ("favourites.list", None),
    ("notifications.list", Some(Version::new(0, 18, 0))),
    ("reports.list", Some(Version::new(0, 17, 0))),
];

/// The words of Go's `strconv` for a text, after those of the handler; of a form as gin binds it. Of JSON GoToSocial names the types of its own
/// source instead, which are not known here.
fn gotosocial_unreadable(text: &Unreadable<'_>) -> String {
    let Unreadable { param, sent, .. } = text;
    let before = |major, minor, patch| {
        let end = Version::new(major, minor, patch);
        text.version.is_some_and(|version| *version < end)
    };
    let (kind, shared, own) = if text.is_switch {
        ("bool", "ParseBool", "ParseBool")
    } else {
        ("int", "Atoi", "ParseInt")
    };
    let why = |function: &str| format!("strconv.{function}: parsing {sent:?}: invalid syntax");
    if !text.is_query {
        return format!("Bad Request: {}", why(own));
    }
    if before(0, 3, 5) {
        let param = param.replace('_', " ");
        return format!("couldn't parse {param} query param");
    }
    let mut known = READS_ITSELF.iter();
    let reads_itself = match known.find(|(operation, _)| *operation == text.operation) {
        Some((_, until)) => {
            until.as_ref().is_none_or(|until| text.version.is_some_and(|version| version < until))
        }
        None => before(0, 10, 0),
    };
    if reads_itself {
        return format!("Bad Request: error parsing {param}: {}", why(own));
    }
    format!("Bad Request: error parsing key {param} with value {sent} as {kind}: {}", why(shared))
}

/// With the commit that it was built from, which is nobody's here; before 0.14.0 after a space.
fn gotosocial_version(version: &Version) -> String {
    let between = if *version < Version::new(0, 14, 0) { ' ' } else { '+' };
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
    (StatusCode::METHOD_NOT_ALLOWED, Some(text), "405 method not allowed")
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
