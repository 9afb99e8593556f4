//! Identifiers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::de::{self, Fault, FromJson, Input};
use serde::de::{Error, Visitor};

/// The id of a `T`; `Id` alone is an id of unspecified type.
///
/// Ids are opaque text. Programs differ in their format, so ids have no order of their own; [`cmp_age`](Self::cmp_age) compares two of one server.
/// A number is kept as the text that was sent.
///
/// ```
/// use fedispec_runtime::Id;
///
/// struct Account;
/// let id: Id<Account> = "109".into();
/// assert_eq!(id.as_str(), "109");
/// assert_eq!(id, Id::from(109));
/// assert_eq!(i64::try_from(&id), Ok(109));
/// assert!(i64::try_from(&Id::<Account>::from("01HE4YKJ4MT0P0M0H0J7T3Q5Y1")).is_err());
/// ```
pub struct Id<T: ?Sized = ()> {
    text: Box<str>,
    of: PhantomData<fn() -> Box<T>>,
}

impl<T: ?Sized> Id<T> {
    /// Creates an id.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), of: PhantomData }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Compares the ages of two things of one kind and server by their ids: what came later is greater.
    ///
    /// Mastodon counts upwards, so that the longer number is the later one; the ids of GoToSocial (ULID) and of Pleroma begin with the time
    /// and have one length, so that their text decides. Ids of two servers have nothing to do with each other.
    ///
    /// ```
    /// use fedispec_runtime::Id;
    ///
    /// let mut ids: [Id; 4] = ["1000", "99", "113", "-99"].map(Id::from);
    /// ids.sort_by(Id::cmp_age);
    /// assert_eq!(ids.map(|id| id.to_string()), ["-99", "99", "113", "1000"]);
    /// ```
    pub fn cmp_age(&self, other: &Self) -> std::cmp::Ordering {
        // Mastodon's account of the server itself is -99.
        let key = |text: &str| (!text.starts_with('-'), text.len());
        { key(&self.text).cmp(&key(&other.text)) }.then_with(|| self.text.cmp(&other.text))
    }

    /// The same id as that of another type.
    pub fn cast<U: ?Sized>(self) -> Id<U> {
        Id::new(self.text)
    }
}

impl<T: ?Sized> Clone for Id<T> {
    fn clone(&self) -> Self {
        Self::new(self.text.clone())
    }
}

impl<T: ?Sized> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<T: ?Sized> Eq for Id<T> {}

impl<T: ?Sized> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<T: ?Sized> AsRef<str> for Id<T> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

opaque_text!(Id<T>);

/// A number to an id and back.
macro_rules! number {
    ($($number:ty)*) => {$(
        impl<T: ?Sized> From<$number> for Id<T> {
            fn from(number: $number) -> Self {
                Self::new(number.to_string())
            }
        }

        impl<T: ?Sized> TryFrom<&Id<T>> for $number {
            type Error = NotANumber;

            fn try_from(id: &Id<T>) -> Result<Self, NotANumber> {
                let number = id.text.parse().map_err(|_| NotANumber)?;
                // `007` and `+7` are other ids than `7`.
                if Id::<T>::from(number) == *id { Ok(number) } else { Err(NotANumber) }
            }
        }
    )*};
}

// All that a literal may be: one alone would have to be named at each.
number!(i32 u32 i64 u64);

/// An [`Id`] is not a number, or not as the number is written. For a server such an id is nobody's: its `Error` is a 404 of this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotANumber;

sentence!(NotANumber, _own => "the id is not a number");

impl<T: ?Sized> From<&Id<T>> for Id<T> {
    fn from(id: &Id<T>) -> Self {
        id.clone()
    }
}

impl<T: ?Sized> FromJson for Id<T> {
    fn blank() -> Self {
        Self::new("")
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        de::text_or_number(input, &mut self.text)
    }
}

/// Reads a text or a number by way of serde, as a text, and whether it was a number.
pub(crate) struct TextOrNumber;

impl Visitor<'_> for TextOrNumber {
    type Value = (Box<str>, bool);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((text.into(), false))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok((number.to_string().into(), true))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok((number.to_string().into(), true))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok((number.to_string().into(), true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_text_and_numbers() {
        for (json, text) in [
            ("\"109\"", "109"),
            ("\"01F8MH\"", "01F8MH"),
            ("109", "109"),
            ("18446744073709551615", "18446744073709551615"),
            ("-1", "-1"),
        ] {
            let id: Id = serde_json::from_str(json).expect(json);
            assert_eq!(id.as_str(), text);
        }
        for json in ["null", "true", "{}", "[]"] {
            assert!(serde_json::from_str::<Id>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn writes_plainly() {
        let id = Id::<u8>::from(7);
        assert_eq!(serde_json::to_string(&id).expect("json"), "\"7\"");
        assert_eq!(format!("{id} {id:?}"), "7 \"7\"");
    }
}
