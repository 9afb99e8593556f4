//! What Ruby expressions make, as far as their source writes it out.
//!
//! An expression is followed into methods of its own class, into those of classes that it names, and into blocks. What is not
//! written out, such as what a query answers, is unknown; of several cases that are known, each counts.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use super::made::{Hash, Made, Member};
use super::ruby::{Classes, arguments, block, last, name, option, positional, statements};
use crate::syntax::Spot;

/// How deep expressions and calls are followed.
const DEPTH: usize = 48;

/// How many expressions one value may consist of: a source can say one that takes for ever.
const STEPS: usize = 20_000;

/// How many nodes may be looked at for all values of a source. Those of Mastodon 4.6.5 take 720,000.
const NODES: usize = 10_000_000;

/// Whose code is read, and what its names stand for.
#[derive(Clone)]
pub(super) struct Frame<'c, 's> {
    /// The class of `self`.
    class: &'c str,
    /// `self` is the class itself.
    is_class: bool,
    locals: HashMap<&'s str, Made<'c, 's>>,
}

impl<'c, 's> Frame<'c, 's> {
    pub(super) fn of(class: &'c str) -> Self {
        Self { class, is_class: false, locals: HashMap::new() }
    }

    /// With a name that stands for an object.
    pub(super) fn with(mut self, name: &'s str, made: Made<'c, 's>) -> Self {
        self.locals.insert(name, made);
        self
    }
}

/// Follows expressions.
pub(super) struct Maker<'c, 's> {
    pub(super) classes: &'c Classes<'s>,
    /// For the present value.
    steps: Cell<usize>,
    /// For all.
    nodes: Cell<usize>,
}

impl<'c, 's> Maker<'c, 's> {
    pub(super) fn new(classes: &'c Classes<'s>) -> Self {
        Self { classes, steps: Cell::new(0), nodes: Cell::new(0) }
    }

    /// What an expression inside a method of a class makes, as it is written as JSON.
    pub(super) fn inside(&self, class: &'c str, at: Spot<'s>) -> Made<'c, 's> {
        self.steps.set(0);
        let made = self.within(class, at);
        self.written(made, 0)
    }

    fn within(&self, class: &'c str, at: Spot<'s>) -> Made<'c, 's> {
        let mut around = at.parent();
        while let Some(outer) = around.filter(|outer| outer.kind() != "method") {
            around = outer.parent();
        }
        let mut frame = Frame::of(class);
        self.assign(&around.map(statements).unwrap_or_default(), &mut frame, 0);
        self.expression(at, &frame, 0)
    }

    /// What a controller gives to a serializer; `each` of a list.
    pub(super) fn rendered(&self, class: &'c str, at: Spot<'s>, each: bool) -> Made<'c, 's> {
        self.steps.set(0);
        let made = self.within(class, at);
        if each { self.elements(&made, 0) } else { made }
    }

    /// What a method answers, as it is written as JSON.
    pub(super) fn answer(&self, method: Spot<'s>, frame: Frame<'c, 's>) -> Made<'c, 's> {
        self.steps.set(0);
        let made = self.method(method, frame, 0);
        self.written(made, 0)
    }

    /// What the method of an object of a class answers, as it is written as JSON.
    pub(super) fn asked(&self, of: &Made<'c, 's>, called: &str) -> Made<'c, 's> {
        self.steps.set(0);
        let made = self.of_object(of, called, &[], &Frame::of(""), 0);
        self.written(made, 0)
    }

