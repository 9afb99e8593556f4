//! Signing in.

use fedispec::enums::OauthGrantType;
use fedispec::server::{Call, Oauth, OauthError, Result, Scopes, Secret};
use fedispec::{entities, oauth, required};

use crate::app::{App, Locked};
use crate::store::Key;

/// What a token may do that names no scopes.
const DEFAULT_SCOPES: &str = "read";

impl Oauth for App {
    async fn token(&self, request: oauth::Token, _: Call) -> Result<entities::Token> {
        let mut state = self.state();
        let apps = &mut state.oauth.apps.values();
        let app = apps.find(|app| app.client_id == request.client_id);
        let app = app.filter(|app| app.client_secret == request.client_secret.expose());
        let app = app.ok_or(OauthError::InvalidClient)?.clone();
        let scopes = request.scope.as_deref().unwrap_or(DEFAULT_SCOPES);
        let scopes = Scopes::from(scopes);
        if !scopes.iter().all(|scope| app.scopes.allow(scope)) {
            return Err(OauthError::InvalidScope.into());
        }
        let account = match request.grant_type {
            OauthGrantType::ClientCredentials => None,
            OauthGrantType::Password => Some(by_password(&state, &request)?),
            _ => return Err(OauthError::UnsupportedGrantType.into()),
        };
        let text = state.add_token(app.id, account, scopes)?;
        token(&state, &text)
    }
}

fn by_password(state: &Locked<'_>, request: &oauth::Token) -> Result<Key> {
    let name = request
        .username
        .as_deref()
        .ok_or(OauthError::InvalidRequest)?;
    let account = state.user(name).ok_or(OauthError::InvalidGrant)?;
    let password = request.password.as_ref().map(Secret::expose);
    let user = account.user.as_ref();
    let is_right = user.is_some_and(|user| password == Some(&*user.password));
    Ok(is_right
        .then_some(account.id)
        .ok_or(OauthError::InvalidGrant)?)
}

/// A token as its application is told.
fn token(state: &Locked<'_>, text: &str) -> Result<entities::Token> {
    let token = state
        .oauth
        .tokens
        .get(text)
        .ok_or(OauthError::InvalidGrant)?;
    Ok(entities::Token {
        created_at: Some(token.created_at / 1000),
        ..required::Token {
            access_token: Secret::from(text),
            scope: token.scopes.to_string(),
            token_type: "Bearer".to_owned(),
        }
        .into()
    })
}
