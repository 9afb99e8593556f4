//! Elixir with Phoenix and `OpenApiSpex`, as in Pleroma and Akkoma.

use axum::http::StatusCode;

use super::{Errors, Family, JSON, Nothing, Unreadable};
use crate::server::Caller;
use crate::server::refusal::Refusal;
use crate::{Auth, TokenKind};

pub(super) struct Phoenix;

impl Family for Phoenix {
    /// The words of `RenderError` for a text where a schema has a number; switches take any text (`BooleanLike`).
    fn unreadable(&self, text: &Unreadable<'_>, errors: &Errors<'_>) -> Option<String> {
        let is_read_by_schema = errors.have(|errors| errors.parses_in_one_place);
        (is_read_by_schema && !text.is_switch)
            .then(|| format!("{} - Invalid integer. Got: string.", text.param))
    }

    /// `RedirectController.api_not_implemented`
    fn nothing(&self, _: &str, _: &Errors<'_>) -> Nothing {
        (StatusCode::NOT_FOUND, JSON, "{\"error\":\"Not implemented\"}")
    }

    /// The router has no route, and `ErrorView` tells it.
    fn other_method(&self, _: &str, _: &Errors<'_>) -> Nothing {
        (StatusCode::NOT_FOUND, JSON, "{\"errors\":{\"detail\":\"Page not found\"}}")
    }

    /// `OAuthPlug` goes on without the token.
    fn ignores_bad_tokens(&self, _: &Auth) -> bool {
        true
    }

    /// `EnsureAuthenticatedPlug` is in the pipeline, before the scopes of the controller.
    fn asks_scopes_first(&self) -> bool {
        false
    }

    /// The words of `FallbackController`.
    fn plain(&self, status: StatusCode) -> Option<&'static str> {
        match status {
            StatusCode::FORBIDDEN => Some("Access denied"),
            StatusCode::NOT_FOUND => Some("Record not found"),
            _ => None,
        }
    }

    fn too_long(&self, key: &str, _: u64, most: u64) -> (StatusCode, String) {
        let told = format!("{key} - String length is larger than maxLength: {most}.");
        (StatusCode::BAD_REQUEST, told)
    }

    /// `EnsureAuthenticatedPlug`, then `UserIsStaffPlug`, then `OAuthScopesPlug`, which all answer 403. Where an application's token is as
    /// good, the scopes alone are asked for, and nobody has those of no token.
    fn refuse(
        &self,
        refusal: Refusal,
        auth: &Auth,
        _: Option<&Caller>,
        _: &Errors<'_>,
    ) -> (StatusCode, String) {
        let is_of_users = auth.token == TokenKind::User || auth.scopes.is_empty();
        let told = match refusal {
            Refusal::Permission => "User is not a staff member.".to_owned(),
            Refusal::Scope => insufficient(auth),
            Refusal::NotAUser => "Invalid credentials.".to_owned(),
            _ if is_of_users => "Invalid credentials.".to_owned(),
            _ => insufficient(auth),
        };
        (StatusCode::FORBIDDEN, told)
    }
}

fn insufficient(auth: &Auth) -> String {
    let scopes: Vec<_> = auth.scopes().collect();
    format!("Insufficient permissions: {}.", scopes.join(if auth.all { " & " } else { " | " }))
}
