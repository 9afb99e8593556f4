//! Open enumerations: sets of texts that keep unlisted ones.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserializer};

use crate::de::{self as from_json, Fault, Input};
use crate::param::{Expected, Given, Value};
use crate::ser;

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
        Ok(index) => T::KNOWN
            .get(index)
            .into_iter()
            .for_each(|known| value.clone_from(known)),
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
pub fn write<T: OpenEnum>(value: &T, to: &mut Vec<u8>) {
    ser::scalar(to, value.as_str());
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

/// Implements [`OpenEnum`] and the conversions of an enumeration from the text of each variant. The enumeration needs a variant
/// `Unrecognized(Box<str>)` for all other texts.
///
/// ```
/// use fedispec_runtime as rt;
///
/// #[derive(Debug, Clone, PartialEq, Eq, Hash)]
/// #[non_exhaustive]
/// pub enum Visibility {
///     Public,
///     Private,
///     Unrecognized(Box<str>),
/// }
/// rt::open_enum!(Visibility { Public = "public", Private = "private" });
///
/// assert_eq!(Visibility::from("private"), Visibility::Private);
/// assert_eq!(Visibility::from("mutuals").as_str(), "mutuals");
/// assert_eq!(Visibility::KNOWN.len(), 2);
/// ```
#[macro_export]
macro_rules! open_enum {
    ($type:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        impl $type {
            /// The listed values.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Its text in JSON and in requests.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Unrecognized(text) => text,
                }
            }
        }

        impl $crate::OpenEnum for $type {
            const KNOWN: &'static [Self] = Self::KNOWN;
            const TEXTS: &'static [&'static str] = &[$($text),*];

            fn as_str(&self) -> &str {
                self.as_str()
            }

            #[inline]
            fn unrecognized(text: ::std::boxed::Box<str>) -> Self {
                Self::Unrecognized(text)
            }
        }

        impl ::core::convert::From<&str> for $type {
            #[inline]
            fn from(text: &str) -> Self {
                $crate::OpenEnum::known(text).unwrap_or_else(|| Self::Unrecognized(text.into()))
            }
        }

        impl ::core::convert::From<::std::string::String> for $type {
            #[inline]
            fn from(text: ::std::string::String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = ::core::convert::Infallible;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                ::core::result::Result::Ok(Self::from(text))
            }
        }

        impl ::core::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::__private::serde::Serialize for $type {
            #[inline]
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::deserialize(deserializer)
            }
        }

        impl $crate::de::FromJson for $type {
            #[inline]
            fn blank() -> Self {
                Self::Unrecognized(::core::default::Default::default())
            }

            #[inline]
            fn read(
                &mut self,
                input: &mut $crate::de::Input<'_>,
            ) -> ::core::result::Result<(), $crate::de::Fault> {
                $crate::__private::read(self, input)
            }
        }

        impl $crate::ser::ToJson for $type {
            #[inline]
            fn write(&self, to: &mut ::std::vec::Vec<u8>) {
                $crate::__private::write(self, to);
            }
        }

        impl $crate::ToParam for $type {
            #[inline]
            fn to_param(&self) -> $crate::Value<'_> {
                $crate::__private::to_param(self)
            }
        }

        impl $crate::FromParam for $type {
            #[inline]
            fn from_param(
                given: $crate::Given,
            ) -> ::core::result::Result<Self, $crate::Expected> {
                ::core::result::Result::map($crate::__private::text_of(given), Self::from)
            }
        }
    };
}
