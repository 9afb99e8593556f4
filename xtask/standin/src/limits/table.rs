//! The rate limits of each family of programs, by release.
//!
//! Mastodon's are in `config/initializers/rack_attack.rb` and `app/lib/rate_limiter.rb`; `GoToSocial`'s is the default of
//! `advanced-rate-limit-requests`.

use axum::http::Method;
use fedispec::runtime::{Family, Version};

use super::LimitedCall;
use crate::store::clock::{Millis, time};

/// The callers whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Token,
    Account,
    /// An address, where there is no account.
    Stranger,
    Address,
}

/// The calls that a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// All below `/api`.
    Api,
    /// Requests with these methods and paths, where `:id` is any segment.
    Paths(&'static [(&'static str, &'static str)]),
    /// Requests for a page of a list.
    Pages,
    /// Calls to operations.
    Operations(&'static [&'static str]),
}

/// A number of calls that each caller has in a time.
#[derive(Debug)]
pub(crate) struct Throttle {
    family: Family,
    pub(crate) name: &'static str,
    /// The first release that has it, and the first that does not any more.
    releases: ([u32; 3], Option<[u32; 3]>),
    pub(crate) calls: u32,
    pub(crate) seconds: u32,
    pub(crate) by: By,
    of: Of,
}

const UPLOAD_V1: Of = Of::Paths(&[("POST", "/api/v1/media")]);
const UPLOADS: Of = Of::Paths(&[("POST", "/api/v1/media"), ("POST", "/api/v2/media")]);
const DELETIONS: Of =
    Of::Paths(&[("DELETE", "/api/v1/statuses/:id"), ("POST", "/api/v1/statuses/:id/unreblog")]);
const SIGN_UP: Of = Of::Paths(&[("POST", "/api/v1/accounts")]);
const APPS: Of = Of::Paths(&[("POST", "/api/v1/apps")]);
const CONFIRMATIONS: Of = Of::Paths(&[("POST", "/api/v1/emails/confirmations")]);
const POSTS: Of = Of::Operations(&["statuses.create", "statuses.reblog", "statuses.update"]);
const FOLLOWS: Of = Of::Operations(&["accounts.follow"]);
const REPORTS: Of = Of::Operations(&["reports.create"]);

/// A limit: the family of its program and its name, its releases, calls in seconds, whose calls and which.
const fn row(
    (family, name): (Family, &'static str),
    releases: ([u32; 3], Option<[u32; 3]>),
    (calls, seconds): (u32, u32),
    by: By,
    of: Of,
) -> Throttle {
    Throttle { family, name, releases, calls, seconds, by, of }
}

static ALL: [Throttle; 20] = [
    row((Family::Rails, "address"), ([0, 9, 9], Some([1, 1, 0])), (150, 300), By::Address, Of::Api),
    row((Family::Rails, "address"), ([1, 1, 0], Some([2, 1, 0])), (300, 300), By::Address, Of::Api),
    row((Family::Rails, "account"), ([2, 1, 0], Some([4, 1, 0])), (300, 300), By::Account, Of::Api),
    row((Family::Rails, "token"), ([4, 1, 0], None), (300, 300), By::Token, Of::Api),
    row((Family::Rails, "account"), ([4, 1, 0], None), (1500, 300), By::Account, Of::Api),
    row(
        (Family::Rails, "address"),
        ([2, 1, 0], Some([2, 9, 0])),
        (7500, 300),
        By::Address,
        Of::Api,
    ),
    row((Family::Rails, "address"), ([2, 9, 0], None), (300, 300), By::Stranger, Of::Api),
    row((Family::Rails, "media"), ([2, 4, 0], Some([3, 4, 9])), (30, 1800), By::Account, UPLOAD_V1),
    row((Family::Rails, "media"), ([3, 4, 9], None), (30, 1800), By::Account, UPLOADS),
    row((Family::Rails, "sign_up"), ([2, 7, 0], None), (5, 1800), By::Address, SIGN_UP),
    row((Family::Rails, "paging"), ([2, 9, 0], None), (300, 900), By::Account, Of::Pages),
    row((Family::Rails, "paging"), ([2, 9, 0], None), (300, 900), By::Stranger, Of::Pages),
    row((Family::Rails, "deletion"), ([2, 7, 2], None), (30, 1800), By::Account, DELETIONS),
    row((Family::Rails, "apps"), ([4, 3, 0], None), (5, 600), By::Address, APPS),
    row((Family::Rails, "confirmations"), ([3, 4, 0], None), (5, 1800), By::Account, CONFIRMATIONS),
    row((Family::Rails, "statuses"), ([3, 1, 3], None), (300, 10_800), By::Account, POSTS),
    row((Family::Rails, "follows"), ([3, 1, 3], None), (400, 86_400), By::Account, FOLLOWS),
    row((Family::Rails, "reports"), ([3, 1, 3], None), (400, 86_400), By::Account, REPORTS),
    row((Family::Gin, "address"), ([0, 6, 0], Some([0, 7, 0])), (1000, 300), By::Address, Of::Api),
    row((Family::Gin, "address"), ([0, 7, 0], None), (300, 300), By::Address, Of::Api),
];

/// The limits of a release.
pub(super) fn of(
    family: Option<Family>,
    version: &Version,
) -> impl Iterator<Item = &'static Throttle> {
    let at = |[major, minor, patch]: [u32; 3]| Version::new(major, minor, patch);
    ALL.iter().filter(move |throttle| {
        let (first, after) = throttle.releases;
        family == Some(throttle.family)
            && at(first) <= *version
            && after.is_none_or(|after| *version < at(after))
    })
}

/// The names of all limits.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let first = |place: usize| ALL[..place].iter().all(|one| one.name != ALL[place].name);
    ALL.iter().enumerate().filter(move |(place, _)| first(*place)).map(|(_, one)| one.name)
}

impl Throttle {
    /// Whether it counts a call.
    pub(super) fn counts(&self, asked: &LimitedCall<'_>) -> bool {
        match self.of {
            Of::Api => asked.path.starts_with("/api/"),
            Of::Paths(paths) => paths.iter().any(|(method, path)| {
                asked.method == Method::from_bytes(method.as_bytes()).unwrap_or_default()
                    && crate::operations::fits(path, asked.path)
            }),
            Of::Pages => form_urlencoded::parse(asked.query.as_bytes())
                .any(|(name, _)| ["page", "min_id", "max_id", "since_id"].contains(&&*name)),
            Of::Operations(ids) => asked.operation.is_some_and(|id| ids.contains(&id)),
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
