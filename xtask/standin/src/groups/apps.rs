//! Applications, and the user's access tokens.

use fedispec::entities::TokenInfo;
use fedispec::{apps, tokens};

use super::oauth::all_scopes;
use super::prelude::*;
use crate::sign_in::OUT_OF_BAND;
use crate::store::oauth::{Application, Token};

/// The scopes of an application that names none.
const DEFAULT_SCOPES: &str = "read";

/// The applications that the caller has registered.
const APPS: Table<Application, entities::Application> =
    table!(oauth.apps, |app, me| app.owner == Some(me), |view, _, app| view.own_application(app));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: apps::Create, call| {
            let redirect_uris = request.redirect_uris.iter().flatten();
            let mut redirect_uris: Vec<String> =
                redirect_uris.flat_map(|uri| uri.split_whitespace()).map(str::to_owned).collect();
            not_blank(&request.client_name, not_valid("Application name can't be blank"))?;
            if redirect_uris.is_empty() && does(&call, Habit::RegistersAnyRedirect) {
                redirect_uris.push(OUT_OF_BAND.to_owned());
            }
            refuse_if!(redirect_uris.is_empty(), not_valid("Redirect URI can't be blank"));
            let is_wrong = redirect_uris.iter().any(|uri| !is_absolute(uri));
            refuse_if!(is_wrong, not_valid("Redirect URI must be an absolute URI."));
            let website = request.website.filter(|website| !website.is_empty());
            let is_wrong = website.as_ref().is_some_and(|website| !is_absolute(website));
            refuse_if!(is_wrong, not_valid("Website is not a valid URL"));
            let (mut state, owner) = app.viewer(&call);
            // GoToSocial registers them, against RFC 6749, 3.1.2.
            if !state.does(Habit::RegistersAnyRedirect) {
                let has_fragment = redirect_uris.iter().any(|uri| uri.contains('#'));
                refuse_if!(has_fragment, not_valid("Redirect URI cannot contain a fragment."));
                check(&redirect_uris, request.scopes.as_deref().unwrap_or_default())?;
            }
            let scopes = request.scopes.unwrap_or_else(|| DEFAULT_SCOPES.to_owned());
            let app = state.add_app(&request.client_name, redirect_uris, scopes.into())?;
            app.website = website;
            app.owner = owner;
            let app = app.clone();
            Ok(state.view(None).credential_application(&app))
        })
        .on(async |app: App, _: apps::VerifyCredentials, call| {
            let state = app.state();
            let app = state.app(&call).ok_or_else(Error::unauthorized)?;
            Ok(state.view(None).application(app))
        })
        .on(handler!(page APPS, apps::List))
        .on(by_user(|mut state, me, request: apps::Delete, _| {
            let app = APPS.take(&mut state, me, &request.id)?;
            // Its tokens go with it.
            state.oauth.tokens.retain(|_, token| token.app != app.id);
            Ok(state.view(me).own_application(&app))
        }))
        .on(handler!(one APPS, apps::Get))
        .on(by_user(|state, me, _: tokens::List, call| {
            let own = state.oauth.tokens.values();
            let own = own.filter(|token| token.account == Some(me) && !token.revoked);
            let page = state.page_of(&call, own.map(|token| (token.id, token)));
            Ok(page.map(|token| state.view(me).token_info(token)))
        }))
        .on(by_user(|state, me, request: tokens::Get, _| {
            let token = own(&state, me, &request.id)?;
            state.view(me).token_info(token).ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, me, request: tokens::Invalidate, _| {
            let id = own(&state, me, &request.id)?.id;
            let mut tokens = state.oauth.tokens.values_mut();
            let token = tokens.find(|token| token.id == id);
            let token = token.ok_or_else(Error::not_found)?;
            token.revoked = true;
            let token = token.clone();
            state.view(me).token_info(&token).ok_or_else(Error::not_found)
        }))
}

/// Refuses redirects and scopes as Doorkeeper does.
fn check(redirect_uris: &[String], scopes: &str) -> Result<()> {
    let is_forbidden = |uri: &String| {
        let scheme = uri.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        matches!(scheme.as_deref(), Some("javascript" | "data" | "vbscript" | "mailto"))
    };
    let forbidden = "Redirect URI is forbidden by the server.";
    refuse_if!(redirect_uris.iter().any(is_forbidden), not_valid(forbidden));
    let known = all_scopes();
    let is_known = |scope: &str| known.iter().any(|one| one.as_str() == scope);
    let unknown = "Scopes doesn't match configured on the server.";
    refuse_if!(!scopes.split_whitespace().all(is_known), not_valid(unknown));
    Ok(())
}

/// Whether an address names its scheme.
fn is_absolute(uri: &str) -> bool {
    let (scheme, rest) = uri.split_once(':').unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme && !rest.is_empty()
}

/// A token of the caller.
fn own<'s>(state: &'s State, me: Key, id: &Id<TokenInfo>) -> Result<&'s Token> {
    let key = state.key(id);
    let mut tokens = state.oauth.tokens.values();
    let token = tokens.find(|token| Some(token.id) == key && token.account == Some(me));
    token.ok_or_else(Error::not_found)
}

impl View<'_> {
    fn token_info(&self, token: &Token) -> Option<TokenInfo> {
        let app = self.state.oauth.apps.get(&token.app)?;
        Some(TokenInfo {
            last_used: token.last_used.map(|at| time(at).to_string()),
            ..current::TokenInfo {
                application: entities::Application {
                    created_at: None,
                    id: None,
                    redirect_uri: None,
                    redirect_uris: None,
                    scopes: None,
                    vapid_key: None,
                    ..self.application(app)
                },
                created_at: time(token.created_at),
                id: self.id(token.id),
                scope: token.scopes.to_string(),
            }
            .into()
        })
    }
}
