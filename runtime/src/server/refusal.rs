//! Refusals of callers, with the status and the words of the program that the server emulates.

use axum::http::StatusCode;
use axum::http::header::HeaderValue;

use super::target::Ways;
use super::{Caller, Target};
use crate::{Auth, Version};

/// Why a caller is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There is no token.
    NoToken,
    /// The token is of no user and no application.
    UnknownToken,
    /// The token has expired.
    ExpiredToken,
    /// The token was revoked.
    RevokedToken,
    /// The token is an application's, and a user's is needed.
    NotAUser,
    /// The token is a user's, and an application's is needed.
    NotAnApplication,
    /// The token lacks the scope.
    Scope,
    /// The user's role lacks the permission.
    Permission,
}

impl Refusal {
    /// Whether the token is worth nothing.
    pub(super) fn is_of_token(self) -> bool {
        matches!(self, Self::UnknownToken | Self::ExpiredToken | Self::RevokedToken)
    }

    /// The challenge (RFC 6750, 3). Naming the scopes reveals nothing.
    fn challenge(self, auth: &Auth, status: StatusCode) -> Option<HeaderValue> {
        if self == Self::Scope {
            let scopes = auth.scopes;
            let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scopes}\"");
            return HeaderValue::try_from(challenge).ok();
        }
        (status == StatusCode::UNAUTHORIZED).then(|| {
            HeaderValue::from_static(if self.is_of_token() {
                "Bearer error=\"invalid_token\""
            } else {
                "Bearer"
            })
        })
    }
}

/// The answer to a refused caller.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// The header `WWW-Authenticate`.
    pub(super) challenge: Option<HeaderValue>,
}

/// The program whose manners a server has: that of its target, or today's Mastodon.
#[derive(Clone, Copy)]
pub(super) struct Manners<'t>(pub(super) Option<&'t Target>);

impl Manners<'_> {
    fn is_gotosocial(self) -> bool {
        Ways::of(self.0).refuses_as_gotosocial
    }

    /// Whether a token that is worth nothing counts as none: GoToSocial looks no further at it, and neither does Mastodon where it looks
    /// at no scope.
    pub(super) fn ignores_bad_tokens(self, auth: &Auth) -> bool {
        self.is_gotosocial() || auth.scopes.is_empty()
    }

    /// Whether scopes are looked at before the kind of token, as Doorkeeper does in Mastodon.
    pub(super) fn asks_scopes_first(self) -> bool {
        !self.is_gotosocial()
    }

    /// The words of an error that says no more than its status, where they are not Mastodon's: GoToSocial answers the name of the status.
    pub(super) fn plain(self, status: StatusCode) -> Option<&'static str> {
        self.is_gotosocial().then(|| status.canonical_reason()).flatten()
    }

    /// The answer to a value that is longer than the program takes. The words of GoToSocial differ from one parameter to the next.
    pub(super) fn too_long(self, name: &str, count: u64, most: u64) -> (StatusCode, String) {
        let key = name.rsplit('[').find(|key| !matches!(*key, "" | "]")).unwrap_or(name);
        let key = key.trim_end_matches(']');
        if self.is_gotosocial() {
            let told =
                format!("Bad Request: {key} should be no more than {most}, provided {count}");
            return (StatusCode::BAD_REQUEST, told);
        }
        // Nested attributes, as Rails calls them, are told by the name of what they belong to.
        let mut words = key.strip_suffix("_attributes").unwrap_or(key).replace('_', " ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let told = format!("Validation failed: {words} is too long (maximum is {most} characters)");
        (StatusCode::UNPROCESSABLE_ENTITY, told)
    }

    /// Chooses the answer to a caller whom an operation refuses.
    pub(super) fn answer(self, refusal: Refusal, auth: &Auth, caller: Option<&Caller>) -> Answer {
        let (status, message) = if self.is_gotosocial() {
            gotosocial(refusal, caller)
        } else {
            let (status, message) = self.mastodon(refusal, auth);
            (status, message.to_owned())
        };
        Answer { status, message, challenge: refusal.challenge(auth, status) }
    }

    /// `doorkeeper_authorize!`, then `require_user!` or a policy.
    fn mastodon(self, refusal: Refusal, auth: &Auth) -> (StatusCode, &'static str) {
        const USER: &str = "This method requires an authenticated user";
        const NOT_ALLOWED: &str = "This action is not allowed";
        let first_words = Version::new(0, 9, 9);
        let unauthorized = StatusCode::UNAUTHORIZED;
        match refusal {
            // A policy refuses whoever is no user of the role.
            Refusal::NoToken | Refusal::NotAUser if auth.unauthenticated == 403 => {
                (StatusCode::FORBIDDEN, NOT_ALLOWED)
            }
            Refusal::NoToken if auth.unauthenticated == 422 => {
                (StatusCode::UNPROCESSABLE_ENTITY, USER)
            }
            Refusal::NoToken | Refusal::UnknownToken
                if self.0.is_some_and(|target| target.version < first_words) =>
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
        }
    }
}

/// `apiutil.TokenAuth`, then the question whether the user is an admin.
fn gotosocial(refusal: Refusal, caller: Option<&Caller>) -> (StatusCode, String) {
    let (status, help) = match refusal {
        Refusal::NoToken
        | Refusal::UnknownToken
        | Refusal::ExpiredToken
        | Refusal::RevokedToken => (StatusCode::UNAUTHORIZED, "token not supplied".into()),
        Refusal::NotAUser => {
            (StatusCode::UNAUTHORIZED, "user not supplied or not authorized".into())
        }
        Refusal::NotAnApplication => (StatusCode::UNAUTHORIZED, "application not supplied".into()),
        Refusal::Scope => (StatusCode::FORBIDDEN, "token has insufficient scope permission".into()),
        Refusal::Permission => {
            let account = caller.and_then(|caller| caller.account.as_ref());
            let user = account.map_or("", |account| account.as_str());
            (StatusCode::FORBIDDEN, format!("user {user} not an admin"))
        }
    };
    let reason = status.canonical_reason().unwrap_or_default();
    (status, format!("{reason}: {help}"))
}
