//! The evaluation of Ruby expressions, as far as their source writes values out.
//!
//! An expression is followed into methods of its own class, into those of classes that it names, and into blocks. What is not
//! written out, such as what a query answers, is unknown; of several cases that are known, each counts.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use super::ruby::{Classes, arguments, block, last, name, option, positional, statements};
use super::value::{Hash, Member, Value};
use crate::syntax::Spot;

/// How deep expressions and calls are followed.
const DEPTH: usize = 32;

/// How many expressions one value may consist of: a source can say one that takes for ever.
const STEPS: usize = 20_000;

/// How many nodes may be looked at for all values of a source. Those of Mastodon 4.6.5 take 720,000.
const NODES: usize = 10_000_000;

/// The class whose code is read, and the values of its names.
#[derive(Clone)]
pub(super) struct Frame<'c, 's> {
    /// The class of `self`.
    class: &'c str,
    /// `self` is the class itself.
    is_class: bool,
    locals: HashMap<&'s str, Value<'c, 's>>,
}

impl<'c, 's> Frame<'c, 's> {
    pub(super) fn of(class: &'c str) -> Self {
        Self { class, is_class: false, locals: HashMap::new() }
    }

    /// With a name that stands for an object.
    pub(super) fn with(mut self, name: &'s str, made: Value<'c, 's>) -> Self {
        self.locals.insert(name, made);
        self
    }
}

/// Follows expressions.
pub(super) struct Evaluator<'c, 's> {
    pub(super) classes: &'c Classes<'s>,
    /// The steps that lead to the present expression.
    depth: Cell<usize>,
    /// For the present value.
    steps: Cell<usize>,
    /// For all.
    nodes: Cell<usize>,
}

impl<'c, 's> Evaluator<'c, 's> {
    pub(super) fn new(classes: &'c Classes<'s>) -> Self {
        Self { classes, depth: Cell::default(), steps: Cell::default(), nodes: Cell::default() }
    }

    /// Evaluates an expression inside a method of a class, as it is written as JSON.
    pub(super) fn inside(&self, class: &'c str, at: Spot<'s>) -> Value<'c, 's> {
        self.steps.set(0);
        let made = self.within(class, at);
        self.written(made)
    }

    fn within(&self, class: &'c str, at: Spot<'s>) -> Value<'c, 's> {
        let mut frame = Frame::of(class);
        let around = at.around("method").map(statements);
        self.assign(&around.unwrap_or_default(), &mut frame);
        self.expression(at, &frame)
    }

    /// Evaluates the value that a controller gives to a serializer; `each` of a list.
    pub(super) fn rendered(&self, class: &'c str, at: Spot<'s>, each: bool) -> Value<'c, 's> {
        self.steps.set(0);
        let made = self.within(class, at);
        if each { self.elements(&made) } else { made }
    }

    /// Evaluates the answer of a method, as it is written as JSON.
    pub(super) fn answer(&self, method: Spot<'s>, frame: Frame<'c, 's>) -> Value<'c, 's> {
        self.steps.set(0);
        let made = self.method(method, frame);
        self.written(made)
    }

    /// Evaluates the answer of an object's method, as it is written as JSON.
    pub(super) fn asked(&self, of: &Value<'c, 's>, called: &str) -> Value<'c, 's> {
        self.steps.set(0);
        let made = self.of_object(of, called, &[], &Frame::of(""));
        self.written(made)
    }

    fn method(&self, method: Spot<'s>, frame: Frame<'c, 's>) -> Value<'c, 's> {
        if !self.may_read(method) {
            return Value::Unknown;
        }
        self.deeper(|| self.answer_of(method, frame))
    }

    fn answer_of(&self, method: Spot<'s>, mut frame: Frame<'c, 's>) -> Value<'c, 's> {
        let body = statements(method);
        self.assign(&body, &mut frame);
        let Some(last) = last(&body) else {
            return Value::Unknown;
        };
        let made = self.expression(last, &frame);
        // `return {..} if ..` before the end is another case; what is not written out there tells nothing.
        let mut early = Vec::new();
        for statement in body.iter().filter(|one| !one.same(last)) {
            statement.walk(|at| {
                if at.kind() == "return" {
                    early.extend(at.children().first().and_then(|list| list.first()));
                }
                !matches!(at.kind(), "method" | "lambda")
            });
        }
        let early = early.into_iter().map(|at| self.expression(at, &frame));
        early.filter(Value::is_known).fold(made, Value::or)
    }

