//! Bearer-token authentication ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use form_urlencoded::parse;

use super::panic::Caught;
use super::{Caller, Error, Result};
use crate::{Auth, Secret, TokenKind};

/// Resolves a bearer token to its [`Caller`].
///
/// A server with an authenticator answers 401 or 403 to a request whose token is missing, unknown or insufficient, and does not call the
/// handler. Operations without authentication ignore tokens. An async closure is an authenticator:
///
/// ```
/// # use fedispec_runtime::server::{Authenticator, Caller, Error, Secret};
/// # fn is_one(_: impl Authenticator) {}
/// let tokens = async |token: Secret| match token.expose() {
///     "monas-token" => Ok(Caller::user("7", "read write:statuses")),
///     _ => Err(Error::unauthorized()),
/// };
/// # is_one(tokens);
/// ```
pub trait Authenticator: Send + Sync + 'static {
    /// Resolves a token to its caller.
    ///
    /// # Errors
    ///
    /// [`Error::unauthorized`] for a token that is unknown, expired or revoked.
    fn authenticate(&self, token: Secret) -> impl Future<Output = Result<Caller>> + Send;
}

impl<F, A> Authenticator for F
where
    F: Fn(Secret) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Caller>> + Send,
{
    fn authenticate(&self, token: Secret) -> impl Future<Output = Result<Caller>> + Send {
        self(token)
    }
}

type Asked = Pin<Box<dyn Future<Output = Result<Caller>> + Send>>;

/// A type-erased [`Authenticator`].
#[derive(Clone)]
pub(super) struct DynAuthenticator(Arc<dyn Fn(Secret) -> Asked + Send + Sync>);

impl DynAuthenticator {
    pub(super) fn new(authenticator: impl Authenticator) -> Self {
        let shared = Arc::new(authenticator);
        Self(Arc::new(move |token| {
            let authenticator = Arc::clone(&shared);
            Box::pin(async move { authenticator.authenticate(token).await })
        }))
    }

    /// Authenticates a request: its caller, or the error to answer.
    pub(super) async fn admit(
        &self,
        auth: &Auth,
        token: Option<&Secret>,
    ) -> Result<Option<Caller>> {
        let caller = match (auth.token, token) {
            (TokenKind::None, _) | (TokenKind::Unknown | TokenKind::Optional, None) => {
                return Ok(None);
            }
            (_, None) => return Err(Error::token_required()),
            (_, Some(token)) => self.resolve(token).await?,
        };
        authorize(auth, &caller)?;
        Ok(Some(caller))
    }

    async fn resolve(&self, token: &Secret) -> Result<Caller> {
        let token = token.clone();
        let asked = Caught::new(|| (self.0)(token)).await;
        asked.unwrap_or_else(|| Err(Error::internal()))
    }
}

/// Checks that a caller may call an operation.
pub(super) fn authorize(auth: &Auth, caller: &Caller) -> Result<()> {
    if auth.token == TokenKind::User && caller.account.is_none() {
        return Err(Error::user_required());
    }
    let allowed = |scope: &&str| caller.scopes.allow(scope);
    let enough = if auth.all {
        auth.scopes.iter().all(allowed)
    } else {
        auth.scopes.is_empty() || auth.scopes.iter().any(allowed)
    };
    if !enough {
        return Err(insufficient_scope(auth));
    }
    match &caller.permissions {
        Some(held) if !permitted(auth, held) => Err(Error::forbidden()),
        _ => Ok(()),
    }
}

fn permitted(auth: &Auth, held: &[String]) -> bool {
    let wanted = auth.permissions;
    wanted.is_empty() || held.iter().any(|one| wanted.contains(&one.as_str()))
}

