//! Refusals of callers.

use axum::http::StatusCode;
use axum::http::header::HeaderValue;

use crate::Auth;
use fedispec_since::scopes;

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
    pub(super) fn challenge(self, auth: &Auth, status: StatusCode) -> Option<HeaderValue> {
        if self == Self::Scope {
            let scopes = scopes::names(auth.scopes);
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
