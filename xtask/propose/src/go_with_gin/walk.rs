//! Reads functions: what the router attaches, which parameters a handler reads, and which token it wants.
//!
//! A function is followed into every function that is given the request's context, or something to attach handlers to.

use std::collections::{BTreeMap, HashMap};

use fedispec_model::sentences::capitalised;

use super::forms::{forms, struct_members};
use super::go::{MODEL, Packages, TypeName, arguments, case_values, folder, receiver};
use crate::surface::{Endpoint, Location, Param, Place, Refusal, status_of};
use crate::syntax::{Spot, snake_case};

/// How deep calls are followed.
const DEPTH: usize = 16;

/// How many functions are read in one walk. Those of the program take some dozens.
const MOST: usize = 5_000;

/// The value of a name or an expression.
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
    /// A value that a request sent under that name.
    Sent(String),
    /// How long that is.
    Length(String),
    /// The answer of `AttachGroup`, with the prefix of its paths.
    Group(String),
    /// `group.Handle`, with the prefix.
    Handle(String),
}

/// A handler that is attached to a method and a path.
pub(super) struct Route<'s> {
    pub(super) endpoint: Endpoint,
    pub(super) at: Place,
    /// The condition under which it is attached.
    pub(super) condition: Option<String>,
    /// The function or method, or a function literal.
    pub(super) handler: Option<Spot<'s>>,
}

/// A call that asks for a token.
pub(super) struct TokenCheck {
    pub(super) at: Place,
    pub(super) flags: Vec<Option<bool>>,
    pub(super) scopes: Vec<Option<String>>,
    pub(super) condition: Option<String>,
}

/// The findings of a walk.
#[derive(Default)]
pub(super) struct Found<'s> {
    /// The routes, in the order in which they are attached.
    pub(super) routes: Vec<Route<'s>>,
    pub(super) params: BTreeMap<String, Param>,
    /// Path parameters that are one of several words.
    pub(super) choices: BTreeMap<String, Vec<String>>,
    pub(super) asked: Vec<TokenCheck>,
    /// The statuses of errors that it makes.
    pub(super) refusals: BTreeMap<u16, Refusal>,
    pub(super) role: bool,
    /// It names a fixed empty document.
    pub(super) empty: bool,
    /// It asks the processor for more than how errors are shown.
    pub(super) works: bool,
    pub(super) unfollowed: Vec<String>,
}

/// Walks over a function and those that it calls.
pub(super) struct Walk<'p, 's> {
    packages: &'p Packages<'s>,
    pub(super) found: Found<'s>,
    /// The functions that are being read, against endless recursion.
    reading: Vec<usize>,
    /// The name of the last part of the path, where it is one that varies.
    last: Option<String>,
    /// How many were read.
    read: usize,
}

/// A function that is being read.
struct Frame<'s> {
    receiver: Option<(&'s str, TypeName<'s>)>,
    known: HashMap<&'s str, Value<'s>>,
    depth: usize,
    /// The conditions of the calls that led here.
    outer: Vec<String>,
    /// The conditions around, and whether they hold.
    within: Vec<(Spot<'s>, bool)>,
    /// It was not given the request, but what was sent in it, or it works for the handler: nothing but what it refuses is read.
    is_behind: bool,
}

impl<'s> Frame<'s> {
    fn is_context(&self, at: Spot<'s>) -> bool {
        matches!(self.known.get(at.text()), Some(Value::Context))
    }

    /// All conditions that lead here.
    fn conditions(&self) -> Vec<String> {
        let within = self.within.iter();
        let within =
            within.map(
                |(at, holds)| {
                    if *holds { at.text().to_owned() } else { format!("!({})", at.text()) }
                },
            );
        self.outer.iter().cloned().chain(within).collect()
    }
}

impl<'p, 's> Walk<'p, 's> {
    pub(super) fn new(packages: &'p Packages<'s>) -> Self {
        Self { packages, found: Found::default(), reading: Vec::new(), last: None, read: 0 }
    }

    /// A walk over what serves a path.
    pub(super) fn over(packages: &'p Packages<'s>, path: &str) -> Self {
        let last = path.rsplit('/').next().and_then(|part| part.strip_prefix(':'));
        Self { last: last.map(str::to_owned), ..Self::new(packages) }
    }

