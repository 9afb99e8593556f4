//! Tokens.

use fedispec::server::Secret;

use super::prelude::*;

/// How long GoToSocial says that a token of an application's own is good, in seconds. It is good for longer.
const LASTS: i64 = 7200;

impl View<'_> {
    /// A token, as it is told once.
    pub(crate) fn token(&self, text: &str) -> Option<entities::Token> {
        let token = self.state.oauth.tokens.get(text)?;
        Some(entities::Token {
            // GoToSocial lets those of applications end.
            expires_in: (token.account.is_none() && self.state.does(Habit::EndsAppTokens))
                .then_some(LASTS),
            ..current::Token {
                access_token: Secret::from(text),
                scope: token.scopes.to_string(),
                token_type: "Bearer".to_owned(),
                created_at: token.created_at / 1000,
            }
            .into()
        })
    }
}
