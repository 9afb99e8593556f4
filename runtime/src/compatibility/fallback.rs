//! Operations that stand in for others.

#[cfg(feature = "client")]
use crate::Json;
use crate::Operation;
use crate::brackets::lists;
#[cfg(feature = "client")]
use crate::brackets::{Step, element, field, steps};

/// An operation that stands in for another on servers that lack it: how its request is made of the other's, and the other's answer of its own.
///
/// Parameters go by their names on the wire.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Fallback {
    /// The id of the operation.
    pub of: &'static str,
    /// The operation that is called instead.
    pub by: &'static Operation,
    /// Parameters that have another name in the other: their names, and the names there. What both call the same is the same.
    pub renames: &'static [(&'static str, &'static str)],
    /// Parameters of the operation whose values are switches of the other: the parameter, a value, and the switch that is on for it.
    pub flags: &'static [(&'static str, &'static str, &'static str)],
    /// Parameters of the operation that must be set, because the other cannot do without.
    pub needs: &'static [&'static str],
    /// Parameters that the operation cannot be called without, and that have no meaning for the other.
    pub loses: &'static [&'static str],
    /// The fields that are moved in the answer; empty where both answer the same.
    pub answer: &'static [Move],
}

impl Fallback {
    /// A stand-in that answers the same.
    pub const fn new(of: &'static str, by: &'static Operation) -> Self {
        Self { of, by, renames: &[], flags: &[], needs: &[], loses: &[], answer: &[] }
    }

    setters! {
        const;
        /// Parameters that have another name in the other.
        renames(names: &'static [(&'static str, &'static str)]) => renames = names;

        /// Parameters whose values are switches of the other.
        flags(flags: &'static [(&'static str, &'static str, &'static str)]) => flags = flags;

        /// Parameters that must be set.
        needs(names: &'static [&'static str]) => needs = names;

        /// Parameters that are lost though the operation cannot be called without.
        loses(names: &'static [&'static str]) => loses = names;

        /// The fields that are moved in the answer.
        answer(moves: &'static [Move]) => answer = moves;
    }

    /// Where the other has a parameter; `None` where it lacks it.
    pub(crate) fn place(&self, wire: &str) -> Option<usize> {
        let renamed = self.renames.iter().find(|(of, _)| *of == wire);
        // A name that another parameter takes is not there for this one.
        let is_taken = || {
            let names = self.renames.iter().map(|(_, by)| by);
            let mut taken = names.chain(self.flags.iter().map(|(.., by)| by));
            taken.any(|by| *by == wire)
        };
        let name = match renamed {
            Some((_, by)) => by,
            None if is_taken() => return None,
            None => wire,
        };
        self.by.params.iter().position(|param| param.wire == name)
    }

    /// Where the other has a parameter with a value, and whether a switch is on there; `None` where it lacks it.
    pub(crate) fn target(&self, wire: &str, value: Option<&str>) -> Option<(usize, Option<bool>)> {
        let switches = || self.flags.iter().filter(|(of, ..)| *of == wire);
        if switches().next().is_none() {
            return self.place(wire).map(|place| (place, None));
        }
        let on = switches().find(|(_, on, _)| Some(*on) == value);
        let (by, is_on) = match (on, switches().count()) {
            (Some((.., by)), _) => (by, true),
            // One switch is off for every other value; of several none stands for it.
            (None, 1) => (&switches().next()?.2, false),
            (None, _) => return None,
        };
        let place = self.by.params.iter().position(|param| param.wire == *by)?;
        Some((place, Some(is_on)))
    }

    /// Whether the other takes one where the operation takes several.
    pub(super) fn narrows(&self, wire: &str) -> bool {
        let other = self.place(wire);
        let other = other.and_then(|place| self.by.params.get(place));
        lists(wire) && other.is_some_and(|other| !lists(other.wire))
    }
}

/// A field of the one answer that makes a field of the other. What has the same name in both stays where it is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Move {
    /// The field: `phrase`.
    pub from: &'static str,
    /// Where it goes: `title`, `keywords[][keyword]`.
    pub to: &'static str,
    /// For a field that is true or false, what it is then.
    pub values: Option<(&'static str, &'static str)>,
}

impl Move {
    /// A field as it is.
    pub const fn new(from: &'static str, to: &'static str) -> Self {
        Self { from, to, values: None }
    }

    /// A field that is true or false as one of two values.
    pub const fn either(
        from: &'static str,
        to: &'static str,
        values: (&'static str, &'static str),
    ) -> Self {
        Self { from, to, values: Some(values) }
    }

    #[cfg(feature = "client")]
    fn apply(&self, from: &Json, to: &mut Json) {
        let Some(value) = from.get(self.from) else {
            return;
        };
        let value = match (self.values, value) {
            (Some((yes, _)), Json::Bool(true)) => Json::from(yes),
            (Some((_, no)), _) => Json::from(no),
            (None, value) => value.clone(),
        };
        let mut place = to;
        for step in steps(self.to) {
            place = match step {
                Step::Key(key) => field(place, key),
                Step::Next | Step::Number => element(place, Some(0)),
            };
        }
        *place = value;
    }
}

/// A body as the other operation would have answered it. What is no JSON stays as it is.
#[cfg(feature = "client")]
pub(crate) fn rewrite(moves: &[Move], body: bytes::Bytes) -> bytes::Bytes {
    if moves.is_empty() {
        return body;
    }
    match serde_json::from_slice::<Json>(&body) {
        Ok(mut tree) => {
            match &mut tree {
                Json::Array(items) => items.iter_mut().for_each(|item| rewrite_one(moves, item)),
                item => rewrite_one(moves, item),
            }
            tree.to_string().into()
        }
        Err(_) => body,
    }
}

#[cfg(feature = "client")]
fn rewrite_one(moves: &[Move], item: &mut Json) {
    if item.is_object() {
        let before = item.clone();
        for step in moves {
            step.apply(&before, item);
        }
    }
}
