//! The API that a program's source serves at a revision, in terms that all programs share.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, from the root of the source.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The API of a source.
#[derive(Debug, Default, Serialize)]
pub struct Surface {
    /// By method and path.
    pub operations: BTreeMap<Endpoint, Operation>,
    /// By the program's own name of the type.
    pub shapes: BTreeMap<String, Shape>,
    /// By the program's own name of the type or constant.
    pub enums: BTreeMap<String, Enumeration>,
    /// The number of the API that it publishes.
    pub api: Option<u32>,
    /// Files that could not be read whole, and what could not be followed.
    pub unread: Vec<String>,
}

impl Surface {
    /// The key of the shape that goes by a name.
    pub(crate) fn shape_named(&self, name: &str) -> Option<&str> {
        let mut shapes = self.shapes.iter();
        let is_it = |(own, shape): &(&String, &Shape)| {
            *own == name || shape.also.iter().any(|one| one == name)
        };
        shapes.find(is_it).map(|(own, _)| own.as_str())
    }
}

/// A method and a path with `:name` for what varies: `GET`, `/api/v1/lists/:id`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Endpoint {
    /// `GET`
    pub method: String,
    /// `/api/v1/lists/:id`
    pub path: String,
}

impl Endpoint {
    /// The path without the names of what varies, which differ between programs: `/api/v1/lists/:`.
    pub fn key(&self) -> (String, String) {
        (self.method.clone(), path_key(&self.path))
    }
}

/// A path without the names of what varies.
pub fn path_key(path: &str) -> String {
    let parts = path.split('/');
    let parts = parts.map(|part| if part.starts_with(':') { ":" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

impl Serialize for Endpoint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{} {}", self.method, self.path))
    }
}

/// An operation.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Operation {
    /// Where the router names it.
    pub at: Place,
    /// Why it may not be served: `if debug.DEBUG`.
    pub condition: Option<String>,
    /// By their names on the wire.
    pub params: BTreeMap<String, Param>,
    /// The token and scopes that a caller needs; absent where the source could not be followed.
    pub auth: Option<Auth>,
    /// Its answer, as far as the source says.
    pub answer: Option<Answer>,
    /// The statuses of the errors that it makes, as far as it could be followed.
    pub refusals: BTreeMap<u16, Refusal>,
    /// The bodies of its errors that are no plain ones, by status: the program's names of the shapes.
    pub errors: BTreeMap<u16, String>,
    /// It answers an empty document, whatever there is.
    pub stub: bool,
    /// The function that serves it: two paths with the same handler are one operation under two names.
    pub handler: Option<String>,
    /// The parts of its handler that could not be followed: there may be more parameters.
    pub unfollowed: Vec<String>,
}

/// An answer: a shape of the program, or a list of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The program's name of the shape.
    pub shape: String,
    /// Whether a list of them is answered.
    pub list: bool,
}

/// A parameter.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Param {
    /// Where it is read.
    pub at: Place,
    /// Where it stands in a request.
    pub location: Location,
    /// Its type in the catalogue's notation, where it is a plain one.
    pub r#type: Option<String>,
    /// Whether a request without it is refused.
    pub required: bool,
    /// It is an object or a list of objects, whose members are parameters of their own.
    pub container: bool,
    /// Its value where it is left out.
    pub default: Option<i64>,
    /// Its least value.
    pub min: Option<i64>,
    /// Its greatest value.
    pub max: Option<i64>,
    /// The greatest number of characters.
    pub max_length: Option<i64>,
    /// The greatest number of elements.
    pub max_items: Option<i64>,
    /// The statuses of errors that stand under a condition which looks at it; 0 where the status is given elsewhere.
    pub refused: BTreeSet<u16>,
}

/// The errors of a status.
#[derive(Debug, Clone, Serialize)]
pub struct Refusal {
    /// Where the first one is made.
    pub at: Place,
    /// Their fixed texts; with `None` for those that are made at run time.
    pub texts: BTreeSet<Option<String>>,
}

impl Refusal {
    /// Errors of which no text is told yet.
    pub(crate) fn at(at: Place) -> Self {
        Self { at, texts: BTreeSet::new() }
    }

    /// The text, where there is one alone.
    pub(crate) fn text(&self) -> Option<&str> {
        let mut texts = self.texts.iter();
        texts.next().filter(|_| self.texts.len() == 1)?.as_deref()
    }
}

/// The status of a client's error that goes by a name, as `not_found`.
pub(crate) fn status_of(name: &str) -> Option<u16> {
    Some(match name {
        "bad_request" => 400,
        "unauthorized" => 401,
        "forbidden" => 403,
        "not_found" => 404,
        "not_acceptable" => 406,
        "conflict" => 409,
        "gone" => 410,
        "unprocessable_entity" | "unprocessable_content" => 422,
        "too_many_requests" => 429,
        "not_implemented" => 501,
        _ => return None,
    })
}

impl Param {
    /// Notes the bounds of a number.
    pub(crate) fn bound(&mut self, default: Option<i64>, min: Option<i64>, max: Option<i64>) {
        self.r#type = Some("integer".to_owned());
        (self.default, self.min, self.max) = (default, min, max);
    }

    /// A parameter that a source reads, and of which it says no more.
    pub(crate) fn read(at: Place, location: Location) -> Self {
        Self { at, location, ..Self::default() }
    }

