//! Errors of a login.

use std::fmt;

use crate::client::{ApiError, Error, RefusedParam};

/// Why a login has not succeeded. It shows no secret.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoginError {
    /// A request failed; a wrong code or verifier, for one, is an answer of the server ([`Error::api`]).
    Request(Error),
    /// The application or the session belongs to another server than the client's.
    #[non_exhaustive]
    Server {
        /// The origin that it belongs to.
        expected: String,
        /// The origin of the client.
        found: String,
    },
    /// The application was not registered with this redirect address.
    #[non_exhaustive]
    RedirectUri {
        /// The address.
        uri: String,
    },
    /// The server takes one redirect address and was given several, or none was given.
    #[non_exhaustive]
    RedirectUris {
        /// How many there were.
        count: usize,
    },
    /// The state of the redirect is not that of the login: it belongs to another one, or somebody has forged it.
    State,
    /// The redirect comes from another server than the one that was asked (RFC 9207).
    Issuer,
    /// The user or the server has refused.
    #[non_exhaustive]
    Denied {
        /// The code of the refusal: `access_denied`.
        error: String,
        /// A description for people, if there is one.
        description: Option<String>,
    },
    /// The redirect has no code.
    NoCode,
    /// The session has no token to refresh it with.
    NoRefreshToken,
    /// The operating system has no random numbers.
    Random,
    /// The user did not return from the authorization page in time.
    TimedOut,
    /// The listener on loopback failed.
    Io(std::io::Error),
}

impl LoginError {
    /// The parameters that the server refused, as the 422 of [`App::sign_up`](super::App::sign_up) names them: `username`, `ERR_TAKEN`.
    /// Their codes convert into the generated `AccountError`.
    pub fn refused(&self) -> Vec<RefusedParam> {
        let Self::Request(error) = self else {
            return Vec::new();
        };
        error.api().map(ApiError::refused).unwrap_or_default()
    }
}

impl From<Error> for LoginError {
    fn from(error: Error) -> Self {
        Self::Request(error)
    }
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(f),
            Self::Server { expected, found } => write!(
                f,
                "this is of {expected}, and the client is of {found}; a token is sent to its own server only"
            ),
            Self::RedirectUri { uri } => write!(
                f,
                "the application was not registered with the redirect address {uri}; register it with that address"
            ),
            Self::RedirectUris { count: 0 } => f.write_str(
                "an application is registered with a redirect address, or with OUT_OF_BAND",
            ),
            Self::RedirectUris { count } => write!(
                f,
                "the server takes one redirect address for an application, not {count}; register one application for each"
            ),
            Self::State => {
                f.write_str("the redirect does not belong to this login: its state differs")
            }
            Self::Issuer => {
                f.write_str("the redirect comes from another server than the one that was asked")
            }
            Self::Denied { error, description: None } => write!(f, "sign-in was refused: {error}"),
            Self::Denied { error, description: Some(description) } => {
                write!(f, "sign-in was refused: {error}: {description}")
            }
            Self::NoCode => f.write_str("the redirect has no code"),
            Self::NoRefreshToken => {
                f.write_str("the session has no refresh token; the user has to sign in again")
            }
            Self::Random => f.write_str("the operating system has no random numbers"),
            Self::TimedOut => f.write_str("nobody came back from the sign-in page in time"),
            Self::Io(error) => write!(f, "the listener for the redirect failed: {error}"),
        }
    }
}

impl std::error::Error for LoginError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its message is this one's, so that only what lies behind it is left to tell.
            Self::Request(error) => std::error::Error::source(error),
            Self::Io(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}
