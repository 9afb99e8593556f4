//! Rate limits.

use std::time::{Duration, SystemTime};

use http::HeaderMap;

use crate::Timestamp;

/// Rate-limit state reported by the server (`X-RateLimit-*` and `Retry-After`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Rate {
    /// The number of requests allowed per period.
    pub limit: Option<u64>,
    /// The number of requests left in the current period.
    pub remaining: Option<u64>,
    /// The time at which the next period begins. Mastodon sends a date, GoToSocial seconds since 1970.
    pub reset: Option<SystemTime>,
    /// How long to wait before the next request.
    pub retry_after: Option<Duration>,
}

impl Rate {
    /// Reads the headers of a response; `None` where they report no limit.
    ///
    /// ```
    /// # use fedispec_runtime::client::Rate;
    /// let mut headers = http::HeaderMap::new();
    /// headers.insert("x-ratelimit-remaining", 299.into());
    /// headers.insert("x-ratelimit-reset", "2024-10-08T12:35:00.250Z".parse()?);
    /// let rate = Rate::read(&headers).ok_or("it says something")?;
    /// assert_eq!((rate.limit, rate.remaining), (None, Some(299)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
        let number = |name: &str| text(name)?.parse().ok();
        let rate = Self {
            limit: number("x-ratelimit-limit"),
            remaining: number("x-ratelimit-remaining"),
            reset: text("x-ratelimit-reset").and_then(time),
            retry_after: text("retry-after")
                .and_then(|text| text.parse().ok())
                .map(Duration::from_secs),
        };
        (rate != Self::default()).then_some(rate)
    }
}

/// Parses a date or seconds since 1970.
fn time(text: &str) -> Option<SystemTime> {
    let (seconds, nanoseconds) = match text.parse() {
        Ok(seconds) => (seconds, 0),
        Err(_) => Timestamp::from(text).unix_with_nanoseconds()?,
    };
    let since = Duration::new(u64::try_from(seconds).ok()?, nanoseconds);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reset(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert("x-ratelimit-reset", text.parse().expect(text));
        let since = Rate::read(&headers)?
            .reset?
            .duration_since(SystemTime::UNIX_EPOCH);
        Some(since.expect("after 1970"))
    }

    #[test]
    fn reset_is_a_date_or_seconds() {
        assert_eq!(
            reset("2024-10-08T12:30:00.250Z"),
            Some(Duration::from_millis(1_728_390_600_250))
        );
        assert_eq!(
            reset("1728390600"),
            Some(Duration::from_secs(1_728_390_600))
        );
        for text in ["", "soon", "-5", "18446744073709551616"] {
            assert_eq!(reset(text), None, "{text}");
        }
        assert_eq!(Rate::read(&HeaderMap::new()), None);
    }

    #[test]
    fn retry_after_is_a_date_or_seconds() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", 120.into());
        let rate = Rate::read(&headers).expect("a rate");
        assert_eq!(rate.retry_after, Some(Duration::from_secs(120)));
    }
}
