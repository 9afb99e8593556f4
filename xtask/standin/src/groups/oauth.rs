//! Signing in: the page, codes with and without PKCE, passwords, and applications' own tokens.

use fedispec::enums::{OauthGrantType, OauthScope};
use fedispec::oauth;
use fedispec::server::{Authorization, OauthError, Scopes};

use super::prelude::*;
use crate::sign_in::{self, OUT_OF_BAND};
use crate::store::accounts::User;
use crate::store::oauth::{Application, Grant, secret};

/// The scopes of a token for which none are named.
const DEFAULT_SCOPES: &str = "read";
/// The help with a request that belongs to no sign-in.
const NO_SIGN_IN: &str = "If you arrived at this error during a sign in/oauth flow, please try clearing your session cookies and signing in again; if problems persist, make sure you're using the correct credentials";
/// The help with a grant that the program does not know.
const NO_GRANT: &str = "If you arrived at this error during a sign in/oauth flow, your client is trying to use an unsupported OAuth grant type. Supported grant types are: authorization_code, client_credentials; please reach out to developer of your client";
/// How long a code can be exchanged, in milliseconds.
const CODE_LASTS: i64 = 600_000;

pub(super) fn flow(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: oauth::Authorize, call| {
            let asked = call.authorization()?;
            let state = app.state();
            let app = admit(&state, &asked)?;
            Err(Reply::html(sign_in::page(&app.name, &asked, None)))?
        })
        .on(async |app: App, _: oauth::Approve, call| {
            let sent = call.unknown_params();
            let asked = call.authorization().map_err(|_| {
                refused(StatusCode::UNAUTHORIZED, "The form is not that of a sign-in.")
            })?;
            let text = |name: &str| sent.get(name).and_then(Json::as_str).unwrap_or_default();
            let mut state = app.state();
            let name = admit(&state, &asked)?.name.clone();
            if text("decision") == "deny" {
                Err(asked.refuse(OauthError::AccessDenied))?;
            }
            let account = signed_in(&state, text("username"), text("password"));
            let now = state.now();
            let admits = |user: &mut User| user.two_factor.admits(text("code"), now);
            let account = account.filter(|key| {
                let user = state.account_mut(*key).ok().and_then(|own| own.user.as_mut());
                user.is_some_and(admits)
            });
            let Some(account) = account else {
                let why = "There is no such user, or the password or the one-time code is wrong.";
                let page = sign_in::page(&name, &asked, Some(why));
                Err(Reply::html(page).with_status(StatusCode::UNAUTHORIZED))?
            };
            let code = secret(&mut state.chance)?;
            let back = match asked.redirect_uri.as_str() {
                OUT_OF_BAND => Reply::html(sign_in::code_page(&code)),
                _ => asked.accept(&code),
            };
            let grant =
                Grant { account, asked, expires_at: state.now().saturating_add(CODE_LASTS) };
            state.oauth.grants.insert(code, grant);
            Err(back)?
        })
        .on(async |_: App, request: oauth::OutOfBand, _| {
            Err(Reply::html(sign_in::code_page(request.code.expose())))?
        })
        // Nobody signs in through an outside identity provider, so that there is no sign-in to end.
        .on(async |_: App, _: oauth::Finalize, _| {
            Err(Error::new(StatusCode::BAD_REQUEST, format!("Bad Request: {NO_SIGN_IN}")))
        })
        .on(async |app: App, request: oauth::Token, call| {
            let mut state = app.state();
            let granted = granted(&mut state, &request);
            let (app, account, scopes) =
                granted.map_err(|refusal| told(&call, refusal, asked_scope(&request)))?;
            let text = state.add_token(app, account, scopes)?;
            state.view(account).token(&text).ok_or_else(Error::internal)
        })
        .on(async |app: App, request: oauth::Revoke, call| {
            let not_theirs = || {
                let error = Error::new(StatusCode::FORBIDDEN, "unauthorized_client");
                error.with_description("You are not authorized to revoke this token")
            };
            if request.client_id.is_empty() {
                // A release that does not ask for the client revokes nothing without it.
                return Ok(Empty);
            }
            let mut state = app.state();
            let app = client(&state, &request.client_id, request.client_secret.expose());
            // Doorkeeper calls a client that it does not know one to whom the token does not belong.
            let app =
                app.map_err(|(error, _)| {
                    if does(&call, Habit::TellsWhy) { error.into() } else { not_theirs() }
                })?
                .id;
            let token = request.token.as_ref().map_or("", Secret::expose);
            let Some(token) = state.oauth.tokens.get_mut(token) else {
                // As RFC 7009 wants it: there is nothing left to revoke.
                return Ok(Empty);
            };
            refuse_if!(token.app != app, not_theirs());
            token.revoked = true;
            Ok(Empty)
        })
}

