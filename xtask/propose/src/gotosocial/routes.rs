//! The router: which handler serves which method and path.

use std::collections::HashMap;

use super::go::{Packages, TypeName, arguments, folder, receiver};
use crate::surface::{Endpoint, Place};
use crate::syntax::Spot;

/// The package whose `Route` methods attach everything.
const ROUTER: &str = "internal/api";

/// A handler that is attached to a method and a path.
pub(super) struct Route<'s> {
    pub(super) endpoint: Endpoint,
    pub(super) at: Place,
    /// The condition under which it is attached.
    pub(super) condition: Option<String>,
    /// The function or method, or a function literal.
    pub(super) handler: Option<Spot<'s>>,
}

/// Something that attaches handlers below a prefix.
#[derive(Clone)]
enum Attacher {
    /// `group.Handle`
    Handle(String),
    /// What `AttachGroup` answers.
    Group(String),
}

/// Every route, in the order in which they are attached.
pub(super) fn routes<'s>(packages: &Packages<'s>) -> Vec<Route<'s>> {
    let mut router = Router { packages, routes: Vec::new(), read: 0 };
    if let Some(package) = packages.package(ROUTER) {
        let mut entries: Vec<_> = package.methods.iter().collect();
        entries.sort_by_key(|(name, _)| **name);
        for ((_, name), method) in entries {
            if name.starts_with("Route") {
                router.function(*method, HashMap::new(), None, 0);
            }
        }
    }
    router.routes
}

/// How many functions that attach handlers are read. The program has some dozens.
const MOST: usize = 5_000;

struct Router<'p, 's> {
    packages: &'p Packages<'s>,
    routes: Vec<Route<'s>>,
    /// How many functions were read.
    read: usize,
}

/// A function that is being read.
struct Frame<'s> {
    receiver: Option<(&'s str, TypeName<'s>)>,
    known: HashMap<&'s str, Attacher>,
    depth: usize,
}

