//! Points in time.

use std::fmt;

use crate::de::{Fault, FromJson, Input};
use crate::id::TextOrNumber;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// A point in time, or a day, as the server sent it.
///
/// Servers send dates where they promise times, and the empty string where they promise either. So any text and any number is read as it is, and is
/// parsed only when asked:
///
/// ```
/// use fedispec_runtime::Timestamp;
///
/// let posted = Timestamp::from("2024-10-08T12:30:00.250Z");
/// assert_eq!(posted.unix(), Some(1_728_390_600));
/// assert_eq!(posted.date(), Some((2024, 10, 8)));
/// assert_eq!(Timestamp::from("").unix(), None);
/// ```
///
/// The features `jiff`, `time` and `chrono` add conversions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Timestamp(Sent);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Sent {
    Text(Box<str>),
    Number(i64),
}

/// The parts of a [`Timestamp`], in the time zone of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Parsed {
    date: (i32, u8, u8),
    seconds: u32,
    nanoseconds: u32,
    offset: i32,
}

/// The seconds since 1970 whose years have four digits.
const FOUR_DIGITS: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

impl Timestamp {
    fn new(text: impl Into<Box<str>>) -> Self {
        Self(Sent::Text(text.into()))
    }

    /// A time in seconds since 1970, which is written as a number.
    pub const fn from_unix(seconds: i64) -> Self {
        Self(Sent::Number(seconds))
    }

    /// A time in milliseconds since 1970, which is written as text with milliseconds and in UTC, as servers do: `2024-10-08T12:30:00.250Z`. A time
    /// beyond the four digits of its year is the first or the last that they can tell, as clients read nothing else.
    pub fn from_unix_milliseconds(milliseconds: i64) -> Self {
        let seconds = milliseconds.div_euclid(1000);
        let Some((year @ 0..=9999, month, day)) = date_since_1970(seconds.div_euclid(86_400))
        else {
            let end =
                if seconds < 0 { "0000-01-01T00:00:00.000Z" } else { "9999-12-31T23:59:59.999Z" };
            return Self::from(end);
        };
        let (rest, fraction) = (seconds.rem_euclid(86_400), milliseconds.rem_euclid(1000));
        let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
        Self::from(format!(
            "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{fraction:03}Z"
        ))
    }

    /// A time that was sent in seconds since 1970, to be written as text; `None` where its year has not four digits.
    pub(crate) fn received(seconds: i64) -> Option<Self> {
        FOUR_DIGITS.contains(&seconds).then(|| Self::from_unix_milliseconds(seconds * 1000))
    }

    /// Whether so many seconds from now the year still has four digits.
    #[cfg(feature = "server")]
    pub(crate) fn is_reached_in(seconds: i64) -> bool {
        let now = milliseconds(std::time::SystemTime::now()).div_euclid(1000);
        FOUR_DIGITS.contains(&now.saturating_add(seconds))
    }

    /// The present time, with milliseconds. `wasm32-unknown-unknown` has no clock of its own, and lacks this: give
    /// [`from_unix_milliseconds`](Self::from_unix_milliseconds) what the host says.
    ///
    /// ```
    /// # use fedispec_runtime::Timestamp;
    /// let now = Timestamp::now();
    /// assert!(now.as_str().is_some_and(|text| text.len() == "2024-10-08T12:30:00.250Z".len()));
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn now() -> Self {
        std::time::SystemTime::now().into()
    }

    /// The time so many seconds from now, as ends of polls and filters are asked for.
    ///
    /// ```
    /// # use fedispec_runtime::Timestamp;
    /// assert!(!Timestamp::in_seconds(3600).is_past());
    /// assert!(Timestamp::in_seconds(-1).is_past());
    /// assert!(!Timestamp::from("someday").is_past());
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn in_seconds(seconds: i64) -> Self {
        let now = milliseconds(std::time::SystemTime::now());
        Self::from_unix_milliseconds(now.saturating_add(seconds.saturating_mul(1000)))
    }

