//! Bearer-token authentication ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::header::{AUTHORIZATION, HeaderMap};
use form_urlencoded::parse;

use super::panic::Caught;
use super::refusal::Refusal;
use super::ways::Ways;
use super::{Caller, Error, Result, Target};
use crate::{Auth, Operation, Secret, TokenKind};

/// Resolves a bearer token to its [`Caller`].
///
/// A server with an authenticator refuses a request whose token is missing, unknown or insufficient, and does not call the handler. What an
/// operation asks for, and the status and words of the refusal, are those of the program and release that the server emulates
/// ([`Target`]), or of today's Mastodon. Operations that no release authenticates ignore tokens. An async closure is an authenticator:
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
    /// [`Error::unauthorized`] for a token that is unknown, [`Error::token_expired`] and [`Error::token_revoked`] where the server can tell.
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

type Authenticating = Pin<Box<dyn Future<Output = Result<Caller>> + Send>>;

/// A type-erased [`Authenticator`].
#[derive(Clone)]
pub(super) struct DynAuthenticator(Arc<dyn Fn(Secret) -> Authenticating + Send + Sync>);

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
        door: &Door<'_>,
        token: Option<&Secret>,
    ) -> Result<Option<Caller>> {
        let is_required = door.auth.token.is_required();
        let token = token.filter(|_| door.heeds_tokens);
        let Some(token) = token else {
            return if is_required { Err(door.refuse(Refusal::NoToken, None)) } else { Ok(None) };
        };
        let caller = match self.resolve(token).await {
            Ok(caller) => caller,
            Err(error) => {
                let bad = error.refusal().filter(|refusal| refusal.is_of_token());
                return match bad {
                    Some(_) if !is_required && door.ways.ignores_bad_tokens(&door.auth) => Ok(None),
                    Some(refusal) => Err(door.refuse(refusal, None)),
                    None => Err(error),
                };
            }
        };
        door.authorize(&caller)?;
        Ok(Some(caller))
    }

    async fn resolve(&self, token: &Secret) -> Result<Caller> {
        let token = token.clone();
        let asked = Caught::new(|| (self.0)(token)).await;
        asked.unwrap_or_else(|| Err(Error::internal()))
    }
}

/// The token and scopes that an operation asks of its callers in the program and release that the server emulates.
#[derive(Clone, Copy)]
pub(super) struct Door<'t> {
    auth: Auth,
    ways: Ways<'t>,
    /// Whether a token tells who calls. A release that asks for none still shows a user their own view, where others ask for one.
    heeds_tokens: bool,
}

impl<'t> Door<'t> {
    pub(super) fn new(operation: &Operation, auth: Auth, target: Option<&'t Target>) -> Self {
        let none = TokenKind::None;
        Self {
            auth,
            ways: Ways(target),
            heeds_tokens: auth.token != none || operation.auth.token != none,
        }
    }

    pub(super) fn refuse(&self, refusal: Refusal, caller: Option<&Caller>) -> Error {
        let answer = self.ways.answer(refusal, &self.auth, caller);
        Error::refusing(refusal, answer)
    }

    /// Checks that a caller may call the operation.
    pub(super) fn authorize(&self, caller: &Caller) -> Result<()> {
        let first = match (self.kind(caller), self.scope(caller)) {
            (Some(_), Some(scope)) if self.ways.asks_scopes_first() => Some(scope),
            (kind, scope) => kind.or(scope),
        };
        match first.or_else(|| self.permission(caller)) {
            Some(refusal) => Err(self.refuse(refusal, Some(caller))),
            None => Ok(()),
        }
    }

    fn kind(&self, caller: &Caller) -> Option<Refusal> {
        match (self.auth.token, &caller.account) {
            (TokenKind::User, None) => Some(Refusal::NotAUser),
            (TokenKind::Client, Some(_)) => Some(Refusal::NotAnApplication),
            _ => None,
        }
    }

