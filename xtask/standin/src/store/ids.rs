//! Ids in the order of their creation, written as each program writes them.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::chance::mix;

/// The id of a record: the milliseconds of its creation, and a count within these, as Mastodon's ids are. What was created later has the
/// greater key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Key(pub(crate) u64);

/// A key in JSON: a text, as it is greater than the whole numbers that JavaScript can hold. Numbers are read too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl TryFrom<Written> for Key {
    type Error = std::num::ParseIntError;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse().map(Self),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// How a program writes ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Numbers, as Mastodon.
    #[default]
    Number,
    /// [ULID](https://github.com/ulid/spec), as GoToSocial: 48 bits of time and 80 of chance, in base 32.
    Ulid,
}

/// Crockford's base 32.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The bits of a key that count within a millisecond.
const COUNT_BITS: u32 = 16;

impl Key {
    /// The first key of a millisecond.
    pub(crate) fn at(milliseconds: i64) -> Self {
        let milliseconds = u64::try_from(milliseconds).unwrap_or_default();
        Self(milliseconds << COUNT_BITS)
    }

    /// The milliseconds since 1970 of its creation.
    pub(crate) fn created_at(self) -> i64 {
        i64::try_from(self.0 >> COUNT_BITS).unwrap_or(i64::MAX)
    }

    /// The key as a client sees it.
    pub(crate) fn text(self, notation: Notation) -> String {
        match notation {
            Notation::Number => self.0.to_string(),
            Notation::Ulid => self.ulid(),
        }
    }

    /// The key that a client has sent.
    pub(crate) fn parse(text: &str, notation: Notation) -> Option<Self> {
        match notation {
            Notation::Number => text.parse().ok().map(Self),
            Notation::Ulid => Self::leading(text).filter(|key| key.ulid() == text),
        }
    }

    /// The key at whose place a text stands by which a list is cut: of a number its leading digits count, as Rails reads one; what is no ULID stands
    /// behind all, as letters do.
    pub(crate) fn bound(text: &str, notation: Notation) -> Self {
        match notation {
            Notation::Number => {
                let digits = text.find(|sign: char| !sign.is_ascii_digit());
                let digits = &text[..digits.unwrap_or(text.len())];
                Self(digits.parse().unwrap_or(if digits.is_empty() { 0 } else { u64::MAX }))
            }
            Notation::Ulid => Self::leading(text).unwrap_or(Self(u64::MAX)),
        }
    }

    /// The key in the first digits of a ULID.
    fn leading(text: &str) -> Option<Self> {
        let digits = text.get(..14)?.bytes().try_fold(0_u128, |number, digit| {
            let value = DIGITS.iter().position(|known| *known == digit)?;
            Some(number << 5 | u128::try_from(value).ok()?)
        })?;
        // Of their 70 bits the first two are none of the 128, and the last four are chance already.
        u64::try_from(digits >> 4).ok().map(Self)
    }

    /// The key, followed by chance that only depends on it.
    fn ulid(self) -> String {
        let mixed = mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15));
        let number = u128::from(self.0) << 64 | u128::from(mixed);
        let digit = |place: u32| {
            let value = usize::try_from(number >> (5 * place) & 31).unwrap_or_default();
            char::from(DIGITS[value])
        };
        (0..26).rev().map(digit).collect()
    }
}

/// For links and names of files, whatever the program.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_are_in_order_and_read_back() {
        let keys = [
            Key::at(0),
            Key(Key::at(1_700_000_000_000).0 + 1),
            Key(Key::at(1_700_000_000_000).0 + 2),
            Key::at(1_700_000_000_001),
        ];
        for notation in [Notation::Number, Notation::Ulid] {
            let texts = keys.map(|key| key.text(notation));
            let read = [0, 1, 2, 3].map(|place| Key::parse(&texts[place], notation));
            assert_eq!(read, keys.map(Some), "{texts:?}");
            let mut sorted = texts.clone();
            sorted.sort_by(|one, other| one.len().cmp(&other.len()).then(one.cmp(other)));
            assert_eq!(sorted, texts);
        }
        let ulid = keys[1].text(Notation::Ulid);
        assert_eq!((ulid.len(), &ulid[..10]), (26, "01HF7YAT00"));
    }

    #[test]
    fn keys_are_texts_in_json_and_numbers_are_read() {
        let key = Key(u64::MAX);
        assert_eq!(serde_json::to_string(&key).ok().as_deref(), Some("\"18446744073709551615\""));
        for text in ["\"18446744073709551615\"", "18446744073709551615"] {
            assert_eq!(serde_json::from_str::<Key>(text).ok(), Some(key));
        }
        assert!(serde_json::from_str::<Key>("-1").is_err());
    }

    #[test]
    fn what_is_no_id_bounds_a_list_too() {
        let bound = |text, notation| Key::bound(text, notation).0;
        let numbers = ["12", "12a", "a", "-1", "99999999999999999999"];
        let numbers = numbers.map(|text| bound(text, Notation::Number));
        assert_eq!(numbers, [12, 12, 0, 0, u64::MAX]);
        let key = Key::at(1_700_000_000_000);
        let other = format!("{}0000000000", &key.text(Notation::Ulid)[..14]);
        assert_eq!(bound(&other, Notation::Ulid), key.0);
        assert_eq!(bound("x", Notation::Ulid), u64::MAX);
    }

    #[test]
    fn what_is_no_id_is_none() {
        for wrong in ["", "a", "-1", "01HF7YAT00", "01HF7YAT000000000000000000", "ééééééééééééé"]
        {
            assert_eq!(Key::parse(wrong, Notation::Ulid), None, "{wrong}");
        }
        for wrong in ["", "a", "-1", "99999999999999999999"] {
            assert_eq!(Key::parse(wrong, Notation::Number), None, "{wrong}");
        }
    }
}
