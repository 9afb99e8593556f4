//! Errors of the reader, and notes about what it tolerated.

use super::path::Step;
use crate::Json;

/// Why a value could not be read: the text is not JSON, or the value does not fit the type.
///
/// A mismatch is boxed, so that the `Result` of every read stays the size of a pointer.
#[derive(Debug)]
pub struct Fault(Option<Box<Mismatch>>);

/// A value of another kind than the type takes.
#[derive(Debug)]
struct Mismatch {
    /// Steps from the value outwards: the innermost comes first.
    path: Vec<Step>,
    message: String,
}

impl Fault {
    /// The text is not JSON.
    pub(super) const SYNTAX: Self = Self(None);

    pub(super) fn new(message: String) -> Self {
        Self(Some(Box::new(Mismatch { path: Vec::new(), message })))
    }

    /// Adds the step that leads to the value from the object or list around it.
    pub(super) fn within(mut self, step: impl Into<Step>) -> Self {
        if let Some(mismatch) = &mut self.0 {
            mismatch.path.push(step.into());
        }
        self
    }

    /// The steps from the value outwards and the message; `None` where the text is not JSON.
    pub(super) fn into_parts(self) -> Option<(Vec<Step>, String)> {
        self.0.map(|mismatch| (mismatch.path, mismatch.message))
    }
}

/// Something that the reader tolerated and that the caller learns of once the whole body is read.
#[derive(Debug)]
pub(super) struct Note {
    /// Steps from the value outwards, up to the object or list that is being read.
    pub(super) path: Vec<Step>,
    pub(super) kind: NoteKind,
    pub(super) value: Json,
}

#[derive(Debug)]
pub(super) enum NoteKind {
    /// An element of a list did not fit and was left out; why.
    Refused(String),
    /// An object has a key that the type has no field for.
    Unknown,
    /// An object lacks a key that the type has a field for.
    Absent,
}

impl Note {
    pub(super) fn new(kind: NoteKind, value: Json) -> Self {
        Self { path: Vec::new(), kind, value }
    }
}
