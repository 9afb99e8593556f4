//! Parameter values, as sent and as received.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Number;

use crate::{File, Json, Timestamp};

/// A parameter's value to be sent. Each encoding writes it in its own format.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Number(f64),
    /// Arbitrary JSON.
    Json(&'a Json),
    /// A file.
    File(&'a File),
    /// The values of a parameter that takes one or several.
    Several(Vec<Value<'a>>),
}

impl Value<'_> {
    /// The value as a single text; `None` for files, lists and objects.
    #[cfg(feature = "client")]
    pub(crate) fn scalar(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Text(text) => Cow::Borrowed(&**text),
            Self::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Self::Integer(number) => number.to_string().into(),
            Self::Number(number) => number.to_string().into(),
            Self::Json(Json::Null) => Cow::Borrowed(""),
            Self::Json(Json::String(text)) => Cow::Borrowed(text),
            Self::Json(json @ (Json::Bool(_) | Json::Number(_))) => json.to_string().into(),
            Self::Json(_) | Self::File(_) | Self::Several(_) => return None,
        })
    }
}

/// A type whose values can be sent as parameters.
pub trait ToParam {
    /// Converts to the value to be sent.
    fn to_param(&self) -> Value<'_>;

    /// The operators in its text that a server has to understand.
    fn operators(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// A parameter's value as received. All encodings decode to this type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Given {
    /// JSON's `null`.
    Null,
    /// A string. Values in a query, a form or a path are always strings.
    Text(String),
    /// JSON's `true` or `false`.
    Bool(bool),
    /// A JSON number.
    Number(Number),
    /// A list.
    List(Vec<Given>),
    /// The values of a repeated key: a list where one is expected, otherwise the last value counts. [`FromParam`] never receives it.
    Repeated(Vec<Given>),
    /// An object.
    Object(BTreeMap<String, Given>),
    /// A file.
    File(File),
}

/// The expected value, as the end of the sentence "must be ..".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected(pub &'static str);

impl Expected {
    #[cfg_attr(not(feature = "server"), allow(dead_code, reason = "times are read by servers"))]
    pub(crate) const TIME: Self = Self("a date or a date and time, like 2024-10-08T12:30:00Z");
}

/// A type that can be decoded from a parameter.
pub trait FromParam: Sized {
    /// Whether an empty string is a value; otherwise it means that there is none.
    const EMPTY_IS_VALUE: bool = false;
    /// Whether it is a whole number, which programs read from a query in their own ways.
    const IS_INTEGER: bool = false;
    /// Whether it is a switch; programs differ in the words that they take for one.
    const IS_SWITCH: bool = false;
    /// An enumeration's name.
    const ENUMERATION: &'static str = "";
    /// Whether it holds several values; it then decodes from [`Given::List`].
    const IS_SEVERAL: bool = false;
    /// The listed values of an enumeration; without any, every value is one.
    const LISTED: &'static [&'static str] = &[];

    /// A value that means nothing, which a field has before it is decoded.
    fn blank() -> Self;

    /// Decodes a value, leniently: clients send numbers as strings, and true as 1.
    fn from_param(given: Given) -> Result<Self, Expected>;
}

/// A string, or a number as its text.
pub(crate) fn text(given: Given) -> Result<String, Expected> {
    match given {
        Given::Text(text) => Ok(text),
        Given::Number(number) => Ok(number.to_string()),
        Given::Bool(value) => Ok(value.to_string()),
        _ => Err(Expected("a string")),
    }
}

/// Sends the values of types as they are.
macro_rules! sent_as {
    ($($type:ty, $own:ident => $value:expr;)+) => {$(
        impl ToParam for $type {
            fn to_param(&self) -> Value<'_> {
                let $own = self;
                $value
            }
        }
    )+};
}

sent_as! {
    String, text => Value::Text(Cow::Borrowed(text));
    bool, value => Value::Bool(*value);
    i64, number => Value::Integer(*number);
    f64, number => Value::Number(*number);
    Json, json => Value::Json(json);
    File, file => Value::File(file);
}

impl FromParam for String {
    const EMPTY_IS_VALUE: bool = true;

    fn blank() -> Self {
        Self::new()
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        text(given)
    }
}

