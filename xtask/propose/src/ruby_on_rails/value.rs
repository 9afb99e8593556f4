//! Values of Ruby expressions: hashes, lists and maps of them, objects of the program's classes; and their shapes as JSON.

use std::collections::BTreeMap;

use crate::surface::{Field, Shape, SourceType};
use crate::syntax::Spot;

/// The value of an expression. `'c` is the life of the classes, `'s` that of their source.
#[derive(Clone)]
pub(super) enum Value<'c, 's> {
    /// The source does not tell.
    Unknown,
    /// A plain type in the catalogue's notation.
    Plain(&'static str),
    /// A hash whose keys are written out.
    Hash(Hash<'c, 's>),
    /// A list.
    List(Box<Self>),
    /// A hash whose keys are made at run time.
    Map(Box<Self>),
    /// A class, which may be asked for a new object.
    Class(&'c str),
    /// An object of a class.
    Object(&'c str),
    /// A parameter that callers sent, and that the program keeps in a column of that name.
    Stored { at: Spot<'s>, name: String },
    /// One of several classes or objects.
    OneOf(Vec<Self>),
}

/// A hash: where it is written, and its keys.
#[derive(Clone)]
pub(super) struct Hash<'c, 's> {
    pub(super) at: Spot<'s>,
    pub(super) members: BTreeMap<String, Member<'c, 's>>,
    /// It has keys that are not written out.
    pub(super) open: bool,
}

/// A key of a hash.
#[derive(Clone)]
pub(super) struct Member<'c, 's> {
    pub(super) at: Spot<'s>,
    pub(super) made: Value<'c, 's>,
    pub(super) optional: bool,
}

impl Value<'_, '_> {
    /// Joins the values of two cases. Beside an object, a list or a class, a case that is not known counts as null.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Plain(a), Self::Plain(b)) if a == b => Self::Plain(a),
            (Self::Unknown | Self::Plain(_), Self::Unknown | Self::Plain(_)) => Self::Unknown,
            (Self::Unknown | Self::Plain(_), known) | (known, Self::Unknown | Self::Plain(_)) => {
                known
            }
            (Self::Hash(hash), stored @ Self::Stored { .. })
            | (stored @ Self::Stored { .. }, Self::Hash(hash))
                if hash.members.is_empty() =>
            {
                stored
            }
            (Self::Hash(a), Self::Hash(b)) => Self::Hash(a.or(b)),
            (Self::List(a), Self::List(b)) => Self::List(Box::new(a.or(*b))),
            (Self::Map(a), Self::Map(b)) => Self::Map(Box::new(a.or(*b))),
            (a @ (Self::Class(_) | Self::Object(_) | Self::OneOf(_)), b)
            | (a, b @ (Self::Class(_) | Self::Object(_) | Self::OneOf(_))) => {
                let (mut all, more) = (a.cases(), b.cases());
                all.extend(more);
                Self::OneOf(all)
            }
            _ => Self::Unknown,
        }
    }

    pub(super) fn any(cases: impl IntoIterator<Item = Self>) -> Self {
        let mut cases = cases.into_iter();
        let first = cases.next().unwrap_or(Self::Unknown);
        cases.fold(first, Self::or)
    }

    pub(super) fn cases(self) -> Vec<Self> {
        match self {
            Self::OneOf(cases) => cases,
            one => vec![one],
        }
    }

    pub(super) fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// Whether it is an object, a list or a class.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Plain(_))
    }
}

impl<'c, 's> Hash<'c, 's> {
    pub(super) fn new(at: Spot<'s>) -> Self {
        Self { at, members: BTreeMap::new(), open: false }
    }

    /// Either of two: the keys that one lacks may be absent.
    fn or(mut self, other: Self) -> Self {
        for (key, member) in &mut self.members {
            member.optional |= !other.members.contains_key(key);
        }
        for (key, mut member) in other.members {
            match self.members.remove(&key) {
                Some(own) => {
                    member.at = own.at;
                    member.optional |= own.optional;
                    member.made = own.made.or(member.made);
                }
                None => member.optional = true,
            }
            self.members.insert(key, member);
        }
        self.open |= other.open;
        self
    }

    /// Puts the members of another over its own: `merge`.
    pub(super) fn merge(&mut self, other: Value<'c, 's>) {
        match other {
            Value::Hash(other) => {
                self.members.extend(other.members);
                self.open |= other.open;
            }
            _ => self.open = true,
        }
    }
}

/// The type of what was made. Its objects become shapes that are called after the way to them: `AnnualReport.data`.
pub(super) fn kind(
    made: &Value<'_, '_>,
    path: &str,
    spelt: fn(&str) -> String,
    shapes: &mut BTreeMap<String, Shape>,
) -> SourceType {
    match made {
        Value::Plain(name) => SourceType::Plain((*name).to_owned()),
        Value::List(of) => SourceType::List(Box::new(kind(of, path, spelt, shapes))),
        Value::Map(of) => SourceType::Map(Box::new(kind(of, path, spelt, shapes))),
        Value::Hash(hash) if !hash.members.is_empty() => {
            let mut fields = BTreeMap::new();
            for (key, member) in &hash.members {
                let r#type = kind(&member.made, &format!("{path}.{key}"), spelt, shapes);
                let optional = Some(member.optional);
                let field = Field { r#type, optional, ..Field::at(member.at.place()) };
                fields.insert(spelt(key), field);
            }
            let shape = Shape { open: hash.open, ..Shape::of(hash.at.place(), fields) };
            shapes.insert(path.to_owned(), shape);
            SourceType::Shape(path.to_owned())
        }
        Value::Stored { at, name } => {
            let stored = Some(name.clone());
            let shape = Shape { stored, ..Shape::of(at.place(), BTreeMap::new()) };
            shapes.insert(path.to_owned(), shape);
            SourceType::Shape(path.to_owned())
        }
        _ => SourceType::Unknown,
    }
}