    /// A part of the path.
    pub(crate) fn of_path(at: Place) -> Self {
        let r#type = Some("string".to_owned());
        Self { r#type, required: true, ..Self::read(at, Location::Path) }
    }
}

/// Where a parameter stands in a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In the body.
    Form,
    /// In the query or in the body, by the method.
    #[default]
    Either,
}

/// The token, scopes and role that an operation asks of a caller.
#[derive(Debug, Clone, Serialize)]
pub struct Auth {
    /// Where it is asked for.
    pub at: Place,
    /// The kind of token, in the catalogue's words.
    pub token: &'static str,
    /// The scopes of which one is enough.
    pub scopes: Vec<String>,
    /// Whether the user must be an administrator or have a permission.
    pub role: bool,
    /// The setting of the server that makes it otherwise.
    pub condition: Option<String>,
}

/// An object that is answered.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Shape {
    /// Where it is declared.
    pub at: Place,
    /// The other names that it goes by in the source.
    pub also: Vec<String>,
    /// By their keys.
    pub fields: BTreeMap<String, Field>,
    /// Keys that could not be told from the source.
    pub open: bool,
    /// The shape of which an operation answers these fields alone.
    pub cut_of: Option<String>,
    /// The parameters whose members callers had it store, where those are its keys: `data[alerts]`.
    pub stored: Option<String>,
}

impl Shape {
    /// A shape with these fields alone.
    pub(crate) fn of(at: Place, fields: BTreeMap<String, Field>) -> Self {
        Self { at, fields, ..Self::default() }
    }
}

/// A field.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Field {
    /// Where it is declared.
    pub at: Place,
    /// Its type.
    pub r#type: SourceType,
    /// It may be left out; absent where the source does not tell.
    pub optional: Option<bool>,
    /// It may be null; absent where the source does not tell.
    pub nullable: Option<bool>,
    /// When it is there, in the source's words.
    pub condition: Option<String>,
    /// It is declared, may be left out, and nothing gives it a value: it is never sent.
    pub unset: bool,
}

impl Field {
    /// A field of which nothing more is told.
    pub(crate) fn at(at: Place) -> Self {
        Self { at, ..Self::default() }
    }
}

/// The type of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// The source does not tell.
    #[default]
    Unknown,
    /// A plain type in the catalogue's notation.
    Plain(String),
    /// A shape of the program.
    Shape(String),
    /// An enumeration of the program.
    Enum(String),
    /// A list.
    List(Box<SourceType>),
    /// A map with text keys.
    Map(Box<SourceType>),
}

impl SourceType {
    /// The type behind lists and maps.
    fn element(&self) -> &Self {
        match self {
            Self::List(of) | Self::Map(of) => of.element(),
            own => own,
        }
    }

    /// The shape behind lists and maps.
    pub fn shape(&self) -> Option<&str> {
        if let Self::Shape(name) = self.element() { Some(name) } else { None }
    }

    /// The enumeration behind lists and maps.
    pub fn enumeration(&self) -> Option<&str> {
        if let Self::Enum(name) = self.element() { Some(name) } else { None }
    }

    /// The notation of lists and maps, around a name that is made for the type behind them.
    pub(crate) fn around(&self, name: &impl Fn(&Self) -> String) -> String {
        match self {
            Self::List(of) => format!("{}[]", of.around(name)),
            Self::Map(of) => format!("map<{}>", of.around(name)),
            own => name(own),
        }
    }
}

impl std::fmt::Display for SourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown => f.write_str("json"),
            Self::Plain(name) | Self::Shape(name) | Self::Enum(name) => f.write_str(name),
            Self::List(of) => write!(f, "{of}[]"),
            Self::Map(of) => write!(f, "map<{of}>"),
        }
    }
}

/// An enumeration.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Enumeration {
    /// Where it is declared.
    pub at: Place,
    /// By their spelling on the wire.
    pub values: BTreeMap<String, Value>,
}

/// A value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Value {
    /// The place that says most of it: where it is sent, else where it is accepted, else where it is declared.
    pub at: Place,
    /// Its use in the source.
    pub r#use: Use,
}

/// The use of a value in a source; the later is the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// A constant has it, and nothing was seen to use that.
    Declared,
    /// A switch or a list takes it; also what a source does with values whose use is not read.
    Accepted,
    /// Something is made with it.
    Sent,
}

impl Enumeration {
    /// An enumeration of these words, of each of which the source does the same.
    pub(crate) fn of(
        at: Place,
        words: impl IntoIterator<Item = (String, Place)>,
        r#use: Use,
    ) -> Self {
        let mut found = Self { at, values: BTreeMap::new() };
        words.into_iter().for_each(|(word, at)| found.note(word, at, r#use));
        found
    }

    /// The values that something is done with, where that was read; else all.
    pub fn used(&self) -> BTreeSet<&str> {
        let is_read = self.values.values().any(|value| value.r#use == Use::Sent);
        let values = self.values.iter();
        let values = values.filter(|(_, value)| !is_read || value.r#use != Use::Declared);
        values.map(|(word, _)| word.as_str()).collect()
    }

    /// Notes a value, or a further use of one: the one that says most stays.
    pub fn note(&mut self, value: String, at: Place, r#use: Use) {
        let new = Value { at, r#use };
        match self.values.get_mut(&value) {
            Some(known) if known.r#use >= r#use => {}
            Some(known) => *known = new,
            None => {
                self.values.insert(value, new);
            }
        }
    }
}
