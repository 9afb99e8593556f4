//! Collection of a request's parameters.

use super::Error;
use crate::brackets::{self, Step, steps};
use crate::compatibility::{Plan, RemoteServer, Setting};
use crate::param::{ToParam, Value};
use crate::{Json, Location, Operation, Param, StableVersion};

/// A request that can be sent: it passes its parameters to an [`Encoder`]. Implemented by generated code.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no request that a client sends",
    note = "a request, such as `lists::Get`, is named after its group and its operation"
)]
pub trait Encode {
    /// Passes each parameter that is set, by its index in [`Operation::params`].
    fn encode<'a>(&'a self, to: &mut Encoder<'a>);
}

impl<T: Encode> Encode for &T {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        (**self).encode(to);
    }
}

/// Collects the parameters of a request that are set. Their places in path, query, headers and body are decided once all are collected.
#[derive(Debug)]
pub struct Encoder<'a> {
    operation: &'static Operation,
    /// The value of the `Accept` header.
    pub(super) accept: &'static str,
    /// A parameter to clear that the operation does not have.
    pub(super) unknown: Option<&'static str>,
    elements: Vec<usize>,
    pub(super) entries: Vec<Entry<'a>>,
}

/// Whether a parameter is one of the values of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    No,
    /// The parameter's name ends with the `[]` of a list.
    Marked,
    /// The name lacks the `[]`, because the parameter takes one value as well.
    Unmarked,
}

/// A parameter that is set.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) param: &'static Param,
    /// The index in [`Operation::params`].
    pub(super) index: usize,
    /// The indices of the enclosing list elements, the outermost first.
    pub(super) elements: Box<[usize]>,
    pub(super) listed: Listed,
    /// Whether the operation cannot be called without the parameter.
    pub(super) required: bool,
    /// Whether the parameter is sent as an empty list or null.
    pub(super) cleared: bool,
    pub(super) value: Value<'a>,
    /// The operators that were written into its text.
    pub(super) operators: Vec<&'a str>,
}

