//! The store of applications, codes and tokens.

use std::future::Future;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::digest::draw;
use super::super::{Authorization, Result};
use crate::random::digest;
use crate::{Id, Scopes, Secret, Timestamp};

/// An application that is registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthApp {
    /// The client identifier, which is also the id of the application.
    pub client_id: String,
    /// The digest of the client secret.
    pub secret: String,
    /// The name that users are shown.
    pub name: String,
    /// The address of its site.
    pub website: Option<String>,
    /// The addresses that users may be sent back to.
    pub redirect_uris: Vec<String>,
    /// The scopes that it may ask for.
    pub scopes: Scopes,
}

/// An authorization code that a user's consent has given and that nobody has exchanged yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthCode {
    /// The digest of the code.
    pub digest: String,
    /// The request for consent: the application, the address, the scopes and the challenge of PKCE.
    pub asked: Authorization,
    /// The account of the user.
    pub account: Id,
    /// The end, in seconds since 1970.
    pub expires_at: i64,
}

/// An access token. Like the programs' own, it is good until it is revoked, and there is none to refresh it with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthToken {
    /// The digest of the token.
    pub digest: String,
    /// The application that it was given to.
    pub client_id: String,
    /// The account of the user; `None` for an application's own token.
    pub account: Option<Id>,
    /// The scopes.
    pub scopes: Scopes,
    /// The time of its creation, in seconds since 1970.
    pub created_at: i64,
    /// The digest of the code that it was exchanged for.
    pub code: Option<String>,
}

/// A store of applications, codes and tokens, for `Server::oauth_with`. [`OauthMemory`](super::memory::OauthMemory) is one in memory; the example
/// `postgres_oauth` is one over SQL.
///
/// A store never sees a secret: rows have SHA-256 digests, as text of 43 characters. The secrets are 256 random bits, for which that is enough.
/// Rows are looked up by digests, whose order says nothing about the secrets.
pub trait OauthStore: Send + Sync + 'static {
    /// Adds an application.
    ///
    /// # Errors
    ///
    /// Where the store fails, as for all that follow.
    fn add_app(&self, app: OauthApp) -> impl Future<Output = Result<()>> + Send;

    /// The application with a client identifier.
    fn app(&self, client_id: &str) -> impl Future<Output = Result<Option<OauthApp>>> + Send;

    /// Adds a code. It may be forgotten when it has expired.
    fn add_code(&self, code: OauthCode) -> impl Future<Output = Result<()>> + Send;

    /// The code with a digest, which stays.
    fn code(&self, digest: &str) -> impl Future<Output = Result<Option<OauthCode>>> + Send;

    /// Adds a token, and answers whether it did. A token with a [`code`](OauthToken::code) is added only where that code is still there, and the code is
    /// removed in the same transaction: of two who exchange it at once, one gets a token.
    fn add_token(&self, token: OauthToken) -> impl Future<Output = Result<bool>> + Send;

    /// The token with a digest.
    fn token(&self, digest: &str) -> impl Future<Output = Result<Option<OauthToken>>> + Send;

    /// Removes the token with a digest, or the code with it and the token that was exchanged for that code. Answers the digests of the tokens that
    /// were there.
    fn end(&self, digest: &str) -> impl Future<Output = Result<Vec<String>>> + Send;

    /// The present, in seconds since 1970.
    fn now(&self) -> i64 {
        Timestamp::now().unix().unwrap_or_default()
    }

    /// The token that a client has sent, such as [`Call::bearer`](super::super::Call::bearer).
    fn find(&self, token: &Secret) -> impl Future<Output = Result<Option<OauthToken>>> + Send {
        let digest = digest(token.expose());
        async move { self.token(&digest).await }
    }

    /// Gives out a token without a code, such as that of a user who signs up.
    fn issue(
        &self,
        client_id: &str,
        account: Option<Id>,
        scopes: Scopes,
    ) -> impl Future<Output = Result<Issued>> + Send {
        let client_id = client_id.to_owned();
        async move {
            let issued = Issued::new(client_id, account, scopes, self.now())?;
            self.add_token(issued.token.clone()).await?;
            Ok(issued)
        }
    }
}

/// A token that was given out, with its secret, which is told once.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Issued {
    /// The text that the client sends.
    pub secret: Secret,
    /// The row that the store keeps.
    pub token: OauthToken,
}

impl Issued {
    pub(super) fn new(
        client_id: String,
        account: Option<Id>,
        scopes: Scopes,
        created_at: i64,
    ) -> Result<Self> {
        let secret = draw()?;
        let digest = digest(secret.expose());
        let token = OauthToken { digest, client_id, account, scopes, created_at, code: None };
        Ok(Self { secret, token })
    }
}

impl<S: OauthStore> OauthStore for Arc<S> {
    fn add_app(&self, app: OauthApp) -> impl Future<Output = Result<()>> + Send {
        (**self).add_app(app)
    }

    fn app(&self, client_id: &str) -> impl Future<Output = Result<Option<OauthApp>>> + Send {
        (**self).app(client_id)
    }

    fn add_code(&self, code: OauthCode) -> impl Future<Output = Result<()>> + Send {
        (**self).add_code(code)
    }

    fn code(&self, digest: &str) -> impl Future<Output = Result<Option<OauthCode>>> + Send {
        (**self).code(digest)
    }

    fn add_token(&self, token: OauthToken) -> impl Future<Output = Result<bool>> + Send {
        (**self).add_token(token)
    }

    fn token(&self, digest: &str) -> impl Future<Output = Result<Option<OauthToken>>> + Send {
        (**self).token(digest)
    }

    fn end(&self, digest: &str) -> impl Future<Output = Result<Vec<String>>> + Send {
        (**self).end(digest)
    }

    fn now(&self) -> i64 {
        (**self).now()
    }
}
