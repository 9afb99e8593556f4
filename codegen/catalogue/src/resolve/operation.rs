//! Operations.

use super::Resolver;
use super::item::Naming;
use super::life::{ContainerLives, UseDefaults};
use crate::check::element;
use crate::merge::{MergedItem, MergedOperation};
use crate::model::{FactName, Operation};
use crate::problems::NodePath;
use crate::route::is_media_type;
use crate::route::{METHODS, SUCCESSES, wrong_path};
use fedispec_model::api::{self, Life, Since, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::constructors::is_always_argument;
use fedispec_model::names;
use fedispec_model::notation::type_text;
use fedispec_model::suggest::{did_you_mean, nearest};
use fedispec_since::{BodyEncoding, Location, Paging};

/// The usual media types of answers. A type that is close to one of them is misspelt.
const MEDIA_TYPES: [&str; 12] = [
    "application/activity+json",
    "application/json",
    "application/jrd+json",
    "application/ld+json",
    "application/octet-stream",
    "application/xml",
    "application/xrd+xml",
    "text/csv",
    "text/event-stream",
    "text/html",
    "text/plain",
    "text/xml",
];

/// The operation that parameters and answers belong to.
#[derive(Clone, Copy)]
pub(super) struct Owner<'x> {
    pub(super) id: &'x str,
    /// The beginning of the names of its structs: `AccountsLookup`.
    pub(super) rust: &'x str,
    pub(super) item: &'x api::Item,
    pub(super) route: Option<&'x api::Route>,
    pub(super) frame: &'x ContainerLives,
    /// The Since that the documents let its parts inherit.
    pub(super) documented: &'x [Option<Since>],
}

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves an operation with its parameters and answers.
    pub(super) fn operation(&mut self, one: &MergedOperation<'a>) -> api::Operation {
        let node = &one.node;
        let (group, name) = node.key.split_once('.').unwrap_or(("", node.key));
        let own = self.own(node, &[], UseDefaults::Yes);
        let mut lives = self.lives(node, &own, None);
        let frame = ContainerLives::of(&lives);
        let naming = Naming {
            name: "",
            wire: String::new(),
            rust_from: name.into(),
            role: names::NameRole::Type,
        };
        let auth = self.auth(node);
        self.unchecked_scopes(node.key, auth.as_ref(), &mut lives);
        let success = self.success(node, &mut lives);
        let returns = self.returned(node, &mut lives);
        let media_type = self.media_type(node, &mut lives);
        let paging = self.paging(node, &mut lives);
        self.stubs(node, &mut lives);
        let item = self.item(node, naming, lives);
        let rust_fn = names::rust_name(&item.rust, names::NameRole::Method).unwrap_or_default();
        self.everything_stated(one);
        let route = self.route(node);
        let also = self.also(node, route.as_ref());
        let struct_name =
            names::rust_name(group, names::NameRole::Variant).unwrap_or_default() + &item.rust;
        let owner = Owner {
            id: &node.id,
            rust: &struct_name,
            item: &item,
            route: route.as_ref(),
            frame: &frame,
            documented: &own.documented,
        };
        let params = self.params(&one.params, &owner);
        let answer = self.answer(one, &owner, returns);
        let errors = self.errors(one, &owner);
        let body = self.body(node, &params);
        let oauth = self.oauth(node, &params);
        api::Operation {
            group: group.into(),
            rust_fn,
            route,
            also,
            oauth,
            auth,
            body,
            alternatives: self.alternatives(node),
            arguments: arguments(node),
            requests: self.requests(node, &params, (&answer.ty, answer.known)),
            params,
            returns_documented: answer.documented,
            returns: answer.ty,
            returns_known: answer.known,
            media_type,
            success,
            paging,
            errors,
            stands_in: stands_in(node),
            item,
        }
    }

    /// Puts into the lives since when the operation answers and does nothing.
    fn stubs(&mut self, node: &MergedItem<'a, Operation>, lives: &mut [Life]) {
        let stubs = self.by_program(
            node,
            "stub",
            |body| &body.stub,
            |since| vec![(Vec::new(), Some(*since))],
        );
        for (life, stub) in lives.iter_mut().zip(stubs) {
            life.stub = stub;
        }
    }

    fn everything_stated(&mut self, one: &MergedOperation<'a>) {
        self.all_stated(&one.node, |body| {
            vec![
                (FactName::Method, body.method.is_some()),
                (FactName::Path, body.path.is_some()),
                (FactName::Auth, body.auth.is_some()),
                (FactName::Returns, body.returns.is_some() || !body.response.is_empty()),
                (FactName::Success, body.success.is_some()),
                (FactName::Errors, body.errors.is_some()),
                (FactName::Paging, body.paging.is_some()),
            ]
        });
    }

    /// The statuses of success, where they are known. Those that switch protocols or redirect are among them.
    fn success(&mut self, node: &MergedItem<'a, Operation>, lives: &mut [Life]) -> Vec<u16> {
        if node.statements.iter().all(|one| one.body.success.is_none()) {
            let usual = self.usual(node, FactName::Success, |usual| usual.success.clone());
            return usual.unwrap_or_default();
        }
        let get = |body: &'a Operation| body.success.as_ref();
        self.each_stated(node, "success", get, |resolver, statuses, place| {
            resolver.successes(statuses, &place);
        });
        self.by(node, ChangedFact::Success, lives, |body| body.success.clone())
            .read()
            .unwrap_or_default()
    }

    fn paging(&mut self, node: &MergedItem<'a, Operation>, lives: &mut [Life]) -> Paging {
        let paging = if node.statements.iter().all(|one| one.body.paging.is_none()) {
            self.usual(node, FactName::Paging, |usual| usual.paging)
        } else {
            self.by(node, ChangedFact::Paging, lives, |body| body.paging.clone()).read()
        };
        paging.unwrap_or(Paging::Unknown)
    }

    pub(super) fn successes(&mut self, statuses: &[u16], place: &NodePath<'a>) {
        for (number, status) in statuses.iter().enumerate() {
            if !SUCCESSES.contains(status) {
                let message = format!("`{status}` is not a status of success");
                let help = "successes have a status from 100 to 399; those from 400 to 599 belong to `errors`";
                let place = place.then(number.to_string());
                self.facts.problems.value("success-status", &place, message, help);
            }
        }
    }

    /// Method and path, where both are known.
    fn route(&mut self, node: &MergedItem<'a, Operation>) -> Option<api::Route> {
        let method =
            self.placed(node, "method", |body| body.method.clone()).map(|(method, place)| {
                if !METHODS.contains(&method.as_str()) {
                    let or_else = format!("a method is one of {}", METHODS.join(", "));
                    let help = did_you_mean(&method, METHODS, &or_else);
                    let message = format!("`{method}` is not a method of HTTP");
                    self.facts.problems.value("malformed-route", &place, message, help);
                }
                method
            });
        let path = self.placed(node, "path", |body| body.path.clone()).map(|(path, place)| {
            if let Some(help) = wrong_path(&path) {
                let message = format!("`{path}` is no path");
                self.facts.problems.value("malformed-route", &place, message, help);
            }
            path
        });
        Some(api::Route { method: method?, path: path? })
    }

    /// Other methods that do the same.
    fn also(
        &mut self,
        node: &MergedItem<'a, Operation>,
        route: Option<&api::Route>,
    ) -> Vec<api::Twin> {
        let mut twins: Vec<api::Twin> = Vec::new();
        for statement in &node.statements {
            let place = statement.place.then("also");
            self.keys_are_programs(statement.body.also.keys(), &place);
            for (program, methods) in &statement.body.also {
                for (number, method) in methods.iter().enumerate() {
                    let twin = api::Twin { program: program.clone(), method: method.clone() };
                    let is_own = route.is_some_and(|route| route.method == *method);
                    if METHODS.contains(&method.as_str()) && !is_own && !twins.contains(&twin) {
                        twins.push(twin);
                        continue;
                    }
                    let place = place.then(program.as_str());
                    let place = place.then(number.to_string());
                    let message = if is_own {
                        format!("`{method}` is the operation's own method")
                    } else {
                        format!("`{method}` is not another method of HTTP")
                    };
                    let or_else = "write each method once, and not the operation's own";
                    let others = METHODS.into_iter().filter(|one| one != method);
                    let help = did_you_mean(method, others, or_else);
                    self.facts.problems.value("malformed-route", &place, message, help);
                }
            }
        }
        twins
    }

    /// Finds the facts of an endpoint of OAuth, as the highest layer states them.
    fn oauth(
        &mut self,
        node: &MergedItem<'a, Operation>,
        params: &[api::Param],
    ) -> Option<api::Oauth> {
        let (stated, said) = node.highest(|body| body.oauth.as_ref())?;
        let place = stated.place.under(&["oauth", "basic"]);
        let named = said.basic.iter().flat_map(|(id, secret)| [id, secret]);
        for (number, wire) in named.clone().enumerate() {
            if !params.iter().any(|param| param.item.wire == *wire) {
                let message = format!("`{}` has no parameter `{wire}`", node.id);
                let known = params.iter().map(|param| param.item.wire.as_str());
                let known = known.filter(|known| named.clone().all(|one| one != known));
                let or_else = "name the parameters of the client's id and its secret";
                let help = did_you_mean(wire, known, or_else);
                let place = place.then(number.to_string());
                self.facts.problems.value("unknown-reference", &place, message, help);
            }
        }
        Some(said.clone())
    }

    /// The media type of the answer.
    fn media_type(
        &mut self,
        node: &MergedItem<'a, Operation>,
        lives: &mut [Life],
    ) -> Option<String> {
        let get = |body: &'a Operation| body.media_type.as_ref();
        self.each_stated(node, "media_type", get, |resolver, said, place| {
            resolver.is_media_type(said, &place);
        });
        self.by(node, ChangedFact::MediaType, lives, |body| body.media_type.clone()).read()
    }

    fn is_media_type(&mut self, said: &str, place: &NodePath<'a>) {
        if !is_media_type(said) {
            let message = format!("`{said}` is not a media type");
            let rule = "malformed-media-type";
            let help = "write it without parameters, such as `application/jrd+json`";
            self.facts.problems.value(rule, place, message, help);
        } else if let Some(meant) = nearest(said, MEDIA_TYPES).filter(|meant| *meant != said) {
            let message = format!("nobody sends the media type `{said}`");
            let help = format!("did you mean `{meant}`?");
            self.facts.problems.value("unknown-value", place, message, help);
        }
    }

    /// How the body is sent: as stated, or a form where there is anything to send, with files in parts.
    fn body(&mut self, node: &MergedItem<'a, Operation>, params: &[api::Param]) -> BodyEncoding {
        if let Some(stated) = self.known(node, "body", |body| body.body.as_ref()) {
            return stated;
        }
        let mut sent = params.iter().filter(|param| param.location == Location::Form).peekable();
        if sent.peek().is_none() {
            BodyEncoding::None
        } else if sent.any(|param| *element(&param.r#type) == Type::File) {
            BodyEncoding::Multipart
        } else {
            BodyEncoding::Form
        }
    }

    /// The requests of their own of the highest layer that has some.
    fn requests(
        &mut self,
        node: &MergedItem<'a, Operation>,
        params: &[api::Param],
        (returns, is_known): (&Type, bool),
    ) -> Vec<api::Deciding> {
        let stated = |body: &'a Operation| Some(&body.requests).filter(|some| !some.is_empty());
        let Some((stated, requests)) = node.highest(stated) else {
            return Vec::new();
        };
        let answered = match returns {
            Type::OneOf(types) => types.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut found = Vec::new();
        for (name, said) in requests {
            let param = params.iter().find(|param| param.item.wire == said.sends);
            let returned = answered.iter().find(|ty| type_text(ty) == said.returns);
            let rust = names::rust_name(name, names::NameRole::Type);
            let rust = rust.filter(|_| names::is_snake(name) && name != "new");
            let (wrong, message, help) = match (rust, param, returned) {
                (Some(rust), Some(param), Some(returned))
                    if !is_always_argument(param) && answered.len() > requests.len() =>
                {
                    found.push(api::Deciding {
                        rust,
                        summary: said.summary.clone(),
                        sends: said.sends.clone(),
                        returns: returned.clone(),
                    });
                    continue;
                }
                (None, ..) => (
                    None,
                    format!("`{name}` cannot be the name of a request"),
                    "write it like `schedule`".to_owned(),
                ),
                (_, None, _) => (
                    Some("sends"),
                    format!("`{}` has no parameter `{}`", node.id, said.sends),
                    {
                        let known = params.iter().map(|param| param.item.wire.as_str());
                        did_you_mean(&said.sends, known, "name the parameter that decides")
                    },
                ),
                // A type that cannot be read is told where it stands.
                (_, _, None) if !is_known => continue,
                (_, _, None) => (
                    Some("returns"),
                    format!("`{}` is not one of what `{}` answers", said.returns, node.id),
                    "name one of the types in `returns`".to_owned(),
                ),
                _ => (
                    None,
                    format!("`{name}` leaves nothing for the plain request of `{}`", node.id),
                    "an optional parameter decides, and one type in `returns` is answered without it"
                        .to_owned(),
                ),
            };
            let place = stated.place.under(&["requests", name]);
            let problems = &mut *self.facts.problems;
            match wrong {
                Some(key) => problems.value("unknown-reference", &place.then(key), message, help),
                None => problems.key("unknown-reference", &place, message, help),
            };
        }
        found
    }

    /// The ways of calling it: those of all layers, each stated once.
    fn alternatives(&mut self, node: &MergedItem<'a, Operation>) -> Vec<api::Alternative> {
        let mut found: Vec<api::Alternative> = Vec::new();
        for statement in &node.statements {
            for (name, body) in &statement.body.alternatives {
                let place = statement.place.under(&["alternatives", name]);
                let rust = names::rust_name(name, names::NameRole::Param)
                    .filter(|_| names::is_snake(name));
                let Some(rust) = rust else {
                    let message = format!("`{name}` cannot be the name of a constructor");
                    let help = "write it like `authorization_code`";
                    self.facts.problems.key("rust-name", &place, message, help);
                    continue;
                };
                if found.iter().any(|one| one.rust == rust) {
                    let message = format!("`{}` has the alternative `{name}` already", node.id);
                    self.facts.problems.key("duplicate-id", &place, message, "keep one of the two");
                    continue;
                }
                found.push(api::Alternative {
                    rust,
                    summary: body.summary.clone(),
                    sets: body
                        .sets
                        .iter()
                        .map(|(param, value)| (param.clone(), value.clone()))
                        .collect(),
                    requires: body.requires.clone(),
                    excludes: body.excludes.clone(),
                });
            }
        }
        found
    }
}

/// The requests that it can stand in for: those of all layers.
fn stands_in(node: &MergedItem<'_, Operation>) -> Vec<(String, String)> {
    let pairs = node.statements.iter().flat_map(|one| &one.body.stands_in);
    pairs.map(|(to, from)| (to.clone(), from.clone())).collect()
}

/// The order of the constructors' arguments: the highest layer's.
fn arguments(node: &MergedItem<'_, Operation>) -> Vec<String> {
    let stated = node.highest(|body| Some(&body.arguments).filter(|stated| !stated.is_empty()));
    stated.map(|(_, arguments)| arguments.clone()).unwrap_or_default()
}
