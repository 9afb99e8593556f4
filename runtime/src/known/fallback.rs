//! Operations that stand in for others.

#[cfg(feature = "client")]
use crate::Json;
use crate::Operation;

/// An operation that stands in for another on servers that lack it: how its request is made of the other's, and the other's answer of its own.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Fallback {
    /// The id of the operation.
    pub of: &'static str,
    /// What stands in for it.
    pub by: &'static Operation,
    /// For each parameter of the operation its place in the other, or `None` where the other lacks it.
    pub params: &'static [Option<u16>],
    /// Parameters of the operation that are true or false in the other: their places, and the value that is true.
    pub flags: &'static [(u16, &'static str)],
    /// Parameters of the operation that must be set, because the other cannot do without.
    pub needs: &'static [u16],
    /// Parameters that the operation cannot be called without, and that have no meaning for the other.
    pub loses: &'static [u16],
    /// What is moved where in the answer; nothing where both answer the same.
    pub answer: &'static [Move],
}

impl Fallback {
    /// A stand-in that answers the same.
    pub const fn new(
        of: &'static str,
        by: &'static Operation,
        params: &'static [Option<u16>],
    ) -> Self {
        Self {
            of,
            by,
            params,
            flags: &[],
            needs: &[],
            loses: &[],
            answer: &[],
        }
    }

    /// Parameters that are true or false in the other.
    #[must_use]
    pub const fn flags(mut self, flags: &'static [(u16, &'static str)]) -> Self {
        self.flags = flags;
        self
    }

    /// Parameters that must be set.
    #[must_use]
    pub const fn needs(mut self, places: &'static [u16]) -> Self {
        self.needs = places;
        self
    }

    /// Parameters that are lost though the operation cannot be called without.
    #[must_use]
    pub const fn loses(mut self, places: &'static [u16]) -> Self {
        self.loses = places;
        self
    }

    /// What is moved where in the answer.
    #[must_use]
    pub const fn answer(mut self, moves: &'static [Move]) -> Self {
        self.answer = moves;
        self
    }

    pub(crate) fn place(&self, place: usize) -> Option<usize> {
        self.params.get(place).copied().flatten().map(usize::from)
    }

    /// The value of a parameter that is true in the other, where that is true or false.
    #[cfg(feature = "client")]
    pub(crate) fn flag(&self, place: usize) -> Option<&'static str> {
        let mut flags = self.flags.iter();
        flags
            .find(|(flag, _)| usize::from(*flag) == place)
            .map(|(_, value)| *value)
    }

    /// Whether the other takes one where the operation takes several.
    pub(super) fn narrows(&self, operation: &Operation, place: usize) -> bool {
        let lists = |operation: &Operation, place: usize| {
            let param = operation.params.get(place);
            param.is_some_and(|param| param.wire.contains("[]"))
        };
        let other = self.place(place);
        lists(operation, place) && other.is_some_and(|other| !lists(self.by, other))
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
        Self {
            from,
            to,
            values: None,
        }
    }

    /// A field that is true or false as one of two values.
    pub const fn either(
        from: &'static str,
        to: &'static str,
        values: (&'static str, &'static str),
    ) -> Self {
        Self {
            from,
            to,
            values: Some(values),
        }
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
        for step in self.to.split('[') {
            let name = step.trim_end_matches(']');
            if name.is_empty() {
                if place.get(0).is_none() {
                    *place = Json::Array(vec![Json::Null]);
                }
                place = &mut place[0];
            } else {
                if !place.is_object() {
                    *place = Json::Object(serde_json::Map::new());
                }
                place = &mut place[name];
            }
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
