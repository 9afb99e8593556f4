//! Elements and optional parts that were set aside.

use crate::Json;

/// An element of a list, or the value of a field, that was refused while a body was read. The list has the others; the field is `None`, or blank
/// where it is no `Option` and some program is known to send nothing in it: Pleroma sends `"account": {}` for an author who is hidden.
///
/// Of a body the first 16 are kept, so that one of nothing else does not take many times its length in memory.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rejected {
    /// Where in the body the fault is: `$[3].account.id`.
    pub path: String,
    /// The mistake.
    pub message: String,
    /// The value that was set aside; null where it is longer than 64 KiB or nested too deep.
    pub value: Json,
    /// The number of values that were refused after it and are not kept: 0 but in the last one.
    pub more: usize,
}
