//! The router and its handlers: which operations are served, with their parameters and tokens.

use std::collections::BTreeMap;

use super::go::{Packages, arguments};
use super::walk::{Found, Route, TokenCheck, Walk};
use crate::surface::{Auth, Endpoint, Operation, Param};
use crate::syntax::Spot;

/// The package whose `Route` methods attach everything.
const ROUTER: &str = "internal/api";

/// Every route, in the order in which they are attached.
pub(super) fn routes<'s>(packages: &Packages<'s>) -> Vec<Route<'s>> {
    let mut walk = Walk::new(packages);
    let methods = packages.package(ROUTER).into_iter().flat_map(|package| &package.methods);
    for (_, method) in methods.filter(|((_, name), _)| name.starts_with("Route")) {
        walk.start(*method);
    }
    walk.found.routes
}

/// Reads a handler. A path of which a part is one of several fixed words stands for one operation each.
pub(super) fn operations<'s>(
    packages: &Packages<'s>,
    route: &Route<'s>,
) -> Vec<(Endpoint, Operation)> {
    let mut walk = Walk::over(packages, &route.endpoint.path);
    let function = route.handler.map(|function| match route.condition {
        // A route of builds for debugging has its handler in the files for these.
        Some(_) => packages.of_other_builds(function).unwrap_or(function),
        None => function,
    });
    match function {
        Some(function) => walk.start(function),
        None => walk.found.unfollowed.push(format!("the handler at {}", route.at)),
    }
    let mut found = walk.found;
    let mut auth = auth(&mut found, route);
    if let (Some(auth), Some(function)) = (&mut auth, function)
        && auth.scopes.is_empty()
    {
        auth.scopes = permitted(packages, function);
    }
    let parts = route.endpoint.path.split('/').filter_map(|part| part.strip_prefix([':', '*']));
    found.params.extend(parts.map(|name| (name.to_owned(), Param::of_path(route.at.clone()))));
    let stated = function.and_then(super::swagger::answer);
    let answer = function.and_then(|function| super::answers::answer(packages, function));
    let mut paths = vec![route.endpoint.path.clone()];
    // Any version is as good as another to a handler that does not look at it.
    if route.endpoint.path.starts_with("/api/:api_version/") {
        let versions = || vec!["v1".to_owned(), "v2".to_owned()];
        found.choices.entry("api_version".to_owned()).or_insert_with(versions);
    }
    for (name, words) in &found.choices {
        let part = format!(":{name}");
        if route.endpoint.path.split('/').any(|one| one == part) {
            found.params.remove(name);
            let filled = |path: &String| -> Vec<String> {
                words.iter().map(|word| path.replace(&part, word)).collect()
            };
            paths = paths.iter().flat_map(filled).collect();
        }
    }
    let operation = Operation {
        at: route.at.clone(),
        condition: route.condition.clone(),
        params: found.params,
        auth,
        answer: answer.or(stated),
        refusals: found.refusals,
        errors: BTreeMap::new(),
        stub: found.empty && !found.works,
        handler: function.map(|function| function.place().to_string()),
        unfollowed: found.unfollowed,
    };
    let method = &route.endpoint.method;
    let endpoint = |path| Endpoint { method: method.clone(), path };
    paths.into_iter().map(|path| (endpoint(path), operation.clone())).collect()
}

/// `scope.Permits(ScopeRead)`: the scopes that a handler looks for by itself, or a processor in `m.processor.Stream().Authorize(ctx, token)`.
fn permitted<'s>(packages: &Packages<'s>, handler: Spot<'s>) -> Vec<String> {
    let asks = handler
        .of_kind("selector_expression")
        .any(|at| at.text().starts_with("m.processor.") && at.is("field", "Authorize"));
    let asked = packages.all().filter(|_| asks);
    let methods = asked.filter_map(|(_, of)| of.methods.get(&("Processor", "Authorize")).copied());
    let calls = methods
        .chain([handler])
        .flat_map(Spot::all)
        .filter(|call| call.field("function").is_some_and(|called| called.is("field", "Permits")));
    let given = calls.flat_map(arguments);
    given.filter_map(|at| packages.string(at, &|_| None)).collect()
}

/// The strictest of the calls that ask for a token.
fn auth(found: &mut Found<'_>, route: &Route<'_>) -> Option<Auth> {
    route.handler?;
    let strictness =
        |asked: &TokenCheck| asked.flags.iter().filter(|flag| **flag != Some(false)).count();
    found.asked.sort_by_key(|one| std::cmp::Reverse(strictness(one)));
    let Some(first) = found.asked.first() else {
        return Some(Auth {
            at: route.at.clone(),
            token: "none",
            scopes: Vec::new(),
            role: found.role,
            condition: None,
        });
    };
    let scopes: Option<Vec<String>> = first.scopes.iter().cloned().collect();
    let flags: Option<Vec<bool>> = first.flags.iter().copied().collect();
    let (Some(scopes), Some(flags)) = (scopes, flags) else {
        found.unfollowed.push(format!("what the call at {} asks for", first.at));
        return None;
    };
    let flag = |place: usize| flags.get(place) == Some(&true);
    let token = match (flag(2) || flag(3), flag(0) || flag(1)) {
        (true, _) => "user",
        (false, true) => "app",
        (false, false) => "optional",
    };
    let differs = found.asked.iter().any(|other| strictness(other) != strictness(first));
    Some(Auth {
        at: first.at.clone(),
        token,
        scopes,
        role: found.role,
        condition: first.condition.clone().filter(|_| differs),
    })
}