    /// Reads a function that nothing is known of but its parameters' types.
    pub(super) fn start(&mut self, function: Spot<'s>) {
        self.function(function, Vec::new(), 0, Vec::new(), false);
    }

    fn function(
        &mut self,
        function: Spot<'s>,
        given: Vec<Option<Value<'s>>>,
        depth: usize,
        outer: Vec<String>,
        is_behind: bool,
    ) {
        let id = function.node.id();
        if depth > DEPTH || self.reading.contains(&id) {
            return;
        }
        self.read += 1;
        if self.read > MOST {
            if self.read == MOST + 1 {
                let text = format!("more than {MOST} calls, from {} on", function.place());
                self.found.unfollowed.push(text);
            }
            return;
        }
        let Some(body) = function.field("body") else {
            return;
        };
        let home = folder(&function.file.path);
        let receiver = receiver(function).and_then(|(name, of)| Some((name?, (home, of))));
        let mut known = contexts(function);
        let given = parameters(function).into_iter().zip(given);
        known.extend(given.filter_map(|(name, given)| Some((name, given?))));
        let mut frame = Frame { receiver, known, depth, outer, within: Vec::new(), is_behind };
        self.reading.push(id);
        self.read(body, &mut frame, 0);
        self.reading.pop();
    }

    fn read(&mut self, at: Spot<'s>, frame: &mut Frame<'s>, nesting: usize) {
        if nesting > 500 {
            return;
        }
        let within = frame.within.len();
        match at.kind() {
            "if_statement" => return self.branches(at, frame, nesting),
            "for_statement" => {
                if let Some((name, words)) = self.looped(at, frame) {
                    for word in words {
                        frame.known.insert(name, Value::Text(word));
                        self.below(at, frame, nesting);
                    }
                    return;
                }
            }
            "func_literal" => frame.known.extend(contexts(at)),
            "call_expression" => self.call(at, frame),
            "composite_literal" if !frame.is_behind => {
                let is_bare = |body: Spot<'s>| body.children().is_empty();
                self.found.empty |=
                    at.text().starts_with("[]") && at.field("body").is_some_and(is_bare);
            }
            "expression_switch_statement" => self.switched(at, frame),
            "expression_case" | "default_case" => {
                let value = at.field("value").or_else(|| at.parent()?.field("value"));
                frame.within.extend(value.map(|value| (value, true)));
                self.below(at, frame, nesting);
                frame.within.truncate(within);
                return;
            }
            "binary_expression" if at.is("operator", ">") => self.length(at, frame),
            "binary_expression" if at.field("operator").is_none_or(|one| one.text() == "!=") => {
                self.compared(at, frame);
            }
            "selector_expression" if !frame.is_behind => self.selected(at),
            "type_spec" => {
                if let (Some(name), Some(of)) = (at.field("name"), at.field("type")) {
                    frame.known.insert(name.text(), Value::Of(of));
                }
                return;
            }
            _ => {}
        }
        self.below(at, frame, nesting);
        match at.kind() {
            "call_expression" => self.bounds(at, frame),
            "short_var_declaration" | "assignment_statement" => {
                self.bind(&at.list("left"), &at.list("right"), frame);
            }
            "var_spec" | "const_spec" => {
                let (names, values) = (at.fields("name"), at.list("value"));
                if let (true, Some(of)) = (values.is_empty(), at.field("type")) {
                    frame.known.extend(names.iter().map(|name| (name.text(), Value::Of(of))));
                }
                self.bind(&names, &values, frame);
            }
            _ => {}
        }
    }

    fn below(&mut self, at: Spot<'s>, frame: &mut Frame<'s>, nesting: usize) {
        for child in at.children() {
            self.read(child, frame, nesting + 1);
        }
    }

