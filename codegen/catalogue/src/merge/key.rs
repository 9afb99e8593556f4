//! The names of facts.

use std::borrow::Cow;

use crate::problems::NodePath;
use fedispec_model::change::ChangedFact;

/// The name of a fact: `type`, `since.mastodon`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FactKey<'a> {
    /// The key in the item: `since`.
    pub(crate) name: &'static str,
    /// The key under that: a program.
    pub(crate) program: Option<&'a str>,
}

impl<'a> FactKey<'a> {
    /// A fact of the item itself.
    pub(crate) fn of(name: &'static str) -> Self {
        Self { name, program: None }
    }

    /// A fact of the item in a program.
    pub(crate) fn in_program(name: &'static str, program: &'a str) -> Self {
        Self { name, program: Some(program) }
    }

    const AUTH: &'static str = "auth";
    const LEFT_OUT: &'static str = "left_out";
    const PRESENCE: &'static str = "presence";

    /// Whether a dispute's `fact` names this one. A fact that can be one value for all programs is disputed for one or for all.
    pub(super) fn is(self, text: &str) -> bool {
        match self.program {
            None => text == self.name,
            Some(program) => {
                text.split_once('.') == Some((self.name, program))
                    || (text == self.name && (text == Self::AUTH || self.is_held()))
            }
        }
    }

    /// Whether it is stated as a value for all programs or one for each.
    fn is_held(self) -> bool {
        ChangedFact::is_by_program(self.name)
    }

    /// The keys of `evidence` that prove it, the best one first: a program proves its life and, where it is said, its `auth` and
    /// `presence`; `facts` and a program prove what is said under it. All else is the item's shape.
    pub(super) fn proofs(self) -> Vec<Cow<'a, str>> {
        match self.program {
            None => vec!["shape".into()],
            Some(program) if self.name == Self::AUTH => {
                vec![format!("{}.{program}", self.name).into(), "shape".into()]
            }
            Some(program) if self.name == Self::PRESENCE => {
                vec![format!("{}.{program}", self.name).into(), program.into()]
            }
            Some(program) if self.name == Self::LEFT_OUT => {
                vec![format!("facts.{program}").into(), self.name.into(), "shape".into()]
            }
            Some(program) if self.is_held() => {
                vec![format!("facts.{program}").into(), "shape".into()]
            }
            Some(program) => vec![program.into()],
        }
    }

    /// The node of the fact below an item's.
    pub(crate) fn under(self, place: &NodePath<'a>) -> NodePath<'a> {
        match self.program {
            None => place.then(self.name),
            Some(program) => place.under(&[self.name, program]),
        }
    }
}

impl std::fmt::Display for FactKey<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.program {
            None => f.write_str(self.name),
            Some(program) => write!(f, "{}.{program}", self.name),
        }
    }
}
