//! Decoding of a request's parameters.

mod field;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use base64::{Engine as _, engine::general_purpose::STANDARD};

pub use field::{Field, Unset};
use field::{Objects, ParamType, Slot};

use super::dialect::Dialect;
use super::family::Unreadable;
use super::tree::{Tree, into_list};
use super::ways::Ways;
use super::{Error, Reply, Target};
use crate::brackets::{Step, steps, whole};
use crate::known;
use crate::param::{Expected, FromParam, Given, leading_integer};
use fedispec_since::{Bounds, SafeValues};

use crate::{File, Location, Method, Operation, Param, Timestamp, UnlistedValues};

/// A request that can be received: it takes its parameters from a [`Decoder`]. Implemented by generated code.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no request that a handler takes",
    note = "a handler takes the application, a request such as `lists::Get`, and the `Call`, in this order"
)]
pub trait Decode: Sized {
    /// Takes each parameter, by its index in [`Operation::params`].
    fn decode(from: &mut Decoder) -> Result<Self, Invalid>;
}

/// How the parameters of an operation are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// The rules of each parameter, by its place. Where there are none, a parameter is taken as the request's type says.
    pub(super) params: Vec<ParamRules>,
    /// The emulated release's words for the operation's errors.
    pub(super) errors: HashMap<StatusCode, &'static str>,
    /// Its statuses of success, where the operation has others too.
    pub(super) success: Option<Vec<StatusCode>>,
    /// The size of its pages, and the greatest size.
    pub(super) pages: Option<(usize, usize)>,
    /// Whether it answers the whole of a list that others cut into pages, without links.
    pub(super) is_whole: bool,
    /// The values that it does not have.
    pub(super) dialect: Option<Arc<Dialect>>,
    /// The program and release that the server emulates.
    pub(super) target: Option<Arc<Target>>,
}

/// The texts that a lenient program takes for a switch that is off; all others are on.
const RAILS_FALSE: [&str; 7] = ["0", "f", "F", "false", "FALSE", "off", "OFF"];

/// How a parameter is taken.
#[derive(Debug, Clone, Default)]
pub(super) struct ParamRules {
    /// Whether it takes values that the catalogue does not list.
    pub(super) open: bool,
    /// Whether the emulated release does not have it, or does not heed it.
    pub(super) ignored: bool,
    /// Whether the release demands it, where that is not as the request's type has it.
    pub(super) demanded: Option<bool>,
    /// The error that the release answers to it.
    pub(super) refused: Option<RefusedParam>,
    /// The answer of the release to a request without it.
    pub(super) missing: Option<(StatusCode, &'static str)>,
    /// The bounds of its value.
    pub(super) bounds: Option<Bounds>,
}

/// The error that the emulated release answers to a parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct RefusedParam {
    pub(super) status: StatusCode,
    /// The values that it takes, since they mean the same as none.
    pub(super) safe: Option<&'static SafeValues>,
}

impl RefusedParam {
    /// Whether a value means the same as none.
    fn is_safe(&self, given: &Given) -> bool {
        let is_safe = |text: &str| self.safe.is_some_and(|safe| safe.has(text));
        match given {
            Given::Text(text) => {
                // In forms a switch that is off is written in several ways.
                let is_off = || bool::from_param(given.clone()) == Ok(false);
                is_safe(text) || (is_safe("false") && is_off())
            }
            Given::Bool(value) => is_safe(if *value { "true" } else { "false" }),
            Given::Number(number) => is_safe(&number.to_string()),
            _ => false,
        }
    }
}

/// The received parameters of the path, the query, the headers and the body.
#[derive(Debug)]
pub struct Decoder {
    pub(super) operation: &'static Operation,
    /// The parameters of the path, by name.
    path: Vec<(&'static str, Given)>,
    /// The parameters of the query and the body.
    root: Given,
    headers: HeaderMap,
    rules: Arc<Rules>,
    /// The list elements being decoded, outermost first, each with the number of name segments that lead to it.
    scopes: Vec<(usize, Given)>,
}

impl Decoder {
    pub(super) fn new(
        operation: &'static Operation,
        tree: Tree,
        headers: HeaderMap,
        rules: Arc<Rules>,
    ) -> Self {
        Self {
            operation,
            path: Vec::new(),
            root: Given::Object(tree),
            headers,
            rules,
            scopes: Vec::new(),
        }
    }

    /// How the program that the server emulates takes requests.
    fn ways(&self) -> Ways<'_> {
        Ways(self.rules.target.as_deref())
    }

