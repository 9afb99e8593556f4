//! The state from which a stand-in begins, and to which it returns.

use fedispec::server::{Result, Scopes};

use crate::post::add_user;
use crate::sign_in::OUT_OF_BAND;
use crate::store::accounts::Role;
use crate::store::{Key, State};

/// The name of the account that is there from the start.
pub const OWNER: &str = "owner";
/// The address with which it signs in; the password is [`PASSWORD`](crate::PASSWORD).
pub const OWNER_EMAIL: &str = "owner@example.org";
/// Every scope of both programs.
const ALL_SCOPES: &str = "read write follow push profile admin:read admin:write admin";

/// The seed of a state, and the text of the owner's token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beginning {
    pub(crate) seed: Option<u64>,
    pub(crate) token: Option<String>,
}

impl Beginning {
    /// A state without anything.
    pub(crate) fn state(&self) -> State {
        self.seed.map_or_else(State::default, State::seeded)
    }

    /// Sees to it that a state has an owner with a token for every scope, and answers the token.
    pub(crate) fn settle(&self, state: &mut State) -> Result<String> {
        let owner = state.users().find(|user| user.role() == Role::Owner);
        let owner = match owner.map(|owner| owner.id) {
            Some(owner) => owner,
            None => add_user(state, OWNER, Role::Owner),
        };
        let scopes = Scopes::from(ALL_SCOPES);
        let known = state.oauth.tokens.iter().find(|(text, token)| {
            let is_wanted = self.token.as_ref().is_none_or(|wanted| wanted == *text);
            is_wanted && token.account == Some(owner) && token.scopes == scopes && !token.revoked
        });
        match known {
            Some((text, _)) => Ok(text.clone()),
            None => token_for(state, owner, self.token.clone()),
        }
    }
}

/// Gives a user a token with every scope: one of this text, or a new one.
pub(crate) fn token_for(state: &mut State, account: Key, text: Option<String>) -> Result<String> {
    let apps = &mut state.oauth.apps.values();
    let app = if let Some(app) = apps.find(|app| app.name == env!("CARGO_PKG_NAME")) {
        app.id
    } else {
        let redirect = vec![OUT_OF_BAND.to_owned()];
        let website = state.origin().to_owned();
        let app = state.add_app(env!("CARGO_PKG_NAME"), redirect, ALL_SCOPES.into())?;
        app.website = Some(website);
        app.id
    };
    let Some(text) = text else {
        return state.add_token(app, Some(account), ALL_SCOPES.into());
    };
    state.put_token(text.clone(), app, Some(account), ALL_SCOPES.into());
    Ok(text)
}
