//! Tokens.

use fedispec::server::Secret;
use fedispec::{entities, required};

use super::View;

impl View<'_> {
    /// A token, as it is told once.
    pub(crate) fn token(&self, text: &str) -> Option<entities::Token> {
        let token = self.state.oauth.tokens.get(text)?;
        Some(entities::Token {
            created_at: Some(token.created_at / 1000),
            ..required::Token {
                access_token: Secret::from(text),
                scope: token.scopes.to_string(),
                token_type: "Bearer".to_owned(),
            }
            .into()
        })
    }
}
