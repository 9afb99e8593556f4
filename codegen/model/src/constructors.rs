//! The constructors of a request, and where each takes the value of a field from.
//!
//! This is the one rule: emitters write constructors by it, and the diff compares them by it.

use crate::api::{Alternative, Operation, Param};
use crate::names::{self, NameRole};
use fedispec_since::{Location, Required, Unset};

/// A constructor of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constructor<'a> {
    /// The name of the function.
    pub name: &'a str,
    /// The way of calling the operation that it stands for; `new` and `replacing` have none.
    pub alternative: Option<&'a Alternative>,
}

/// The most arguments that go by position; more of them would be mixed up, and are named.
const MOST_BY_POSITION: usize = 3;

/// Where a constructor takes the value of a field from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource<'a> {
    /// An argument.
    Argument,
    /// A value that the catalogue fixes.
    Fixed(&'a str),
    /// Nothing: a setter may give it later.
    Unset,
}

/// Lists the constructors of a request: `new`, `replacing` where the request resets what it does not set, or one for each way of calling
/// the operation.
pub fn constructors(operation: &Operation) -> Vec<Constructor<'_>> {
    if operation.alternatives.is_empty() {
        let is_resetting = is_resetting(operation);
        return vec![if is_resetting { Constructor::REPLACING } else { Constructor::NEW }];
    }
    let alternatives = operation.alternatives.iter();
    alternatives
        .map(|alternative| Constructor { name: &alternative.rust, alternative: Some(alternative) })
        .collect()
}

/// Whether a request edits what is stored: a POST that resets, such as muting anew, says all that it wants.
pub fn is_edit(operation: &Operation) -> bool {
    let method = operation.route.as_ref().map(|route| route.method.as_str());
    matches!(method, Some("PUT" | "PATCH"))
}

/// Whether a request resets something of what it edits where it does not set it.
pub fn is_resetting(operation: &Operation) -> bool {
    is_edit(operation) && operation.params.iter().any(is_reset)
}

/// Whether an edit resets the parameter where it does not set it. A member of an object is reset only where its object is sent.
pub fn is_reset(param: &Param) -> bool {
    param.parent.is_none() && !is_always_argument(param) && param.unset == Some(Unset::Reset)
}

/// Whether the parameter is an argument of every constructor, unless one fixes its value: it stands in the path, or it is
/// always required and never null.
pub fn is_always_argument(param: &Param) -> bool {
    param.location == Location::Path || (param.required == Required::Always && !param.nullable)
}

impl<'a> Constructor<'a> {
    /// The constructor of a struct that has no ways of calling it.
    pub const NEW: Constructor<'static> = Constructor { name: "new", alternative: None };
    /// The constructor of an edit that resets what it does not set.
    pub const REPLACING: Constructor<'static> =
        Constructor { name: "replacing", alternative: None };

    /// Tells where the value of a parameter comes from.
    pub fn source(self, param: &Param) -> ValueSource<'a> {
        let wire = &param.item.wire;
        let fixed = self.alternative.and_then(|alternative| {
            let mut sets = alternative.sets.iter();
            sets.find(|(name, _)| name == wire)
        });
        let required = || {
            let alternative = self.alternative;
            alternative.is_some_and(|alternative| alternative.requires.contains(wire))
        };
        match fixed {
            Some((_, value)) => ValueSource::Fixed(value),
            None if is_always_argument(param) || required() => ValueSource::Argument,
            None => ValueSource::Unset,
        }
    }

    /// The struct in which it takes its arguments by name, where there are many.
    pub fn named(self, request: &str, arguments: usize) -> Option<String> {
        let name = names::rust_name(self.name, NameRole::Type)?;
        (arguments > MOST_BY_POSITION).then(|| format!("{request}{name}"))
    }

    /// Lists the parameters that are arguments, in their order.
    pub fn arguments(self, operation: &Operation) -> Vec<&Param> {
        let params = operation.params.iter();
        let mut arguments: Vec<_> = params
            .filter(|param| param.parent.is_none() && self.source(param) == ValueSource::Argument)
            .collect();
        arguments.sort_by_key(|param| argument_rank(operation, param));
        arguments
    }
}

/// The place of a parameter among the arguments of a constructor: those of the path come first, then the operation's stated
/// order holds, then the order of its parameters (for equal ranks).
pub fn argument_rank(operation: &Operation, param: &Param) -> (bool, usize) {
    let mut stated = operation.arguments.iter();
    let place = stated.position(|wire| *wire == param.item.wire);
    (param.location != Location::Path, place.unwrap_or(usize::MAX))
}

/// The name of each constructor of a request, and the ids of its arguments.
pub fn signatures(operation: &Operation) -> Vec<(&str, Vec<&str>)> {
    let constructors = constructors(operation).into_iter();
    constructors
        .map(|one| {
            let arguments = one.arguments(operation).into_iter();
            (one.name, arguments.map(|param| param.item.id.as_str()).collect())
        })
        .collect()
}