pub(super) fn documents(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: oauth::ServerMetadata, _| {
            let state = app.state();
            let at = |path: &str| format!("{}{path}", state.origin());
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            let mut grants = vec!["authorization_code", "client_credentials"];
            if app.release().has("OauthGrantType.password") {
                grants.push("password");
            }
            Ok(current::ServerMetadata {
                app_registration_endpoint: at("/api/v1/apps"),
                authorization_endpoint: at("/oauth/authorize"),
                code_challenge_methods_supported: texts(&["S256"]),
                grant_types_supported: texts(&grants),
                issuer: at("/"),
                response_modes_supported: texts(&["query", "fragment", "form_post"]),
                response_types_supported: texts(&["code"]),
                revocation_endpoint: at("/oauth/revoke"),
                scopes_supported: all_scopes(),
                service_documentation: app.release().documentation().to_owned(),
                token_endpoint: at("/oauth/token"),
                token_endpoint_auth_methods_supported: texts(&[
                    "client_secret_basic",
                    "client_secret_post",
                ]),
                userinfo_endpoint: at("/oauth/userinfo"),
            }
            .into())
        })
        .on(by_user(|state, me, _: oauth::Userinfo, _| {
            let account = state.view(me).account(me);
            let uri = state.view(me).account_uri(state.known_account(me)?);
            let info = current::UserInfo {
                iss: format!("{}/", state.origin()),
                sub: uri,
                name: account.display_name,
                preferred_username: account.username,
                profile: account.url.unwrap_or_default(),
                picture: account.avatar,
            };
            Ok(info.into())
        }))
        .on(async |app: App, _: oauth::Introspect, call| {
            let sent = call.unknown_params();
            let state = app.state();
            let text = sent.get("token").and_then(Json::as_str).unwrap_or_default();
            let token = state.oauth.tokens.get(text).filter(|token| !token.revoked);
            Ok(match token {
                None => json!({"active": false}),
                Some(token) => json!({
                    "active": true,
                    "scope": token.scopes.to_string(),
                    "client_id": state.oauth.apps.get(&token.app).map(|app| app.client_id.clone()),
                    "token_type": "Bearer",
                    "exp": null,
                    "iat": token.created_at / 1000,
                }),
            })
        })
        .on(async |app: App, _: oauth::TokenInfo, call| {
            let state = app.state();
            let token = state.token(&call).ok_or_else(Error::unauthorized)?;
            let scopes: Vec<_> = token.scopes.iter().collect();
            Ok(json!({
                "resource_owner_id": token.account.map(|key| state.id::<()>(key).to_string()),
                "scope": scopes,
                "expires_in": null,
                "application": {"uid": state.oauth.apps.get(&token.app).map(|app| app.client_id.clone())},
                "created_at": token.created_at / 1000,
            }))
        })
}

