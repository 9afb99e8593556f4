//! Controllers: which parameters an action reads, which token it wants, and what it answers.
//!
//! An action is followed into the callbacks that run before it and into every method of its controller that they call.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::Evaluator;
use super::routes::Route;
use super::ruby::{
    Class, Classes, arguments, block, first_name, name, names, option, option_name, plural,
    positional, statements, value_of,
};
use super::serializers;
use crate::surface::{
    Answer, Auth, Location, Operation, Param, Refusal, Shape, SourceType, status_of,
};
use crate::syntax::{Spot, snake_case};

/// How deep calls are followed.
const DEPTH: usize = 12;

/// Reads the action that a route leads to, and the shapes that it renders by itself; `None` where there is no such action.
pub(super) fn operation<'s>(
    classes: &Classes<'s>,
    evaluator: &Evaluator<'_, 's>,
    route: &Route,
    shapes: &mut BTreeMap<String, Shape>,
) -> Option<Operation> {
    let is_gem = route.controller.starts_with("doorkeeper/");
    // By its file: names such as OAuth bend in ways of their own.
    let file = format!("app/controllers/{}_controller.rb", route.controller);
    let class = classes.controller(&file);
    if class.is_none() && !is_gem {
        return None;
    }
    let mut action = Action {
        classes,
        class: class.unwrap_or_default(),
        called: &route.action,
        params: BTreeMap::new(),
        asked: CallbackDemands::default(),
        answer: None,
        rendered: Vec::new(),
        failures: Vec::new(),
        parts: BTreeMap::new(),
        done: BTreeSet::new(),
        depth: 0,
    };
    let (mut auth, mut handler, mut refusals) = (None, None, BTreeMap::new());
    if !is_gem {
        let method = classes
            .method(action.class, &route.action, 0)
            .or_else(|| classes.method(action.class, &format!("{}?", route.action), 0))?;
        action.callbacks();
        action.method(method);
        action.lengths(route.controller.rsplit('/').next().unwrap_or_default());
        refusals = action.refusals();
        action.rescues();
        auth = Some(action.auth(route));
        handler = Some(format!("{}#{}", action.class, route.action));
    }
    let answer = if let Some(answer) = action.answer.take() {
        Some(action.wrap(answer, shapes))
    } else {
        let name = format!("{}#{}", action.class, route.action);
        let mut rendered = action.rendered.iter();
        rendered.find_map(|made| {
            let own = (action.class, name.as_str());
            let (shape, list) = serializers::rendered(evaluator, own, *made, shapes)?;
            Some(Answer { shape, list })
        })
    };
    let errors = action.errors(evaluator, shapes);
    let placeholders: Vec<&str> =
        route.endpoint.path.split('/').filter_map(|part| part.strip_prefix(':')).collect();
    let mut params = action.params;
    let names: Vec<String> = params.keys().cloned().collect();
    for (name, param) in &mut params {
        let inner = format!("{name}[");
        param.container |= names.iter().any(|other| other.starts_with(&inner));
    }
    params.retain(|name, _| !placeholders.contains(&name.as_str()));
    for name in placeholders {
        params.insert(name.to_owned(), Param::of_path(route.at.clone()));
    }
    Some(Operation {
        at: route.at.clone(),
        condition: route.condition.clone(),
        params,
        auth,
        answer,
        refusals,
        errors,
        stub: false,
        handler,
        unfollowed: if is_gem {
            vec!["the parameters that the gem doorkeeper reads".to_owned()]
        } else {
            Vec::new()
        },
    })
}

/// The demands of the callbacks on a caller.
#[derive(Default)]
struct CallbackDemands<'s> {
    /// `doorkeeper_authorize!`, with its scopes.
    token: Option<(Spot<'s>, Vec<String>)>,
    /// `authorize_if_got_token!`, with its scopes.
    optional: Option<(Spot<'s>, Vec<String>)>,
    /// `require_user!` and the like.
    user: Option<Spot<'s>>,
    /// `require_client_credentials!`
    client: bool,
    /// A policy is asked, or a role.
    role: bool,
    /// The condition under which alone a token is asked for.
    condition: Option<String>,
}

/// The key that an answer stands under, and where that is said.
type Wrapped<'s> = Option<(String, Spot<'s>)>;