    /// Whether it is over. What is no time never is.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn is_past(&self) -> bool {
        let now = milliseconds(std::time::SystemTime::now());
        let own = self.unix_with_nanoseconds().map(|(seconds, nanoseconds)| {
            let fraction = i64::from(nanoseconds / 1_000_000);
            seconds.saturating_mul(1000).saturating_add(fraction)
        });
        own.is_some_and(|own| own < now)
    }

    /// The seconds from now until then, at least one, as the ends of polls and filters are asked for; `None` where it is no time.
    ///
    /// ```
    /// # use fedispec_runtime::Timestamp;
    /// assert_eq!(Timestamp::in_seconds(-10).seconds_left(), Some(1));
    /// assert!(Timestamp::in_seconds(3600).seconds_left() >= Some(3599));
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn seconds_left(&self) -> Option<i64> {
        let now = milliseconds(std::time::SystemTime::now()).div_euclid(1000);
        Some(self.unix()?.saturating_sub(now).max(1))
    }

    /// The text that was sent; `None` where a number was.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Sent::Text(text) => Some(text),
            Sent::Number(_) => None,
        }
    }

    /// Whether an empty text was sent.
    pub fn is_empty(&self) -> bool {
        self.as_str().is_some_and(str::is_empty)
    }

    /// Seconds since 1970. A day counts from its midnight, and a time without a zone as UTC.
    pub fn unix(&self) -> Option<i64> {
        self.unix_with_nanoseconds().map(|(seconds, _)| seconds)
    }

    /// Seconds since 1970, and nanoseconds since that second.
    pub fn unix_with_nanoseconds(&self) -> Option<(i64, u32)> {
        match &self.0 {
            Sent::Number(seconds) => Some((*seconds, 0)),
            Sent::Text(text) => {
                let parsed = parse(text)?;
                let seconds = days_since_1970(parsed.date) * 86_400 + i64::from(parsed.seconds)
                    - i64::from(parsed.offset);
                Some((seconds, parsed.nanoseconds))
            }
        }
    }

    /// Year, month and day, as the text has them.
    pub fn date(&self) -> Option<(i32, u8, u8)> {
        match &self.0 {
            Sent::Number(seconds) => date_since_1970(seconds.div_euclid(86_400)),
            Sent::Text(text) => parse(text).map(|parsed| parsed.date),
        }
    }

    #[cfg(any(feature = "jiff", feature = "time", feature = "chrono"))]
    fn convert<T>(&self, convert: impl FnOnce(i64, u32) -> Option<T>) -> Result<T, NotATime> {
        self.unix_with_nanoseconds()
            .and_then(|(seconds, nanoseconds)| convert(seconds, nanoseconds))
            .ok_or(NotATime)
    }
}

/// The error of converting a [`Timestamp`] whose text is not a date or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotATime;

sentence!(NotATime, _own => "the text is not a point in time");

fn parse(text: &str) -> Option<Parsed> {
    let text = text.trim();
    let date = (
        i32::try_from(number(text.get(..4)?)?).ok()?,
        short_number(text.get(4..7)?.strip_prefix('-')?)?,
        short_number(text.get(7..10)?.strip_prefix('-')?)?,
    );
    if !(1..=12).contains(&date.1) || date.2 < 1 || date.2 > days_in(date.0, date.1) {
        return None;
    }
    let day = Parsed { date, seconds: 0, nanoseconds: 0, offset: 0 };
    match text.get(10..)? {
        "" => Some(day),
        rest => parse_time(rest.strip_prefix(['T', 't', ' '])?, day),
    }
}

fn parse_time(text: &str, day: Parsed) -> Option<Parsed> {
    let (hours, minutes) = (number(text.get(..2)?)?, number(text.get(2..5)?.strip_prefix(':')?)?);
    let mut rest = text.get(5..)?;
    let mut seconds = 0;
    if let Some(after) = rest.strip_prefix(':') {
        seconds = number(after.get(..2)?)?;
        rest = after.get(2..)?;
    }
    // 60 is a leap second.
    if hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let mut nanoseconds = 0;
    if let Some(after) = rest.strip_prefix(['.', ',']) {
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let fraction = after.get(..digits)?;
        let kept = fraction.get(..digits.min(9))?;
        nanoseconds = number(&format!("{kept:0<9}"))?;
        rest = after.get(digits..)?;
    }
    Some(Parsed {
        seconds: hours * 3600 + minutes * 60 + seconds,
        nanoseconds,
        offset: parse_offset(rest.trim_start())?,
        ..day
    })
}