    /// Reads the branches of a condition that may be taken.
    fn branches(&mut self, at: Spot<'s>, frame: &mut Frame<'s>, nesting: usize) {
        for part in ["initializer", "condition"].into_iter().filter_map(|part| at.field(part)) {
            self.read(part, frame, nesting + 1);
        }
        let holds = at.field("condition").and_then(|at| self.holds(at, frame));
        let within = frame.within.len();
        for (part, is_then) in [("consequence", true), ("alternative", false)] {
            let part = at.field(part).filter(|_| holds.is_none_or(|holds| holds == is_then));
            if let Some(part) = part {
                frame.within.extend(at.field("condition").map(|at| (at, is_then)));
                self.read(part, frame, nesting + 1);
                frame.within.truncate(within);
            }
        }
    }

    fn selected(&mut self, at: Spot<'s>) {
        let text = at.text();
        self.found.role |= text.ends_with(".User.Admin");
        self.found.empty |= text.ends_with(".EmptyJSONArray") || text.ends_with(".EmptyJSONObject");
        let called = at.parent().and_then(|call| call.field("function"));
        let is_called = called.is_some_and(|function| function.same(at));
        // The facts about the instance are also given to functions that show errors.
        self.found.works |=
            text.contains(".processor.") && (is_called || !text.contains(".InstanceGet"));
    }

    fn bind(&self, names: &[Spot<'s>], values: &[Spot<'s>], frame: &mut Frame<'s>) {
        for (place, name) in names.iter().enumerate() {
            let value = match values {
                // The first result of a call with several.
                [call] if place == 0 => self.value(*call, frame),
                _ if names.len() == values.len() => self.value(values[place], frame),
                _ => None,
            };
            match value {
                Some(value) => _ = frame.known.insert(name.text(), value),
                None if matches!(frame.known.get(name.text()), Some(Value::Text(_))) => {
                    frame.known.remove(name.text());
                }
                None => {}
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
            // The last part of a path is never empty: the router takes that for another path.
            (Value::Part(key), Value::Text(right))
                if right.is_empty() && Some(&key) == self.last.as_ref() =>
            {
                false
            }
            _ => return None,
        };
        match at.word("operator") {
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
        Some((range.field("left")?.last()?.text(), words))
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
            "variadic_argument" => return self.value(at.first()?, frame),
            "composite_literal" => {
                let of = at.field("type")?;
                let elements = at.list("body").into_iter();
                let texts = elements.map(|one| self.text(one.first().unwrap_or(one), frame));
                return match texts.collect::<Option<Vec<_>>>() {
                    Some(texts) if of.kind() == "slice_type" => Some(Value::Texts(texts)),
                    _ => Some(Self::of(of, frame)),
                };
            }
            "type_conversion_expression" if at.is("type", "[]rune") => {
                return self.value(at.field("operand")?, frame);
            }
            "call_expression" => {
                if let Some(made) = self.answer(at, frame) {
                    return Some(made);
                }
            }
            "selector_expression" if at.is("field", "Handle") => {
                if let Some(Value::Group(prefix)) = frame.known.get(at.word("operand")) {
                    return Some(Value::Handle(prefix.clone()));
                }
            }
            _ => {}
        }
        if let Some(name) = self.sent(at, frame) {
            return Some(Value::Sent(name));
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
                (self.packages.import(at.file, at.word("operand"))?, at.word("field"))
            }
            _ => return None,
        };
        self.packages.constant(folder, name).map(|_| Value::Constant(folder, name))
    }

