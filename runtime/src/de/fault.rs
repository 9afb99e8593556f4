//! What went wrong while reading, and where.

use super::path::Step;
use crate::Json;

/// Why a value was not read.
#[derive(Debug)]
pub struct Fault(Option<Box<Misfit>>);

#[derive(Debug)]
struct Misfit {
    /// From the fault outwards.
    path: Vec<Step>,
    message: String,
}

impl Fault {
    /// The text is no JSON.
    pub(super) const SYNTAX: Self = Self(None);

    pub(super) fn new(message: String) -> Self {
        Self(Some(Box::new(Misfit {
            path: Vec::new(),
            message,
        })))
    }

    /// The same, seen from one step further out.
    pub(super) fn within(mut self, step: impl Into<Step>) -> Self {
        if let Some(misfit) = &mut self.0 {
            misfit.path.push(step.into());
        }
        self
    }

    /// The path from the fault outwards, and the message; `None` where the text is no JSON.
    pub(super) fn into_parts(self) -> Option<(Vec<Step>, String)> {
        self.0.map(|misfit| (misfit.path, misfit.message))
    }
}

/// Something to be told when all is read.
#[derive(Debug)]
pub(super) struct Note {
    /// From there outwards, as far as has been read.
    pub(super) path: Vec<Step>,
    pub(super) what: Noted,
    pub(super) value: Json,
}

#[derive(Debug)]
pub(super) enum Noted {
    /// An element of a list was set aside.
    Refused(String),
    /// A type does not have the field.
    Unknown,
}

impl Note {
    pub(super) fn new(what: Noted, value: Json) -> Self {
        Self {
            path: Vec::new(),
            what,
            value,
        }
    }
}
