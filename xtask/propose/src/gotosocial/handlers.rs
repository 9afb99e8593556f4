//! Handlers: which parameters they read, and which token they want.
//!
//! A handler is followed into every function that is given the request's context.

use std::collections::{BTreeMap, HashMap};

use super::forms::forms;
use super::go::{Packages, TypeName, arguments, case_values, folder, receiver};
use super::routes::{Route, parameters};
use crate::surface::{Auth, Endpoint, Location, Operation, Param};
use crate::syntax::Spot;

/// How deep calls are followed.
const DEPTH: usize = 12;

/// How many functions are read for a handler. Those of the program read some dozens.
const MOST: usize = 5_000;

/// Reads a handler. A path of which a part is one of several fixed words stands for one operation each.
pub(super) fn operations<'s>(
    packages: &Packages<'s>,
    route: &Route<'s>,
) -> Vec<(Endpoint, Operation)> {
    let mut handler = Handler::new(packages);
    let function = route.handler.map(|function| match route.condition {
        // What is served in builds for debugging alone stands in files for these.
        Some(_) => packages.of_other_builds(function).unwrap_or(function),
        None => function,
    });
    match function {
        Some(function) => handler.function(function, Vec::new(), 0),
        None => handler.unfollowed.push(format!("the handler at {}", route.at)),
    }
    let mut auth = handler.auth(route);
    if let (Some(auth), Some(function)) = (&mut auth, function)
        && auth.scopes.is_empty()
    {
        auth.scopes = permitted(packages, function);
    }
    for part in route.endpoint.path.split('/') {
        if let Some(name) = part.strip_prefix([':', '*']) {
            let param = Param {
                at: route.at.clone(),
                location: Location::Path,
                r#type: Some("string".to_owned()),
                required: true,
                container: false,
            };
            handler.params.insert(name.to_owned(), param);
        }
    }
    let stated = function.and_then(super::swagger::answer);
    let answer =
        { function.and_then(|function| super::answers::answer(packages, function)) }.or(stated);
    let mut paths = vec![route.endpoint.path.clone()];
    // Any version is as good as another to a handler that does not look at it.
    if route.endpoint.path.starts_with("/api/:api_version/") {
        let versions = || vec!["v1".to_owned(), "v2".to_owned()];
        handler.choices.entry("api_version".to_owned()).or_insert_with(versions);
    }
    for (name, words) in &handler.choices {
        let part = format!(":{name}");
        if route.endpoint.path.split('/').any(|one| one == part) {
            handler.params.remove(name);
            let filled = |path: &String| {
                words.iter().map(|word| path.replace(&part, word)).collect::<Vec<_>>()
            };
            paths = paths.iter().flat_map(filled).collect();
        }
    }
    let operation = Operation {
        at: route.at.clone(),
        condition: route.condition.clone(),
        params: handler.params,
        auth,
        answer,
        errors: BTreeMap::new(),
        stub: handler.empty && !handler.works,
        handler: function.map(|function| function.place().to_string()),
        unfollowed: handler.unfollowed,
    };
    let method = &route.endpoint.method;
    let endpoint = |path| Endpoint { method: method.clone(), path };
    paths.into_iter().map(|path| (endpoint(path), operation.clone())).collect()
}

/// `m.processor.Stream().Authorize(ctx, token)`: the scopes that a processor looks for by itself, as `scope.Permits(ScopeRead)`.
fn permitted<'s>(packages: &Packages<'s>, handler: Spot<'s>) -> Vec<String> {
    let mut asks = false;
    handler.walk(|at| {
        asks |= at.kind() == "selector_expression"
            && at.text().starts_with("m.processor.")
            && at.field("field").is_some_and(|name| name.text() == "Authorize");
        !asks
    });
    let mut scopes = Vec::new();
    for (_, package) in packages.all().filter(|_| asks) {
        let Some(method) = package.methods.get(&("Processor", "Authorize")) else {
            continue;
        };
        method.walk(|call| {
            let called = call.field("function").and_then(|called| called.field("field"));
            if called.is_some_and(|name| name.text() == "Permits") {
                let given = arguments(call).into_iter();
                scopes.extend(given.filter_map(|at| packages.string(at, &|_| None)));
            }
            true
        });
    }
    scopes
}