struct Action<'c, 's> {
    classes: &'c Classes<'s>,
    class: &'c str,
    called: &'c str,
    params: BTreeMap<String, Param>,
    asked: CallbackDemands<'s>,
    /// With the fields to which it is cut, where it is.
    answer: Option<(Answer, Option<Spot<'s>>, Wrapped<'s>)>,
    /// The expressions that it renders without a serializer.
    rendered: Vec<Spot<'s>>,
    /// The calls that render a failure, with the status.
    failures: Vec<(u16, Spot<'s>)>,
    /// Names that stand for a part of the parameters: `source = params.require(:source)`.
    parts: BTreeMap<&'s str, String>,
    /// The methods that were read.
    done: BTreeSet<usize>,
    /// How deep the calls are that led to the present one.
    depth: usize,
}

impl<'s> Action<'_, 's> {
    /// Follows the callbacks that run before the action, those of the classes above first.
    fn callbacks(&mut self) {
        // A callback that runs before every page of the program is no part of one operation.
        let ancestors = self.classes.ancestors(self.class).into_iter();
        let ancestors: Vec<_> =
            ancestors.take_while(|(name, _)| *name != "ApplicationController").collect();
        let mut skipped: BTreeSet<String> = BTreeSet::new();
        for (_, class) in &ancestors {
            for call in self.applying(class, &["skip_before_action"]) {
                skipped.extend(positional(call).into_iter().filter_map(name));
            }
        }
        for (_, class) in ancestors.iter().rev() {
            for call in
                self.applying(class, &["before_action", "prepend_before_action", "around_action"])
            {
                let conditions = ["if", "unless"].into_iter().filter_map(|key| option(call, key));
                let conditions: Vec<_> = conditions.collect();
                let asked = self.asked.token.clone();
                for condition in &conditions {
                    match name(*condition) {
                        Some(name) => self.named(&name, *condition, &[]),
                        None => self.read(*condition),
                    }
                }
                for argument in positional(call) {
                    match name(argument) {
                        // Only some requests need what is asked for under a condition.
                        Some(name) if is_user(&name) && !conditions.is_empty() => {}
                        Some(name) if skipped.contains(&name) => {}
                        Some(name) => {
                            let before = self.is_idle(&name).then(|| self.params.clone());
                            self.named(&name, argument, &[]);
                            if let Some(before) = before {
                                self.params = before;
                            }
                        }
                        None => self.read(argument),
                    }
                }
                for statement in block(call) {
                    self.read(statement);
                }
                if let (Some(condition), true) = (conditions.first(), asked.is_none())
                    && self.asked.token.take().is_some()
                {
                    self.asked.condition = Some(condition.text().to_owned());
                }
            }
        }
    }