    /// The answer of a call.
    fn answer(&self, call: Spot<'s>, frame: &Frame<'s>) -> Option<Value<'s>> {
        let function = call.field("function")?;
        let first = arguments(call).first().copied();
        let text = || self.text(first?, frame);
        match function.text() {
            "new" => return Some(Self::of(first?, frame)),
            "len" | "utf8.RuneCountInString" => {
                let Value::Sent(name) = self.value(first?, frame)? else { return None };
                return Some(Value::Length(name));
            }
            "errors.New" | "gtserror.New" => return text().map(Value::Text),
            _ if function.is("field", "Error") => {
                return self.value(function.field("operand")?, frame);
            }
            _ => {}
        }
        if function.is("field", "AttachGroup") {
            return Some(Value::Group(joined("", &text()?)));
        }
        if let Some(callee) = self.callee(function, frame) {
            return result(callee).map(Value::Of);
        }
        let is_part = function.is("field", "Param") && frame.is_context(function.field("operand")?);
        text().filter(|_| is_part).map(Value::Part)
    }

    /// The function that is called, also `c.accounts.Route` by the type of the field `accounts`.
    fn callee(&self, function: Spot<'s>, frame: &Frame<'s>) -> Option<Spot<'s>> {
        if let Some(Value::Function(function)) = frame.known.get(function.text()) {
            return Some(*function);
        }
        let type_of = |name: &str| match (frame.receiver, frame.known.get(name)) {
            (Some((own, of)), _) if own == name => Some(of),
            (_, Some(Value::Of(of))) => self.packages.named(*of),
            _ => None,
        };
        if let Some(found) = self.packages.function(function, &type_of) {
            return Some(found);
        }
        if let Some(found) = self.processor(function) {
            return Some(found);
        }
        let operand = function.field("operand")?;
        let (own, owner) = frame.receiver?;
        let spec = self.packages.declaration(owner).filter(|_| operand.is("operand", own))?;
        let mut members = spec.of_kind("field_declaration");
        let is_it = |name: &Spot<'s>| name.text() == operand.word("field");
        let member = members.find(|member| member.fields("name").iter().any(is_it))?;
        let (home, of) = self.packages.named(member.field("type")?)?;
        self.packages.package(home)?.methods.get(&(of, function.word("field"))).copied()
    }

    /// The method that `m.processor.Status().Create` or `m.processor.InstanceGetV1` names.
    fn processor(&self, function: Spot<'s>) -> Option<Spot<'s>> {
        let (operand, name) = (function.field("operand")?, function.word("field"));
        let methods = &self.packages.package("internal/processing")?.methods;
        if operand.text().ends_with(".processor") {
            return methods.get(&("Processor", name)).copied();
        }
        let inner = operand.field("function")?;
        inner.word("operand").ends_with(".processor").then_some(())?;
        let of = result(*methods.get(&("Processor", inner.word("field")))?)?;
        let (home, of) = self.packages.named(of)?;
        self.packages.package(home)?.methods.get(&(of, name)).copied()
    }

    /// The parameter that a member of a form is.
    fn sent(&self, at: Spot<'s>, frame: &Frame<'s>) -> Option<String> {
        let Some(Value::Of(form)) = frame.known.get(at.word("operand")) else {
            return None;
        };
        let form = self.packages.named(*form).filter(|(folder, _)| *folder == MODEL)?;
        let members = struct_members(self.packages, form)?;
        let member = members.into_iter().find(|one| one.name == at.word("field"))?;
        member.name_of("form").or_else(|| member.name_of("json")).map(str::to_owned)
    }

    fn call(&mut self, call: Spot<'s>, frame: &Frame<'s>) {
        let Some(function) = call.field("function") else {
            return;
        };
        let arguments = arguments(call);
        let name = function.field("field").map_or(function.text(), Spot::text);
        if function.is("operand", "gtserror") {
            let code = arguments.first().and_then(|at| at.text().strip_prefix("http.Status"));
            match (name.strip_prefix("NewError"), code, &arguments[..]) {
                (Some(made), _, [_, texts @ ..]) | (_, Some(made), [_, texts @ ..])
                    if name != "NewWithCodeSafe" && name != "WrapWithCode" =>
                {
                    return self.refuses(call, made, texts, frame);
                }
                (_, Some(made), [_, _, texts @ ..]) => {
                    return self.refuses(call, made, texts, frame);
                }
                _ => {}
            }
        }
        if matches!(function.text(), "errors.New" | "fmt.Errorf") {
            return self.refuse(0, frame);
        }
        if let Some(operand) = function.field("operand") {
            if frame.is_context(operand) {
                return self.read_of_context(call, name, &arguments, frame);
            }
            let receiver = operand.text();
            if let Some((owner, "Request.URL.Query()" | "Request.Form" | "Request")) =
                receiver.split_once('.')
                && matches!(frame.known.get(owner), Some(Value::Context))
                && matches!(name, "Get" | "Has" | "FormValue" | "PostFormValue" | "FormFile")
                && let Some(text) = arguments.first().and_then(|at| self.text(*at, frame))
            {
                let is_query = receiver.ends_with("Query()");
                let location = if is_query { Location::Query } else { Location::Form };
                return self.param(call, text, location, None);
            }
        }
        if matches!(name, "Authed" | "TokenAuth")
            && arguments.first().is_some_and(|at| frame.is_context(*at))
        {
            return self.asks(call, &arguments[1..], frame);
        }
        let handle = self.value(function, frame);
        if let (Some(Value::Handle(prefix)), _) = (handle, name) {
            return self.attach(call, &prefix, &arguments, frame);
        } else if name == "AttachHandler" {
            return self.attach(call, "", &arguments, frame);
        }
        let given: Vec<_> = arguments.iter().map(|at| self.value(*at, frame)).collect();
        if name == "ParseAPIVersion" {
            self.chooses(&given);
        }
        let leads_on = given
            .iter()
            .flatten()
            .any(|given| matches!(given, Value::Context | Value::Group(_) | Value::Handle(_)));
        let is_sent = |given: &Value<'s>| match given {
            Value::Sent(_) => true,
            Value::Of(of) => self.packages.answered(*of).is_some(),
            _ => false,
        };
        let is_sent = given.iter().flatten().any(is_sent);
        let callee = self.callee(function, frame);
        if let Some(callee) = callee.filter(|callee| leads_on || can_refuse(*callee, is_sent)) {
            let is_behind = frame.is_behind || !leads_on;
            self.function(callee, given, frame.depth + 1, frame.conditions(), is_behind);
        }
    }

    /// `gtserror.NewErrorBadRequest(err, "text")`: an error, and the parameters that the conditions around it look at.
    fn refuses(&mut self, call: Spot<'s>, made: &str, texts: &[Spot<'s>], frame: &Frame<'s>) {
        // A refusal of headers, of a token without an account, or of a part of the path that is another operation's, says nothing of
        // this operation.
        let is_choice = |at: Spot<'s>| {
            let value = Some(at).filter(|at| at.kind() == "identifier");
            let value = value.and_then(|at| self.value(at, frame));
            matches!(value, Some(Value::Part(key)) if self.found.choices.contains_key(&key))
        };
        let is_apart = |(at, _): &(Spot<'s>, bool)| {
            let outer = at.parent().map_or("", |outer| outer.word("initializer"));
            // `requester == nil`, where `request.ID != nil` is about what was sent.
            let left = at.field("left").filter(|left| left.kind() == "identifier");
            let is_nobody = left.is_some_and(|left| left.text().starts_with("request"))
                && at.is("right", "nil");
            is_nobody || outer.contains("NegotiateAccept") || at.all().any(is_choice)
        };
        let Some(status) = status_of(&snake_case(made)) else { return };
        if frame.within.iter().any(is_apart) {
            return;
        }
        let words = capitalised_words(made);
        let texts = texts.iter().map(|at| match self.value(*at, frame) {
            Some(Value::Text(text)) if !text.contains('%') => Some(text),
            _ => None,
        });
        let text = std::iter::once(Some(words)).chain(texts).collect::<Option<Vec<_>>>();
        let refusal = self.found.refusals.entry(status);
        let refusal = refusal.or_insert_with(|| Refusal::at(call.place()));
        refusal.texts.insert(text.map(|text| text.join(": ")));
        self.refuse(status, frame);
    }

    /// Notes an error at the parameters that the conditions around it look at.
    fn refuse(&mut self, status: u16, frame: &Frame<'s>) {
        let looked_at = frame.within.iter().flat_map(|(at, _)| at.all());
        let names = |at: &Spot<'s>| matches!(at.kind(), "identifier" | "selector_expression");
        for at in looked_at.filter(names) {
            if let Some(Value::Sent(name)) = self.value(at, frame)
                && let Some(param) = self.found.params.get_mut(&name)
            {
                param.refused.insert(status);
            }
        }
    }

    /// `if length := len([]rune(title)); length > most { return .. }`
    fn length(&mut self, at: Spot<'s>, frame: &Frame<'s>) {
        let refuses = at.parent().is_some_and(|at| at.word("consequence").contains("rror"));
        let most = at.field("right").and_then(|at| self.packages.number(at)).filter(|_| refuses);
        let measured = at.field("left").and_then(|at| self.value(at, frame));
        if let (Some(most), Some(Value::Length(name))) = (most, measured)
            && let Some(param) = self.found.params.get_mut(&name)
        {
            let is_list = param.r#type.as_ref().is_some_and(|of| of.ends_with("[]"));
            let limit = if is_list { &mut param.max_items } else { &mut param.max_length };
            *limit = Some(limit.map_or(most, |known| known.min(most)));
        }
    }

    /// Notes between which numbers a parameter is, once what reads it has been read.
    fn bounds(&mut self, call: Spot<'s>, frame: &Frame<'s>) {
        let name = call.field("function").map(|at| at.field("field").map_or(at.text(), Spot::text));
        let given = arguments(call);
        let [first, numbers @ ..] = &given[..] else {
            return;
        };
        let numbers: Vec<_> = numbers.iter().map(|at| self.packages.number(*at)).collect();
        let read = arguments(*first).first().and_then(|key| self.text(*key, frame));
        let (param, [default, min, max]) = match (name, read, &numbers[..]) {
            // `ParseLimit(c.Query("limit"), default, max, min)`
            (Some("ParseLimit" | "ParseSearchOffset"), Some(param), [default, max, min]) => {
                (param, [*default, *min, *max])
            }
            // `ParseIDPage(c, min, max, default)`
            (Some("ParseIDPage" | "ParseShortcodeDomainPage"), _, [min, max, default]) => {
                ("limit".to_owned(), [*default, *min, *max])
            }
            _ => return,
        };
        if let Some(param) = self.found.params.get_mut(&param) {
            param.bound(default, min, max);
        }
    }

    /// `attach(http.MethodGet, path, .., handler)`
    fn attach(&mut self, call: Spot<'s>, prefix: &str, given: &[Spot<'s>], frame: &Frame<'s>) {
        let [method, path, .., handler] = given else {
            return;
        };
        let text = |at: &Spot<'s>| self.packages.string(*at, &|_| None);
        let (Some(method), Some(path)) = (text(method), text(path)) else {
            return;
        };
        let handler = match handler.kind() {
            "func_literal" => Some(*handler),
            _ => self.callee(*handler, frame),
        };
        let conditions = frame.conditions();
        self.found.routes.push(Route {
            endpoint: Endpoint { method, path: joined(prefix, &path) },
            at: call.place(),
            condition: (!conditions.is_empty()).then(|| conditions.join(" && ")),
            handler,
        });
    }

    /// A method of the context: `c.Query("limit")`.
    fn read_of_context(
        &mut self,
        call: Spot<'s>,
        name: &str,
        given: &[Spot<'s>],
        frame: &Frame<'s>,
    ) {
        let location = match name {
            "Query" | "GetQuery" | "DefaultQuery" | "QueryArray" | "GetQueryArray" | "QueryMap"
            | "GetQueryMap" => Location::Query,
            "PostForm" | "GetPostForm" | "DefaultPostForm" | "PostFormArray"
            | "GetPostFormArray" | "PostFormMap" | "GetPostFormMap" | "FormFile" => Location::Form,
            "Param" => Location::Path,
            _ if name.contains("Bind") => return self.binds(call, given, frame),
            _ => return,
        };
        let Some(text) = given.first().and_then(|at| self.text(*at, frame)) else {
            let text = format!("{} at {}", call.text(), call.place());
            return self.found.unfollowed.push(text);
        };
        // A name that the path does not have is no parameter.
        if location != Location::Path {
            let of = (name == "FormFile").then(|| "file".to_owned());
            self.param(call, text, location, of);
        }
    }

    fn param(&mut self, at: Spot<'s>, name: String, location: Location, of: Option<String>) {
        let param = || Param { r#type: of, ..Param::read(at.place(), location) };
        self.found.params.entry(name).or_insert_with(param);
    }

    /// `c.ShouldBind(form)`: each member of the form is a parameter.
    fn binds(&mut self, call: Spot<'s>, given: &[Spot<'s>], frame: &Frame<'s>) {
        let form = given.first().and_then(|form| self.value(*form, frame));
        let Some(Value::Of(form)) = form else {
            let text = format!("{} at {}", call.text(), call.place());
            return self.found.unfollowed.push(text);
        };
        for (name, param) in forms(self.packages, form) {
            self.found.params.entry(name).or_insert(param);
        }
    }

    fn choose(&mut self, part: &str, words: impl IntoIterator<Item = String>) {
        self.found.choices.entry(part.to_owned()).or_default().extend(words);
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
        self.choose(key, words);
    }

    /// `switch part { case A: .. default: refused }`, where `part` is one of the path.
    fn switched(&mut self, switch: Spot<'s>, frame: &Frame<'s>) {
        let value = switch.field("value").and_then(|at| self.value(at, frame));
        if let (Some(Value::Part(key)), Some(_)) = (value, switch.child("default_case")) {
            let words: Vec<_> = case_values(switch).filter_map(|at| self.text(at, frame)).collect();
            self.choose(&key, words);
        }
    }

    /// `part != A`, where `part` is one of the path: what is not A is refused.
    fn compared(&mut self, at: Spot<'s>, frame: &Frame<'s>) {
        let value = at.field("left").and_then(|at| self.value(at, frame));
        let word = at.field("right").and_then(|at| self.text(at, frame));
        if let (Some(Value::Part(key)), Some(word)) = (value, word.filter(|word| !word.is_empty()))
        {
            self.choose(&key, [word]);
        }
    }

    fn asks(&mut self, call: Spot<'s>, given: &[Spot<'s>], frame: &Frame<'s>) {
        let mut asked = TokenCheck {
            at: call.place(),
            flags: Vec::new(),
            scopes: Vec::new(),
            condition: frame.within.last().map(|(at, _)| at.text().to_owned()),
        };
        for (place, at) in given.iter().enumerate() {
            match self.value(*at, frame) {
                Some(Value::Flag(flag)) if place < 4 => asked.flags.push(Some(flag)),
                _ if place < 4 => asked.flags.push(None),
                Some(Value::Text(scope)) => asked.scopes.push(Some(scope)),
                Some(Value::Texts(scopes)) => asked.scopes.extend(scopes.into_iter().map(Some)),
                _ => asked.scopes.push(None),
            }
        }
        self.found.asked.push(asked);
    }
}

