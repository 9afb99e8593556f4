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
/// 403. Public operations are called without a look at tokens.
pub trait Authenticator: Send + Sync + 'static {
    /// Whose the token is.
    ///
    /// # Errors
    ///
    /// [`Error::unauthorized`] for a token that is unknown, expired or revoked.
    fn authenticate(&self, token: Secret) -> impl Future<Output = Result<Caller>> + Send;
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
            (TokenKind::None, _) => return Ok(None),
            (TokenKind::Unknown | TokenKind::Optional, None) => return Ok(None),
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
