//! The ways in which two programs differ in an item.

use serde::Serialize;

/// How one program stands to the other in an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The second never had it, up to its newest release that was looked at, or dropped it.
    OnlyInA,
    /// The first never had it, or dropped it.
    OnlyInB,
    /// The second has it, but only from a later release on.
    BLater,
    /// The first has it, but only from a later release on.
    ALater,
    /// The first has it; for the second it is unknown.
    UnknownInB,
    /// The second has it; for the first it is unknown.
    UnknownInA,
    /// Both have it, and take something else.
    DiffersRequest,
    /// Both have it, and answer something else.
    DiffersResponse,
    /// Both have it, and ask for another token, scope or permission.
    DiffersAuth,
    /// Both have it, and know other values.
    DiffersEnum,
}

impl Relation {
    /// Its name in the outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnlyInA => "only-in-a",
            Self::OnlyInB => "only-in-b",
            Self::BLater => "b-later",
            Self::ALater => "a-later",
            Self::UnknownInB => "unknown-in-b",
            Self::UnknownInA => "unknown-in-a",
            Self::DiffersRequest => "differs-request",
            Self::DiffersResponse => "differs-response",
            Self::DiffersAuth => "differs-auth",
            Self::DiffersEnum => "differs-enum",
        }
    }

    /// Returns the relation with the programs swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::OnlyInA => Self::OnlyInB,
            Self::OnlyInB => Self::OnlyInA,
            Self::BLater => Self::ALater,
            Self::ALater => Self::BLater,
            Self::UnknownInB => Self::UnknownInA,
            Self::UnknownInA => Self::UnknownInB,
            same => same,
        }
    }
}