/// The parameters that are a request's context.
fn contexts(function: Spot<'_>) -> HashMap<&str, Value<'_>> {
    let list = function.list("parameters").into_iter();
    let contexts = list.filter(|declared| declared.is("type", "*gin.Context"));
    let names = contexts.flat_map(|declared| declared.fields("name"));
    names.map(|name| (name.text(), Value::Context)).collect()
}

/// The names of a function's parameters.
fn parameters(function: Spot<'_>) -> Vec<&str> {
    let names = function.list("parameters").into_iter().flat_map(|declared| {
        let names = declared.fields("name");
        // A parameter without a name takes its place all the same.
        if names.is_empty() { vec!["_"] } else { names.into_iter().map(Spot::text).collect() }
    });
    names.collect()
}

/// The type of a function's first result.
fn result(function: Spot<'_>) -> Option<Spot<'_>> {
    let result = function.field("result")?;
    if result.kind() == "parameter_list" { result.first()?.field("type") } else { Some(result) }
}

/// `Not Found` of `NotFound`.
fn capitalised_words(name: &str) -> String {
    let words = snake_case(name);
    words.split('_').map(capitalised).collect::<Vec<_>>().join(" ")
}

/// Whether a function answers an error that tells its status, or one of what it is given of a form.
fn can_refuse(function: Spot<'_>, is_sent: bool) -> bool {
    let result = function.word("result");
    let result = result.trim_end_matches(|end: char| end.is_whitespace() || "),".contains(end));
    result.ends_with("gtserror.WithCode") || (is_sent && result.ends_with("error"))
}

/// A path below a prefix, with one slash between.
fn joined(prefix: &str, path: &str) -> String {
    let path = path.trim_matches('/');
    if path.is_empty() { prefix.to_owned() } else { format!("{prefix}/{path}") }
}