    /// Whether a callback only keeps something that the action does not look at: what the class above loads for its own list.
    fn is_idle(&self, callback: &str) -> bool {
        let (Some(callback), Some(action)) = (
            self.classes.method(self.class, callback, 0),
            self.classes.method(self.class, self.called, 0),
        ) else {
            return false;
        };
        let kept = |statement: &Spot<'s>| {
            let left = statement.field("left").filter(|left| {
                statement.kind() == "assignment" && left.kind() == "instance_variable"
            });
            left.map(Spot::text)
        };
        let kept: Option<Vec<&str>> = statements(callback).iter().map(kept).collect();
        let Some(kept) = kept.filter(|kept| !kept.is_empty()) else {
            return false;
        };
        let looks = |method: Spot<'s>| {
            method.of_kind("instance_variable").any(|at| kept.contains(&at.text()))
        };
        // The variables that the controller sets by itself are for its own actions.
        let own = self.classes.controller(&action.file.path);
        let is_own = own == self.classes.controller(&callback.file.path);
        let is_looked_at = |at: Spot<'s>| match at.kind() {
            "super" => true,
            "identifier" => self.classes.method(self.class, at.text(), 0).is_some_and(looks),
            _ => false,
        };
        !(is_own || looks(action) || action.all().any(is_looked_at))
    }

    /// The calls of these names in a class's body that apply to the action.
    fn applying(&self, class: &Class<'s>, called: &[&str]) -> Vec<Spot<'s>> {
        let calls = class.calls.iter().copied();
        let calls = calls.filter(|call| called.contains(&call.word("method")));
        let applies = |call: &Spot<'s>| {
            let listed = |key: &str| {
                option(*call, key).map(|at| match self.classes.words(self.class, at) {
                    Some(words) => words.into_iter().map(|(word, _)| word).collect(),
                    None => names(at),
                })
            };
            let has = |list: Vec<String>| list.iter().any(|one| one == self.called);
            listed("only").is_none_or(has) && !listed("except").is_some_and(has)
        };
        calls.filter(applies).collect()
    }

    fn method(&mut self, method: Spot<'s>) {
        if self.depth > DEPTH || !self.done.insert(method.node.id()) {
            return;
        }
        self.depth += 1;
        for statement in statements(method) {
            self.read(statement);
        }
        self.depth -= 1;
    }

    /// A method that is called by its name.
    fn named(&mut self, called: &str, at: Spot<'s>, arguments: &[Spot<'s>]) {
        let scopes = || arguments.iter().filter_map(|at| name(*at)).collect::<Vec<_>>();
        match called {
            "doorkeeper_authorize!" => return self.asked.token = Some((at, scopes())),
            "authorize_if_got_token!" => return self.asked.optional = Some((at, scopes())),
            "require_user!" => return self.asked.user = Some(at),
            // `return doorkeeper_render_error unless valid_doorkeeper_token?`
            "doorkeeper_render_error" => {
                self.asked.token.get_or_insert((at, Vec::new()));
                return;
            }
            _ if is_user(called) => self.asked.user = Some(at),
            "require_client_credentials!" => self.asked.client = true,
            "authorize" => self.asked.role = true,
            "require_staff!" | "require_admin!" => {
                self.asked.role = true;
                self.asked.user = Some(at);
            }
            // Only links to other pages are made of these.
            "insert_pagination_headers" | "set_pagination_headers" | "pagination_params" => return,
            _ => {}
        }
        // `not_found if ..`
        self.failures.extend(status_of(called).map(|status| (status, at)));
        let failures = self.failures.len();
        if let Some(method) = self.classes.method(self.class, called, 0) {
            self.method(method);
        }
        // A refusal that is due to the token is compared with it.
        if called.starts_with("require_") {
            self.failures.truncate(failures);
        }
        // `limit_param(DEFAULT_LIMIT)`, which takes up to twice as many, or `limit_param(DEFAULT_LIMIT, MAX_LIMIT)`
        if let ("limit_param", Some(limit)) = (called, self.params.get_mut("limit")) {
            let number = |at: &Spot<'s>| {
                let (_, value) = self.classes.constant(self.class, at.text())?;
                value.text().parse::<i64>().ok()
            };
            let default = arguments.first().and_then(number);
            let max = arguments.get(1).map_or(default.map(|most| 2 * most), number);
            limit.bound(default, None, max);
        }
    }

    /// Reads an expression and what is in it.
    fn read(&mut self, at: Spot<'s>) {
        let mut next = vec![at];
        while let Some(at) = next.pop() {
            match at.kind() {
                // A method inside another is not run by it.
                "method" => continue,
                "call" => self.call(at),
                "identifier" => {
                    let parent = at.parent();
                    let called = parent.and_then(|parent| parent.field("method"));
                    let is_name = called.is_some_and(|method| method.same(at));
                    if !is_name && at.text() != "params" {
                        self.named(at.text(), at, &[]);
                    }
                }
                "element_reference" => {
                    if let Some(key) = self.key(at) {
                        self.param(at, key, false);
                    }
                }
                "assignment" => {
                    let part = at.field("right").and_then(|right| self.outer(right));
                    if let (Some(left), Some(part)) =
                        (at.field("left"), part.filter(|part| !part.is_empty()))
                    {
                        self.parts.insert(left.text(), part);
                    }
                }
                "super" => {
                    let outer = at.around("method").map_or("", |outer| outer.word("name"));
                    let mut above =
                        (1..8).filter_map(|skip| self.classes.method(self.class, outer, skip));
                    if let Some(method) =
                        above.find(|method| !self.done.contains(&method.node.id()))
                    {
                        self.method(method);
                    }
                }
                _ => {}
            }
            next.extend(at.children().into_iter().rev());
        }
    }

    /// The name in bracket notation of `params[:a][:b]`.
    fn key(&self, at: Spot<'s>) -> Option<String> {
        let object = at.field("object")?;
        let inner = at.children().into_iter().find(|child| !child.same(object))?;
        let key = name(inner)?;
        match object.kind() {
            "identifier" if object.text() == "params" => Some(key),
            "element_reference" => Some(nested(&self.key(object)?, &key)),
            "call" => Some(nested(&self.outer(object)?, &key)),
            _ => None,
        }
    }

    /// The object that `params.require(:x)`, `params[:x]` or `params.fetch(:x)` is; an empty name is `params` itself.
    fn outer(&self, at: Spot<'s>) -> Option<String> {
        match at.kind() {
            "identifier" if at.text() == "params" => Some(String::new()),
            "identifier" => self.parts.get(at.text()).cloned(),
            "element_reference" => self.key(at),
            "call" => {
                let outer = self.outer(at.field("receiver")?)?;
                match at.field("method")?.text() {
                    "require" | "fetch" | "dig" => {
                        let key = first_name(at)?;
                        Some(nested(&outer, &key))
                    }
                    "permit" | "slice" | "to_unsafe_h" | "expect" => Some(outer),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn call(&mut self, call: Spot<'s>) {
        let Some(method) = call.field("method").map(Spot::text) else {
            return;
        };
        let given = arguments(call);
        match call.field("receiver") {
            None => {
                match method {
                    "truthy_param?" | "params_slice" | "boolean_param" => {
                        for (name, at) in
                            given.iter().flat_map(|at| self.all_words(*at)).collect::<Vec<_>>()
                        {
                            self.param(at, name, false);
                        }
                    }
                    "render" | "render_with_cache" => self.renders(call),
                    "head" => self
                        .failures
                        .extend(given.first().and_then(|at| Some((status(*at)?, call)))),
                    "raise" => self.raises(given.first().map_or("", |at| at.text())),
                    _ => {}
                }
                self.named(method, call, &given);
            }
            Some(receiver) if receiver.kind() == "self" => self.named(method, call, &given),
            Some(receiver) => {
                if method == "new" {
                    self.filters(receiver, &given);
                }
                if receiver.kind() == "scope_resolution" {
                    self.looked_up(receiver, &given);
                }
                let Some(outer) = self.outer(receiver) else {
                    return;
                };
                match method {
                    "permit" | "slice" | "extract!" | "values_at" | "expect" => {
                        self.permits(&given, &outer);
                    }
                    "dig" => {
                        let keys: Option<Vec<String>> = given.iter().map(|at| name(*at)).collect();
                        let keys = keys.unwrap_or_default().into_iter();
                        let whole = keys.fold(outer, |outer, key| nested(&outer, &key));
                        if !whole.is_empty() {
                            self.param(call, whole, false);
                        }
                    }
                    "require" | "fetch" | "key?" | "has_key?" | "include?" | "delete" => {
                        // `return if params[:source].blank?` stands before some.
                        let is_asked = |method: Spot<'s>| !method.text().contains("blank?");
                        if method == "require" && call.around("method").is_none_or(is_asked) {
                            self.raises("ActionController::ParameterMissing");
                        }
                        if let Some(key) = given.first().copied().and_then(name) {
                            self.param(call, nested(&outer, &key), method == "require");
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// `AccountStatusesFilter.new(.., params)`: a class that takes what its `KEYS` list.
    fn filters(&mut self, class: Spot<'s>, given: &[Spot<'s>]) {
        let takes_all = given.iter().any(|at| at.text() == "params");
        let keys = format!("{}::KEYS", class.text());
        if takes_all && let Some((owner, keys)) = self.classes.constant(self.class, &keys) {
            for (name, at) in self.classes.words(owner, keys).unwrap_or_default() {
                self.param(at, name, false);
            }
        }
    }

    /// The words of an argument: a symbol, or a splat of a constant or of a method that answers a list.
    fn all_words(&self, at: Spot<'s>) -> Vec<(String, Spot<'s>)> {
        if let Some(name) = name(at) {
            return vec![(name, at)];
        }
        if let Some(words) = self.classes.words(self.class, at) {
            return words;
        }
        // `*resource_keys`
        let called = if at.kind() == "splat_argument" { at.first() } else { Some(at) };
        let method = called.and_then(|called| self.classes.method(self.class, called.text(), 0));
        let last = method.and_then(|method| statements(method).last().copied());
        last.and_then(|last| self.classes.words(self.class, last)).unwrap_or_default()
    }

    /// `permit(:a, b: [], c: [:d])`
    fn permits(&mut self, given: &[Spot<'s>], outer: &str) {
        for at in given {
            match at.kind() {
                "pair" => {
                    let (Some(key), Some(value)) =
                        (at.field("key").and_then(name), at.field("value"))
                    else {
                        continue;
                    };
                    self.pair(*at, &nested(outer, &key), value);
                }
                "hash" | "array" => self.permits(&at.children(), outer),
                "splat_argument" if mapped(*at).is_some() => {
                    let Some((list, pair)) = mapped(*at) else {
                        continue;
                    };
                    for (word, at) in self.all_words(list) {
                        self.pair(at, &nested(outer, &word), pair);
                    }
                }
                _ => {
                    for (name, at) in self.all_words(*at) {
                        self.param(at, nested(outer, &name), false);
                    }
                }
            }
        }
    }

    /// `poll: [:multiple, options: []]`
    fn pair(&mut self, at: Spot<'s>, key: &str, value: Spot<'s>) {
        let members = match value.kind() {
            "array" | "hash" => value.children(),
            kind => {
                let words = self.classes.words(self.class, value).unwrap_or_default();
                for (word, at) in &words {
                    self.param(*at, nested(key, word), false);
                }
                if !words.is_empty() || matches!(kind, "symbol_array" | "string_array") {
                    self.contain(at, key);
                }
                return;
            }
        };
        if members.is_empty() {
            self.param(at, key.to_owned(), false);
        } else {
            self.contain(at, key);
            self.permits(&members, key);
        }
    }

    fn contain(&mut self, at: Spot<'s>, key: &str) {
        self.param(at, key.to_owned(), false);
        if let Some(param) = self.params.get_mut(key) {
            param.container = true;
        }
    }

    fn param(&mut self, at: Spot<'s>, name: String, required: bool) {
        if matches!(name.as_str(), "controller" | "action" | "format") {
            return;
        }
        let read = || Param::read(at.place(), Location::Either);
        let param = self.params.entry(name).or_insert_with(read);
        param.required |= required;
    }

    /// `render json: @status, serializer: REST::StatusSerializer`, `render json: { count: 1 }`
    fn renders(&mut self, call: Spot<'s>) {
        let one = option(call, "serializer");
        let many = option(call, "each_serializer");
        let shape = one.or(many).filter(|at| matches!(at.kind(), "constant" | "scope_resolution"));
        let shape = shape.and_then(|at| serializers::shape_name(at.text()));
        if let (Some(status), Some(_)) = (failure(call), &shape) {
            self.failures.push((status, call));
            return;
        }
        if let Some(shape) = shape {
            let list = one.is_none();
            // The adapter that is the default writes no key around.
            let is_wrapped = option_name(call, "adapter").is_some_and(|adapter| adapter == "json");
            let wrapped = is_wrapped.then(|| {
                let root = option_name(call, "root");
                let one = snake_case(shape.rsplit("::").next().unwrap_or(&shape));
                let key = root.unwrap_or(if list { plural(&one) } else { one });
                (key, call)
            });
            let answer = Answer { shape, list };
            self.answer.get_or_insert((answer, option(call, "fields"), wrapped));
            return;
        }
        let made = option(call, "json");
        if let Some(status) = failure(call) {
            self.failures.push((status, call));
            return;
        }
        let is_error = |made: Spot<'s>| {
            let pairs = made.children().into_iter();
            let mut keys = pairs.filter_map(|pair| name(pair.field("key")?));
            made.kind() == "hash" && keys.any(|key| key == "error")
        };
        if let Some(made) = made.filter(|made| !is_error(*made)) {
            self.rendered.push(made);
        }
    }

    /// The lengths that a model takes of which the controller has the name: `validates :title, length: { maximum: LIMIT }`.
    fn lengths(&mut self, resource: &str) {
        let mut found: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
        let is_model = |name: &str| plural(&snake_case(name)).ends_with(resource);
        for (model, class) in self.classes.all().filter(|(name, _)| is_model(name)) {
            let calls = class.calls.iter().filter(|call| call.is("method", "validates"));
            // Other servers may send longer texts.
            for call in calls.filter(|call| !call.text().contains("remote?")) {
                let most = option(*call, "length").map(Spot::children);
                let most = most.and_then(|most| value_of(most, "maximum"));
                let stated = most.and_then(|at| self.classes.constant(model, at.text()));
                let most = stated.map(|(_, value)| value).or(most);
                let most: Option<i64> = most.and_then(|at| at.text().parse().ok());
                for name in positional(*call).into_iter().filter_map(name) {
                    found.entry(name).or_default().extend(most);
                }
            }
        }
        for (name, most) in found {
            if let (Some(param), 1) = (self.params.get_mut(&name), most.len()) {
                param.max_length = most.first().copied();
            }
        }
    }

    /// Finds what is rendered where an error is raised: `rescue_from Mastodon::NotPermittedError do`.
    fn raises(&mut self, error: &str) {
        let ancestors = self.classes.ancestors(self.class).into_iter();
        let rescues = ancestors.flat_map(|(_, class)| self.applying(class, &["rescue_from"]));
        let mut rescues =
            rescues.filter(|call| positional(*call).iter().any(|at| at.text() == error));
        let rendered = rescues.next().map(block).unwrap_or_default().into_iter();
        let calls = rendered.flat_map(|statement| statement.of_kind("call"));
        self.failures.extend(calls.filter_map(|call| Some((failure(call)?, call))));
    }

    /// Reads what the controller itself renders where an action fails: `rescue_from .. do`.
    fn rescues(&mut self) {
        let ancestors = self.classes.ancestors(self.class);
        let Some((_, class)) = ancestors.first() else {
            return;
        };
        for call in self.applying(class, &["rescue_from"]) {
            for statement in block(call) {
                self.read(statement);
            }
        }
    }

    /// The statuses of its failures, with the texts that are written out.
    fn refusals(&self) -> BTreeMap<u16, Refusal> {
        let mut found = BTreeMap::new();
        for (status, call) in self.failures.iter().filter(|(status, _)| *status != 0) {
            let made = option(*call, "json").map(Spot::children);
            let text = made.and_then(|made| value_of(made, "error")).and_then(name);
            let refusal = found.entry(*status).or_insert_with(|| Refusal::at(call.place()));
            refusal.texts.insert(text);
        }
        found
    }

    /// The bodies of its errors, but for those that say nothing more than a text.
    fn errors(
        &self,
        evaluator: &Evaluator<'_, 's>,
        shapes: &mut BTreeMap<String, Shape>,
    ) -> BTreeMap<u16, String> {
        let mut errors = BTreeMap::new();
        for (status, call) in &self.failures {
            let (Some(made), false) = (option(*call, "json"), errors.contains_key(status)) else {
                continue;
            };
            let serializer = option(*call, "serializer");
            let named = serializer.and_then(|at| serializers::shape_name(at.text()));
            let name = format!("{}#{}.{status}", self.class, self.called);
            let found = named.or_else(|| {
                let own = (self.class, name.as_str());
                let (shape, list) = serializers::rendered(evaluator, own, made, shapes)?;
                (!list).then_some(shape)
            });
            let is_plain = |shape: &String| {
                shapes.get(shape).is_none_or(|shape| {
                    let mut fields = shape.fields.iter();
                    fields.all(|(key, field)| key == "error" && field.r#type.shape().is_none())
                })
            };
            if let Some(found) = found {
                if !is_plain(&found) {
                    // Other failures of the same status have other keys.
                    if let Some(shape) = shapes.get_mut(&found) {
                        shape.open = true;
                    }
                    errors.insert(*status, found);
                } else if found.starts_with(&name) {
                    shapes.remove(&found);
                }
            }
        }
        errors
    }

    /// The answer as it is sent: cut to some of its fields, under a key where the adapter writes one.
    fn wrap(
        &self,
        (mut answer, only, wrapped): (Answer, Option<Spot<'s>>, Wrapped<'s>),
        shapes: &mut BTreeMap<String, Shape>,
    ) -> Answer {
        let only = only.and_then(|only| self.classes.words(self.class, only));
        if let (Some(only), Some(shape)) = (only, shapes.get(&answer.shape)) {
            let mut shape = shape.clone();
            shape.fields.retain(|key, _| only.iter().any(|(word, _)| word == key));
            let cut = format!("{}#{}.only", self.class, self.called);
            shape.cut_of = Some(std::mem::replace(&mut answer.shape, cut));
            shapes.insert(answer.shape.clone(), shape);
        }
        let Some((key, at)) = wrapped else {
            return answer;
        };
        let inner = SourceType::Shape(answer.shape);
        let of = if answer.list { SourceType::List(Box::new(inner)) } else { inner };
        let shape = format!("{}#{}", self.class, self.called);
        shapes.insert(shape.clone(), serializers::wrapped(key, of, at));
        Answer { shape, list: false }
    }

    /// `Measure.retrieve(.., params)`: classes that are looked up by the name of a key, and that each read what is under it.
    fn looked_up(&mut self, class: Spot<'s>, given: &[Spot<'s>]) {
        let Some(owner) = given
            .iter()
            .any(|at| at.text() == "params")
            .then(|| self.classes.resolve(self.class, class.text()))
            .flatten()
        else {
            return;
        };
        let mut found = Vec::new();
        for (key, at, class) in self.classes.table(owner) {
            let Some(method) = self.classes.method(class, "params", 0) else {
                continue;
            };
            method.walk(|call| {
                let is_permit = call.kind() == "call"
                    && call.is("method", "permit")
                    && call.is("receiver", "@params");
                if is_permit {
                    found.push((key.clone(), at, arguments(call)));
                }
                !is_permit
            });
        }
        for (key, at, members) in found {
            self.contain(at, &key);
            self.permits(&members, &key);
        }
    }

    fn auth(&self, route: &Route) -> Auth {
        let asked = &self.asked;
        let role = asked.role && route.endpoint.path.contains("/admin/");
        let token = match (&asked.token, &asked.optional) {
            _ if asked.user.is_some() => "user",
            (Some(_), _) => {
                if asked.client {
                    "client"
                } else {
                    "app"
                }
            }
            // A policy without a user refuses.
            (None, Some(_)) => {
                if role {
                    "user"
                } else {
                    "optional"
                }
            }
            (None, None) => "none",
        };
        let found = asked.token.as_ref().or(asked.optional.as_ref());
        let at = found.map(|(at, _)| *at).or(asked.user);
        Auth {
            at: at.map_or_else(|| route.at.clone(), Spot::place),
            token,
            scopes: found.map(|(_, scopes)| narrow(scopes)).unwrap_or_default(),
            role,
            condition: asked.condition.clone(),
        }
    }
}

/// The status with which something is rendered, where it is none of success: `status: 404`, `status: :not_found`; 0 where it is not told.
fn failure(call: Spot<'_>) -> Option<u16> {
    status(option(call, "status")?)
}

fn status(at: Spot<'_>) -> Option<u16> {
    let status = match at.text().trim_start_matches(':') {
        "ok" | "created" | "accepted" => return None,
        other => status_of(other).or_else(|| other.parse().ok()).unwrap_or_default(),
    };
    (!(200..300).contains(&status)).then_some(status)
}

/// A callback that wants a user, be it one of a certain kind.
fn is_user(called: &str) -> bool {
    called.starts_with("require_user") || called == "require_authenticated_user!"
}

/// The scopes without those that contain another one: `read` beside `read:lists`.
fn narrow(scopes: &[String]) -> Vec<String> {
    let contains = |wide: &String| {
        if wide == "follow" {
            return scopes.iter().any(|other| other.contains(':'));
        }
        scopes.iter().any(|other| other.starts_with(&format!("{wide}:")))
    };
    scopes.iter().filter(|scope| !contains(scope)).cloned().collect()
}

/// The list and the members of `*LIST.map { |word| { word => [:member] } }`.
fn mapped(splat: Spot<'_>) -> Option<(Spot<'_>, Spot<'_>)> {
    let call = splat.first()?;
    if call.field("method")?.text() != "map" {
        return None;
    }
    let last = block(call).last().copied()?;
    let pair = (last.kind() == "hash").then(|| last.child("pair"))??;
    Some((call.field("receiver")?, pair.field("value")?))
}

fn nested(outer: &str, key: &str) -> String {
    if outer.is_empty() { key.to_owned() } else { format!("{outer}[{key}]") }
}