    /// Adds the parameters of the path.
    pub(super) fn with_path(self, path: Vec<(&'static str, Given)>) -> Self {
        Self { path, ..self }
    }

    /// The parameters that were sent and that the emulated release does not have.
    pub(super) fn ignored_params(&self) -> Vec<&'static str> {
        let params = self.operation.params.iter().zip(&self.rules.params);
        let sent = params.filter(|(param, rules)| match param.location {
            _ if !rules.ignored => false,
            Location::Header => self.headers.contains_key(param.wire),
            _ => self.found(param).is_some(),
        });
        sent.map(|(param, _)| param.wire).collect()
    }

    /// Checks that what the emulated release demands was sent.
    pub(super) fn has_all_demanded(&self) -> Result<(), Invalid> {
        let params = self.rules.params.iter().enumerate();
        let mut demanded = params.filter(|(_, rules)| rules.demanded == Some(true));
        match demanded.find(|(index, _)| self.peek(*index).is_none()) {
            Some((index, _)) => Err(self.invalid(index, Problem::Missing)),
            None => Ok(()),
        }
    }

    /// Checks that no value is longer than the emulated release takes.
    pub(super) fn is_within_bounds(&self) -> Result<(), Invalid> {
        for (index, rules) in self.rules.params.iter().enumerate() {
            let Some(bounds) = rules.bounds else {
                continue;
            };
            let (count, most) = match self.peek(index) {
                Some(Given::Text(text)) => (text.chars().count(), bounds.max_length),
                Some(Given::List(items)) => (items.len(), bounds.max_items),
                // A list whose elements are numbered: `fields_attributes[0][name]`.
                Some(Given::Object(items)) => (items.len(), bounds.max_items),
                _ => continue,
            };
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            if let Some(most) = most.filter(|most| count > *most) {
                let (status, told) = self.ways().too_long(self.name(index), count, most);
                return Err(self.invalid(index, Problem::Refused(status, told)));
            }
        }
        Ok(())
    }

    /// The answer of the emulated release to a parameter that it refuses.
    pub(super) fn refused_by_release(&self) -> Option<Error> {
        let mut params = self.operation.params.iter().zip(&self.rules.params);
        let (status, name) = params.find_map(|(param, rules)| {
            let refused = rules.refused.as_ref()?;
            let given = self.found(param)?;
            (!refused.is_safe(given)).then_some((refused.status, param.wire))
        })?;
        let reason = self.ways().plain(status);
        let reason = reason.map_or_else(String::new, |(_, reason)| format!("{reason}: "));
        Some(Error::new(status, format!("{reason}{name} is not supported")))
    }

    /// The rules of a parameter, where there are any.
    fn rules(&self, index: usize) -> Option<&ParamRules> {
        self.rules.params.get(index)
    }

    pub(super) fn is_ignored(&self, index: usize) -> bool {
        self.rules(index).is_some_and(|rules| rules.ignored)
    }

    /// The values that have not been taken.
    pub(super) fn take_rest(&mut self) -> Tree {
        match &mut self.root {
            Given::Object(rest) => std::mem::take(rest),
            _ => Tree::new(),
        }
    }

