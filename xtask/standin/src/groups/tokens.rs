//! The user's access tokens.

use fedispec::entities::{self, TokenInfo};
use fedispec::tokens;

use super::prelude::*;
use crate::store::oauth::Token;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
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