impl FromParam for bool {
    const IS_SWITCH: bool = true;

    fn blank() -> Self {
        false
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        let word = match given {
            Given::Bool(value) => return Ok(value),
            given => text(given).unwrap_or_default(),
        };
        let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        if is(&["true", "1", "t", "on", "yes"]) {
            Ok(true)
        } else if is(&["false", "0", "f", "off", "no"]) {
            Ok(false)
        } else {
            Err(Expected("true or false"))
        }
    }
}

impl FromParam for i64 {
    const IS_INTEGER: bool = true;

    fn blank() -> Self {
        0
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        let read = match given {
            Given::Number(number) => number.as_i64(),
            Given::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.ok_or(Expected("a whole number"))
    }
}

/// The whole number at the beginning of a text, or else 0, as Ruby reads numbers.
#[cfg(feature = "server")]
pub(crate) fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (number, _) = text.split_at(text.len() - digits.len() + count);
    let most = if number.starts_with('-') { i64::MIN } else { i64::MAX };
    number.parse().unwrap_or(if count == 0 { 0 } else { most })
}

impl FromParam for f64 {
    fn blank() -> Self {
        0.0
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        let read = match given {
            Given::Number(number) => number.as_f64(),
            Given::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        read.filter(|number| number.is_finite()).ok_or(Expected("a number"))
    }
}

impl ToParam for Timestamp {
    fn to_param(&self) -> Value<'_> {
        match self.as_str() {
            Some(text) => Value::Text(Cow::Borrowed(text)),
            None => Value::Integer(self.unix().unwrap_or_default()),
        }
    }
}

impl FromParam for Timestamp {
    fn blank() -> Self {
        Self::from_unix(0)
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        let expected = Expected::TIME;
        let time = match given {
            Given::Text(text) => match text.parse() {
                Ok(seconds) => Self::received(seconds),
                Err(_) => Some(Self::from(text)).filter(|time| time.unix().is_some()),
            },
            Given::Number(number) => number.as_i64().and_then(Self::received),
            _ => None,
        };
        time.ok_or(expected)
    }
}

impl FromParam for Json {
    const EMPTY_IS_VALUE: bool = true;

    fn blank() -> Self {
        Self::Null
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        Ok(match given {
            Given::Null => Self::Null,
            Given::Text(text) => Self::String(text),
            Given::Bool(value) => Self::Bool(value),
            Given::Number(number) => Self::Number(number),
            Given::List(items) | Given::Repeated(items) => {
                items.into_iter().map(Self::from_param).collect::<Result<_, _>>()?
            }
            Given::Object(fields) => fields
                .into_iter()
                .map(|(key, given)| Ok((key, Self::from_param(given)?)))
                .collect::<Result<_, _>>()?,
            Given::File(_) => return Err(Expected("no file")),
        })
    }
}

