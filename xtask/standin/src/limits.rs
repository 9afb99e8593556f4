//! Rate limits, and the headers that tell them, as the release has them.
//!
//! The limits are told and not enforced unless somebody wants it: suites of tests make more calls than people do.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::lock::lock;
use crate::release::Release;
use crate::store::clock::Millis;

mod table;

pub(crate) use table::{By, Throttle};

/// The greatest number of callers that are counted apart.
const CALLERS: usize = 1 << 16;

/// Whether rate limits are enforced, and numbers of calls that differ from the release's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct RateLimits {
    enforce: bool,
    calls: BTreeMap<String, u32>,
}

impl RateLimits {
    /// Limits that are told in headers alone: once half of a limit is used up, it begins anew.
    pub fn told() -> Self {
        Self::default()
    }

    /// Limits beyond which a call is answered 429.
    pub fn enforced() -> Self {
        Self { enforce: true, ..Self::default() }
    }

    /// Sets the number of calls of a limit: `token`, `account`, `address`, `media`, `paging`, `deletion`, `sign_up`, `apps`, `statuses`,
    /// `follows`, `reports` or `confirmations`. A release has some of them.
    pub fn calls(mut self, limit: impl Into<String>, calls: u32) -> Self {
        self.calls.insert(limit.into(), calls);
        self
    }

    /// The name that is no limit's, if there is one.
    pub(crate) fn unknown(&self) -> Option<String> {
        let known = table::names();
        let unknown = self.calls.keys().find(|name| !known.contains(&***name))?;
        let known: Vec<_> = known.into_iter().collect();
        Some(format!("there is no limit {unknown:?}; there are {}", known.join(", ")))
    }
}

/// The parts of a call that limits look at.
pub(crate) struct LimitedCall<'c> {
    pub(crate) method: &'c Method,
    pub(crate) path: &'c str,
    pub(crate) query: &'c str,
    pub(crate) operation: Option<&'static str>,
    /// The caller's token and account, where there are any.
    pub(crate) token: Option<&'c str>,
    pub(crate) account: Option<u64>,
    pub(crate) address: String,
}

/// The counts of all limits of a release.
#[derive(Clone)]
pub(crate) struct Limits {
    throttles: Arc<[&'static Throttle]>,
    counted: Arc<Mutex<Counted>>,
}

#[derive(Default)]
struct Counted {
    settings: RateLimits,
    /// By limit and caller: the period, and the calls in it.
    counts: HashMap<(&'static str, String), (Millis, u32)>,
}

/// How a limit stands after a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    throttle: &'static Throttle,
    limit: u32,
    used: u32,
    now: Millis,
}

impl Limits {
    pub(crate) fn new(release: &Release, settings: RateLimits) -> Self {
        let throttles = table::of(release.framework(), release.version()).collect();
        let counted = Counted { settings, ..Counted::default() };
        Self { throttles, counted: Arc::new(Mutex::new(counted)) }
    }

    pub(crate) fn set(&self, settings: RateLimits) {
        *lock(&self.counted) = Counted { settings, ..Counted::default() };
    }

    pub(crate) fn settings(&self) -> RateLimits {
        lock(&self.counted).settings.clone()
    }

    /// Counts a call. Answers how the limit stands that is the nearest to its end; none where no limit counts the call.
    pub(crate) fn count(&self, asked: &LimitedCall<'_>, now: Millis) -> Option<Standing> {
        let mut counted = lock(&self.counted);
        let counted = &mut *counted;
        let throttles = self.throttles.iter().filter(|throttle| throttle.counts(asked));
        let standings = throttles.filter_map(|throttle| {
            let caller = match throttle.by {
                By::Token => asked.token?.to_owned(),
                By::Account => asked.account?.to_string(),
                By::Stranger if asked.account.is_some() => return None,
                By::Stranger | By::Address => asked.address.clone(),
            };
            let number = now.div_euclid(i64::from(throttle.seconds) * 1000);
            let limit =
                counted.settings.calls.get(&throttle.name).copied().unwrap_or(throttle.calls);
            if counted.counts.len() >= CALLERS {
                counted.counts.clear();
            }
            let count = counted.counts.entry((&*throttle.name, caller)).or_default();
            // A count that is told and not enforced begins anew at half, before clients that heed the headers slow down.
            let is_half = count.1.saturating_add(1).saturating_mul(2) > limit;
            if count.0 != number || (!counted.settings.enforce && is_half) {
                *count = (number, 0);
            }
            count.1 = count.1.saturating_add(1);
            Some(Standing { throttle, limit, used: count.1, now })
        });
        standings.min_by_key(|standing| i64::from(standing.limit) - i64::from(standing.used))
    }

