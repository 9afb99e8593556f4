//! Elements that a list set aside.

use crate::Json;

/// An element that was refused while a list was read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rejected {
    /// Where in the body the fault is: `$[3].account.id`.
    pub path: String,
    /// The mistake.
    pub message: String,
    /// The element that was set aside.
    pub value: Json,
}