/// Why no token is given, and the code that GoToSocial has for it.
type Refusal = (OauthError, &'static str);
/// Something that a token takes, or why none is given.
type Granted<T> = std::result::Result<T, Refusal>;

/// A refusal that GoToSocial has the same code for.
fn alike(error: OauthError) -> Refusal {
    (error, error.as_str())
}

/// The refusal of a client or a code that there is not. GoToSocial answers what its database says.
fn unknown(error: OauthError) -> Refusal {
    (error, "sql: no rows in result set")
}

/// The error of a refusal: in the words of Doorkeeper, or in those of GoToSocial.
fn told(call: &Call, (error, code): Refusal, scope: &str) -> Error {
    if !does(call, Habit::TellsWhy) {
        return error.into();
    }
    let (status, why) = match error {
        OauthError::InvalidScope => {
            let why = format!("requested scope {scope} was not covered by client scope");
            (StatusCode::FORBIDDEN, format!("Forbidden: {why}: {NO_SIGN_IN}"))
        }
        OauthError::UnsupportedGrantType => {
            let why = format!("could not validate token request: {code}");
            (StatusCode::BAD_REQUEST, format!("Bad Request: {why}: {NO_GRANT}"))
        }
        _ => {
            let why = format!("could not get access token: {code}");
            (StatusCode::BAD_REQUEST, format!("Bad Request: {why}: {NO_SIGN_IN}"))
        }
    };
    Error::new(status, code).with_description(why)
}

fn asked_scope(request: &oauth::Token) -> &str {
    request.scope.as_deref().unwrap_or(DEFAULT_SCOPES)
}

/// The application that a request for a token proves to be, the account of the user who has let it in, and the scopes.
fn granted(state: &mut Locked<'_>, request: &oauth::Token) -> Granted<(Key, Option<Key>, Scopes)> {
    let client = client(state, &request.client_id, request.client_secret.expose())?.clone();
    let within = || {
        let scopes = Scopes::from(asked_scope(request));
        let is_within = scopes.iter().all(|scope| client.scopes.allow(scope));
        is_within.then_some(scopes).ok_or(alike(OauthError::InvalidScope))
    };
    let (account, scopes) = match request.grant_type {
        OauthGrantType::AuthorizationCode => {
            let grant = exchange(state, request)?;
            (Some(grant.account), grant.asked.scopes)
        }
        OauthGrantType::ClientCredentials => (None, within()?),
        OauthGrantType::Password if state.release().has("OauthGrantType.password") => {
            let name = request.username.as_deref().unwrap_or_default();
            let password = request.password.as_ref().map_or("", Secret::expose);
            let account = signed_in(state, name, password);
            (Some(account.ok_or(alike(OauthError::InvalidGrant))?), within()?)
        }
        _ => return Err(alike(OauthError::UnsupportedGrantType)),
    };
    Ok((client.id, account, scopes))
}

/// The application that has shown its secret.
fn client<'s>(state: &'s State, id: &str, secret: &str) -> Granted<&'s Application> {
    let app = state.oauth.apps.values().find(|app| app.client_id == id);
    let app = app.ok_or(unknown(OauthError::InvalidClient))?;
    let is_right = app.client_secret == secret;
    is_right.then_some(app).ok_or(alike(OauthError::InvalidClient))
}

fn refused(status: StatusCode, why: &str) -> Error {
    Reply::html(sign_in::error_page(why)).with_status(status).into()
}

/// The application that asks on the page. Nobody is sent to an address that it has not registered.
fn admit<'s>(state: &'s Locked<'_>, asked: &Authorization) -> Result<&'s Application> {
    let mut apps = state.oauth.apps.values();
    let app = apps.find(|app| app.client_id == asked.client_id);
    let unknown = "The application is not known here: its client_id is wrong.";
    let app = app.ok_or_else(|| refused(StatusCode::UNAUTHORIZED, unknown))?;
    let mut registered = app.redirect_uris.iter();
    if !registered.any(|one| asked.returns_to(one)) {
        let why = "The application has not registered this redirect_uri.";
        return Err(refused(StatusCode::BAD_REQUEST, why));
    }
    if asked.scopes.iter().all(|scope| app.scopes.allow(scope)) {
        return Ok(app);
    }
    Err(match asked.redirect_uri.as_str() {
        OUT_OF_BAND => refused(StatusCode::BAD_REQUEST, "The application was refused."),
        _ => asked.refuse(OauthError::InvalidScope).into(),
    })
}

/// The account of a user who has shown the password.
fn signed_in(state: &State, name: &str, password: &str) -> Option<Key> {
    let account = state.user(name)?;
    let is_right = account.user.as_ref()?.password == password;
    (is_right && !account.moderation.disabled).then_some(account.id)
}

/// Takes a code, which is good once.
fn exchange(state: &mut Locked<'_>, request: &oauth::Token) -> Granted<Grant> {
    let invalid = alike(OauthError::InvalidGrant);
    let code = request.code.as_ref().map_or("", Secret::expose);
    let grant = state.oauth.grants.remove(code).ok_or(unknown(OauthError::InvalidGrant))?;
    let (uri, verifier) = (request.redirect_uri.as_deref(), request.code_verifier.as_ref());
    grant.asked.redeem(&request.client_id, uri, verifier).map_err(|_| invalid)?;
    if grant.expires_at < state.now() { Err(invalid) } else { Ok(grant) }
}

/// Every scope; the release's are left of them.
pub(super) fn all_scopes() -> Vec<OauthScope> {
    let items = fedispec::items();
    let scopes = items.below("OauthScope");
    scopes.map(|scope| OauthScope::custom(scope.name())).collect()
}