    /// A limit of the release that is used up, for a fault; none where the release has no limits.
    pub(crate) fn used_up(&self, now: Millis) -> Option<Standing> {
        let throttle = self.throttles.first()?;
        Some(Standing { throttle, limit: throttle.calls, used: throttle.calls + 1, now })
    }
}

impl Standing {
    /// The answer 429 where the limit is used up.
    pub(crate) fn refusal(&self) -> Option<Response> {
        (self.used > self.limit).then(|| {
            let kind = [(CONTENT_TYPE, "application/json; charset=utf-8")];
            let told = json!({ "error": self.throttle.told() }).to_string();
            let mut response = (StatusCode::TOO_MANY_REQUESTS, kind, told).into_response();
            self.tell(response.headers_mut());
            response
        })
    }

    /// Sets the headers that tell how the limit stands.
    pub(crate) fn tell(&self, headers: &mut HeaderMap) {
        let remaining = self.limit.saturating_sub(self.used);
        let values = [
            ("x-ratelimit-limit", self.limit.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset", self.throttle.reset(self.now)),
        ];
        for (name, value) in values {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(release: &str, settings: RateLimits) -> Limits {
        Limits::new(&release.parse().expect("a release"), settings)
    }

    fn ask<'c>(method: &'c Method, path: &'c str, token: Option<&'c str>) -> LimitedCall<'c> {
        LimitedCall {
            method,
            path,
            query: "",
            operation: None,
            token,
            account: token.map(|_| 7),
            address: "127.0.0.1".to_owned(),
        }
    }

    #[test]
    fn the_nearest_limit_of_the_release_is_told() {
        let count = |release: &str, method: &Method, path: &str, token| {
            let standing =
                limits(release, RateLimits::told()).count(&ask(method, path, token), 0)?;
            Some((standing.limit, standing.used, standing.throttle.seconds))
        };
        let home = "/api/v1/timelines/home";
        assert_eq!(count("mastodon@4.6.4", &Method::GET, home, Some("a")), Some((300, 1, 300)));
        assert_eq!(
            count("mastodon@4.6.4", &Method::POST, "/api/v2/media", Some("a")),
            Some((30, 1, 1800))
        );
        assert_eq!(count("mastodon@2.1.0", &Method::GET, home, None), Some((7500, 1, 300)));
        assert_eq!(count("gotosocial@0.6.0", &Method::GET, home, None), Some((1000, 1, 300)));
        assert_eq!(count("mastodon@4.6.4", &Method::GET, "/oauth/authorize", None), None);
    }

    #[test]
    fn a_limit_begins_anew_unless_it_is_enforced() {
        let path = "/api/v1/timelines/public";
        let told = limits("mastodon@4.6.4", RateLimits::told().calls("address", 5));
        let used = |limits: &Limits, now| {
            let standing = limits.count(&ask(&Method::GET, path, None), now).expect("a limit");
            (standing.used, standing.refusal().is_some())
        };
        let seen: Vec<_> = (0..5).map(|_| used(&told, 0)).collect();
        assert_eq!(seen, [(1, false), (2, false), (1, false), (2, false), (1, false)]);
        let enforced = limits("mastodon@4.6.4", RateLimits::enforced().calls("address", 3));
        let seen: Vec<_> = (0..4).map(|_| used(&enforced, 0)).collect();
        assert_eq!(seen, [(1, false), (2, false), (3, false), (4, true)]);
        assert_eq!(used(&enforced, 300_000), (1, false));
        assert!(RateLimits::enforced().calls("adress", 3).unknown().is_some());
        assert_eq!(RateLimits::enforced().calls("media", 3).unknown(), None);
    }

    #[test]
    fn each_program_writes_the_end_of_a_period_in_its_way() {
        for (release, told) in [
            ("mastodon@4.6.4", "1970-01-01T00:05:00.042000Z"),
            ("gotosocial@0.19.2", "1970-01-01T00:05:00.000Z"),
        ] {
            let limits = limits(release, RateLimits::told());
            let mut headers = HeaderMap::new();
            limits.used_up(42).expect("a limit").tell(&mut headers);
            assert_eq!(headers["x-ratelimit-reset"], told);
            assert_eq!(headers["x-ratelimit-remaining"], "0");
        }
    }
}