/// What a name of a function stands for.
#[derive(Clone)]
enum Value<'s> {
    /// The request's context.
    Context,
    /// A text.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// `true` or `false`.
    Flag(bool),
    /// A value of a type.
    Of(Spot<'s>),
    /// A function.
    Function(Spot<'s>),
    /// The part of the path with that name.
    Part(String),
    /// A constant that is no text, by its folder and name.
    Constant(&'s str, &'s str),
}

/// A call that asks for a token.
struct Asked {
    at: crate::surface::Place,
    flags: Vec<Option<bool>>,
    scopes: Vec<Option<String>>,
    condition: Option<String>,
}

struct Handler<'p, 's> {
    packages: &'p Packages<'s>,
    params: BTreeMap<String, Param>,
    /// Path parameters that are one of several words.
    choices: BTreeMap<String, Vec<String>>,
    asked: Vec<Asked>,
    role: bool,
    /// It names a fixed empty document.
    empty: bool,
    /// It asks the processor for more than how errors are shown.
    works: bool,
    unfollowed: Vec<String>,
    /// The functions that are being read, against endless recursion.
    reading: Vec<usize>,
    /// How many were read.
    read: usize,
}

/// A function that is being read.
struct Frame<'s> {
    receiver: Option<(&'s str, TypeName<'s>)>,
    known: HashMap<&'s str, Value<'s>>,
    depth: usize,
    /// The conditions around.
    within: Vec<&'s str>,
}

impl<'p, 's> Handler<'p, 's> {
    fn new(packages: &'p Packages<'s>) -> Self {
        Self {
            packages,
            params: BTreeMap::new(),
            choices: BTreeMap::new(),
            asked: Vec::new(),
            role: false,
            empty: false,
            works: false,
            unfollowed: Vec::new(),
            reading: Vec::new(),
            read: 0,
        }
    }

    fn function(&mut self, function: Spot<'s>, given: Vec<Option<Value<'s>>>, depth: usize) {
        let id = function.node.id();
        if depth > DEPTH || self.reading.contains(&id) {
            return;
        }
        self.read += 1;
        if self.read > MOST {
            if self.read == MOST + 1 {
                let place = function.place();
                self.unfollowed.push(format!("more than {MOST} calls, from {place} on"));
            }
            return;
        }
        let Some(body) = function.field("body") else {
            return;
        };
        let home = folder(&function.file.path);
        let receiver = receiver(function).and_then(|(name, of)| Some((name?, (home, of))));
        let mut known = contexts(function);
        for (name, given) in parameters(function).into_iter().zip(given) {
            if let Some(given) = given {
                known.insert(name, given);
            }
        }
        let mut frame = Frame { receiver, known, depth, within: Vec::new() };
        self.reading.push(id);
        self.read(body, &mut frame, 0);
        self.reading.pop();
    }