fn parse_offset(text: &str) -> Option<i32> {
    if matches!(text, "" | "Z" | "z" | "UTC") {
        return Some(0);
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+')?),
    };
    let minutes = digits.get(2..)?;
    let hours = number(digits.get(..2)?)?;
    let minutes = match minutes.strip_prefix(':').unwrap_or(minutes) {
        "" => 0,
        minutes => number(minutes)?,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    Some(sign * i32::try_from(hours * 3600 + minutes * 60).ok()?)
}

fn number(digits: &str) -> Option<u32> {
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| digits.parse().ok())?
}

fn short_number(digits: &str) -> Option<u8> {
    u8::try_from(number(digits)?).ok()
}

fn days_in(year: i32, month: u8) -> u8 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counts in years that begin in March, so that the leap day is the last.
fn days_since_1970((year, month, day): (i32, u8, u8)) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let month = (i64::from(month) + 9) % 12;
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn date_since_1970(days: i64) -> Option<(i32, u8, u8)> {
    let days = days.checked_add(719_468)?;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    Some((i32::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Sent::Text(text) => fmt::Debug::fmt(text, f),
            Sent::Number(number) => fmt::Debug::fmt(number, f),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Sent::Text(text) => f.pad(text),
            Sent::Number(number) => number.fmt(f),
        }
    }
}

of_text!(Timestamp);

impl From<std::time::SystemTime> for Timestamp {
    fn from(time: std::time::SystemTime) -> Self {
        Self::from_unix_milliseconds(milliseconds(time))
    }
}

/// Milliseconds since 1970.
fn milliseconds(time: std::time::SystemTime) -> i64 {
    match time.duration_since(std::time::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |one| -one),
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Sent::Text(text) => serializer.serialize_str(text),
            Sent::Number(number) => serializer.serialize_i64(*number),
        }
    }
}

impl FromJson for Timestamp {
    fn blank() -> Self {
        Self::from_unix(0)
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        *self = match input.string()? {
            Some(text) => Self(Sent::Text(text.into())),
            None => input.decode()?,
        };
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (text, is_number) = deserializer.deserialize_any(TextOrNumber)?;
        let number = text.parse().ok().filter(|_| is_number);
        Ok(Self(number.map_or(Sent::Text(text), Sent::Number)))
    }
}

#[cfg(feature = "jiff")]
mod with_jiff {
    use super::{NotATime, Timestamp};

    impl From<jiff::Timestamp> for Timestamp {
        fn from(time: jiff::Timestamp) -> Self {
            time.to_string().into()
        }
    }

    impl TryFrom<&Timestamp> for jiff::Timestamp {
        type Error = NotATime;

        fn try_from(time: &Timestamp) -> Result<Self, NotATime> {
            time.convert(|seconds, nanoseconds| {
                Self::new(seconds, i32::try_from(nanoseconds).ok()?).ok()
            })
        }
    }
}

#[cfg(feature = "chrono")]
mod with_chrono {
    use super::{NotATime, Timestamp};
    use chrono::{DateTime, SecondsFormat, Utc};

    impl From<DateTime<Utc>> for Timestamp {
        fn from(time: DateTime<Utc>) -> Self {
            time.to_rfc3339_opts(SecondsFormat::AutoSi, true).into()
        }
    }

    impl TryFrom<&Timestamp> for DateTime<Utc> {
        type Error = NotATime;

        fn try_from(time: &Timestamp) -> Result<Self, NotATime> {
            time.convert(Self::from_timestamp)
        }
    }
}

