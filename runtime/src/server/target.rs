//! The program and release that a server emulates.

use std::fmt;

use axum::http::StatusCode;

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
    program: &'static str,
    /// What it answers to a number in a query that is none; without it the digits at the beginning count.
    pub(super) no_number: Option<Refused>,
    /// Whether of `id[]=7&id=8` the list counts, and not what is sent later.
    pub(super) lists_first: bool,
    /// Whether a negative `limit` is taken without its sign, and not as 1.
    pub(super) absolute_limits: bool,
    /// Whose calls a rate limit counts together.
    pub(super) counted: Counted,
    /// How the end of a rate limit is written.
    pub(super) clock: Clock,
    /// The words of a 429.
    pub(super) too_many_requests: &'static str,
    /// Whether those who are refused are told so as GoToSocial tells them, and not as Mastodon does.
    pub(super) refuses_as_gotosocial: bool,
}

/// A status, and its words for the name of a parameter and the text sent.
pub(super) type Refused = (StatusCode, fn(&str, &str) -> String);

/// Whose calls a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// An account's, and those of an address where there is no account.
    ByAccount,
    /// An address's, whoever calls.
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
        refuses_as_gotosocial: true,
    },
];

impl Ways {
    /// The ways of a target's program, or those of Mastodon.
    pub(super) fn of(target: Option<&Target>) -> &'static Self {
        let [mastodon, ..] = &WAYS;
        let known =
            target.and_then(|target| WAYS.iter().find(|ways| *ways.program == *target.program));
        known.unwrap_or(mastodon)
    }
}
