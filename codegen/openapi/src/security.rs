//! Requirements on callers, as security schemes.

use fedispec_model::api::{Auth, Operation, Since};
use fedispec_model::auth;
use fedispec_since::TokenKind;
use indexmap::IndexMap;

use crate::document::{Flow, Map, SecurityScheme};
use crate::view::View;

/// A user's token.
const USER: &str = "user";
/// An application's own token.
const APP: &str = "app";

/// The requirements of an operation on callers.
pub(crate) struct Requirement {
    /// Alternatives; an empty one means that no token is needed. Without any, nobody knows of a token.
    pub(crate) security: Vec<Map<Vec<String>>>,
    pub(crate) permissions: Vec<String>,
}

pub(crate) fn asked(view: &View<'_>, operation: &Operation) -> Requirement {
    let auths: Vec<Auth> = if let Some(release) = &view.release {
        let auth = auth::at(operation, release.place, release.version);
        auth.into_iter().collect()
    } else {
        let lives = operation.item.life.iter().enumerate();
        let having = lives.filter(|(_, life)| life.effective != Since::Never);
        having.filter_map(|(place, _)| operation.auth.as_ref()?.of(place).cloned()).collect()
    };
    let mut asked = Requirement { security: Vec::new(), permissions: Vec::new() };
    for auth in &auths {
        for alternative in alternatives(auth) {
            if !asked.security.contains(&alternative) {
                asked.security.push(alternative);
            }
        }
        for permission in &auth.permissions {
            if !asked.permissions.contains(permission) {
                asked.permissions.push(permission.clone());
            }
        }
    }
    // A lone empty alternative is what OpenAPI writes as an empty list.
    if asked.security.iter().all(Map::is_empty) {
        asked.security.clear();
    }
    asked
}

fn alternatives(auth: &Auth) -> Vec<Map<Vec<String>>> {
    let schemes: &[&str] = match auth.token {
        TokenKind::None | TokenKind::Unknown => return vec![Map::new()],
        TokenKind::Optional | TokenKind::App => &[USER, APP],
        TokenKind::Client => &[APP],
        TokenKind::User => &[USER],
    };
    let names = auth.scope_names().map(str::to_owned);
    let scopes: Vec<Vec<String>> = if auth.scopes.is_empty() || auth.all {
        vec![names.collect()]
    } else {
        names.map(|scope| vec![scope]).collect()
    };
    let nobody = (auth.token == TokenKind::Optional).then(Map::new);
    let tokens = schemes.iter().flat_map(|scheme| {
        let scopes = scopes.iter();
        scopes.map(move |scopes| Map::from([((*scheme).to_owned(), scopes.clone())]))
    });
    nobody.into_iter().chain(tokens).collect()
}

/// The schemes, with every scope that is shown or asked for.
pub(crate) fn schemes<'a>(
    view: &View<'_>,
    asked: impl Iterator<Item = &'a Vec<Map<Vec<String>>>>,
) -> Map<SecurityScheme> {
    let mut scopes: IndexMap<String, String> = IndexMap::new();
    if let Some(all) = view.index.enumeration("OauthScope") {
        for scope in all.values.iter().filter(|scope| view.shows(scope)) {
            let summary = view.summary(scope).unwrap_or_default();
            scopes.insert(scope.wire.clone(), summary);
        }
    }
    for requirement in asked.flatten() {
        for scope in requirement.values().flatten() {
            scopes.entry(scope.clone()).or_default();
        }
    }
    let user = Flow {
        authorization_url: Some("/oauth/authorize"),
        token_url: "/oauth/token",
        scopes: scopes.clone(),
    };
    // The other scheme says what each scope allows.
    let scopes = scopes.into_keys().map(|scope| (scope, String::new())).collect();
    let app = Flow { authorization_url: None, token_url: "/oauth/token", scopes };
    let scheme = |description, name: &str, flow| SecurityScheme {
        r#type: "oauth2",
        description,
        flows: Map::from([(name.to_owned(), flow)]),
    };
    Map::from([
        (
            USER.to_owned(),
            scheme("A user's token, as `Authorization: Bearer TOKEN`.", "authorizationCode", user),
        ),
        (
            APP.to_owned(),
            scheme(
                "An application's own token, as `Authorization: Bearer TOKEN`.",
                "clientCredentials",
                app,
            ),
        ),
    ])
}