    /// Takes the parameters of a request's fields, in their order.
    ///
    /// # Errors
    ///
    /// The first parameter that is missing or wrong.
    pub fn fill(&mut self, fields: &mut [Field<'_>]) -> Result<(), Invalid> {
        for field in fields {
            let (index, is_required) = (field.index, field.is_required);
            match &mut field.slot {
                Slot::Value(value) if is_required => {
                    let (given, is_missing) = self.needed(index, value.kind())?;
                    value.put(given).map_err(|expected| {
                        if is_missing {
                            self.invalid(index, Problem::Missing)
                        } else {
                            self.wrong(index, expected)
                        }
                    })?;
                }
                Slot::Value(value) => {
                    if let Some(given) = self.wanted(index, value.kind())? {
                        let put = value.put(given);
                        put.map_err(|expected| self.wrong(index, expected))?;
                    }
                }
                Slot::List(values) => {
                    let items = self.items(index, values.kind(), is_required)?;
                    values.reserve(items.len());
                    for item in items {
                        let put = values.put(item);
                        put.map_err(|expected| self.wrong(index, expected))?;
                    }
                }
                Slot::Objects(values) => self.objects(index, is_required, *values)?,
            }
        }
        Ok(())
    }

    /// The values of a required parameter, and whether it is missing and need not be there.
    fn needed(&mut self, index: usize, kind: &ParamType) -> Result<(Given, bool), Invalid> {
        if kind.is_several {
            let given = self.several(index, kind)?.map(|given| (given, false));
            return given.ok_or_else(|| self.invalid(index, Problem::Missing));
        }
        match self.scalar(index, kind.empty_is_value && !self.is_in_path(index)) {
            Some(given) => {
                self.is_listed(index, kind, &given)?;
                Ok((self.scalar_of(index, kind, given)?, false))
            }
            // The emulated release does not ask for it, and the handler cannot be called without it.
            None if self.is_spared(index) && kind.is_switch => Ok((Given::Bool(false), true)),
            None if self.is_spared(index) => Ok((Given::Text(String::new()), true)),
            None => Err(self.invalid(index, Problem::Missing)),
        }
    }

    /// The values of an optional parameter.
    fn wanted(&mut self, index: usize, kind: &ParamType) -> Result<Option<Given>, Invalid> {
        if kind.is_several {
            return self.several(index, kind);
        }
        match self.scalar(index, kind.empty_is_value) {
            Some(given) if !self.is_listed(index, kind, &given)? => Ok(None),
            Some(given) => self.scalar_of(index, kind, given).map(Some),
            None => Ok(None),
        }
    }

    /// The elements of a list. What was sent may be unknown in all of its values, which are ignored.
    fn items(
        &mut self,
        index: usize,
        kind: &ParamType,
        is_required: bool,
    ) -> Result<Vec<Given>, Invalid> {
        let items = self.elements(index, kind.empty_is_value);
        if is_required && items.is_empty() && !self.is_spared(index) {
            return Err(self.invalid(index, Problem::Missing));
        }
        let items = self.listed(index, kind, items)?;
        if !self.ways().binds_types() {
            return Ok(items);
        }
        items.into_iter().map(|item| self.scalar_of(index, kind, item)).collect()
    }

    /// Takes the values of a parameter that takes one or several: a list, one value, or the lines of one text.
    fn several(&mut self, index: usize, kind: &ParamType) -> Result<Option<Given>, Invalid> {
        let mut items = self.elements(index, kind.empty_is_value);
        let ways = self.param(index).map_or(&[][..], |param| param.several);
        if ways.iter().any(|(_, way)| way.lines.is_some()) {
            items = items.into_iter().flat_map(lines).collect();
        }
        let items = self.listed(index, kind, items)?;
        Ok((!items.is_empty()).then_some(Given::List(items)))
    }

    /// A whole number or a switch as the programs take it. Of a number in a query that is none the digits at the beginning count, or it is
    /// refused; so is a switch by a program that knows few words for one.
    fn scalar_of(&self, index: usize, kind: &ParamType, given: Given) -> Result<Given, Invalid> {
        let is_duration = self.param(index).is_some_and(|param| param.is_duration);
        if is_duration && !ends_in_time(&given) {
            let expected = Expected("a number of seconds that end before the year 10000");
            return Err(self.wrong(index, expected));
        }
        let Given::Text(text) = &given else {
            return Ok(given);
        };
        let is_query = self.operation.method == Method::Get;
        let is_no_number = kind.is_integer && text.trim().parse::<i64>().is_err();
        let unreadable = || {
            self.ways().unreadable(&Unreadable {
                operation: self.operation.id,
                param: self.name(index),
                sent: text,
                is_query,
                is_switch: kind.is_switch,
            })
        };
        let may_be_wrong = is_no_number || kind.is_switch;
        if let Some(told) = may_be_wrong.then(unreadable).flatten() {
            let refused = Problem::Refused(StatusCode::BAD_REQUEST, told);
            return Err(self.invalid(index, refused));
        }
        let is_lenient = self.ways().is_lenient();
        if is_no_number && (is_query || is_lenient) {
            return Ok(Given::Number(leading_integer(text).into()));
        }
        if kind.is_switch && is_lenient {
            return Ok(Given::Bool(!RAILS_FALSE.contains(&&**text)));
        }
        let is_file = is_lenient && self.param(index).is_some_and(|param| param.is_file);
        if let Some(file) = is_file.then(|| file_in_uri(text)).flatten() {
            return Ok(Given::File(file));
        }
        Ok(given)
    }

    /// The elements without unlisted values, where those are not taken.
    fn listed(
        &self,
        index: usize,
        kind: &ParamType,
        items: Vec<Given>,
    ) -> Result<Vec<Given>, Invalid> {
        if kind.listed.is_empty() {
            return Ok(items);
        }
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            if self.is_listed(index, kind, &item)? {
                kept.push(item);
            }
        }
        Ok(kept)
    }