/// A 403 for a token of insufficient scope; naming the scopes reveals nothing (RFC 6750, 3.1).
fn insufficient_scope(auth: &Auth) -> Error {
    let challenge = format!(
        "Bearer error=\"insufficient_scope\", scope=\"{}\"",
        auth.scopes.join(" ")
    );
    let error = Error::new(
        StatusCode::FORBIDDEN,
        "This action is outside the authorized scopes",
    );
    match HeaderValue::try_from(challenge) {
        Ok(challenge) => error.with_header(WWW_AUTHENTICATE, challenge),
        Err(_) => error,
    }
}

/// The token of the `Authorization` header, or else of the query.
pub(super) fn from_head(headers: &HeaderMap, query: Option<&str>) -> Option<Secret> {
    bearer(headers).or_else(|| {
        let query = query.filter(|query| query.contains(PARAM))?;
        let (_, token) =
            parse(query.as_bytes()).find(|(name, token)| name == PARAM && !token.is_empty())?;
        Some(Secret::new(token))
    })
}

/// The name of the token's parameter in a query or a form (RFC 6750, 2.2 and 2.3).
pub(super) const PARAM: &str = "access_token";

pub(super) fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| Secret::from(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status that a caller is answered; 200 if allowed.
    fn status(auth: Auth, caller: &Caller) -> u16 {
        authorize(&auth, caller).map_or_else(|error| error.status().as_u16(), |()| 200)
    }

    #[test]
    fn one_scope_is_enough_or_all_are_needed() {
        let any = Auth::new(TokenKind::User, &["read:statuses", "read:notifications"]);
        assert_eq!(status(any, &Caller::user("1", "read:notifications")), 200);
        assert_eq!(status(any, &Caller::user("1", "read")), 200);
        assert_eq!(status(any, &Caller::user("1", "write")), 403);
        assert_eq!(status(any.all(), &Caller::user("1", "read")), 200);
        assert_eq!(
            status(any.all(), &Caller::user("1", "read:notifications")),
            403
        );
        let none = Auth::new(TokenKind::User, &[]);
        assert_eq!(status(none, &Caller::user("1", "")), 200);
    }

    #[test]
    fn an_application_is_no_user() {
        let app = Caller::app("read write");
        assert_eq!(status(Auth::new(TokenKind::User, &["read"]), &app), 401);
        assert_eq!(status(Auth::new(TokenKind::App, &["read"]), &app), 200);
        assert_eq!(status(Auth::new(TokenKind::Optional, &["read"]), &app), 200);
    }

    #[test]
    fn a_known_role_must_have_the_permission() {
        let auth = Auth::new(TokenKind::User, &["admin:read"]).permissions(&["manage_reports"]);
        let unknown = Caller::user("1", "admin:read");
        assert_eq!(status(auth, &unknown), 200);
        let other = unknown.clone().with_permissions(["manage_users"]);
        assert_eq!(status(auth, &other), 403);
        let right = unknown.with_permissions(["manage_users", "manage_reports"]);
        assert_eq!(status(auth, &right), 200);
    }

    #[test]
    fn tokens_are_found_and_not_shown() {
        let header = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, value.parse().expect("a value"));
            headers
        };
        let found = |headers: &HeaderMap, query| {
            let token = from_head(headers, query)?;
            assert!(!format!("{token:?}").contains(token.expose()));
            Some(token.expose().to_owned())
        };
        assert_eq!(found(&header("Bearer a"), None).as_deref(), Some("a"));
        assert_eq!(found(&header("bEaReR  a "), None).as_deref(), Some("a"));
        assert_eq!(
            found(&header("Bearer a"), Some("access_token=b")).as_deref(),
            Some("a")
        );
        assert_eq!(found(&header("Basic a"), None), None);
        assert_eq!(found(&header("Bearer "), None), None);
        let none = HeaderMap::new();
        assert_eq!(
            found(&none, Some("x=1&access_token=b%2B")).as_deref(),
            Some("b+")
        );
        assert_eq!(found(&none, Some("access_token=")), None);
        assert_eq!(found(&none, Some("my_access_token=b")), None);
    }
}