    fn method(&self, method: Spot<'s>, mut frame: Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        if depth > DEPTH || !self.may_read(method) {
            return Made::Unknown;
        }
        let body = statements(method);
        self.assign(&body, &mut frame, depth);
        let Some(last) = last(&body) else {
            return Made::Unknown;
        };
        let made = self.expression(last, &frame, depth + 1);
        // `return {..} if ..` before the end is another case; what is not written out there tells nothing.
        let mut early = Vec::new();
        for statement in body.iter().filter(|one| one.node.id() != last.node.id()) {
            statement.walk(|at| {
                if at.kind() == "return" {
                    early.extend(
                        at.children().first().and_then(|list| list.children().first().copied()),
                    );
                }
                !matches!(at.kind(), "method" | "lambda")
            });
        }
        let early = early.into_iter().map(|at| self.expression(at, &frame, depth + 1));
        early.filter(Made::is_known).fold(made, Made::or)
    }

    /// Whether there is time left to go through a method.
    fn may_read(&self, method: Spot<'s>) -> bool {
        let nodes = self.nodes.get() + method.node.descendant_count();
        self.nodes.set(nodes);
        nodes <= NODES
    }

    /// Notes what the names of a body stand for, in the order of its statements.
    fn assign(&self, body: &[Spot<'s>], frame: &mut Frame<'c, 's>, depth: usize) {
        for statement in body {
            if let Some((left, right)) = assignment(*statement)
                && left.kind() == "identifier"
            {
                let made = self.expression(right, frame, depth + 1);
                frame.locals.insert(left.text(), made);
            }
            self.fill(*statement, frame, depth);
        }
    }

    /// Notes what a statement puts into the hashes that names stand for: `h[:key] = value`, `h.merge!(..)`, be it in a block.
    fn fill(&self, statement: Spot<'s>, frame: &mut Frame<'c, 's>, depth: usize) {
        let mut puts = Vec::new();
        statement.walk(|at| {
            let target = match at.kind() {
                "assignment" => at.field("left").and_then(|left| left.field("object")),
                "call" => at.field("receiver").filter(|_| {
                    let called = at.field("method").map(Spot::text);
                    matches!(called, Some("merge!" | "update" | "store"))
                }),
                _ => None,
            };
            let target = target.filter(|of| of.kind() == "identifier");
            puts.extend(target.map(|of| (of.text(), at)));
            at.kind() != "method"
        });
        for (target, at) in puts {
            if let Some(Made::Hash(hash)) = frame.locals.get(target) {
                let hash = hash.clone();
                // Inside a condition or a block it may not come to it.
                let optional = at.node.id() != statement.node.id();
                let made = self.put(hash, at, optional, frame, depth);
                frame.locals.insert(target, made);
            }
        }
    }

    /// A hash after an assignment to one of its keys or a call that puts something into it.
    fn put(
        &self,
        mut hash: Hash<'c, 's>,
        at: Spot<'s>,
        optional: bool,
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        let entry = if at.kind() == "assignment" {
            let key = at.field("left");
            let key = key.and_then(|left| left.children().get(1).copied());
            key.zip(at.field("right"))
        } else {
            let given = positional(at);
            given.first().copied().zip(given.get(1).copied())
        };
        let Some((key, value)) = entry else {
            for given in arguments(at) {
                hash.merge(match given.kind() {
                    "pair" => self.pairs(at, &[given], frame, depth),
                    _ => self.expression(given, frame, depth + 1),
                });
            }
            return Made::Hash(hash);
        };
        let made = self.expression(value, frame, depth + 1);
        if let Some(word) = name(key) {
            let member = Member { at: key, made, optional };
            hash.members.insert(word, member);
        } else if hash.members.is_empty() {
            return Made::Map(Box::new(made));
        } else {
            hash.open = true;
        }
        Made::Hash(hash)
    }

    fn expression(&self, at: Spot<'s>, frame: &Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if depth > DEPTH || steps > STEPS {
            return Made::Unknown;
        }
        let inner = |at| self.expression(at, frame, depth + 1);
        match at.kind() {
            "string" => Made::Plain("string"),
            "true" | "false" => Made::Plain("boolean"),
            "hash" => self.pairs(at, &at.children(), frame, depth),
            "array" => Made::any(at.children().into_iter().map(inner)).list(),
            "self" if !frame.is_class => Made::Object(frame.class),
            "self" => Made::Class(frame.class),
            "constant" | "scope_resolution" => self.constant(at, frame, depth),
            "identifier" => match frame.locals.get(at.text()) {
                Some(made) => made.clone(),
                None => self.own(at.text(), &[], frame, depth),
            },
            "instance_variable" => self.kept(at.text(), frame, depth),
            "assignment" | "operator_assignment" => at.field("right").map_or(Made::Unknown, inner),
            "if_modifier" | "unless_modifier" => at.field("body").map_or(Made::Unknown, inner),
            "if" | "unless" | "conditional" | "elsif" => {
                let arms = ["consequence", "alternative"];
                Made::any(arms.map(|arm| at.field(arm).map_or(Made::Unknown, inner)))
            }
            "case" => {
                let arms = at.children().into_iter();
                let arms = arms.filter_map(|arm| match arm.kind() {
                    "when" => arm.field("body"),
                    "else" => Some(arm),
                    _ => None,
                });
                Made::any(arms.map(inner))
            }
            "then" | "else" | "begin" | "parenthesized_statements" => {
                last(&at.children()).map_or(Made::Unknown, inner)
            }
            "binary" if at.field("operator").is_some_and(|one| one.text() == "||") => {
                let sides = ["left", "right"];
                Made::any(sides.map(|side| at.field(side).map_or(Made::Unknown, inner)))
            }
            "element_reference" => self.element(at, frame, depth),
            "call" => self.call(at, frame, depth),
            _ => Made::Unknown,
        }
    }

    /// `{ key: value, **others }`
    fn pairs(
        &self,
        at: Spot<'s>,
        pairs: &[Spot<'s>],
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        let mut hash = Hash::new(at);
        for pair in pairs {
            if pair.kind() == "hash_splat_argument" {
                let of = pair.children().first().copied();
                let of = of.map_or(Made::Unknown, |of| self.expression(of, frame, depth + 1));
                hash.merge(of);
                continue;
            }
            let Some(key) = pair.field("key") else {
                continue;
            };
            let Some(word) = name(key) else {
                return Made::Unknown;
            };
            let made = match pair.field("value") {
                Some(value) => self.expression(value, frame, depth + 1),
                // `{ id: }`
                None => match frame.locals.get(word.as_str()) {
                    Some(made) => made.clone(),
                    None => self.own(&word, &[], frame, depth),
                },
            };
            let member = Member { at: key, made, optional: false };
            hash.members.insert(word, member);
        }
        Made::Hash(hash)
    }

    /// A class, or what a constant is set to.
    fn constant(&self, at: Spot<'s>, frame: &Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        for within in [scope(at).as_str(), frame.class] {
            if let Some(class) = self.classes.resolve(within, at.text()) {
                return Made::Class(class);
            }
            if let Some((owner, value)) = self.classes.constant(within, at.text()) {
                return self.expression(value, &Frame::of(owner), depth + 1);
            }
        }
        Made::Unknown
    }

    /// What a name of `self` stands for: a method without a receiver.
    fn own(
        &self,
        called: &str,
        given: &[Spot<'s>],
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        if called == "new" && frame.is_class {
            return Made::Object(frame.class);
        }
        let of = if frame.is_class { Made::Class(frame.class) } else { Made::Object(frame.class) };
        self.of_object(&of, called, given, frame, depth)
    }

    /// What a method of a class or an object answers; `given` are the arguments, in the caller's words.
    fn of_object(
        &self,
        of: &Made<'c, 's>,
        called: &str,
        given: &[Spot<'s>],
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        let (class, is_class) = match of {
            Made::OneOf(cases) => {
                let cases = cases.iter();
                let cases = cases.map(|of| self.of_object(of, called, given, frame, depth + 1));
                return Made::any(cases.collect::<Vec<_>>());
            }
            Made::Class(class) => (*class, true),
            Made::Object(class) => (*class, false),
            _ => return Made::Unknown,
        };
        if is_class && called == "new" {
            return Made::Object(class);
        }
        let method = if is_class {
            self.classes.own_method(class, called)
        } else {
            self.classes.method(class, called, 0)
        };
        let Some(method) = method else {
            return Made::Unknown;
        };
        let mut inner = Frame { class, is_class, locals: HashMap::new() };
        let names = method.field("parameters").map(Spot::children);
        for (name, given) in names.unwrap_or_default().into_iter().zip(given) {
            if name.kind() != "identifier"
                || matches!(given.kind(), "pair" | "splat_argument" | "block_argument")
            {
                break;
            }
            let made = self.expression(*given, frame, depth + 1);
            inner.locals.insert(name.text(), made);
        }
        self.method(method, inner, depth + 1)
    }

    /// What the methods of a class keep under the name of an instance variable.
    fn kept(&self, name: &str, frame: &Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        let mut found = Vec::new();
        for method in self.classes.methods(frame.class) {
            if !self.may_read(method) {
                return Made::Unknown;
            }
            method.walk(|at| {
                let right = assignment(at).filter(|(left, _)| left.text() == name);
                found.extend(right.map(|(_, right)| right));
                true
            });
        }
        let frame = Frame::of(frame.class);
        Made::any(found.into_iter().map(|right| self.expression(right, &frame, depth + 1)))
    }

    /// `TABLE[key]`, `hash[:key]`
    fn element(&self, at: Spot<'s>, frame: &Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        let Some(object) = at.field("object") else {
            return Made::Unknown;
        };
        let key = at.children().get(1).copied().and_then(name);
        if let Some(stored) = stored(at, object, key.as_deref()) {
            return stored;
        }
        match self.expression(object, frame, depth + 1) {
            Made::Hash(mut hash) => match key {
                Some(key) => hash.members.remove(&key).map_or(Made::Unknown, |member| member.made),
                None => Made::any(hash.members.into_values().map(|member| member.made)),
            },
            Made::List(of) | Made::Map(of) => *of,
            _ => Made::Unknown,
        }
    }

    fn call(&self, at: Spot<'s>, frame: &Frame<'c, 's>, depth: usize) -> Made<'c, 's> {
        let Some(called) = at.field("method").map(Spot::text) else {
            return Made::Unknown;
        };
        let given = arguments(at);
        let Some(receiver) = at.field("receiver") else {
            let made = self.own(called, &given, frame, depth);
            return match made {
                // What only wraps a block, such as `with_read_replica { .. }`, answers what that answers.
                Made::Unknown if at.field("block").is_some() && !is_iterating(called) => {
                    let made = self.block(at, &[], frame, depth);
                    if made.is_known() { made } else { Made::Unknown }
                }
                Made::Unknown if is_iterating(called) && !frame.is_class => {
                    self.collection(at, called, Made::Object(frame.class), frame, depth)
                }
                made => made,
            };
        };
        if called == "to_s" {
            return Made::Plain("string");
        }
        if matches!(called, "dig" | "fetch")
            && let [key] = *positional(at).as_slice()
            && let Some(stored) = stored(at, receiver, name(key).as_deref())
        {
            return stored;
        }
        let of = self.expression(receiver, frame, depth + 1);
        let made = self.of_object(&of, called, &given, frame, depth + 1);
        if matches!(made, Made::Unknown) {
            self.collection(at, called, of, frame, depth)
        } else {
            made
        }
    }

    /// The methods that Ruby and Rails give to collections and to every object.
    fn collection(
        &self,
        at: Spot<'s>,
        called: &str,
        of: Made<'c, 's>,
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        match called {
            "map" | "filter_map" | "flat_map" | "collect" | "with_index" => {
                let element = self.elements(&of, depth);
                let made = self.block(at, &[element], frame, depth);
                match made {
                    Made::List(of) if called == "flat_map" => Made::List(of),
                    made => made.list(),
                }
            }
            "to_h" | "index_with" if at.field("block").is_some() => {
                let element = self.elements(&of, depth);
                let frame = Self::bound(at, &[element], frame);
                let body = block(at);
                let mut made = last(&body);
                if called == "to_h" {
                    // `[key, value]`
                    made = made.filter(|pair| pair.kind() == "array");
                    made = made.and_then(|pair| pair.children().get(1).copied());
                }
                made.map_or(Made::Unknown, |value| {
                    Made::Map(Box::new(self.expression(value, &frame, depth + 1)))
                })
            }
            "each_with_object" => {
                let made = self.gathered(at, &of, frame, depth);
                match (made, of) {
                    // Its keys are those of what is stored.
                    (Made::Map(_), stored @ Made::Stored { .. }) => stored,
                    (made, _) => made,
                }
            }
            "transform_values" => match of {
                stored @ Made::Stored { .. } => stored,
                _ => Made::Unknown,
            },
            "merge" | "reverse_merge" | "deep_merge" => {
                let mut hash = match of {
                    Made::Hash(hash) => hash,
                    _ => Hash { open: true, ..Hash::new(at) },
                };
                for given in arguments(at) {
                    let other = match given.kind() {
                        "pair" => self.pairs(at, &[given], frame, depth),
                        "block_argument" => continue,
                        _ => self.expression(given, frame, depth + 1),
                    };
                    hash.merge(other);
                }
                Made::Hash(hash)
            }
            "slice" => sliced(at, of, &positional(at)),
            "as_json" | "serializable_hash" if option(at, "only").is_some() => {
                let only = option(at, "only").map(Spot::children).unwrap_or_default();
                sliced(at, of, &only)
            }
            "except" | "without" => match of {
                Made::Hash(mut hash) => {
                    for key in positional(at).into_iter().filter_map(name) {
                        hash.members.remove(&key);
                    }
                    Made::Hash(hash)
                }
                _ => Made::Unknown,
            },
            "as_json" | "to_json" => self.written(of, depth + 1),
            "freeze"
            | "compact"
            | "compact_blank"
            | "dup"
            | "tap"
            | "to_h"
            | "to_a"
            | "presence"
            | "with_indifferent_access"
            | "symbolize_keys"
            | "stringify_keys"
            | "deep_symbolize_keys"
            | "deep_stringify_keys"
            | "sort_by"
            | "select"
            | "reject"
            | "filter"
            | "uniq"
            | "reverse"
            | "take" => of,
            "first" | "last" | "find" => match of {
                Made::List(of) => *of,
                _ => Made::Unknown,
            },
            // `cache.fetch(key) { .. }`
            "fetch" | "then" if at.field("block").is_some() => self.block(at, &[of], frame, depth),
            _ => Made::Unknown,
        }
    }

    /// `list.each_with_object({}) { |one, all| all.merge!(one.parts) }`
    fn gathered(
        &self,
        at: Spot<'s>,
        of: &Made<'c, 's>,
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        let first = positional(at).first().copied();
        let first = first.map_or(Made::Unknown, |at| self.expression(at, frame, depth + 1));
        let names = block_names(at);
        let Some(Some(memo)) = names.get(1).copied() else {
            return Made::Unknown;
        };
        let mut all = first;
        // Each part is put into it, so that none of them is only one of several cases.
        for element in self.elements(of, depth).cases() {
            let mut frame = Self::bound(at, &[element, all.clone()], frame);
            self.assign(&block(at), &mut frame, depth + 1);
            all = frame.locals.remove(memo).unwrap_or(Made::Unknown);
        }
        all
    }

    /// What an iteration gives to its block.
    fn elements(&self, of: &Made<'c, 's>, depth: usize) -> Made<'c, 's> {
        match of {
            Made::List(of) => (**of).clone(),
            Made::Object(class) => {
                let each = self.classes.method(class, "each", 0);
                let given = each.map(yielded).unwrap_or_default();
                let frame = Frame::of(class);
                let given = given.into_iter();
                Made::any(given.map(|at| self.expression(at, &frame, depth + 1)))
            }
            _ => Made::Unknown,
        }
    }

    /// What the block of a call answers, which is given these.
    fn block(
        &self,
        call: Spot<'s>,
        given: &[Made<'c, 's>],
        frame: &Frame<'c, 's>,
        depth: usize,
    ) -> Made<'c, 's> {
        // `map(&:as_json)`
        let passed = arguments(call);
        let passed = passed.last().filter(|last| last.kind() == "block_argument");
        if let Some(called) = passed.and_then(|last| name(*last.children().first()?)) {
            let of = given.first().cloned().unwrap_or(Made::Unknown);
            return match self.of_object(&of, &called, &[], frame, depth + 1) {
                Made::Unknown => self.collection(call, &called, of, frame, depth + 1),
                made => made,
            };
        }
        let body = block(call);
        let mut frame = Self::bound(call, given, frame);
        self.assign(&body, &mut frame, depth + 1);
        last(&body).map_or(Made::Unknown, |last| self.expression(last, &frame, depth + 1))
    }

    /// The frame inside the block of a call, which is given these.
    fn bound(call: Spot<'s>, given: &[Made<'c, 's>], frame: &Frame<'c, 's>) -> Frame<'c, 's> {
        let mut frame = frame.clone();
        let unknown = std::iter::repeat(Made::Unknown);
        for (name, given) in block_names(call).into_iter().zip(given.iter().cloned().chain(unknown))
        {
            if let Some(name) = name {
                frame.locals.insert(name, given);
            }
        }
        frame
    }

    /// What is sent in the place of an object: what it makes of itself.
    fn written(&self, made: Made<'c, 's>, depth: usize) -> Made<'c, 's> {
        if depth > DEPTH {
            return Made::Unknown;
        }
        match made {
            Made::Object(class) => {
                let mut own = ["as_json", "to_json"].into_iter();
                let own = own.find_map(|called| self.classes.method(class, called, 0));
                own.map_or(Made::Unknown, |own| {
                    let made = self.method(own, Frame::of(class), depth + 1);
                    self.written(made, depth + 1)
                })
            }
            Made::OneOf(cases) => {
                let cases = cases.into_iter();
                Made::any(cases.map(|of| self.written(of, depth + 1)).collect::<Vec<_>>())
            }
            Made::List(of) => self.written(*of, depth + 1).list(),
            Made::Map(of) => Made::Map(Box::new(self.written(*of, depth + 1))),
            Made::Hash(mut hash) => {
                for member in hash.members.values_mut() {
                    let made = std::mem::replace(&mut member.made, Made::Unknown);
                    member.made = self.written(made, depth + 1);
                }
                Made::Hash(hash)
            }
            Made::Class(_) => Made::Unknown,
            made => made,
        }
    }
}