    /// Whether a value is listed, or need not be. An operation that may store another one refuses it; in a filter it finds nothing and is
    /// ignored.
    fn is_listed(&self, index: usize, kind: &ParamType, given: &Given) -> Result<bool, Invalid> {
        if kind.listed.is_empty() {
            return Ok(true);
        }
        self.is_one_of(index, (kind.enumeration, kind.listed), given)
    }

    fn is_one_of(
        &self,
        index: usize,
        (enumeration, values): (&'static str, &'static [&'static str]),
        given: &Given,
    ) -> Result<bool, Invalid> {
        let has = |value: &str| {
            let dialect = self.rules.dialect.as_ref();
            dialect.is_none_or(|dialect| dialect.replacement(enumeration, value).is_none())
        };
        let sent = match given {
            Given::Text(text) => Cow::Borrowed(text.as_str()),
            Given::Number(number) => Cow::Owned(number.to_string()),
            // The value is refused by its own type.
            _ => return Ok(true),
        };
        let is_listed = values.contains(&&*sent) && has(&sent);
        if is_listed || self.rules(index).is_some_and(|rules| rules.open) {
            return Ok(true);
        }
        let is_read = self.operation.method.is_safe();
        let usual = if is_read { UnlistedValues::Ignored } else { UnlistedValues::Refused };
        let all = || {
            let values = values.iter().copied().filter(|value| has(value));
            values.collect::<Vec<_>>().join(", ")
        };
        match self.unlisted(index).unwrap_or(usual) {
            UnlistedValues::Ignored => Ok(false),
            UnlistedValues::Refused => {
                let all = all();
                let own = self.ways().unlisted(self.name(index), &sent, is_read, &all);
                Err(match own {
                    Some((status, told)) => self.invalid(index, Problem::Refused(status, told)),
                    None => self.bound(self.invalid(index, Problem::OneOf(all)), is_read),
                })
            }
        }
    }

    /// The treatment of a parameter's unlisted values in the program that the server emulates, or else in Mastodon, where that is not the usual one.
    fn unlisted(&self, index: usize) -> Option<UnlistedValues> {
        let target = self.rules.target.as_ref();
        let own = target.map_or(known::reference(), |target| &target.program);
        let mut ways = self.param(index)?.unlisted.iter();
        let (_, way) = ways.find(|(program, _)| **program == *own)?;
        Some(*way)
    }

    fn name(&self, index: usize) -> &'static str {
        self.param(index).map_or("", |param| param.wire)
    }

    fn objects(
        &mut self,
        index: usize,
        is_required: bool,
        values: &mut dyn Objects,
    ) -> Result<(), Invalid> {
        let (steps, elements) = self.enter(index)?;
        if is_required && elements.is_empty() {
            return Err(self.invalid(index, Problem::Missing));
        }
        values.reserve(elements.len());
        for element in elements {
            self.scopes.push((steps, element));
            let added = values.add(self);
            self.scopes.pop();
            added?;
        }
        Ok(())
    }

    fn scalar(&mut self, index: usize, empty_is_value: bool) -> Option<Given> {
        let given = match self.take(index)? {
            Given::Repeated(mut values) => values.pop()?,
            given => given,
        };
        let is_none = match &given {
            Given::Null => true,
            Given::Text(text) => (text.is_empty() && !empty_is_value) || self.takes_no_text(index),
            _ => false,
        };
        (!is_none).then_some(given)
    }

    fn takes_no_text(&self, index: usize) -> bool {
        self.param(index).is_some_and(|param| param.is_file) && self.ways().binds_types()
    }

    fn elements(&mut self, index: usize, empty_is_value: bool) -> Vec<Given> {
        let mut items = {
            let given = self.take(index).unwrap_or(Given::Null);
            into_list(self.unmixed(given))
        };
        let is_empty = |given: &Given| matches!(given, Given::Text(text) if text.is_empty());
        // A form spells an empty list as `a[]=`.
        if !empty_is_value || items.len() == 1 {
            items.retain(|given| !is_empty(given));
        }
        items
    }

    /// The values of `id[]=7&id=8`: the later name replaces the list, or the list is looked for first.
    fn unmixed(&self, given: Given) -> Given {
        match given {
            Given::Repeated(mut values) if matches!(values.first(), Some(Given::List(_))) => {
                if self.ways().lists_count_first() {
                    values.swap_remove(0)
                } else {
                    values.pop().unwrap_or(Given::Null)
                }
            }
            given => given,
        }
    }

    /// Takes the elements of a list of objects, with the number of name segments that lead into one.
    fn enter(&mut self, index: usize) -> Result<(usize, Vec<Given>), Invalid> {
        let Some(param) = self.param(index) else {
            return Ok((0, Vec::new()));
        };
        let seen = self.scopes.last().map_or(0, |(steps, _)| *steps);
        let before =
            steps(param.wire).skip(seen).take_while(|step| matches!(step, Step::Key(_))).count();
        let given = self.take_steps(param, seen + before);
        // Where the emulated release has no member of the objects, it does not have the list.
        if self.is_ignored(index) && self.ignores_all(param, seen + before) {
            return Ok((seen + before + 1, Vec::new()));
        }
        let mut elements = into_list(given.unwrap_or(Given::Null));
        if self.ways().is_lenient() {
            elements.retain(|element| matches!(element, Given::Object(_)));
        }
        if elements.iter().all(|element| matches!(element, Given::Object(_))) {
            Ok((seen + before + 1, elements))
        } else {
            Err(self.invalid(index, Problem::Wrong(Expected("a list of objects"))))
        }
    }

    /// Whether all parameters are ignored that begin as this one does.
    fn ignores_all(&self, param: &Param, count: usize) -> bool {
        let params = self.operation.params.iter().enumerate();
        let mut alike = params
            .filter(|(_, other)| steps(other.wire).take(count).eq(steps(param.wire).take(count)));
        alike.all(|(index, _)| self.is_ignored(index))
    }

    fn param(&self, index: usize) -> Option<&'static Param> {
        debug_assert!(index < self.operation.params.len(), "{}: {index}", self.operation.id);
        self.operation.params.get(index)
    }

