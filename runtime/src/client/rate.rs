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
    /// The time to wait before the next request.
    pub retry_after: Option<Duration>,
    /// The time at the server, against which `reset` is to be read: clocks differ.
    pub date: Option<SystemTime>,
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
        let date = text("date").and_then(http_date);
        let rate = Self {
            limit: number("x-ratelimit-limit"),
            remaining: number("x-ratelimit-remaining"),
            reset: text("x-ratelimit-reset").and_then(time),
            retry_after: text("retry-after").and_then(|text| match text.parse() {
                Ok(seconds) => Some(Duration::from_secs(seconds)),
                Err(_) => Some(http_date(text)?.duration_since(date?).unwrap_or_default()),
            }),
            date,
        };
        let told = Self { date: None, ..rate };
        (told != Self::default()).then_some(rate)
    }

    /// The time from `now` until the next period begins; 0 if it has begun.
    pub fn until_reset(&self, now: SystemTime) -> Option<Duration> {
        let left = self.reset?.duration_since(self.date.unwrap_or(now));
        Some(left.unwrap_or_default())
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

/// Parses a date of HTTP in the form that servers send, `Sun, 06 Nov 1994 08:49:37 GMT`
/// ([RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)).
fn http_date(text: &str) -> Option<SystemTime> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = text.split(' ').skip(1);
    let (day, month, year, clock) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.find(month).filter(|at| month.len() == 3 && at % 3 == 0)? / 3 + 1;
    let is_gmt = words.next() == Some("GMT") && words.next().is_none();
    time(&format!("{year}-{month:02}-{day}T{clock}Z")).filter(|_| is_gmt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reset(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert("x-ratelimit-reset", text.parse().expect(text));
        let since = Rate::read(&headers)?.reset?.duration_since(SystemTime::UNIX_EPOCH);
        Some(since.expect("after 1970"))
    }

    #[test]
    fn reset_is_a_date_or_seconds() {
        assert_eq!(
            reset("2024-10-08T12:30:00.250Z"),
            Some(Duration::from_millis(1_728_390_600_250))
        );
        assert_eq!(reset("1728390600"), Some(Duration::from_secs(1_728_390_600)));
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

        let date = |text: &str| text.parse().expect(text);
        headers.insert("retry-after", date("Wed, 09 Oct 2024 00:00:30 GMT"));
        assert_eq!(Rate::read(&headers), None, "by which clock?");
        headers.insert("date", date("Tue, 08 Oct 2024 23:59:30 GMT"));
        let rate = Rate::read(&headers).expect("a rate");
        assert_eq!(rate.retry_after, Some(Duration::from_secs(60)));
        for text in [
            "",
            "Tue, 08 Foo 2024 23:59:30 GMT",
            "Tue, 08 Oct 2024 23:59:30",
            "Tue, 08 anF 2024 23:59:30 GMT",
        ] {
            assert_eq!(http_date(text), None, "{text}");
        }
    }

    #[test]
    fn a_reset_is_read_by_the_clock_of_the_server() {
        let mut headers = HeaderMap::new();
        headers.insert("x-ratelimit-reset", "2024-10-08T12:35:00Z".parse().expect("a value"));
        let read = |headers: &HeaderMap| Rate::read(headers).expect("a rate");
        let now = read(&headers).reset.expect("a time") - Duration::from_secs(3600);
        assert_eq!(read(&headers).until_reset(now), Some(Duration::from_secs(3600)));
        headers.insert("date", "Tue, 08 Oct 2024 12:30:00 GMT".parse().expect("a value"));
        assert_eq!(read(&headers).until_reset(now), Some(Duration::from_secs(300)));
        headers.insert("date", "Tue, 08 Oct 2024 12:40:00 GMT".parse().expect("a value"));
        assert_eq!(read(&headers).until_reset(now), Some(Duration::ZERO));
    }
}
