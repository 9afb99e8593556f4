//! The rows of an item table as JSON: what holds of an item everywhere, and what a program says of it.
//!
//! The writer and the reader of a table share these types, so that no row can say what the other side does not know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::text::{OneOrMore, WordOr};
use crate::{
    Availability, Bounds, FixedError, Kind, LeftOut, Life, PageSize, Paging, Refused, Stage,
    Stretch, TokenKind, Unset,
};

/// The form of the tables that this version writes and reads.
pub const FORM: u32 = 3;

/// The items of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// [`FORM`].
    pub form: u32,
    /// The facts of each item that hold in every program, by id; an item's kind alone where there are no others.
    pub items: BTreeMap<String, WordOr<Kind, Row>>,
}

/// An item, whatever the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its kind.
    pub kind: Kind,
    /// Its name on the wire, where that is not the last word of its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// Whether its entity takes it over from another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inherited: bool,
    /// The effect of leaving a parameter out, as a word where nothing else is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The enumeration whose values a parameter takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    /// The enumeration of the words that a parameter's text understands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The effect of an update that does not set a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unset: Option<Unset>,
}

impl Row {
    /// An item of which nothing else is said.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            wire: None,
            inherited: false,
            left_out: None,
            values: None,
            words: None,
            unset: None,
        }
    }

    /// Its shortest form.
    pub fn short(self) -> WordOr<Kind, Self> {
        if self == Self::new(self.kind) { WordOr::Word(self.kind) } else { WordOr::Map(self) }
    }
}

impl From<WordOr<Kind, Self>> for Row {
    fn from(short: WordOr<Kind, Self>) -> Self {
        match short {
            WordOr::Word(kind) => Self::new(kind),
            WordOr::Map(row) => row,
        }
    }
}

/// The items of a table in a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramRows {
    /// The place of the program that it is based on: what is not listed is as there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<usize>,
    /// The life of each item that is not listed.
    pub otherwise: Life,
    /// Each item in the program, by id; a life alone where nothing else differs.
    pub items: BTreeMap<String, WordOr<Life, ProgramRow>>,
}

/// An item in a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramRow {
    /// Its life there.
    pub life: Life,
    /// The requirements of an operation on callers, the oldest release's first; empty where they are those of the operation itself, or unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auth: Vec<Stage<Requirement>>,
    /// Whether an operation is a stub until it works: it answers, and its list is always empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stub: bool,
    /// The effect of leaving a parameter out, the oldest release's first; empty where it is that of all programs together, or where
    /// that does not hold of the program and nobody has said its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Stage<LeftOut>>,
    /// The releases that refuse a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// The releases that demand a parameter, where no constructor does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub demanded: Vec<Stretch>,
    /// The releases that do not demand a parameter, where constructors do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spared: Vec<Stretch>,
    /// The releases of which an edit resets a parameter that it does not set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resets: Vec<Stretch>,
    /// The answers to a request without a parameter, each of other releases.
    #[serde(default, skip_serializing_if = "OneOrMore::is_empty")]
    pub missing: OneOrMore<FixedError>,
    /// The sizes of the pages that a parameter asks for, the oldest release's first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageSize>,
    /// The bounds of a parameter's value, the oldest release's first; empty where no release has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Stage<Bounds>>,
    /// The statuses of an operation's success, the oldest release's first; empty where they are the same everywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success: Vec<Stage<Vec<u16>>>,
    /// How an operation's list is cut into pages, the oldest release's first; empty where it is the same everywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paging: Vec<Stage<Paging>>,
    /// The words of an operation's errors, where a status has but one text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FixedError>,
}

/// The requirements of an operation on its callers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// The kind of token.
    pub token: TokenKind,
    /// The scopes, with spaces between.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scopes: String,
    /// Whether all scopes are needed; otherwise one of them suffices.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// The permissions that the user's role must have, with spaces between.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub permissions: String,
    /// The status that answers a request without a token, where that is not 401.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unauthenticated: Option<u16>,
}

/// The rows that a block does not list, asked for in the order of ids: inside of what is never there, nothing is.
#[derive(Debug)]
pub struct Unlisted {
    otherwise: ProgramRow,
    never: ProgramRow,
    /// The last item that is never there, and is not inside of such a one.
    outer: Option<String>,
}

impl Unlisted {
    /// Begins a block of rows, in which items that are not listed have this life.
    pub fn new(otherwise: Life) -> Self {
        let never = ProgramRow::new(Life::lived(Availability::Never, None, Vec::new()));
        Self { otherwise: ProgramRow::new(otherwise), never, outer: None }
    }

    /// The row of an item where it is not listed.
    pub fn row(&self, id: &str) -> &ProgramRow {
        if self.is_inside(id) { &self.never } else { &self.otherwise }
    }

    /// Notes the row that an item has.
    pub fn pass(&mut self, id: &str, row: &ProgramRow) {
        if *row == self.never && !self.is_inside(id) {
            self.outer = Some(id.to_owned());
        }
    }

    fn is_inside(&self, id: &str) -> bool {
        let rest = self.outer.as_ref().and_then(|outer| id.strip_prefix(outer.as_str()));
        rest.is_some_and(|rest| rest.starts_with('.'))
    }
}

impl ProgramRow {
    /// A life, and nothing else.
    pub fn new(life: Life) -> Self {
        Self { life, ..Self::default() }
    }

    /// Its shortest form.
    pub fn short(self) -> WordOr<Life, Self> {
        if self == Self::new(self.life.clone()) {
            WordOr::Word(self.life)
        } else {
            WordOr::Map(self)
        }
    }
}

impl From<WordOr<Life, Self>> for ProgramRow {
    fn from(short: WordOr<Life, Self>) -> Self {
        match short {
            WordOr::Word(life) => Self::new(life),
            WordOr::Map(row) => row,
        }
    }
}
