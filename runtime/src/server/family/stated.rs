//! Programs whose profile states the words of their errors, as those on Phoenix and Laravel.

use axum::http::StatusCode;
use fedispec_since::ErrorCase;

use super::{Errors, Family, HTML, JSON, Nothing, PAGE, Unreadable};
use crate::server::Caller;
use crate::server::refusal::Refusal;
use crate::{Auth, TokenKind};

pub(super) struct Stated;

impl Stated {
    fn page(case: ErrorCase, status: StatusCode, errors: &Errors<'_>) -> Nothing {
        let (status, text) = errors.stated(case, status).unwrap_or((status, None));
        text.map_or((status, HTML, PAGE), |text| (status, JSON, text))
    }

    /// The answer to a parameter.
    fn of_param(
        case: ErrorCase,
        key: &str,
        most: Option<u64>,
        errors: &Errors<'_>,
    ) -> Option<(StatusCode, String)> {
        let (status, text) = errors.stated(case, StatusCode::UNPROCESSABLE_ENTITY)?;
        let most = most.map(|most| most.to_string()).unwrap_or_default();
        let text = text?.replace("{words}", &key.replace('_', " "));
        Some((status, text.replace("{key}", key).replace("{most}", &most)))
    }
}

impl Family for Stated {
    /// Switches take any text.
    fn unreadable(&self, text: &Unreadable<'_>, errors: &Errors<'_>) -> Option<String> {
        let told = Self::of_param(ErrorCase::NoNumber, text.param, None, errors)?;
        (!text.is_switch).then_some(told.1)
    }

    fn empty_in_path(&self, errors: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        let (status, text) = errors.stated(ErrorCase::EmptyInPath, StatusCode::NOT_FOUND)?;
        Some((status, text?))
    }

    fn missing(&self, key: &str, _: bool, errors: &Errors<'_>) -> Option<(StatusCode, String)> {
        Self::of_param(ErrorCase::Missing, key, None, errors)
    }

    fn nothing(&self, _: &str, errors: &Errors<'_>) -> Nothing {
        Self::page(ErrorCase::Nothing, StatusCode::NOT_FOUND, errors)
    }

    fn other_method(&self, _: &str, errors: &Errors<'_>) -> Nothing {
        Self::page(ErrorCase::OtherMethod, StatusCode::METHOD_NOT_ALLOWED, errors)
    }

    fn ignores_bad_tokens(&self, _: &Auth) -> bool {
        true
    }

    fn plain(&self, status: StatusCode, errors: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        let (status, text) = errors.stated(
            match status {
                StatusCode::FORBIDDEN => ErrorCase::Forbidden,
                StatusCode::NOT_FOUND => ErrorCase::NotFound,
                StatusCode::INTERNAL_SERVER_ERROR => ErrorCase::Internal,
                _ => return None,
            },
            status,
        )?;
        Some((status, text?))
    }

    fn too_long(&self, key: &str, _: u64, most: u64, errors: &Errors<'_>) -> (StatusCode, String) {
        Self::of_param(ErrorCase::TooLong, key, Some(most), errors).unwrap_or_else(|| {
            (StatusCode::UNPROCESSABLE_ENTITY, format!("{key} is longer than {most}"))
        })
    }

    fn refuse(
        &self,
        refusal: Refusal,
        auth: &Auth,
        _: Option<&Caller>,
        errors: &Errors<'_>,
    ) -> (StatusCode, String) {
        let is_of_users = auth.token == TokenKind::User || auth.scopes.is_empty();
        let unauthenticated = StatusCode::from_u16(auth.unauthenticated);
        let unauthenticated = unauthenticated.unwrap_or(StatusCode::UNAUTHORIZED);
        let (case, status) = match refusal {
            Refusal::Permission => (ErrorCase::Permission, StatusCode::FORBIDDEN),
            Refusal::Scope => (ErrorCase::Scope, StatusCode::FORBIDDEN),
            Refusal::NotAUser => (ErrorCase::NotAUser, unauthenticated),
            _ if is_of_users => (ErrorCase::NoToken, unauthenticated),
            _ => (ErrorCase::NoAppToken, unauthenticated),
        };
        let stated = |case| errors.stated(case, status);
        let found = stated(case).or_else(|| stated(ErrorCase::NoToken));
        let (status, text) = found.unwrap_or((status, None));
        let scopes: Vec<_> = auth.scopes().collect();
        let scopes = scopes.join(if auth.all { " & " } else { " | " });
        (status, text.unwrap_or_default().replace("{scopes}", &scopes))
    }
}