    fn take(&mut self, index: usize) -> Option<Given> {
        let param = self.param(index)?;
        if self.is_ignored(index) {
            return None;
        }
        if param.location == Location::Header {
            let value = str::from_utf8(self.headers.get(param.wire)?.as_bytes()).ok()?;
            return Some(Given::Text(value.to_owned()));
        }
        let mut path = self.path.iter_mut();
        match path.find(|(name, _)| *name == param.wire) {
            Some((_, place)) => Some(std::mem::replace(place, Given::Null)),
            None => self.take_steps(param, usize::MAX),
        }
    }

    fn is_in_path(&self, index: usize) -> bool {
        self.param(index).is_some_and(|param| param.location == Location::Path)
    }

    /// Takes the value at the first segments of a name. The list mark at the end, `a[]` or `a[:index]`, is not a segment.
    fn take_steps(&mut self, param: &Param, count: usize) -> Option<Given> {
        let (seen, mut place) = match self.scopes.last_mut() {
            Some((seen, scope)) => (*seen, scope),
            None => (0, &mut self.root),
        };
        for step in whole(param.wire).take(count).skip(seen) {
            match (place, step) {
                (Given::Object(fields), Step::Key(key)) => place = fields.get_mut(key)?,
                _ => return None,
            }
        }
        Some(std::mem::replace(place, Given::Null))
    }

    /// The value of a parameter, if it is set.
    pub(super) fn peek(&self, index: usize) -> Option<&Given> {
        let param = self.param(index)?;
        if self.is_ignored(index) {
            return None;
        }
        self.found(param)
    }

    fn found(&self, param: &Param) -> Option<&Given> {
        let mut path = self.path.iter();
        let in_path = path.find(|(name, _)| *name == param.wire);
        let in_tree = || {
            whole(param.wire).try_fold(&self.root, |place, step| match (place, step) {
                (Given::Object(fields), Step::Key(key)) => fields.get(key),
                // A parameter of a list's elements is set if any element is present.
                (Given::List(items), Step::Next | Step::Number) => items.first(),
                _ => None,
            })
        };
        let found = in_path.map(|(_, given)| given).or_else(in_tree)?;
        let is_none = match found {
            Given::Null => true,
            Given::Text(text) => text.is_empty(),
            Given::List(items) => items.is_empty(),
            _ => false,
        };
        (!is_none).then_some(found)
    }

    fn wrong(&self, index: usize, expected: Expected) -> Invalid {
        let told =
            (expected == Expected::TIME).then(|| self.ways().no_time(self.name(index))).flatten();
        match told {
            Some((status, told)) => self.invalid(index, Problem::Refused(status, told.to_owned())),
            None => self.bound(self.invalid(index, Problem::Wrong(expected)), false),
        }
    }

