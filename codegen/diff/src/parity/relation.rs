//! The ways in which two programs differ in an item.

use fedispec_since::Verdict;
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
    /// The relation of two programs by whether each has something, and whether one that has it not has it in a later release. Nothing where
    /// they are alike, or where neither is known to have it.
    pub(super) fn of(
        has: (Verdict, Verdict),
        a_is_later: impl FnOnce() -> bool,
        b_is_later: impl FnOnce() -> bool,
    ) -> Option<Self> {
        Some(match has {
            (Verdict::Yes, Verdict::No) if b_is_later() => Self::BLater,
            (Verdict::Yes, Verdict::No) => Self::OnlyInA,
            (Verdict::No, Verdict::Yes) if a_is_later() => Self::ALater,
            (Verdict::No, Verdict::Yes) => Self::OnlyInB,
            (Verdict::Yes, Verdict::Unknown) => Self::UnknownInB,
            (Verdict::Unknown, Verdict::Yes) => Self::UnknownInA,
            _ => return None,
        })
    }

    /// The relation as a heading about two programs.
    pub fn says(self, a: &str, b: &str) -> String {
        match self {
            Self::OnlyInA => format!("Only in {a}"),
            Self::OnlyInB => format!("Only in {b}"),
            Self::BLater => format!("In {a}, and in a later release of {b}"),
            Self::ALater => format!("In {b}, and in a later release of {a}"),
            Self::UnknownInB => format!("In {a}; nobody knows of {b}"),
            Self::UnknownInA => format!("In {b}; nobody knows of {a}"),
            Self::DiffersRequest => "Both have it, and take something else".to_owned(),
            Self::DiffersResponse => "Both have it, and answer something else".to_owned(),
            Self::DiffersAuth => {
                "Both have it, and ask for another token, scope or permission".to_owned()
            }
            Self::DiffersEnum => "Both have it, and know other values".to_owned(),
        }
    }

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
}
