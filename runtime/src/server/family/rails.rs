//! Ruby on Rails with Doorkeeper, as in Mastodon.

use axum::http::StatusCode;

use super::{Errors, Family, HTML, JSON, Manners, NOT_FOUND, Nothing, PAGE, Unreadable};
use crate::Auth;
use crate::server::Caller;
use crate::server::refusal::Refusal;

pub(super) struct Rails;

/// An attribute's name for people: that of the locale, or as `humanize` makes it.
fn words(key: &str) -> String {
    let key = match key {
        "client_name" => "application_name",
        "email" => "e-mail_address",
        "redirect_uris" => return "Redirect URI".to_owned(),
        "website" => "application_website",
        key => key,
    };
    let mut words = key.strip_suffix("_id").unwrap_or(key).replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

impl Family for Rails {
    /// Strong parameters permit what has the shape alone, and attributes cast what they are given.
    fn manners(&self) -> Manners {
        Manners { is_lenient: true, asks_scopes_first: true, ..Manners::default() }
    }

    fn unreadable(&self, _: &Unreadable<'_>, _: &Errors<'_>) -> Option<String> {
        None
    }

    /// The router takes two slashes for one, so that another path is meant, and the name of an action for an id.
    fn empty_in_path(&self, _: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        Some((StatusCode::NOT_FOUND, "Record not found"))
    }

    /// `rescue_from Date::Error`; what schedules a status rescues it before.
    fn no_time(&self, param: &str) -> Option<(StatusCode, &'static str)> {
        let told = if param == "scheduled_at" { "Record invalid" } else { "Invalid date supplied" };
        Some((StatusCode::UNPROCESSABLE_ENTITY, told))
    }

    /// `params.require`, and a model's validation.
    fn missing(&self, key: &str, is_read: bool, _: &Errors<'_>) -> Option<(StatusCode, String)> {
        Some(if is_read {
            let told = format!("param is missing or the value is empty: {key}");
            (StatusCode::BAD_REQUEST, told)
        } else {
            let told = format!("Validation failed: {} can't be blank", words(key));
            (StatusCode::UNPROCESSABLE_ENTITY, told)
        })
    }

    /// `Mastodon::InvalidParameterError` of a filter, and a model's validation. Two are looked at apart.
    fn unlisted(
        &self,
        key: &str,
        sent: &str,
        is_read: bool,
        _: &str,
    ) -> Option<(StatusCode, String)> {
        if is_read {
            return Some((StatusCode::BAD_REQUEST, format!("Unknown {key}: {sent}")));
        }
        let told = match key {
            "context" => "Validation failed: Context None or invalid context supplied".to_owned(),
            "quote_approval_policy" => "Record invalid".to_owned(),
            _ => format!("Validation failed: {} is not included in the list", words(key)),
        };
        Some((StatusCode::UNPROCESSABLE_ENTITY, told))
    }

    /// `ApplicationController#not_found`: a page, unless JSON is named; in older releases nothing, unless a page is named.
    fn nothing(&self, accept: &str, errors: &Errors<'_>) -> Nothing {
        let missing = StatusCode::NOT_FOUND;
        if !errors.have(|errors| errors.nothing_is_json) {
            return if accept.contains("text/html") {
                (missing, HTML, PAGE)
            } else {
                (missing, None, "")
            };
        }
        if accept.contains("application/json") {
            (missing, JSON, NOT_FOUND)
        } else {
            (missing, HTML, PAGE)
        }
    }

    fn other_method(&self, accept: &str, errors: &Errors<'_>) -> Nothing {
        self.nothing(accept, errors)
    }

    /// Doorkeeper does not look at a token where it looks at no scope.
    fn ignores_bad_tokens(&self, auth: &Auth) -> bool {
        auth.scopes.is_empty()
    }

    fn plain(&self, _: StatusCode, _: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        None
    }

    /// Nested attributes, as Rails calls them, are told by the name of what they belong to.
    fn too_long(&self, key: &str, _: u64, most: u64, _: &Errors<'_>) -> (StatusCode, String) {
        let words = words(key.strip_suffix("_attributes").unwrap_or(key));
        let told = format!("Validation failed: {words} is too long (maximum is {most} characters)");
        (StatusCode::UNPROCESSABLE_ENTITY, told)
    }

    /// `doorkeeper_authorize!`, then `require_user!` or a policy.
    fn refuse(
        &self,
        refusal: Refusal,
        auth: &Auth,
        _: Option<&Caller>,
        errors: &Errors<'_>,
    ) -> (StatusCode, String) {
        const USER: &str = "This method requires an authenticated user";
        const NOT_ALLOWED: &str = "This action is not allowed";
        let unauthorized = StatusCode::UNAUTHORIZED;
        let (status, message) = match refusal {
            // A policy refuses whoever is no user of the role.
            Refusal::NoToken | Refusal::NotAUser if auth.unauthenticated == 403 => {
                (StatusCode::FORBIDDEN, NOT_ALLOWED)
            }
            // Introspection of tokens answers in Doorkeeper's way.
            Refusal::NoToken if auth.unauthenticated == 400 => {
                (StatusCode::BAD_REQUEST, "invalid_request")
            }
            Refusal::NoToken if auth.unauthenticated == 422 => {
                (StatusCode::UNPROCESSABLE_ENTITY, USER)
            }
            Refusal::NoToken | Refusal::UnknownToken
                if !errors.have(|errors| errors.token_words) =>
            {
                (unauthorized, "Not authorized")
            }
            Refusal::NoToken | Refusal::UnknownToken => {
                (unauthorized, "The access token is invalid")
            }
            Refusal::ExpiredToken => (unauthorized, "The access token expired"),
            Refusal::RevokedToken => (unauthorized, "The access token was revoked"),
            Refusal::NotAUser => (StatusCode::UNPROCESSABLE_ENTITY, USER),
            Refusal::NotAnApplication => {
                (StatusCode::FORBIDDEN, "This method requires an client credentials authentication")
            }
            Refusal::Scope => {
                (StatusCode::FORBIDDEN, "This action is outside the authorized scopes")
            }
            Refusal::Permission => (StatusCode::FORBIDDEN, NOT_ALLOWED),
        };
        (status, message.to_owned())
    }
}
