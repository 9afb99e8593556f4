//! The router: which action of which controller serves which method and path.

use std::collections::BTreeMap;

use super::ruby::{
    arguments, block, first_name, name, names, option, option_name, pairs, plural, positional,
    singular,
};
use crate::surface::{Endpoint, Place};
use crate::syntax::{File, Spot};

/// A route.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) endpoint: Endpoint,
    pub(super) at: Place,
    pub(super) condition: Option<String>,
    /// `api/v1/statuses`
    pub(super) controller: String,
    /// `create`
    pub(super) action: String,
}

/// Where a route is declared.
#[derive(Clone, Default)]
struct Scope<'s> {
    path: String,
    /// The modules of the controllers: `api/v1`.
    modules: Vec<String>,
    controller: Option<String>,
    /// The options that `with_options` gives to every call inside.
    options: Vec<(String, Spot<'s>)>,
    resource: Option<Resource>,
    condition: Option<String>,
}

/// The resource whose block is read.
#[derive(Clone)]
struct Resource {
    /// The path of all of them, and of one.
    collection: String,
    member: String,
    controller: String,
}

/// Every route of the files, `config/routes.rb` being the first.
pub(super) fn routes(files: &[File]) -> Vec<Route> {
    let mut router =
        Router { files, read: 0, concerns: BTreeMap::new(), routes: Vec::new(), depth: 0 };
    if let Some(main) = files.iter().find(|file| file.path == "config/routes.rb") {
        router.all(&main.root().children(), &Scope::default());
    }
    router.routes
}

/// How many statements of the routing files are read. Those of the program have some thousands, with concerns read where they are used.
const MOST: usize = 100_000;

struct Router<'s> {
    files: &'s [File],
    /// How many statements were read.
    read: usize,
    concerns: BTreeMap<String, Vec<Spot<'s>>>,
    routes: Vec<Route>,
    depth: usize,
}

const VERBS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