/// `object.data.dig("alerts")` in a serializer.
fn stored<'c, 's>(at: Spot<'s>, of: Spot<'s>, key: Option<&str>) -> Option<Made<'c, 's>> {
    let column = of.field("method")?.text();
    let is_column = of.field("receiver")?.text() == "object" && of.field("arguments").is_none();
    let name = format!("{column}[{}]", key?);
    is_column.then_some(Made::Stored { at, name })
}

/// A hash of these keys alone.
fn sliced<'c, 's>(at: Spot<'s>, of: Made<'c, 's>, keys: &[Spot<'s>]) -> Made<'c, 's> {
    let mut own = match of {
        Made::Hash(hash) => hash.members,
        _ => BTreeMap::new(),
    };
    let mut hash = Hash::new(at);
    for key in keys {
        let Some(word) = name(*key) else {
            return Made::Unknown;
        };
        let member =
            own.remove(&word).unwrap_or(Member { at: *key, made: Made::Unknown, optional: false });
        hash.members.insert(word, member);
    }
    Made::Hash(hash)
}

/// What a method gives to its block: `yield one`, `block.call(one)`.
fn yielded(method: Spot<'_>) -> Vec<Spot<'_>> {
    let names = method.field("parameters").map(Spot::children);
    let block = names.unwrap_or_default().last().and_then(|last| {
        let is_block = last.kind() == "block_parameter";
        is_block.then(|| last.field("name"))?
    });
    let is_block = |of: Spot<'_>| block.is_some_and(|block| block.text() == of.text());
    let mut found = Vec::new();
    method.walk(|at| {
        let given = match at.kind() {
            "yield" => at.children().first().map(|given| given.children()),
            "call" if at.field("receiver").is_some_and(is_block) => Some(arguments(at)),
            _ => None,
        };
        found.extend(given.and_then(|given| given.first().copied()));
        true
    });
    found
}

/// The names that a block gives to what it gets; none for a list that is taken apart.
fn block_names(call: Spot<'_>) -> Vec<Option<&str>> {
    let block = call.field("block");
    let names = block.and_then(|block| block.field("parameters")).map(Spot::children);
    let names = names.unwrap_or_default().into_iter();
    names.map(|name| (name.kind() == "identifier").then(|| name.text())).collect()
}

/// The two sides of `a = b` or `a ||= b`.
fn assignment(at: Spot<'_>) -> Option<(Spot<'_>, Spot<'_>)> {
    let is_one = matches!(at.kind(), "assignment" | "operator_assignment");
    is_one.then(|| Some((at.field("left")?, at.field("right")?)))?
}

/// Whether a method gives its block one element after the other.
fn is_iterating(called: &str) -> bool {
    matches!(
        called,
        "map"
            | "filter_map"
            | "flat_map"
            | "collect"
            | "each"
            | "each_with_object"
            | "to_h"
            | "index_with"
    ) || called.starts_with("each_")
}

/// The whole name of the class around an expression.
fn scope(at: Spot<'_>) -> String {
    let mut names = Vec::new();
    let mut around = at.parent();
    while let Some(outer) = around {
        if matches!(outer.kind(), "class" | "module") {
            names.extend(outer.field("name").map(Spot::text));
        }
        around = outer.parent();
    }
    names.reverse();
    names.join("::")
}