    fn read(&mut self, at: Spot<'s>, frame: &mut Frame<'s>, nesting: usize) {
        if nesting > 500 {
            return;
        }
        let all = |this: &mut Self, frame: &mut Frame<'s>| {
            for child in at.children() {
                this.read(child, frame, nesting + 1);
            }
        };
        match at.kind() {
            "if_statement" => {
                let condition = at.field("condition").map(Spot::text).unwrap_or_default();
                for part in
                    ["initializer", "condition"].into_iter().filter_map(|part| at.field(part))
                {
                    self.read(part, frame, nesting + 1);
                }
                let parts = match at.field("condition").and_then(|at| self.holds(at, frame)) {
                    Some(true) => &["consequence"][..],
                    Some(false) => &["alternative"],
                    None => &["consequence", "alternative"],
                };
                for part in parts.iter().filter_map(|part| at.field(part)) {
                    frame.within.push(condition);
                    self.read(part, frame, nesting + 1);
                    frame.within.pop();
                }
            }
            "short_var_declaration" | "assignment_statement" => {
                all(self, frame);
                let names = at.field("left").map(Spot::children).unwrap_or_default();
                let values = at.field("right").map(Spot::children).unwrap_or_default();
                self.bind(&names, &values, frame);
            }
            "var_spec" | "const_spec" => {
                all(self, frame);
                let names = at.fields("name");
                let values = at.field("value").map(Spot::children).unwrap_or_default();
                if let (true, Some(of)) = (values.is_empty(), at.field("type")) {
                    frame.known.extend(names.iter().map(|name| (name.text(), Value::Of(of))));
                }
                self.bind(&names, &values, frame);
            }
            "type_spec" => {
                if let (Some(name), Some(of)) = (at.field("name"), at.field("type")) {
                    frame.known.insert(name.text(), Value::Of(of));
                }
            }
            "for_statement" => {
                if let Some((name, words)) = self.looped(at, frame) {
                    for word in words {
                        frame.known.insert(name, Value::Text(word));
                        all(self, frame);
                    }
                } else {
                    all(self, frame);
                }
            }
            "func_literal" => {
                frame.known.extend(contexts(at));
                all(self, frame);
            }
            "call_expression" => {
                self.call(at, frame);
                all(self, frame);
            }
            "composite_literal" => {
                let is_bare = |body: Spot<'s>| body.children().is_empty();
                self.empty |= at.text().starts_with("[]") && at.field("body").is_some_and(is_bare);
                all(self, frame);
            }
            "expression_switch_statement" => {
                self.switched(at, frame);
                all(self, frame);
            }
            "binary_expression" => {
                if at.field("operator").is_none_or(|one| one.text() == "!=") {
                    self.compared(at, frame);
                }
                all(self, frame);
            }
            "selector_expression" => {
                let text = at.text();
                self.role |= text.ends_with(".User.Admin");
                self.empty |=
                    text.ends_with(".EmptyJSONArray") || text.ends_with(".EmptyJSONObject");
                let is_called = at.parent().and_then(|call| call.field("function"));
                let is_called =
                    is_called.is_some_and(|function| function.node.id() == at.node.id());
                // What tells of the instance is also given to show errors with.
                self.works |=
                    text.contains(".processor.") && (is_called || !text.contains(".InstanceGet"));
                all(self, frame);
            }
            _ => all(self, frame),
        }
    }

    fn bind(&mut self, names: &[Spot<'s>], values: &[Spot<'s>], frame: &mut Frame<'s>) {
        for (place, name) in names.iter().enumerate() {
            let value = match values {
                // The first result of a call with several.
                [call] if place == 0 => self.value(*call, frame),
                _ if names.len() == values.len() => self.value(values[place], frame),
                _ => None,
            };
            if let Some(value) = value {
                frame.known.insert(name.text(), value);
            }
        }
    }

    /// Whether `a == b` or `a != b` holds, where both are constants.
    fn holds(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<bool> {
        let (left, right) = (at.field("left")?, at.field("right")?);
        let are_equal = match (self.value(left, frame)?, self.value(right, frame)?) {
            (Value::Constant(folder, name), Value::Constant(other, of)) => {
                (folder, name) == (other, of)
            }
            (Value::Text(left), Value::Text(right)) => left == right,
            (Value::Flag(left), Value::Flag(right)) => left == right,
            _ => return None,
        };
        match at.field("operator")?.text() {
            "==" => Some(are_equal),
            "!=" => Some(!are_equal),
            _ => None,
        }
    }

    /// A value of a type; a type of the function's own stands for what it is declared as.
    fn of(at: Spot<'s>, frame: &Frame<'s>) -> Value<'s> {
        match frame.known.get(at.text()) {
            Some(Value::Of(of)) if at.kind() == "type_identifier" => Value::Of(*of),
            _ => Value::Of(at),
        }
    }

    /// The name and the words of `for _, name := range []string{..}`.
    fn looped(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<(&'s str, Vec<String>)> {
        let range = at.child("range_clause")?;
        let Value::Texts(words) = self.value(range.field("right")?, frame)? else {
            return None;
        };
        Some((range.field("left")?.children().last()?.text(), words))
    }

    fn text(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<String> {
        let local = |name: &str| match frame.known.get(name)? {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.packages.string(at, &local)
    }

    fn value(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<Value<'s>> {
        match at.kind() {
            "true" => return Some(Value::Flag(true)),
            "false" => return Some(Value::Flag(false)),
            "func_literal" => return Some(Value::Function(at)),
            "identifier" if frame.known.contains_key(at.text()) => {
                return frame.known.get(at.text()).cloned();
            }
            "unary_expression" => return self.value(at.field("operand")?, frame),
            "variadic_argument" => return self.value(*at.children().first()?, frame),
            "composite_literal" => {
                let of = at.field("type")?;
                if of.kind() == "slice_type" {
                    let elements = at.field("body")?.children().into_iter();
                    let elements = elements.map(|element| {
                        let inner = element.children().first().copied().unwrap_or(element);
                        self.text(inner, frame)
                    });
                    if let Some(texts) = elements.collect::<Option<Vec<_>>>() {
                        return Some(Value::Texts(texts));
                    }
                }
                return Some(Self::of(of, frame));
            }
            "call_expression" => {
                let function = at.field("function")?;
                if function.text() == "new" {
                    return arguments(at).first().map(|of| Self::of(*of, frame));
                }
                if let Some(callee) = self.callee(function, frame) {
                    return result(callee).map(Value::Of);
                }
                let is_context =
                    |at: Spot<'s>| matches!(frame.known.get(at.text()), Some(Value::Context));
                if function.field("operand").is_some_and(is_context)
                    && function.field("field").is_some_and(|name| name.text() == "Param")
                {
                    let name = arguments(at).first().and_then(|at| self.text(*at, frame));
                    return name.map(Value::Part);
                }
            }
            _ => {}
        }
        if let Some(text) = self.text(at, frame) {
            return Some(Value::Text(text));
        }
        if let Some(callee) = self.callee(at, frame) {
            return Some(Value::Function(callee));
        }
        let (folder, name) = match at.kind() {
            "identifier" => (folder(&at.file.path), at.text()),
            "selector_expression" => {
                let (operand, name) = (at.field("operand")?, at.field("field")?);
                (self.packages.import(at.file, operand.text())?, name.text())
            }
            _ => return None,
        };
        self.packages.constant(folder, name).map(|_| Value::Constant(folder, name))
    }

    fn callee(&self, function: Spot<'s>, frame: &Frame<'s>) -> Option<Spot<'s>> {
        if let Some(Value::Function(function)) = frame.known.get(function.text()) {
            return Some(*function);
        }
        let type_of = |name: &str| {
            if let Some((own, of)) = frame.receiver
                && own == name
            {
                return Some(of);
            }
            match frame.known.get(name)? {
                Value::Of(of) => self.packages.named(*of),
                _ => None,
            }
        };
        self.packages.function(function, &type_of)
    }

    fn call(&mut self, call: Spot<'s>, frame: &Frame<'s>) {
        let Some(function) = call.field("function") else {
            return;
        };
        let arguments = arguments(call);
        let is_context = |at: Spot<'s>| matches!(frame.known.get(at.text()), Some(Value::Context));
        let name = function.field("field").map_or(function.text(), Spot::text);
        if let Some(operand) = function.field("operand") {
            if is_context(operand) {
                self.read_of_context(call, name, &arguments, frame);
                return;
            }
            let receiver = operand.text();
            if let Some((owner, "Request.URL.Query()" | "Request.Form" | "Request")) =
                receiver.split_once('.')
                && matches!(frame.known.get(owner), Some(Value::Context))
                && matches!(name, "Get" | "Has" | "FormValue" | "PostFormValue" | "FormFile")
                && let Some(text) = arguments.first().and_then(|at| self.text(*at, frame))
            {
                let location =
                    if receiver.ends_with("Query()") { Location::Query } else { Location::Form };
                self.param(call, text, location, None);
                return;
            }
        }
        if matches!(name, "Authed" | "TokenAuth")
            && arguments.first().is_some_and(|at| is_context(*at))
        {
            self.asks(call, &arguments[1..], frame);
            return;
        }
        let given: Vec<_> = arguments.iter().map(|at| self.value(*at, frame)).collect();
        if name == "ParseAPIVersion" {
            self.chooses(&given);
        }
        if !given.iter().any(|given| matches!(given, Some(Value::Context))) {
            return;
        }
        if let Some(callee) = self.callee(function, frame) {
            self.function(callee, given, frame.depth + 1);
        }
    }

    /// A method of the context: `c.Query("limit")`.
    fn read_of_context(
        &mut self,
        call: Spot<'s>,
        name: &str,
        arguments: &[Spot<'s>],
        frame: &Frame<'s>,
    ) {
        let location = match name {
            "Query" | "GetQuery" | "DefaultQuery" | "QueryArray" | "GetQueryArray" | "QueryMap"
            | "GetQueryMap" => Location::Query,
            "PostForm" | "GetPostForm" | "DefaultPostForm" | "PostFormArray"
            | "GetPostFormArray" | "PostFormMap" | "GetPostFormMap" | "FormFile" => Location::Form,
            "Param" => Location::Path,
            _ if name.contains("Bind") => {
                self.binds(call, arguments, frame);
                return;
            }
            _ => return,
        };
        let Some(text) = arguments.first().and_then(|at| self.text(*at, frame)) else {
            let place = call.place();
            self.unfollowed.push(format!("{} at {place}", call.text()));
            return;
        };
        // What the path does not have is no parameter of it.
        if location != Location::Path {
            let of = (name == "FormFile").then(|| "file".to_owned());
            self.param(call, text, location, of);
        }
    }

    fn param(&mut self, at: Spot<'s>, name: String, location: Location, of: Option<String>) {
        self.params.entry(name).or_insert_with(|| Param {
            at: at.place(),
            location,
            r#type: of,
            required: false,
            container: false,
        });
    }

    /// `c.ShouldBind(form)`: each member of the form is a parameter.
    fn binds(&mut self, call: Spot<'s>, arguments: &[Spot<'s>], frame: &Frame<'s>) {
        let form = arguments.first().and_then(|form| self.value(*form, frame));
        let Some(Value::Of(form)) = form else {
            self.unfollowed.push(format!("{} at {}", call.text(), call.place()));
            return;
        };
        for (name, param) in forms(self.packages, form) {
            self.params.entry(name).or_insert(param);
        }
    }

    /// `ParseAPIVersion(c.Param(key), words..)`: the path has one of these words in the place of the key.
    fn chooses(&mut self, given: &[Option<Value<'s>>]) {
        let Some((Some(Value::Part(key)), words)) = given.split_first() else {
            return;
        };
        let words = words.iter().flatten().flat_map(|given| match given {
            Value::Text(word) => vec![word.clone()],
            Value::Texts(words) => words.clone(),
            _ => Vec::new(),
        });
        self.choices.entry(key.clone()).or_default().extend(words);
    }

    /// `switch part { case A: .. default: refused }`, where `part` is one of the path.
    fn switched(&mut self, switch: Spot<'s>, frame: &Frame<'s>) {
        let value = switch.field("value").and_then(|at| self.value(at, frame));
        if let (Some(Value::Part(key)), Some(_)) = (value, switch.child("default_case")) {
            let words: Vec<_> = case_values(switch).filter_map(|at| self.text(at, frame)).collect();
            self.choices.entry(key).or_default().extend(words);
        }
    }

    /// `part != A`, where `part` is one of the path: what is not A is refused.
    fn compared(&mut self, at: Spot<'s>, frame: &Frame<'s>) {
        let value = at.field("left").and_then(|at| self.value(at, frame));
        let word = at.field("right").and_then(|at| self.text(at, frame));
        if let (Some(Value::Part(key)), Some(word)) = (value, word)
            && !word.is_empty()
        {
            self.choices.entry(key).or_default().push(word);
        }
    }

    fn asks(&mut self, call: Spot<'s>, arguments: &[Spot<'s>], frame: &Frame<'s>) {
        let mut asked = Asked {
            at: call.place(),
            flags: Vec::new(),
            scopes: Vec::new(),
            condition: frame.within.last().map(|&text| text.to_owned()),
        };
        for (place, at) in arguments.iter().enumerate() {
            let value = self.value(*at, frame);
            if place < 4 {
                let flag = match value {
                    Some(Value::Flag(flag)) => Some(flag),
                    _ => None,
                };
                asked.flags.push(flag);
            } else {
                match value {
                    Some(Value::Text(scope)) => asked.scopes.push(Some(scope)),
                    Some(Value::Texts(scopes)) => asked.scopes.extend(scopes.into_iter().map(Some)),
                    _ => asked.scopes.push(None),
                }
            }
        }
        self.asked.push(asked);
    }

    /// The strictest of the calls that ask for a token.
    fn auth(&mut self, route: &Route<'s>) -> Option<Auth> {
        route.handler?;
        let strictness =
            |asked: &Asked| asked.flags.iter().filter(|flag| **flag != Some(false)).count();
        let mut asked = std::mem::take(&mut self.asked);
        asked.sort_by_key(|one| std::cmp::Reverse(strictness(one)));
        let Some(first) = asked.first() else {
            return Some(Auth {
                at: route.at.clone(),
                token: "none",
                scopes: Vec::new(),
                role: self.role,
                condition: None,
            });
        };
        let unclear =
            first.flags.iter().any(Option::is_none) || first.scopes.iter().any(Option::is_none);
        if unclear {
            self.unfollowed.push(format!("what the call at {} asks for", first.at));
            return None;
        }
        let flag = |place: usize| first.flags.get(place).copied().flatten() == Some(true);
        let token = if flag(2) || flag(3) {
            "user"
        } else if flag(0) || flag(1) {
            "app"
        } else {
            "optional"
        };
        let differs = asked.iter().any(|other| strictness(other) != strictness(first));
        Some(Auth {
            at: first.at.clone(),
            token,
            scopes: first.scopes.iter().flatten().cloned().collect(),
            role: self.role,
            condition: first.condition.clone().filter(|_| differs),
        })
    }
}

/// The parameters that are a request's context.
fn contexts(function: Spot<'_>) -> HashMap<&str, Value<'_>> {
    let list = function.field("parameters").map(Spot::children).unwrap_or_default();
    let contexts = list
        .into_iter()
        .filter(|declared| declared.field("type").is_some_and(|of| of.text() == "*gin.Context"));
    let names = contexts.flat_map(|declared| declared.fields("name"));
    names.map(|name| (name.text(), Value::Context)).collect()
}

/// The type of a function's first result.
fn result(function: Spot<'_>) -> Option<Spot<'_>> {
    let result = function.field("result")?;
    if result.kind() == "parameter_list" {
        return result.children().first()?.field("type");
    }
    Some(result)
}
