//! The door: whose token it is, and whether an operation is open to them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use form_urlencoded::parse;

use super::panic::Caught;
use super::{Caller, Error, Result};
use crate::{Auth, Secret, TokenKind};

/// Tells whose a token is.
///
/// With one, no handler is called for a request that its operation is not open to: a missing, unknown or insufficient token answers 401 or
/// 403. Public operations are called without a look at tokens. An async closure is one:
///
/// ```
/// # use fedispec_runtime::server::{Authenticator, Caller, Error, Secret};
/// # fn is_one(_: impl Authenticator) {}
/// let door = async |token: Secret| match token.expose() {
///     "monas-token" => Ok(Caller::user("7", "read write:statuses")),
///     _ => Err(Error::unauthorized()),
/// };
/// # is_one(door);
/// ```
pub trait Authenticator: Send + Sync + 'static {
    /// Whose the token is.
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

/// An [`Authenticator`] of whatever type.
#[derive(Clone)]
pub(super) struct Door(Arc<dyn Fn(Secret) -> Asked + Send + Sync>);

impl Door {
    pub(super) fn new(authenticator: impl Authenticator) -> Self {
        let shared = Arc::new(authenticator);
        Self(Arc::new(move |token| {
            let authenticator = Arc::clone(&shared);
            Box::pin(async move { authenticator.authenticate(token).await })
        }))
    }

    /// Who comes in, or why they do not.
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
            (_, Some(token)) => self.whose(token).await?,
        };
        open_to(auth, &caller)?;
        Ok(Some(caller))
    }

    async fn whose(&self, token: &Secret) -> Result<Caller> {
        let token = token.clone();
        let asked = Caught::new(|| (self.0)(token)).await;
        asked.unwrap_or_else(|| Err(Error::internal()))
    }
}

/// Whether somebody may call an operation.
pub(super) fn open_to(auth: &Auth, caller: &Caller) -> Result<()> {
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
        return Err(outside(auth));
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

/// 403: the token is good, but not for this. Which scopes would be is no secret.
fn outside(auth: &Auth) -> Error {
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

/// The token of the header `Authorization`, or else of the query.
pub(super) fn in_head(headers: &HeaderMap, query: Option<&str>) -> Option<Secret> {
    bearer(headers).or_else(|| {
        let query = query.filter(|query| query.contains(PARAM))?;
        let (_, token) =
            parse(query.as_bytes()).find(|(name, token)| name == PARAM && !token.is_empty())?;
        Some(Secret::new(token))
    })
}

/// What a token is called in a query or a form.
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

    /// The status that somebody is answered, or 200.
    fn status(auth: Auth, caller: &Caller) -> u16 {
        open_to(&auth, caller).map_or_else(|error| error.status().as_u16(), |()| 200)
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
    fn a_role_has_to_allow_it_where_it_is_known() {
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
            let token = in_head(headers, query)?;
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
