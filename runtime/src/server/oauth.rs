//! Endpoints of OAuth: clients that send their secret in a header, and the shape of errors ([RFC 6749](https://www.rfc-editor.org/rfc/rfc6749)).
//!
//! `oxide-auth` answers with the errors of the RFC alone; Mastodon and GoToSocial add statuses and words of their own.

use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use axum::response::Response;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::decoder::Invalid;
use super::tree::Tree;
use super::{Error, text};
use crate::Operation;
use crate::param::Given;

/// An error of OAuth, with the status that goes with it (RFC 6749, 4.1.2.1 and 5.2).
///
/// ```
/// use fedispec_runtime::server::{OauthError, Result};
///
/// fn exchange(code: &str) -> Result<String> {
///     match code {
///         "good" => Ok("a token".into()),
///         _ => Err(OauthError::InvalidGrant)?,
///     }
/// }
/// let error = exchange("stale").expect_err("refused");
/// assert_eq!((error.status().as_u16(), error.message()), (400, "invalid_grant"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OauthError {
    /// A parameter is missing, wrong or there twice.
    InvalidRequest,
    /// 401: the client is unknown, or has not authenticated.
    InvalidClient,
    /// The code, the password or the verifier is wrong, has expired, or is another client's.
    InvalidGrant,
    /// The client may not use this grant.
    UnauthorizedClient,
    /// The server does not support this grant.
    UnsupportedGrantType,
    /// The scope is unknown, or goes beyond what was granted.
    InvalidScope,
    /// The authorization page does not support this `response_type`.
    UnsupportedResponseType,
    /// 403: the user or the server has refused.
    AccessDenied,
}

impl OauthError {
    /// The code: `invalid_grant`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::AccessDenied => "access_denied",
        }
    }

    /// The status.
    pub fn status(self) -> StatusCode {
        match self {
            Self::InvalidClient => StatusCode::UNAUTHORIZED,
            Self::AccessDenied => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// In the words of Doorkeeper.
    fn description(self) -> &'static str {
        match self {
            Self::InvalidRequest => {
                "The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed."
            }
            Self::InvalidClient => {
                "Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method."
            }
            Self::InvalidGrant => {
                "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client."
            }
            Self::UnauthorizedClient => {
                "The client is not authorized to perform this request using this method."
            }
            Self::UnsupportedGrantType => {
                "The authorization grant type is not supported by the authorization server."
            }
            Self::InvalidScope => "The requested scope is invalid, unknown, or malformed.",
            Self::UnsupportedResponseType => {
                "The authorization server does not support this response type."
            }
            Self::AccessDenied => "The resource owner or authorization server denied the request.",
        }
    }
}

sentence!(OauthError, own => "{}: {}", own.as_str(), own.description());

impl From<OauthError> for Error {
    fn from(error: OauthError) -> Self {
        Self::new(error.status(), error.as_str()).with_description(error.description())
    }
}

/// The error that a parameter makes which is missing or wrong.
pub(super) fn told(operation: &Operation, invalid: Invalid) -> Error {
    // A program's own words are a code and its description.
    if operation.oauth.is_some()
        && let Some((status, told)) = invalid.in_words()
        && let Some((code, description)) = told.split_once(": ")
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    {
        return Error::new(status, code).with_description(description);
    }
    if operation.oauth.is_some() && invalid.param() == "grant_type" && invalid.is_missing() {
        let error = Error::from(OauthError::UnsupportedGrantType);
        return error.with_description(invalid.to_string());
    }
    shaped(operation, invalid.into())
}

/// An error about a request, in the shape that the operation's errors have.
pub(super) fn shaped(operation: &Operation, error: Error) -> Error {
    if operation.oauth.is_none() || !error.status().is_client_error() {
        return error;
    }
    let status = match error.status() {
        StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
        status => status,
    };
    error.into_coded(status, OauthError::InvalidRequest.as_str())
}

/// The scheme in which a client may send its secret.
const BASIC: &str = "basic";

/// Padding may be left out: clients do.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The scheme and the rest of a header `Authorization`.
fn authorization(headers: &HeaderMap) -> Option<(&str, &str)> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')
}

/// Whether the client has sent its secret in the header, so that a 401 must name the scheme.
pub(super) fn is_basic(headers: &HeaderMap) -> bool {
    authorization(headers).is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case(BASIC))
}

/// Names the scheme in a 401, where the client has used it (RFC 6749, 5.2).
pub(super) fn challenged(mut response: Response, is_basic: bool) -> Response {
    if is_basic && response.status() == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Basic realm=\"oauth\"");
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// Adds the client's id and secret of a Basic header (RFC 6749, 2.3.1) to the parameters. They go before those of the body, as in Mastodon.
pub(super) fn client(
    operation: &Operation,
    headers: &HeaderMap,
    tree: &mut Tree,
) -> Result<(), Error> {
    let Some((id, secret)) = operation.oauth.and_then(|oauth| oauth.basic) else {
        return Ok(());
    };
    let Some((scheme, sent)) = authorization(headers) else {
        return Ok(());
    };
    if !scheme.eq_ignore_ascii_case(BASIC) {
        return Ok(());
    }
    let (own, password) = credentials(sent).ok_or(OauthError::InvalidClient)?;
    for (index, value) in [(id, own), (secret, password)] {
        if let Some(param) = operation.params.get(usize::from(index)) {
            tree.insert(param.wire.to_owned(), Given::Text(value));
        }
    }
    Ok(())
}

/// The client's id and secret, which are encoded as in a form.
fn credentials(sent: &str) -> Option<(String, String)> {
    let decoded = LENIENT.decode(sent.trim()).ok()?;
    let mut parts = decoded.splitn(2, |&byte| byte == b':');
    let mut part = || text::decode(text::unescape(parts.next()?), BASIC).ok();
    Some((part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_describes_itself() {
        let all = [
            OauthError::InvalidRequest,
            OauthError::InvalidClient,
            OauthError::InvalidGrant,
            OauthError::UnauthorizedClient,
            OauthError::UnsupportedGrantType,
            OauthError::InvalidScope,
            OauthError::UnsupportedResponseType,
            OauthError::AccessDenied,
        ];
        let told: std::collections::BTreeSet<_> = all.map(OauthError::description).into();
        assert_eq!(told.len(), all.len());
    }

    #[test]
    fn a_secret_may_come_in_a_header() {
        let found = |sent: &str| credentials(sent).map(|(id, secret)| format!("{id} {secret}"));
        assert_eq!(found("YTpi").as_deref(), Some("a b"));
        assert_eq!(found("YTpiYw==").as_deref(), Some("a bc"));
        assert_eq!(found("YTpiYw").as_deref(), Some("a bc"));
        // `a%3Ab:c+d`, and a secret with a colon.
        assert_eq!(found("YSUzQWI6YytkCg").as_deref(), Some("a:b c d\n"));
        assert_eq!(found("YTpiOmM=").as_deref(), Some("a b:c"));
        for wrong in ["", "YQ==", "!", "YTr/", "YToA"] {
            assert_eq!(found(wrong), None, "{wrong}");
        }
    }
}