impl<'s> Router<'s> {
    fn all(&mut self, statements: &[Spot<'s>], scope: &Scope<'s>) {
        if self.depth > 64 {
            return;
        }
        self.depth += 1;
        for statement in statements {
            self.read += 1;
            if self.read > MOST {
                break;
            }
            self.statement(*statement, scope);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, at: Spot<'s>, scope: &Scope<'s>) {
        match at.kind() {
            "call" => self.call(at, scope),
            "if" | "unless" | "if_modifier" | "unless_modifier" => {
                let condition = at.word("condition");
                let word = at.kind().trim_end_matches("_modifier");
                let inner =
                    Scope { condition: Some(format!("{word} {condition}")), ..scope.clone() };
                let body = at.field("body").or_else(|| at.field("consequence"));
                let body = body
                    .map(|body| if body.kind() == "call" { vec![body] } else { body.children() });
                self.all(&body.unwrap_or_default(), &inner);
            }
            _ => {}
        }
    }

    /// An option of a call or of the `with_options` around it.
    fn option(call: Spot<'s>, key: &str, scope: &Scope<'s>) -> Option<Spot<'s>> {
        option(call, key).or_else(|| {
            let mut options = scope.options.iter().rev();
            options.find(|(name, _)| name == key).map(|(_, value)| *value)
        })
    }

    fn call(&mut self, call: Spot<'s>, scope: &Scope<'s>) {
        let method = call.word("method");
        match method {
            "namespace" => {
                for space in positional(call).into_iter().filter_map(name) {
                    let path = option_name(call, "path").unwrap_or_else(|| space.clone());
                    let module = option_name(call, "module").unwrap_or(space);
                    let mut inner = Self::below(scope, &path);
                    inner.modules.push(module);
                    self.all(&block(call), &inner);
                }
            }
            "scope" => {
                let path = first_name(call).or_else(|| option_name(call, "path"));
                let mut inner = match path {
                    Some(path) => Self::below(scope, &path),
                    None => scope.clone(),
                };
                inner.modules.extend(option_name(call, "module"));
                inner.controller = option_name(call, "controller").or(inner.controller);
                self.all(&block(call), &inner);
            }
            "resources" | "resource" => self.resources(call, scope, method == "resource"),
            "member" | "collection" => {
                let mut inner = scope.clone();
                if let Some(Resource { member, collection, .. }) = &scope.resource {
                    inner.path.clone_from(if method == "member" { member } else { collection });
                }
                self.all(&block(call), &inner);
            }
            "concern" => {
                if let Some(name) = first_name(call) {
                    self.concerns.insert(name, block(call));
                }
            }
            "concerns" => self.use_concerns(&positional(call), scope),
            "with_options" => {
                let mut inner = scope.clone();
                let given = pairs(arguments(call));
                inner.options.extend(given.filter_map(|(key, value)| Some((name(key)?, value))));
                self.all(&block(call), &inner);
            }
            "draw" => {
                // `Rails.application.routes.draw do`, or `draw(:api)`.
                self.all(&block(call), scope);
                if let Some(file) = first_name(call) {
                    let path = format!("config/routes/{file}.rb");
                    let file = self.files.iter().find(|file| file.path == path);
                    self.all(&file.map(|file| file.root().children()).unwrap_or_default(), scope);
                }
            }
            "match" => {
                let via = Self::option(call, "via", scope).map(names).unwrap_or_default();
                let verbs: Vec<&str> = VERBS
                    .into_iter()
                    .filter(|verb| via.iter().any(|one| one == verb || one == "all"))
                    .collect();
                self.verbs(call, &verbs, scope);
            }
            "use_doorkeeper" => self.doorkeeper(call, scope),
            verb if VERBS.contains(&verb) => self.verbs(call, &[verb], scope),
            // Any other call with a block does not change its routes: `constraints`, `authenticate`, `devise_scope`.
            "mount" | "devise_for" | "root" => {}
            _ => self.all(&block(call), scope),
        }
    }

    /// The scope below a path.
    fn below(scope: &Scope<'s>, path: &str) -> Scope<'s> {
        Scope { path: joined(&scope.path, path), resource: None, ..scope.clone() }
    }

    fn use_concerns(&mut self, at: &[Spot<'s>], scope: &Scope<'s>) {
        for name in at.iter().flat_map(|at| names(*at)) {
            let statements = self.concerns.get(&name).cloned().unwrap_or_default();
            self.all(&statements, scope);
        }
    }

    fn resources(&mut self, call: Spot<'s>, scope: &Scope<'s>, single: bool) {
        let option = |key| Self::option(call, key, scope);
        let named = |key| option(key).and_then(name);
        for resource in positional(call).into_iter().filter_map(name) {
            let path = named("path").unwrap_or_else(|| resource.clone());
            let collection = joined(&scope.path, &path);
            let id = named("param").unwrap_or_else(|| "id".to_owned());
            let (member, nested) = if single {
                (collection.clone(), collection.clone())
            } else {
                let one = singular(&resource);
                (format!("{collection}/:{id}"), format!("{collection}/:{one}_{id}"))
            };
            let own = || if single { plural(&resource) } else { resource.clone() };
            let controller = named("controller").unwrap_or_else(own);
            let mut modules = scope.modules.clone();
            modules.extend(named("module"));
            let of = Resource { collection, member, controller };
            let inner = Scope { modules, resource: Some(of), ..scope.clone() };
            self.actions(call, &inner, single);
            // Options of `with_options` are those of the call, not of the statements in its block.
            let inside = Scope { path: nested, controller: None, options: Vec::new(), ..inner };
            if let Some(concerns) = option("concerns") {
                self.use_concerns(&[concerns], &inside);
            }
            self.all(&block(call), &inside);
        }
    }

    /// The actions that a resource has by itself.
    fn actions(&mut self, call: Spot<'s>, scope: &Scope<'s>, single: bool) {
        let Some(Resource { collection, member, controller }) = &scope.resource else {
            return;
        };
        let only = Self::option(call, "only", scope).map(names);
        let except = Self::option(call, "except", scope).map(names).unwrap_or_default();
        let actions = [
            ("index", "get", collection),
            ("create", "post", collection),
            ("show", "get", member),
            ("update", "patch", member),
            ("update", "put", member),
            ("destroy", "delete", member),
        ];
        for (action, verb, path) in actions {
            let has = |list: &Vec<String>| list.iter().any(|one| one == action);
            let wanted = only.as_ref().map_or_else(|| !has(&except), has);
            if wanted && !(single && action == "index") {
                self.add(call, (verb, path), (controller, action), scope);
            }
        }
    }

    fn verbs(&mut self, call: Spot<'s>, verbs: &[&str], scope: &Scope<'s>) {
        let to = Self::option(call, "to", scope);
        // `redirect(..)` and the like answer by themselves.
        if to.is_some_and(|to| name(to).is_none()) {
            return;
        }
        let mut paths: Vec<(String, Option<String>)> =
            positional(call).into_iter().filter_map(name).map(|path| (path, None)).collect();
        // `get 'path' => 'controller#action'`
        for (key, to) in pairs(arguments(call)).filter(|(key, _)| key.kind() == "string") {
            paths.extend(name(key).zip(name(to)).map(|(path, to)| (path, Some(to))));
        }
        let named = |key| Self::option(call, key, scope).and_then(name);
        let resource = scope.resource.as_ref();
        let base = match (resource, named("on").as_deref()) {
            (Some(resource), Some("member")) => &resource.member,
            (Some(resource), Some("collection")) => &resource.collection,
            _ => &scope.path,
        };
        for (path, target) in paths {
            let target = target.or_else(|| to.and_then(name));
            let (controller, action) = match target
                .as_deref()
                .map(|to| to.split_once('#').ok_or(to))
            {
                Some(Ok((controller, action))) => (Some(controller.to_owned()), action.to_owned()),
                Some(Err(action)) => (None, action.to_owned()),
                None => {
                    let own = || path.trim_matches('/').replace(['-', '/'], "_");
                    (None, named("action").unwrap_or_else(own))
                }
            };
            let controller = controller
                .or_else(|| named("controller"))
                .or_else(|| scope.controller.clone())
                .or_else(|| Some(resource?.controller.clone()));
            for (verb, controller) in
                verbs.iter().filter_map(|verb| Some((verb, controller.as_ref()?)))
            {
                self.add(call, (verb, &joined(base, &path)), (controller, &action), scope);
            }
        }
    }

    fn add(
        &mut self,
        at: Spot<'s>,
        (verb, path): (&str, &str),
        (controller, action): (&str, &str),
        scope: &Scope<'s>,
    ) {
        let modules = scope.modules.iter().map(String::as_str);
        let below = || modules.chain([controller]).collect::<Vec<_>>().join("/");
        let controller = controller.strip_prefix('/').map_or_else(below, str::to_owned);
        // Optional parts are left out: `(.:format)`, `(*any)`.
        let path = path.split('(').next().unwrap_or(path).trim_end_matches('/').to_owned();
        self.routes.push(Route {
            endpoint: Endpoint { method: verb.to_uppercase(), path },
            at: at.place(),
            condition: scope.condition.clone(),
            controller,
            action: action.to_owned(),
        });
    }

    /// The routes that the gem doorkeeper brings.
    fn doorkeeper(&mut self, call: Spot<'s>, scope: &Scope<'s>) {
        let routes = [
            ("get", "oauth/authorize", "authorizations", "new"),
            ("post", "oauth/authorize", "authorizations", "create"),
            ("delete", "oauth/authorize", "authorizations", "destroy"),
            ("post", "oauth/token", "tokens", "create"),
            ("post", "oauth/revoke", "tokens", "revoke"),
            ("post", "oauth/introspect", "tokens", "introspect"),
            ("get", "oauth/token/info", "token_info", "show"),
        ];
        for (verb, path, controller, action) in routes {
            let controller = format!("/doorkeeper/{controller}");
            self.add(call, (verb, &joined("", path)), (&controller, action), scope);
        }
    }
}

/// A path below another.
fn joined(base: &str, path: &str) -> String {
    let path = path.trim_matches('/');
    if path.is_empty() { base.to_owned() } else { format!("{base}/{path}") }
}