    /// Follows one step further, unless that is too deep.
    fn deeper(&self, step: impl FnOnce() -> Value<'c, 's>) -> Value<'c, 's> {
        let depth = self.depth.get();
        if depth > DEPTH {
            return Value::Unknown;
        }
        self.depth.set(depth + 1);
        let made = step();
        self.depth.set(depth);
        made
    }

    /// Whether there is time left to go through a method.
    fn may_read(&self, method: Spot<'s>) -> bool {
        let nodes = self.nodes.get() + method.node.descendant_count();
        self.nodes.set(nodes);
        nodes <= NODES
    }

    /// Notes what the names of a body stand for, in the order of its statements.
    fn assign(&self, body: &[Spot<'s>], frame: &mut Frame<'c, 's>) {
        for statement in body {
            if let Some((left, right)) = assignment(*statement)
                && left.kind() == "identifier"
            {
                let made = self.expression(right, frame);
                frame.locals.insert(left.text(), made);
            }
            self.fill(*statement, frame);
        }
    }

    /// Notes what a statement puts into the hashes that names stand for: `h[:key] = value`, `h.merge!(..)`, be it in a block.
    fn fill(&self, statement: Spot<'s>, frame: &mut Frame<'c, 's>) {
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
            if let Some(Value::Hash(hash)) = frame.locals.get(target) {
                let hash = hash.clone();
                // A statement inside a condition or a block may not run.
                let optional = !at.same(statement);
                let made = self.put(hash, at, optional, frame);
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
    ) -> Value<'c, 's> {
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
                    "pair" => self.pairs(at, &[given], frame),
                    _ => self.expression(given, frame),
                });
            }
            return Value::Hash(hash);
        };
        let made = self.expression(value, frame);
        if let Some(word) = name(key) {
            let member = Member { at: key, made, optional };
            hash.members.insert(word, member);
        } else if hash.members.is_empty() {
            return Value::Map(Box::new(made));
        } else {
            hash.open = true;
        }
        Value::Hash(hash)
    }

    fn expression(&self, at: Spot<'s>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > STEPS {
            return Value::Unknown;
        }
        self.deeper(|| self.expression_of(at, frame))
    }

    fn expression_of(&self, at: Spot<'s>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let inner = |at: Spot<'s>| self.expression(at, frame);
        let of = |role: &str| at.field(role).map_or(Value::Unknown, inner);
        match at.kind() {
            "string" => Value::Plain("string"),
            "true" | "false" => Value::Plain("boolean"),
            "hash" => self.pairs(at, &at.children(), frame),
            "array" => Value::any(at.children().into_iter().map(inner)).list(),
            "self" if !frame.is_class => Value::Object(frame.class),
            "self" => Value::Class(frame.class),
            "constant" | "scope_resolution" => self.constant(at, frame),
            "identifier" => self.named(at.text(), frame),
            "instance_variable" => self.kept(at.text(), frame),
            "assignment" | "operator_assignment" => of("right"),
            "if_modifier" | "unless_modifier" => of("body"),
            "if" | "unless" | "conditional" | "elsif" => of("consequence").or(of("alternative")),
            "case" => {
                let arms = at.children().into_iter();
                let arms = arms.filter_map(|arm| match arm.kind() {
                    "when" => arm.field("body"),
                    "else" => Some(arm),
                    _ => None,
                });
                Value::any(arms.map(inner))
            }
            "then" | "else" | "begin" | "parenthesized_statements" => {
                last(&at.children()).map_or(Value::Unknown, inner)
            }
            "binary" if at.is("operator", "||") => of("left").or(of("right")),
            "element_reference" => self.element(at, frame),
            "call" => self.call(at, frame),
            _ => Value::Unknown,
        }
    }

    /// `{ key: value, **others }`
    fn pairs(&self, at: Spot<'s>, pairs: &[Spot<'s>], frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let mut hash = Hash::new(at);
        for pair in pairs {
            if pair.kind() == "hash_splat_argument" {
                let of = pair.first();
                let of = of.map_or(Value::Unknown, |of| self.expression(of, frame));
                hash.merge(of);
                continue;
            }
            let Some(key) = pair.field("key") else {
                continue;
            };
            let Some(word) = name(key) else {
                return Value::Unknown;
            };
            let made = match pair.field("value") {
                Some(value) => self.expression(value, frame),
                // `{ id: }`
                None => self.named(&word, frame),
            };
            let member = Member { at: key, made, optional: false };
            hash.members.insert(word, member);
        }
        Value::Hash(hash)
    }

    /// A class, or what a constant is set to.
    fn constant(&self, at: Spot<'s>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        for within in [scope(at).as_str(), frame.class] {
            if let Some(class) = self.classes.resolve(within, at.text()) {
                return Value::Class(class);
            }
            if let Some((owner, value)) = self.classes.constant(within, at.text()) {
                return self.expression(value, &Frame::of(owner));
            }
        }
        Value::Unknown
    }

    /// The value of a name: of a local one, else of `self`.
    fn named(&self, name: &str, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let local = frame.locals.get(name).cloned();
        local.unwrap_or_else(|| self.own(name, &[], frame))
    }

    /// The value of a name of `self`: a method without a receiver.
    fn own(&self, called: &str, given: &[Spot<'s>], frame: &Frame<'c, 's>) -> Value<'c, 's> {
        if called == "new" && frame.is_class {
            return Value::Object(frame.class);
        }
        let of =
            if frame.is_class { Value::Class(frame.class) } else { Value::Object(frame.class) };
        self.of_object(&of, called, given, frame)
    }

    /// The answer of a method of a class or an object; `given` are the arguments, in the caller's words.
    fn of_object(
        &self,
        of: &Value<'c, 's>,
        called: &str,
        given: &[Spot<'s>],
        frame: &Frame<'c, 's>,
    ) -> Value<'c, 's> {
        let (class, is_class) = match of {
            Value::OneOf(cases) => {
                let cases = cases.iter();
                let cases = cases.map(|of| self.of_object(of, called, given, frame));
                return Value::any(cases.collect::<Vec<_>>());
            }
            Value::Class(class) => (*class, true),
            Value::Object(class) => (*class, false),
            _ => return Value::Unknown,
        };
        if is_class && called == "new" {
            return Value::Object(class);
        }
        let method = if is_class {
            self.classes.own_method(class, called)
        } else {
            self.classes.method(class, called, 0)
        };
        let Some(method) = method else {
            return Value::Unknown;
        };
        let mut inner = Frame { class, is_class, locals: HashMap::new() };
        let names = method.field("parameters").map(Spot::children);
        for (name, given) in names.unwrap_or_default().into_iter().zip(given) {
            if name.kind() != "identifier"
                || matches!(given.kind(), "pair" | "splat_argument" | "block_argument")
            {
                break;
            }
            let made = self.expression(*given, frame);
            inner.locals.insert(name.text(), made);
        }
        self.method(method, inner)
    }

    /// The values that the methods of a class give to an instance variable.
    fn kept(&self, name: &str, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let mut found = Vec::new();
        for method in self.classes.methods(frame.class) {
            if !self.may_read(method) {
                return Value::Unknown;
            }
            method.walk(|at| {
                let right = assignment(at).filter(|(left, _)| left.text() == name);
                found.extend(right.map(|(_, right)| right));
                true
            });
        }
        let frame = Frame::of(frame.class);
        Value::any(found.into_iter().map(|right| self.expression(right, &frame)))
    }

    /// `TABLE[key]`, `hash[:key]`
    fn element(&self, at: Spot<'s>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let Some(object) = at.field("object") else {
            return Value::Unknown;
        };
        let key = at.children().get(1).copied().and_then(name);
        if let Some(stored) = stored(at, object, key.as_deref()) {
            return stored;
        }
        match self.expression(object, frame) {
            Value::Hash(mut hash) => match key {
                Some(key) => hash.members.remove(&key).map_or(Value::Unknown, |member| member.made),
                None => Value::any(hash.members.into_values().map(|member| member.made)),
            },
            Value::List(of) | Value::Map(of) => *of,
            _ => Value::Unknown,
        }
    }

    fn call(&self, at: Spot<'s>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let Some(called) = at.field("method").map(Spot::text) else {
            return Value::Unknown;
        };
        let given = arguments(at);
        let Some(receiver) = at.field("receiver") else {
            let made = self.own(called, &given, frame);
            return match made {
                // A method that only wraps a block, such as `with_read_replica { .. }`, has the answer of the block.
                Value::Unknown if at.field("block").is_some() && !is_iterating(called) => {
                    let made = self.block(at, &[], frame);
                    if made.is_known() { made } else { Value::Unknown }
                }
                Value::Unknown if is_iterating(called) && !frame.is_class => {
                    self.collection(at, called, Value::Object(frame.class), frame)
                }
                made => made,
            };
        };
        if called == "to_s" {
            return Value::Plain("string");
        }
        if matches!(called, "dig" | "fetch")
            && let [key] = *positional(at).as_slice()
            && let Some(stored) = stored(at, receiver, name(key).as_deref())
        {
            return stored;
        }
        let of = self.expression(receiver, frame);
        let made = self.of_object(&of, called, &given, frame);
        if matches!(made, Value::Unknown) { self.collection(at, called, of, frame) } else { made }
    }

    /// The methods that Ruby and Rails give to collections and to every object.
    fn collection(
        &self,
        at: Spot<'s>,
        called: &str,
        of: Value<'c, 's>,
        frame: &Frame<'c, 's>,
    ) -> Value<'c, 's> {
        match called {
            "map" | "filter_map" | "flat_map" | "collect" | "with_index" => {
                let element = self.elements(&of);
                let made = self.block(at, &[element], frame);
                match made {
                    Value::List(of) if called == "flat_map" => Value::List(of),
                    made => made.list(),
                }
            }
            "to_h" | "index_with" if at.field("block").is_some() => {
                let element = self.elements(&of);
                let frame = Self::bound(at, &[element], frame);
                let body = block(at);
                let mut made = last(&body);
                if called == "to_h" {
                    // `[key, value]`
                    made = made.filter(|pair| pair.kind() == "array");
                    made = made.and_then(|pair| pair.children().get(1).copied());
                }
                made.map_or(Value::Unknown, |value| {
                    Value::Map(Box::new(self.expression(value, &frame)))
                })
            }
            "each_with_object" => {
                let made = self.gathered(at, &of, frame);
                match (made, of) {
                    // Its keys are those of what is stored.
                    (Value::Map(_), stored @ Value::Stored { .. }) => stored,
                    (made, _) => made,
                }
            }
            "transform_values" => match of {
                stored @ Value::Stored { .. } => stored,
                _ => Value::Unknown,
            },
            "merge" | "reverse_merge" | "deep_merge" => {
                let mut hash = match of {
                    Value::Hash(hash) => hash,
                    _ => Hash { open: true, ..Hash::new(at) },
                };
                for given in arguments(at) {
                    let other = match given.kind() {
                        "pair" => self.pairs(at, &[given], frame),
                        "block_argument" => continue,
                        _ => self.expression(given, frame),
                    };
                    hash.merge(other);
                }
                Value::Hash(hash)
            }
            "slice" => sliced(at, of, &positional(at)),
            "as_json" | "serializable_hash" if option(at, "only").is_some() => {
                let only = option(at, "only").map(Spot::children).unwrap_or_default();
                sliced(at, of, &only)
            }
            "except" | "without" => match of {
                Value::Hash(mut hash) => {
                    for key in positional(at).into_iter().filter_map(name) {
                        hash.members.remove(&key);
                    }
                    Value::Hash(hash)
                }
                _ => Value::Unknown,
            },
            "as_json" | "to_json" => self.written(of),
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
                Value::List(of) => *of,
                _ => Value::Unknown,
            },
            // `cache.fetch(key) { .. }`
            "fetch" | "then" if at.field("block").is_some() => self.block(at, &[of], frame),
            _ => Value::Unknown,
        }
    }

    /// `list.each_with_object({}) { |one, all| all.merge!(one.parts) }`
    fn gathered(&self, at: Spot<'s>, of: &Value<'c, 's>, frame: &Frame<'c, 's>) -> Value<'c, 's> {
        let first = positional(at).first().copied();
        let first = first.map_or(Value::Unknown, |at| self.expression(at, frame));
        let names = block_names(at);
        let Some(Some(memo)) = names.get(1).copied() else {
            return Value::Unknown;
        };
        let mut all = first;
        // Each part is put into it, so that none of them is only one of several cases.
        for element in self.elements(of).cases() {
            let mut frame = Self::bound(at, &[element, all.clone()], frame);
            self.assign(&block(at), &mut frame);
            all = frame.locals.remove(memo).unwrap_or(Value::Unknown);
        }
        all
    }

    /// The value that an iteration gives to its block.
    fn elements(&self, of: &Value<'c, 's>) -> Value<'c, 's> {
        match of {
            Value::List(of) => (**of).clone(),
            Value::Object(class) => {
                let each = self.classes.method(class, "each", 0);
                let given = each.map(yielded).unwrap_or_default();
                let frame = Frame::of(class);
                let given = given.into_iter();
                Value::any(given.map(|at| self.expression(at, &frame)))
            }
            _ => Value::Unknown,
        }
    }

    /// The answer of a call's block, which is given these values.
    fn block(
        &self,
        call: Spot<'s>,
        given: &[Value<'c, 's>],
        frame: &Frame<'c, 's>,
    ) -> Value<'c, 's> {
        // `map(&:as_json)`
        let passed = arguments(call);
        let passed = passed.last().filter(|last| last.kind() == "block_argument");
        if let Some(called) = passed.and_then(|last| name(last.first()?)) {
            let of = given.first().cloned().unwrap_or(Value::Unknown);
            return match self.of_object(&of, &called, &[], frame) {
                Value::Unknown => self.collection(call, &called, of, frame),
                made => made,
            };
        }
        let body = block(call);
        let mut frame = Self::bound(call, given, frame);
        self.assign(&body, &mut frame);
        last(&body).map_or(Value::Unknown, |last| self.expression(last, &frame))
    }

    /// The frame inside the block of a call, which is given these.
    fn bound(call: Spot<'s>, given: &[Value<'c, 's>], frame: &Frame<'c, 's>) -> Frame<'c, 's> {
        let mut frame = frame.clone();
        let unknown = std::iter::repeat(Value::Unknown);
        for (name, given) in block_names(call).into_iter().zip(given.iter().cloned().chain(unknown))
        {
            if let Some(name) = name {
                frame.locals.insert(name, given);
            }
        }
        frame
    }

    /// The JSON of a value: an object is sent as the answer of its `as_json`.
    fn written(&self, made: Value<'c, 's>) -> Value<'c, 's> {
        self.deeper(|| self.written_of(made))
    }

    fn written_of(&self, made: Value<'c, 's>) -> Value<'c, 's> {
        match made {
            Value::Object(class) => {
                let mut own = ["as_json", "to_json"].into_iter();
                let own = own.find_map(|called| self.classes.method(class, called, 0));
                own.map_or(Value::Unknown, |own| {
                    let made = self.method(own, Frame::of(class));
                    self.written(made)
                })
            }
            Value::OneOf(cases) => {
                let cases = cases.into_iter();
                Value::any(cases.map(|of| self.written(of)).collect::<Vec<_>>())
            }
            Value::List(of) => self.written(*of).list(),
            Value::Map(of) => Value::Map(Box::new(self.written(*of))),
            Value::Hash(mut hash) => {
                for member in hash.members.values_mut() {
                    let made = std::mem::replace(&mut member.made, Value::Unknown);
                    member.made = self.written(made);
                }
                Value::Hash(hash)
            }
            Value::Class(_) => Value::Unknown,
            made => made,
        }
    }
}