impl FromParam for File {
    fn blank() -> Self {
        Self::new("", [])
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        match given {
            Given::File(file) => Ok(file),
            _ => Err(Expected("a file, sent as multipart/form-data")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cursor, Id};

    fn read<T: FromParam>(text: &str) -> Result<T, Expected> {
        T::from_param(Given::Text(text.to_owned()))
    }

    #[test]
    fn reads_booleans_as_clients_send_them() {
        for text in ["true", "1", "t", "on", "TRUE", "On"] {
            assert_eq!(read(text), Ok(true), "{text}");
        }
        for text in ["false", "0", "f", "off"] {
            assert_eq!(read(text), Ok(false), "{text}");
        }
        assert_eq!(bool::from_param(Given::Number(1.into())), Ok(true));
        assert!(read::<bool>("maybe").is_err());
        assert!(bool::from_param(Given::Number(2.into())).is_err());
        assert!(bool::from_param(Given::List(vec![])).is_err());
    }

    #[test]
    fn reads_numbers_from_strings() {
        assert_eq!(read::<i64>("40"), Ok(40));
        assert_eq!(i64::from_param(Given::Number(40.into())), Ok(40));
        assert!(read::<i64>("4.5").is_err());
        assert!(read::<i64>("99999999999999999999").is_err());
        assert_eq!(read::<f64>("-0.5"), Ok(-0.5));
        assert!(read::<f64>("NaN").is_err());
    }

    #[cfg(feature = "server")]
    #[test]
    fn reads_numbers_as_ruby_does() {
        for (text, number) in [
            ("40", 40),
            (" -7x", -7),
            ("+3", 3),
            ("abc", 0),
            ("", 0),
            ("-", 0),
            ("4.9", 4),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            assert_eq!(leading_integer(text), number, "{text}");
        }
    }

    /// The conversion of each hostile value, from text and from JSON: `None` where it is refused.
    #[test]
    fn converts_hostile_values_or_refuses_them() {
        fn row<T: FromParam + ToParam>(text: &str) -> [Option<String>; 2] {
            let written = |read: Result<T, Expected>| {
                let read = read.ok()?;
                let value = format!("{:?}", read.to_param());
                Some(value.split_once('(')?.1.strip_suffix(')')?.trim_matches('"').to_owned())
            };
            let in_text = written(read(text));
            let number = serde_json::from_str(text).ok().map(Given::Number);
            [in_text, number.and_then(|number| written(T::from_param(number)))]
        }
        let both = |text: &str| [Some(text.to_owned()), Some(text.to_owned())];
        let text_alone = |text: &str| [Some(text.to_owned()), None];
        let none = [None, None];
        let (most, least) = (i64::MAX.to_string(), i64::MIN.to_string());
        for (text, integer, number, time, id) in [
            ("0", both("0"), both("0.0"), both("1970-01-01T00:00:00.000Z"), both("0")),
            ("-1", both("-1"), both("-1.0"), both("1969-12-31T23:59:59.000Z"), both("-1")),
            (
                "253402300799",
                both("253402300799"),
                both("253402300799.0"),
                both("9999-12-31T23:59:59.000Z"),
                both("253402300799"),
            ),
            (
                "253402300800",
                both("253402300800"),
                both("253402300800.0"),
                none.clone(),
                both("253402300800"),
            ),
            (&most, both(&most), both("9.223372036854776e18"), none.clone(), both(&most)),
            (&least, both(&least), both("-9.223372036854776e18"), none.clone(), both(&least)),
            (
                "9223372036854775808",
                none.clone(),
                both("9.223372036854776e18"),
                none.clone(),
                both("9223372036854775808"),
            ),
            (
                "99999999999999999999",
                none.clone(),
                both("1e20"),
                none.clone(),
                [Some("99999999999999999999".into()), Some("1e+20".into())],
            ),
            ("1.5", none.clone(), both("1.5"), none.clone(), both("1.5")),
            ("1e400", none.clone(), none.clone(), none.clone(), text_alone("1e400")),
            ("NaN", none.clone(), none.clone(), none.clone(), text_alone("NaN")),
            ("0x10", none.clone(), none.clone(), none.clone(), text_alone("0x10")),
            ("٣", none.clone(), none.clone(), none.clone(), text_alone("٣")),
            ("2024-02-30", none.clone(), none.clone(), none.clone(), text_alone("2024-02-30")),
            (
                "10000-01-01T00:00:00Z",
                none.clone(),
                none.clone(),
                none.clone(),
                text_alone("10000-01-01T00:00:00Z"),
            ),
        ] {
            assert_eq!(row::<i64>(text), integer, "{text} as a whole number");
            assert_eq!(row::<f64>(text), number, "{text} as a number");
            assert_eq!(row::<Timestamp>(text), time, "{text} as a time");
            assert_eq!(row::<Id>(text), id, "{text} as an id");
            assert_eq!(row::<Cursor>(text), id, "{text} as a cursor");
        }
    }

    #[test]
    fn reads_times_from_strings_and_numbers() {
        // A handler may answer with it, and clients read no number there.
        let time = Timestamp::from("2019-11-17T08:23:37.000Z");
        assert_eq!(read("1573979017"), Ok(time.clone()));
        assert_eq!(Timestamp::from_param(Given::Number(1_573_979_017.into())), Ok(time));
        assert!(read::<Timestamp>("2024-10-08").is_ok());
        for text in ["tomorrow", "253402300800", "-62167219201", "99999999999999999999", "1e3", ""]
        {
            assert!(read::<Timestamp>(text).is_err(), "{text}");
        }
    }
}
