//! Tolerant decoding of JSON.
//!
//! A body is read in one pass. A list leaves out the elements that do not fit, reports them with their JSON path, and goes on with the next one. An
//! `Option` whose value does not fit is `None` and reported in the same way, so that an element is not lost for an optional part of it. A
//! required field that some program is known to leave empty stays blank, and is reported too.
//!
//! A value is read into a blank one of its type, by way of `dyn` [`FromJson`]. The loops through objects and lists are thus compiled once, in this
//! crate, and an entity adds only a table of its fields; with serde's visitors the ready-made crate took twenty times as long to compile.

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize as _, Deserializer};

use crate::{Json, Rejected};

mod budget;
mod collector;
pub(crate) mod fault;
pub(crate) mod input;
mod list;
pub(crate) mod object;
mod path;
mod values;

#[doc(hidden)]
pub use budget::bounded;
pub(crate) use fault::Fault;
use fault::NoteKind;
pub(crate) use input::Input;
pub(crate) use values::{text, text_or_number};

/// A type that is read from JSON. The derive macro [`Entity`](macro@crate::Entity) and [`open_enum!`](crate::open_enum) implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from JSON",
    note = "the type of a field is one of Rust's or of the runtime's, or derives `Entity`; `Json` reads any value"
)]
pub trait FromJson {
    /// The value to read into.
    fn blank() -> Self
    where
        Self: Sized;

    /// Reads the next value of the input into a blank one.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or its next value does not fit the type. `self` is then left half read, and is not to be used.
    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault>;

    /// Whether an object must have a field of this type.
    fn is_required(&self) -> bool {
        true
    }

    /// Whether it may be without a value, which it is where its value does not fit.
    fn is_optional(&self) -> bool {
        false
    }

    /// The `Accept` header of a request for a body of this type.
    ///
    /// GoToSocial answers 406 where JSON is asked for and the answer is a file; other servers answer an HTML page where JSON is not asked for.
    fn accept() -> &'static str
    where
        Self: Sized,
    {
        "application/json"
    }

    /// Takes a whole body that is not JSON; false where the type has no value for one.
    fn read_plain(&mut self, _: &str) -> bool {
        false
    }
}

/// A decoded value, and what was left out of it.
#[derive(Debug, Clone)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// The values that did not fit: elements of lists that were left out, and fields that are `None` or blank for it.
    pub rejected: Vec<Rejected>,
}

/// A field of a body that the type it was read into does not have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnknownField {
    /// Its JSON path in the body: `$[3].account.is_cat`.
    pub path: String,
    /// Its value.
    pub value: Json,
}

/// Why a body was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The JSON path of the fault: `$.account.id`. `$` alone where the body is not JSON.
    pub path: String,
    /// The reason why the value there does not fit.
    pub message: String,
}

impl Error {
    /// The error that a body as a whole is not JSON.
    pub(crate) fn whole(message: String) -> Self {
        Self { path: "$".to_owned(), message }
    }
}

sentence!(Error, own => "{}: {}", own.path, own.message);

/// Decodes a body.
///
/// # Errors
///
/// When the body is not JSON, or a value does not fit that is neither inside of a list nor of an optional part.
pub fn read<T: FromJson>(body: &str) -> Result<Decoded<T>, Error> {
    let mut value = T::blank();
    read_into(body, &mut value).map(|rejected| Decoded { value, rejected })
}

/// [`read`] into a value of the caller's, behind `dyn`. Gives the elements that were left out.
pub(crate) fn read_into(body: &str, value: &mut dyn FromJson) -> Result<Vec<Rejected>, Error> {
    let mut input = Input::collecting(body, collector::wanted());
    let result = value.read(&mut input);
    let result = result.and_then(|()| input.is_over().then_some(()).ok_or(Fault::SYNTAX));
    let mut rejected = Vec::new();
    if input.is_too_large {
        let what = format!("its values take more than {} bytes of memory", budget::limit());
        return Err(Error::whole(what));
    }
    if let Err(fault) = result {
        return if value.read_plain(body) { Ok(rejected) } else { Err(error(body, fault)) };
    }
    let more = input.refused.saturating_sub(input::MOST_REFUSED);
    for note in input.notes {
        let path = path::show(&note.path);
        let value = note.value;
        match note.kind {
            NoteKind::Refused(message) => {
                rejected.push(Rejected { path, message, value, more: 0 });
            }
            NoteKind::Unknown => collector::add_unknown(UnknownField { path, value }),
            NoteKind::Absent => collector::add_absent(path),
        }
    }
    if let Some(last) = rejected.last_mut() {
        last.more = more;
    }
    Ok(rejected)
}

/// The error of a body. One that is not JSON is reported as such, even where a value before the mistake did not fit.
fn error(body: &str, fault: Fault) -> Error {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(body) {
        return Error::whole(error.to_string());
    }
    match fault.into_parts() {
        Some((path, message)) => Error { path: path::show(&path), message },
        None => Error::whole("the body is not JSON".to_owned()),
    }
}

/// Collects the unknown fields of all bodies that the closure reads on this thread. Reading is slower for it.
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
    collector::unknown(read)
}

/// Collects the JSON paths of the fields that the objects lack, of all bodies that the closure reads on this thread. Reading is slower for it.
///
/// It tells what was not sent from what was sent and is false, empty or null.
///
/// ```
/// # use fedispec_runtime as rt;
/// # use rt::de;
/// #[derive(rt::Entity)]
/// struct Account {
///     id: String,
///     #[entity(absent = "false")]
///     bot: bool,
/// }
///
/// let absent = de::absent_fields(|| drop(de::read::<Vec<Account>>(r#"[{"id": "1"}, {"id": "2", "bot": false}]"#)));
/// assert_eq!(absent, ["$[0].bot"]);
/// ```
pub fn absent_fields(read: impl FnOnce()) -> Vec<String> {
    collector::absent(read)
}

/// Reads by way of serde, from any format; called by the derive macro `Entity`. It is strict: an element of a list that does not fit is an error.
#[doc(hidden)]
pub fn deserialize<'de, T: FromJson, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let value = Json::deserialize(deserializer)?;
    let decoded = read::<T>(&value.to_string()).map_err(D::Error::custom)?;
    match decoded.rejected.first() {
        Some(rejected) => {
            Err(D::Error::custom(format_args!("{}: {}", rejected.path, rejected.message)))
        }
        None => Ok(decoded.value),
    }
}

#[cfg(test)]
mod tests;