impl<'a> Encoder<'a> {
    /// Collects the parameters of a request.
    pub fn collect(operation: &'static Operation, request: &'a dyn Encode) -> Self {
        let mut encoder = Self {
            operation,
            accept: "application/json",
            unknown: None,
            elements: Vec::new(),
            entries: Vec::with_capacity(operation.params.len()),
        };
        request.encode(&mut encoder);
        encoder
    }

    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The indices of the parameters that are set, in the order of encoding. A list's index occurs once per element.
    pub fn set(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|entry| entry.index)
    }

    /// The parameters that are set, as a [`Plan`] judges them.
    pub fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        self.entries.iter().flat_map(|entry| {
            let values = match &entry.value {
                Value::Several(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            values.iter().map(|value| {
                let setting = if entry.required {
                    Setting::required(entry.index)
                } else {
                    Setting::optional(entry.index)
                };
                let setting = setting.operators(entry.operators.iter().copied());
                match value.scalar() {
                    Some(value) => setting.value(value),
                    None => setting,
                }
            })
        })
    }

    /// Applies a plan: removes the parameters that it leaves out and switches to the operation that it substitutes.
    pub(super) fn follow(&mut self, plan: &Plan) {
        self.entries.retain(|entry| !plan.dropped.contains(&entry.index));
        let Some(fallback) = &plan.replacement else {
            return;
        };
        self.operation = fallback.by;
        self.entries.retain_mut(|entry| {
            let target = fallback.target(entry.param.wire, entry.value.scalar().as_deref());
            let Some((place, flag)) = target else {
                return false;
            };
            let Some(param) = fallback.by.params.get(place) else {
                return false;
            };
            if let Some(is_on) = flag {
                entry.value = Value::Bool(is_on);
            }
            (entry.index, entry.param) = (place, param);
            true
        });
    }

    /// Adds a required parameter.
    pub fn required<T: ToParam>(&mut self, index: usize, value: &'a T) {
        self.one(index, value.to_param(), value.operators(), true);
    }

    /// Adds an optional parameter if it is set.
    pub fn optional<T: ToParam>(&mut self, index: usize, value: &'a Option<T>) {
        if let Some(value) = value {
            self.one(index, value.to_param(), value.operators(), false);
        }
    }

    fn one(&mut self, index: usize, value: Value<'a>, operators: Vec<&'a str>, required: bool) {
        self.put(index, Listed::No, value);
        if let Some(entry) = self.entries.last_mut().filter(|entry| entry.index == index) {
            entry.required |= required;
            entry.operators = operators;
        }
    }

    /// Adds a list unless it is empty.
    pub fn list<T: ToParam>(&mut self, index: usize, values: &'a [T]) {
        let param = self.operation.params.get(index);
        let numbered = param.is_some_and(|param| steps(param.wire).last() == Some(Step::Number));
        for (place, value) in values.iter().enumerate() {
            if numbered {
                self.elements.push(place);
            }
            self.put(index, Listed::Marked, value.to_param());
            if numbered {
                self.elements.pop();
            }
        }
    }

    /// Adds a list that a server demands, which is the same here: the table of the parameters serves both halves.
    pub fn required_list<T: ToParam>(&mut self, index: usize, values: &'a [T]) {
        self.list(index, values);
    }

    /// Adds a list of objects that a server demands.
    pub fn required_objects<T: Encode>(&mut self, index: usize, values: &'a [T]) {
        self.objects(index, values);
    }

    /// Adds a list of objects, each of which encodes its own parameters.
    pub fn objects<T: Encode>(&mut self, _index: usize, values: &'a [T]) {
        for (place, value) in values.iter().enumerate() {
            self.elements.push(place);
            value.encode(self);
            self.elements.pop();
        }
    }

    /// Sets a parameter by its name, in place of the value that it has.
    #[cfg(feature = "streaming")]
    pub(super) fn replace(&mut self, wire: &'static str, value: &'a str) {
        let Some(index) = self.named(wire) else { return };
        self.entries.retain(|entry| entry.index != index);
        self.put(index, Listed::No, Value::Text(value.into()));
    }

    /// Clears a parameter unless it is set.
    pub(super) fn clear(&mut self, wire: &'static str) {
        static NULL: Json = Json::Null;
        let Some(index) = self.named(wire) else { return };
        if self.entries.iter().any(|entry| entry.index == index) {
            return;
        }
        self.put(index, Listed::No, Value::Json(&NULL));
        if let Some(entry) = self.entries.last_mut() {
            entry.cleared = true;
        }
    }

    /// The place of a parameter; a name that the operation does not have is told when the request is built.
    fn named(&mut self, wire: &'static str) -> Option<usize> {
        let mut params = self.operation.params.iter();
        let index = params.position(|param| param.wire == wire);
        if index.is_none() {
            self.unknown.get_or_insert(wire);
        }
        index
    }

    fn put(&mut self, index: usize, listed: Listed, value: Value<'a>) {
        // Only generated code passes indices. A wrong one is left out in release builds rather than a panic.
        debug_assert!(index < self.operation.params.len(), "{}: {index}", self.operation.id);
        let value = match value {
            Value::Several(mut values) if values.len() < 2 => match values.pop() {
                Some(value) => value,
                None => return,
            },
            value => value,
        };
        if let Some(param) = self.operation.params.get(index) {
            self.entries.push(Entry {
                param,
                index,
                elements: self.elements.as_slice().into(),
                listed,
                required: param.location == Location::Path,
                cleared: false,
                value,
                operators: Vec::new(),
            });
        }
    }

    /// Spells out the parameters with several values in the form that the server takes.
    ///
    /// # Errors
    ///
    /// When the server takes one value.
    pub(super) fn settle(&mut self, server: Option<&RemoteServer>) -> Result<(), Error> {
        let is_several = |entry: &Entry<'_>| matches!(entry.value, Value::Several(_));
        if !self.entries.iter().any(is_several) {
            return Ok(());
        }
        let entries = std::mem::take(&mut self.entries);
        for entry in entries {
            let Value::Several(values) = entry.value else {
                self.entries.push(entry);
                continue;
            };
            match Together::of(entry.param, server) {
                Together::List => {
                    let each = values.into_iter().map(|value| Entry {
                        elements: entry.elements.clone(),
                        listed: Listed::Unmarked,
                        value,
                        operators: Vec::new(),
                        ..entry
                    });
                    self.entries.extend(each);
                }
                Together::Lines => {
                    let lines = values.iter().filter_map(Value::scalar);
                    let text = lines.collect::<Vec<_>>().join("\n");
                    self.entries.push(Entry { value: Value::Text(text.into()), ..entry });
                }
                Together::One => {
                    let server = server.map_or_else(String::new, ToString::to_string);
                    let what = format!("{server} takes one value, and {} are set", values.len());
                    return Err(Error::request(self.operation, entry.param.wire, &what));
                }
            }
        }
        Ok(())
    }

    /// The place of a parameter. One of unknown place goes where requests of the method usually have it.
    pub(super) fn location(&self, param: &Param) -> Location {
        let has_body = self.operation.body != crate::BodyEncoding::None;
        match param.location {
            Location::Unknown | Location::Form if has_body => Location::Form,
            Location::Unknown | Location::Form => Location::Query,
            location => location,
        }
    }

    /// The entries of a location.
    pub(super) fn at(&self, location: Location) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |entry| self.location(entry.param) == location)
    }
}

