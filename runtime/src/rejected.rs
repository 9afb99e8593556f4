//! Elements that a list set aside.

use crate::Json;

/// An element that was refused while a list was read. Of a body the first 16 are kept, so that one of nothing else does not take many times
/// its length in memory.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rejected {
    /// Where in the body the fault is: `$[3].account.id`.
    pub path: String,
    /// The mistake.
    pub message: String,
    /// The element that was set aside; null where it is longer than 64 KiB or nested too deep.
    pub value: Json,
    /// The number of elements that were refused after it and are not kept: 0 but in the last one.
    pub more: usize,
}
