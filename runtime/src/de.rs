//! Decoding that survives what servers send.
//!
//! A body is read once: a list sets aside the elements that do not fit and goes on behind them, and every fault is told with its JSON path.
//!
//! A type is read into a blank of it, by way of `dyn` [`FromJson`]. So the loops through objects and lists are compiled once, in this crate, and an
//! entity costs its users a table of its fields; with serde's visitors the ready-made crate took twenty times as long to compile.

use std::fmt;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize as _, Deserializer};

use crate::{Json, Rejected};

mod fault;
mod input;
mod list;
mod listen;
mod object;
mod path;
mod values;

pub use fault::Fault;
use fault::Noted;
pub use input::Input;
pub use object::{Slot, object};
pub(crate) use values::{text, text_or_number};

/// A type that is read from JSON: the derive macro [`Entity`](macro@crate::Entity) implements it, and [`open_enum!`](crate::open_enum).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type that is read from JSON",
    note = "a field has a type of Rust's or of the runtime's, or derives `Entity`; what has any form is `Json`"
)]
pub trait FromJson {
    /// One into which nothing has been read yet.
    fn blank() -> Self
    where
        Self: Sized;

    /// Reads into a blank one.
    ///
    /// # Errors
    ///
    /// When the text is no JSON, or another value stands there; what has been read by then is of no use.
    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault>;

    /// Whether an object lacks something where it is missing.
    fn is_required(&self) -> bool {
        true
    }

    /// The media types that a whole body of it is asked for by.
    ///
    /// GoToSocial refuses to answer a file to whom asks for JSON, and some servers answer pages for readers to whom does not.
    fn accept() -> &'static str
    where
        Self: Sized,
    {
        "application/json"
    }

    /// Becomes what a whole body stands for that is no JSON; false where that stands for nothing.
    fn read_plain(&mut self, _: &str) -> bool {
        false
    }
}

/// A value that was decoded, and what was set aside on the way.
#[derive(Debug, Clone)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// Elements of lists that were refused.
    pub rejected: Vec<Rejected>,
}

/// A field that a server sent and that the type it was read into does not have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnknownField {
    /// Where in the body it is: `$[3].account.is_cat`.
    pub path: String,
    /// What it holds.
    pub value: Json,
}

/// Why a body was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The JSON path of the fault: `$.account.id`. `$` alone where the body is no JSON.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl Error {
    pub(crate) fn whole(message: String) -> Self {
        Self {
            path: "$".to_owned(),
            message,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for Error {}

/// Decodes a body.
///
/// # Errors
///
/// When it is no JSON, or something outside of the lists does not fit.
pub fn read<T: FromJson>(body: &str) -> Result<Decoded<T>, Error> {
    let mut value = T::blank();
    read_into(body, &mut value).map(|rejected| Decoded { value, rejected })
}

/// [`read`], where another type is made of the value.
pub(crate) fn read_into(body: &str, value: &mut dyn FromJson) -> Result<Vec<Rejected>, Error> {
    let mut input = Input::new(body, listen::is_listening());
    let result = value.read(&mut input);
    let result = result.and_then(|()| input.is_over().then_some(()).ok_or(Fault::SYNTAX));
    let mut rejected = Vec::new();
    if let Err(fault) = result {
        return if value.read_plain(body) {
            Ok(rejected)
        } else {
            Err(error(body, fault))
        };
    }
    for note in input.notes {
        let path = path::show(&note.path);
        let value = note.value;
        match note.what {
            Noted::Refused(message) => rejected.push(Rejected {
                path,
                message,
                value,
            }),
            Noted::Unknown => listen::tell(UnknownField { path, value }),
        }
    }
    Ok(rejected)
}

/// What is no JSON is told as that, wherever the fault was seen first.
fn error(body: &str, fault: Fault) -> Error {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(body) {
        return Error::whole(error.to_string());
    }
    match fault.into_parts() {
        Some((path, message)) => Error {
            path: path::show(&path),
            message,
        },
        // Half a surrogate is told only by who wants the text.
        None => Error::whole(match serde_json::from_str::<Json>(body) {
            Err(error) => error.to_string(),
            Ok(_) => "it is no JSON".to_owned(),
        }),
    }
}

/// The fields that no type has, in the bodies that are read meanwhile. Reading is slower for it.
///
/// ```
/// # use fedispec_runtime as rt;
/// # use rt::de;
/// #[derive(rt::Entity)]
/// struct Account { id: String }
///
/// let unknown = de::unknown_fields(|| drop(de::read::<Account>(r#"{"id": "1", "is_cat": true}"#)));
/// assert_eq!((unknown[0].path.as_str(), &unknown[0].value), ("$.is_cat", &true.into()));
/// ```
pub fn unknown_fields(read: impl FnOnce()) -> Vec<UnknownField> {
    listen::listen(read)
}

/// Reads by way of serde, from any format; called by the derive macro `Entity`. Here nothing is set aside.
#[doc(hidden)]
pub fn deserialize<'de, T: FromJson, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let value = Json::deserialize(deserializer)?;
    let decoded = read::<T>(&value.to_string()).map_err(D::Error::custom)?;
    match decoded.rejected.first() {
        Some(rejected) => Err(D::Error::custom(format_args!(
            "{}: {}",
            rejected.path, rejected.message
        ))),
        None => Ok(decoded.value),
    }
}

#[cfg(test)]
mod tests;