#[cfg(feature = "time")]
mod with_time {
    use super::{NotATime, Timestamp};
    use time::format_description::well_known::Rfc3339;
    use time::{Duration, OffsetDateTime};

    impl TryFrom<OffsetDateTime> for Timestamp {
        type Error = NotATime;

        fn try_from(time: OffsetDateTime) -> Result<Self, NotATime> {
            time.format(&Rfc3339).map(Self::from).map_err(|_| NotATime)
        }
    }

    impl TryFrom<&Timestamp> for OffsetDateTime {
        type Error = NotATime;

        fn try_from(time: &Timestamp) -> Result<Self, NotATime> {
            time.convert(|seconds, nanoseconds| {
                Self::from_unix_timestamp(seconds)
                    .ok()?
                    .checked_add(Duration::nanoseconds(nanoseconds.into()))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_written_as_servers_do() {
        use std::time::{Duration, UNIX_EPOCH};
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_728_390_600_250, "2024-10-08T12:30:00.250Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] {
            let written = Timestamp::from_unix_milliseconds(milliseconds);
            assert_eq!(written.as_str(), Some(text));
            assert_eq!(written.unix(), Some(milliseconds.div_euclid(1000)));
        }
        for (beyond, text) in [
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
            (i64::MAX, "9999-12-31T23:59:59.999Z"),
            (i64::MIN, "0000-01-01T00:00:00.000Z"),
        ] {
            let written = Timestamp::from_unix_milliseconds(beyond);
            assert_eq!(written.as_str(), Some(text));
        }
        let day = Duration::from_millis(86_400_001);
        assert_eq!(Timestamp::from(UNIX_EPOCH + day).as_str(), Some("1970-01-02T00:00:00.001Z"));
        assert_eq!(Timestamp::from(UNIX_EPOCH - day).as_str(), Some("1969-12-30T23:59:59.999Z"));
    }

    #[test]
    fn understands_what_servers_send() {
        for (text, unix) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01", 0),
            ("2024-02-29T00:00:00.000Z", 1_709_164_800),
            ("2024-10-08T12:30:00+02:00", 1_728_383_400),
            ("2024-10-08T12:30:00-0530", 1_728_410_400),
            ("2024-10-08 12:30:00 UTC", 1_728_390_600),
            ("2024-10-08T12:30:00", 1_728_390_600),
            ("2024-10-08T12:30Z", 1_728_390_600),
            ("0000-03-01", -62_162_035_200),
        ] {
            assert_eq!(Timestamp::from(text).unix(), Some(unix), "{text}");
        }
        let fine = Timestamp::from("1970-01-01T00:00:00.1234567891Z");
        assert_eq!(fine.unix_with_nanoseconds(), Some((0, 123_456_789)));
    }

    #[test]
    fn keeps_what_it_does_not_understand() {
        for text in [
            "",
            "never",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-10-08T25:00:00Z",
            "2024-10-08Té",
            "2024-10-08T12:30:00+é",
            "é024-10-08",
        ] {
            let json = serde_json::to_string(text).expect("json");
            let time: Timestamp = serde_json::from_str(&json).expect(text);
            assert_eq!((time.as_str(), time.unix()), (Some(text), None));
            assert_eq!(serde_json::to_string(&time).expect("json"), json);
        }
    }

    #[test]
    fn a_number_stays_a_number() {
        let time: Timestamp = serde_json::from_str("1573979017").expect("a time");
        assert_eq!((time.unix(), time.date()), (Some(1_573_979_017), Some((2019, 11, 17))));
        assert_eq!(serde_json::to_string(&time).expect("json"), "1573979017");
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = Timestamp::from(text).unix();
        }

        #[test]
        fn near_misses_do_not_panic(text in "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]?[0-9:.,é]{0,20}[Z+é-]?[0-9:é]{0,6}") {
            let _ = Timestamp::from(text).unix();
        }

        #[test]
        fn dates_and_days_agree(days in -700_000_i64..3_000_000) {
            let date = date_since_1970(days).expect("a date");
            prop_assert_eq!(days_since_1970(date), days);
        }
    }
}