    /// Makes a fault a 400, of a read or where the emulated program binds bodies to types.
    pub(super) fn bound(&self, invalid: Invalid, is_read: bool) -> Invalid {
        let told = if self.ways().binds_types() {
            format!("Bad Request: {invalid}")
        } else if is_read {
            invalid.to_string()
        } else {
            return invalid;
        };
        Invalid { problem: Problem::Refused(StatusCode::BAD_REQUEST, told), ..invalid }
    }

    /// Whether the emulated release does not ask for a parameter that the request's type needs.
    fn is_spared(&self, index: usize) -> bool {
        self.rules(index).is_some_and(|rules| rules.ignored || rules.demanded == Some(false))
    }

    /// Whether the emulated release has words of its own for a request without a parameter.
    pub(super) fn has_words_for(&self, index: usize) -> bool {
        self.rules(index).is_some_and(|rules| rules.missing.is_some())
    }

    pub(super) fn invalid(&self, index: usize, problem: Problem) -> Invalid {
        let problem = match self.rules(index).and_then(|rules| rules.missing) {
            Some((status, text)) if problem == Problem::Missing => {
                Problem::Refused(status, text.to_owned())
            }
            None if problem == Problem::Missing && self.operation.oauth.is_none() => {
                let answer = if self.is_in_path(index) {
                    self.ways().empty_in_path()
                } else {
                    let is_read = self.operation.method == Method::Get;
                    self.ways().missing(self.name(index), is_read)
                };
                answer.map_or(problem, |(status, told)| Problem::Refused(status, told))
            }
            _ => problem,
        };
        Invalid { param: self.name(index), problem }
    }
}

/// Whether a number of seconds ends at a time that can be written. What is no number is refused as that.
fn ends_in_time(given: &Given) -> bool {
    i64::from_param(given.clone()).map_or(true, Timestamp::is_reached_in)
}

/// The file in a URI, `data:image/png;base64,..`.
fn file_in_uri(uri: &str) -> Option<File> {
    let (content_type, content) = uri.strip_prefix("data:")?.split_once(";base64,")?;
    let content = STANDARD.decode(content).ok()?;
    Some(File::new("", content).without_name().with_content_type(content_type))
}

/// The lines of a text that are not blank, without the space around them; anything else is one value.
fn lines(given: Given) -> Vec<Given> {
    let Given::Text(text) = given else {
        return vec![given];
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| Given::Text(line.to_owned())).collect()
}

/// A parameter that is missing or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    param: &'static str,
    problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    Missing,
    Wrong(Expected),
    /// The refusals that the emulated program answers with a status and words of its own.
    Refused(StatusCode, String),
    OneOf(String),
    Excluded(String),
}

impl Invalid {
    /// Whether the parameter is missing.
    pub(super) fn is_missing(&self) -> bool {
        self.problem == Problem::Missing
    }

    /// The status and the words of the emulated program, where it has its own.
    pub(super) fn in_words(&self) -> Option<(StatusCode, &str)> {
        match &self.problem {
            Problem::Refused(status, told) => Some((*status, told)),
            _ => None,
        }
    }

    /// The parameter's name on the wire.
    pub fn param(&self) -> &'static str {
        self.param
    }

    pub(super) fn one_of(param: &'static str, choices: String) -> Self {
        Self { param, problem: Problem::OneOf(choices) }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let param = self.param;
        match &self.problem {
            Problem::Missing => write!(f, "{param} is required"),
            Problem::Wrong(Expected(what)) => write!(f, "{param} must be {what}"),
            Problem::Refused(_, told) => f.write_str(told),
            Problem::OneOf(choices) if param.is_empty() => {
                write!(f, "one of these is required: {choices}")
            }
            Problem::OneOf(choices) => write!(f, "{param} must be one of these: {choices}"),
            Problem::Excluded(other) => write!(f, "{param} and {other} cannot be combined"),
        }
    }
}

impl std::error::Error for Invalid {}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        let told = invalid.to_string();
        match invalid.problem {
            Problem::Refused(status, _) if told.is_empty() => Reply::new(status).into(),
            // A whole object, of a program that has another shape.
            Problem::Refused(status, _) if told.starts_with('{') => {
                Reply::new(status).with_body("application/json", told).into()
            }
            Problem::Refused(status, _) => Self::new(status, told),
            _ => Self::unprocessable(told),
        }
    }
}

#[cfg(test)]
mod tests;