impl<'s> Router<'_, 's> {
    fn function(
        &mut self,
        function: Spot<'s>,
        known: HashMap<&'s str, Attacher>,
        condition: Option<&str>,
        depth: usize,
    ) {
        self.read += 1;
        let is_bounded = depth < 16 && self.read <= MOST;
        let Some(body) = function.field("body").filter(|_| is_bounded) else {
            return;
        };
        let home = folder(&function.file.path);
        let receiver = receiver(function).and_then(|(name, of)| Some((name?, (home, of))));
        let mut frame = Frame { receiver, known, depth };
        self.read(body, &mut frame, condition);
    }

    fn read(&mut self, at: Spot<'s>, frame: &mut Frame<'s>, condition: Option<&str>) {
        match at.kind() {
            "if_statement" => {
                let text = at.field("condition").map(Spot::text).unwrap_or_default();
                let both = |text: String| match condition {
                    Some(outer) => format!("{outer} && {text}"),
                    None => text,
                };
                if let Some(then) = at.field("consequence") {
                    self.read(then, frame, Some(&both(text.to_owned())));
                }
                if let Some(otherwise) = at.field("alternative") {
                    self.read(otherwise, frame, Some(&both(format!("!({text})"))));
                }
                return;
            }
            "short_var_declaration" | "assignment_statement" => {
                let names = at.field("left").map(Spot::children).unwrap_or_default();
                let values = at.field("right").map(Spot::children).unwrap_or_default();
                for (name, value) in names.iter().zip(values) {
                    if let Some(attacher) = self.attacher(value, frame) {
                        frame.known.insert(name.text(), attacher);
                    }
                }
            }
            "call_expression" => self.call(at, frame, condition),
            _ => {}
        }
        for child in at.children() {
            self.read(child, frame, condition);
        }
    }

    /// What an expression attaches to.
    fn attacher(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<Attacher> {
        match at.kind() {
            "identifier" => frame.known.get(at.text()).cloned(),
            "selector_expression" if at.field("field")?.text() == "Handle" => {
                match frame.known.get(at.field("operand")?.text())? {
                    Attacher::Group(prefix) => Some(Attacher::Handle(prefix.clone())),
                    Attacher::Handle(_) => None,
                }
            }
            "call_expression" => {
                let function = at.field("function")?;
                if function.field("field")?.text() != "AttachGroup" {
                    return None;
                }
                let prefix = self.packages.string(*arguments(at).first()?, &|_| None)?;
                Some(Attacher::Group(joined("", &prefix)))
            }
            _ => None,
        }
    }

    fn call(&mut self, call: Spot<'s>, frame: &Frame<'s>, condition: Option<&str>) {
        let Some(function) = call.field("function") else {
            return;
        };
        let arguments = arguments(call);
        let attaches = match self.attacher(function, frame) {
            Some(Attacher::Handle(prefix)) => Some(prefix),
            _ => { function.field("field") }
                .is_some_and(|name| name.text() == "AttachHandler")
                .then(String::new),
        };
        if let Some(prefix) = attaches {
            self.attach(call, &prefix, &arguments, frame, condition);
            return;
        }
        let given: Vec<_> = arguments.iter().map(|one| self.attacher(*one, frame)).collect();
        if given.iter().all(Option::is_none) {
            return;
        }
        if let Some(callee) = self.callee(function, frame) {
            let names = parameters(callee).into_iter();
            let known = names.zip(given).filter_map(|(name, given)| Some((name, given?)));
            self.function(callee, known.collect(), condition, frame.depth + 1);
        }
    }

    fn attach(
        &mut self,
        call: Spot<'s>,
        prefix: &str,
        arguments: &[Spot<'s>],
        frame: &Frame<'s>,
        condition: Option<&str>,
    ) {
        let [method, path, .., handler] = arguments else {
            return;
        };
        let text = |at: &Spot<'s>| self.packages.string(*at, &|_| None);
        let (Some(method), Some(path)) = (text(method), text(path)) else {
            return;
        };
        let is_receiver = |name: &str| {
            let (own, of) = frame.receiver?;
            (own == name).then_some(of)
        };
        let handler = match handler.kind() {
            "func_literal" => Some(*handler),
            _ => self.packages.function(*handler, &is_receiver),
        };
        self.routes.push(Route {
            endpoint: Endpoint { method, path: joined(prefix, &path) },
            at: call.place(),
            condition: condition.map(str::to_owned),
            handler,
        });
    }

    /// The function that is called: `c.accounts.Route` by the type of the field `accounts`.
    fn callee(&self, function: Spot<'s>, frame: &Frame<'s>) -> Option<Spot<'s>> {
        let is_receiver = |name: &str| {
            let (own, of) = frame.receiver?;
            (own == name).then_some(of)
        };
        if let Some(found) = self.packages.function(function, &is_receiver) {
            return Some(found);
        }
        let (operand, name) = (function.field("operand")?, function.field("field")?);
        let owner = is_receiver(operand.field("operand")?.text())?;
        let member = operand.field("field")?.text();
        let mut of = None;
        self.packages.declaration(owner)?.walk(|spot| {
            if spot.kind() == "field_declaration" {
                let mut names = spot.fields("name").into_iter();
                if names.any(|name| name.text() == member) {
                    of = spot.field("type");
                }
            }
            of.is_none()
        });
        let (home, of) = self.packages.named(of?)?;
        self.packages.package(home)?.methods.get(&(of, name.text())).copied()
    }
}

/// The names of a function's parameters.
pub(super) fn parameters(function: Spot<'_>) -> Vec<&str> {
    let list = function.field("parameters").map(Spot::children).unwrap_or_default();
    let names = list.into_iter().flat_map(|declared| {
        let names = declared.fields("name");
        // A parameter without a name takes its place all the same.
        if names.is_empty() { vec!["_"] } else { names.into_iter().map(Spot::text).collect() }
    });
    names.collect()
}

/// A path below a prefix, with one slash between.
fn joined(prefix: &str, path: &str) -> String {
    let path = path.trim_matches('/');
    if path.is_empty() { prefix.to_owned() } else { format!("{prefix}/{path}") }
}
