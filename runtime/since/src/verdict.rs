//! The decision on whether a release has an item.

use std::fmt;

use crate::{Availability, Verdict, Version};

/// Whether a release has an item, and which fact of the item's life decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether.
    pub verdict: Verdict,
    /// The fact that decided.
    pub need: Need,
}

impl Decision {
    /// The same on an operation that is a stub until it works: it answers, and there is never anything in the answer.
    #[must_use]
    pub fn of_stub(self) -> Self {
        let Need::WorksSince(since) = self.need else {
            return self;
        };
        let verdict = if self.verdict == Verdict::No { Verdict::Stub } else { self.verdict };
        Self { verdict, need: Need::AnswersSince(since) }
    }
}

/// The need for an item over the releases of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Since when they have it.
    Since(Availability),
    /// Since when it does something; before, it is accepted and ignored.
    WorksSince(Availability),
    /// Since when an operation answers more than an empty list.
    AnswersSince(Availability),
    /// Since when they do not have it any more.
    Removed(Version),
    /// They did not have it from one release until before another.
    Absent(Version, Version),
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Since(Availability::Since(version)) => write!(f, "there since {version}"),
            Self::Since(Availability::Unknown) => f.write_str("nobody says since when"),
            Self::Since(Availability::Never) => f.write_str("in no release"),
            Self::WorksSince(Availability::Since(version)) => write!(f, "ignored before {version}"),
            Self::WorksSince(Availability::Unknown) => {
                f.write_str("nobody says whether it is heeded")
            }
            Self::WorksSince(Availability::Never) => f.write_str("accepted and ignored"),
            Self::AnswersSince(Availability::Since(version)) => {
                write!(f, "answers, always empty before {version}")
            }
            Self::AnswersSince(Availability::Unknown) => {
                f.write_str("nobody says since when it is not always empty")
            }
            Self::AnswersSince(Availability::Never) => f.write_str("answers, always empty"),
            Self::Removed(version) => write!(f, "removed in {version}"),
            Self::Absent(from, until) => write!(f, "absent from {from} until {until}"),
        }
    }
}