    fn scope(&self, caller: &Caller) -> Option<Refusal> {
        let mut scopes = self.auth.asked();
        let allowed = |scope| caller.scopes.allow(scope);
        let enough = if self.auth.all {
            scopes.all(allowed)
        } else {
            self.auth.scopes.is_empty() || scopes.any(allowed)
        };
        (!enough).then_some(Refusal::Scope)
    }

    fn permission(&self, caller: &Caller) -> Option<Refusal> {
        let (mut wanted, held) = (self.auth.permissions(), caller.permissions.as_ref()?);
        // Administrators may do everything.
        let holds = |wanted: &str| held.iter().any(|one| one == wanted || one == ADMINISTRATOR);
        let permitted = self.auth.permissions.is_empty() || wanted.any(holds);
        (!permitted).then_some(Refusal::Permission)
    }
}

/// The permission that holds all others.
const ADMINISTRATOR: &str = "administrator";

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
    const SCHEME: &str = "bearer ";
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_at_checked(SCHEME.len())?;
    let token = token.trim_ascii();
    (scheme.eq_ignore_ascii_case(SCHEME) && !token.is_empty()).then(|| Secret::from(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status that a caller is answered; 200 if allowed.
    fn status(auth: Auth, caller: &Caller) -> u16 {
        let ways = Ways(None);
        let allowed = Door { auth, ways, heeds_tokens: true }.authorize(caller);
        allowed.map_or_else(|error| error.status().as_u16(), |()| 200)
    }

    #[test]
    fn one_scope_is_enough_or_all_are_needed() {
        let any = Auth::new(TokenKind::User, "read:statuses read:notifications");
        assert_eq!(status(any, &Caller::user("1", "read:notifications")), 200);
        assert_eq!(status(any, &Caller::user("1", "read")), 200);
        assert_eq!(status(any, &Caller::user("1", "write")), 403);
        assert_eq!(status(any.all(), &Caller::user("1", "read")), 200);
        assert_eq!(status(any.all(), &Caller::user("1", "read:notifications")), 403);
        let none = Auth::new(TokenKind::User, "");
        assert_eq!(status(none, &Caller::user("1", "")), 200);
    }

    #[test]
    fn an_application_is_no_user() {
        let (app, user) = (Caller::app("read write"), Caller::user("1", "read"));
        let of = |token| Auth::new(token, "read");
        assert_eq!(status(of(TokenKind::User), &app), 422);
        // Mastodon asks for the scope before it asks whose token it is.
        assert_eq!(status(of(TokenKind::User), &Caller::app("write")), 403);
        assert_eq!(status(of(TokenKind::User).unauthenticated(403), &app), 403);
        assert_eq!(status(of(TokenKind::App), &app), 200);
        assert_eq!(status(of(TokenKind::Optional), &app), 200);
        assert_eq!(status(of(TokenKind::Client), &app), 200);
        assert_eq!(status(of(TokenKind::Client), &user), 403);
    }

    #[test]
    fn a_known_role_must_have_the_permission() {
        let auth = Auth::new(TokenKind::User, "admin:read").with_permissions("manage_reports");
        let unknown = Caller::user("1", "admin:read");
        assert_eq!(status(auth, &unknown), 200);
        let other = unknown.clone().with_permissions(["manage_users"]);
        assert_eq!(status(auth, &other), 403);
        let right = unknown.clone().with_permissions(["manage_users", "manage_reports"]);
        assert_eq!(status(auth, &right), 200);
        let admin = unknown.with_permissions(["administrator"]);
        assert_eq!(status(auth, &admin), 200);
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
        assert_eq!(found(&header("Bearer a"), Some("access_token=b")).as_deref(), Some("a"));
        assert_eq!(found(&header("Basic a"), None), None);
        assert_eq!(found(&header("Bearer "), None), None);
        let none = HeaderMap::new();
        assert_eq!(found(&none, Some("x=1&access_token=b%2B")).as_deref(), Some("b+"));
        assert_eq!(found(&none, Some("access_token=")), None);
        assert_eq!(found(&none, Some("my_access_token=b")), None);
    }
}