/// `object.data.dig("alerts")` in a serializer.
fn stored<'c, 's>(at: Spot<'s>, of: Spot<'s>, key: Option<&str>) -> Option<Value<'c, 's>> {
    let column = of.field("method")?.text();
    let is_column = of.field("receiver")?.text() == "object" && of.field("arguments").is_none();
    let name = format!("{column}[{}]", key?);
    is_column.then_some(Value::Stored { at, name })
}

/// A hash of these keys alone.
fn sliced<'c, 's>(at: Spot<'s>, of: Value<'c, 's>, keys: &[Spot<'s>]) -> Value<'c, 's> {
    let mut own = match of {
        Value::Hash(hash) => hash.members,
        _ => BTreeMap::new(),
    };
    let mut hash = Hash::new(at);
    for key in keys {
        let Some(word) = name(*key) else {
            return Value::Unknown;
        };
        let member =
            own.remove(&word).unwrap_or(Member { at: *key, made: Value::Unknown, optional: false });
        hash.members.insert(word, member);
    }
    Value::Hash(hash)
}

/// The values that a method gives to its block: `yield one`, `block.call(one)`.
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
    let around = std::iter::successors(at.parent(), |at| at.parent());
    let classes = around.filter(|outer| matches!(outer.kind(), "class" | "module"));
    let mut names: Vec<_> = classes.map(|class| class.word("name")).collect();
    names.reverse();
    names.join("::")
}