/// The form in which a server takes several values of a parameter that takes one as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Together {
    List,
    Lines,
    One,
}

impl Together {
    /// A server of which nothing is known gets lines where any program takes them: those that take a list take them too.
    pub(super) fn of(param: &Param, server: Option<&RemoteServer>) -> Self {
        let known = server.and_then(|server| {
            let program = server.identity.program.as_deref()?;
            let release = server.identity.release()?;
            let mut ways = param.several.iter();
            let (_, way) = ways.find(|(key, _)| *key == program)?;
            Some((way, release))
        });
        let Some((way, release)) = known else {
            let has_lines = param.several.iter().any(|(_, way)| way.lines.is_some());
            return if has_lines { Self::Lines } else { Self::List };
        };
        let has =
            |since: Option<StableVersion>| since.is_some_and(|since| since.version() <= release);
        if has(way.list) {
            Self::List
        } else if has(way.lines) {
            Self::Lines
        } else {
            Self::One
        }
    }
}

impl Entry<'_> {
    /// The name in a query or a form, with the numbers of its elements.
    pub(super) fn key(&self) -> String {
        let mut elements = self.elements.iter();
        let mut key = String::with_capacity(self.param.wire.len());
        for (place, step) in steps(self.param.wire).enumerate() {
            match step {
                Step::Key(name) if place == 0 => key += name,
                Step::Key(name) => brackets::push(&mut key, name),
                Step::Next => {
                    elements.next();
                    brackets::push(&mut key, "");
                }
                Step::Number => {
                    let number = elements.next().copied().unwrap_or_default();
                    brackets::push(&mut key, &number.to_string());
                }
            }
        }
        if self.listed == Listed::Unmarked {
            brackets::push(&mut key, "");
        }
        key
    }

    /// Writes an empty list or null into the tree of a body.
    pub(super) fn empty(&self, root: &mut Json) {
        let mut place = root;
        for step in steps(self.param.wire) {
            let Step::Key(name) = step else {
                *place = Json::Array(Vec::new());
                return;
            };
            place = brackets::field(place, name);
        }
        *place = Json::Null;
    }

    /// Whether a form does not tell which element of a list the entry belongs to.
    pub(super) fn is_ambiguous_in_a_form(&self) -> bool {
        !self.elements.is_empty() && brackets::lists(self.param.wire)
    }
}
