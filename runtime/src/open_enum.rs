//! Open enumerations: sets of texts that keep unlisted ones.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserializer};

use crate::de::{self as from_json, Fault, Input};
use crate::param::{Expected, Given, Value};
use crate::ser::{self, Output};

/// An enumeration of the API. A text that the catalogue does not list is kept as it is.
pub trait OpenEnum: Clone + 'static {
    /// The values that the catalogue lists.
    const KNOWN: &'static [Self];
    /// Their texts, in the same order.
    const TEXTS: &'static [&'static str];

    /// Its text in JSON and in requests.
    fn as_str(&self) -> &str;

    /// The listed value of a text.
    fn known(text: &str) -> Option<Self> {
        Self::KNOWN.get(position(Self::TEXTS, text)?).cloned()
    }

    /// A value that is not listed.
    fn unrecognized(text: Box<str>) -> Self;
}

/// The index of a text. It is not generic, so that it is compiled once for all enumerations.
fn position(texts: &[&str], text: &str) -> Option<usize> {
    texts.iter().position(|known| *known == text)
}

/// Reads an enumeration by way of serde; called by [`open_enum!`](crate::open_enum).
#[doc(hidden)]
pub fn deserialize<'de, T: OpenEnum, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Visitor<T>(std::marker::PhantomData<T>);

    impl<T: OpenEnum> de::Visitor<'_> for Visitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            Ok(T::known(text).unwrap_or_else(|| T::unrecognized(text.into())))
        }
    }

    deserializer.deserialize_str(Visitor(std::marker::PhantomData))
}

/// Reads an enumeration; called by [`open_enum!`](crate::open_enum).
#[doc(hidden)]
pub fn read<T: OpenEnum>(value: &mut T, input: &mut Input<'_>) -> Result<(), Fault> {
    match position_or_text(input, T::TEXTS)? {
        Ok(index) => T::KNOWN.get(index).into_iter().for_each(|known| value.clone_from(known)),
        Err(text) => *value = T::unrecognized(text),
    }
    Ok(())
}

fn position_or_text(
    input: &mut Input<'_>,
    texts: &[&str],
) -> Result<Result<usize, Box<str>>, Fault> {
    let text = from_json::text(input)?;
    Ok(position(texts, &text).ok_or_else(|| text.into()))
}

/// Writes an enumeration; called by [`open_enum!`](crate::open_enum).
#[doc(hidden)]
pub fn write<T: OpenEnum>(value: &T, enumeration: &str, to: &mut Output) {
    ser::value(to, enumeration, value.as_str());
}

/// Encodes an enumeration as a parameter; called by [`open_enum!`](crate::open_enum).
#[doc(hidden)]
pub fn to_param<T: OpenEnum>(value: &T) -> Value<'_> {
    Value::Text(Cow::Borrowed(value.as_str()))
}

/// The text of a parameter that is an enumeration; called by [`open_enum!`](crate::open_enum).
#[doc(hidden)]
pub fn text_of(given: Given) -> Result<String, Expected> {
    match given {
        Given::Text(text) => Ok(text),
        Given::Number(number) => Ok(number.to_string()),
        _ => Err(Expected("a string")),
    }
}
