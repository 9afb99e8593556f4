//! Sessions: tokens with what they are for.

use serde::{Deserialize, Serialize};

use super::wire::{As, Granted, Issue, Revoke};
use super::{App, LoginError};
use crate::client::{Client, Encode};
use crate::{Request, Scopes, Secret};

/// A token with the server and the application that it is of. `Debug` hides its secrets; serialised it holds them, so keep that where nobody
/// else can read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Session {
    /// The application, at the server that issued the token.
    pub app: App,
    /// The token.
    pub token: Secret,
    /// The scopes that the token grants.
    pub scopes: Scopes,
    /// When it was issued, in seconds since 1970, where the server says so.
    #[serde(default)]
    pub created_at: Option<i64>,
    /// When it expires, in seconds since 1970; `None` where it does not, or nobody says.
    #[serde(default)]
    pub expires_at: Option<i64>,
    /// The token for [refreshing](Self::refresh) it; Mastodon and GoToSocial issue none.
    #[serde(default)]
    pub refresh_token: Option<Secret>,
}

impl Issue {
    /// A request of an application, without what the kind of grant adds.
    pub(super) fn of(app: &App, grant_type: &str) -> Self {
        Self {
            client_id: app.client_id.clone(),
            client_secret: app.client_secret.clone(),
            grant_type: grant_type.to_owned(),
            redirect_uri: None,
            scope: None,
            code: None,
            code_verifier: None,
            refresh_token: None,
        }
    }
}

impl Session {
    /// Asks for a token and keeps it.
    pub(super) async fn issue(
        client: &Client,
        app: &App,
        request: impl Request<Answer = Granted> + Encode,
        asked: &Scopes,
    ) -> Result<Self, LoginError> {
        app.check(client)?;
        let granted = client.without_token().send(request).await?.into_value();
        Ok(Self::granted(app, granted, asked))
    }

    fn granted(app: &App, granted: Granted, asked: &Scopes) -> Self {
        // GoToSocial says 0 up to 0.3.8 where it means never.
        let lasts = granted.expires_in.filter(|lasts| *lasts > 0);
        let expires_at = granted.created_at.zip(lasts);
        let expires_at = expires_at.and_then(|(created, lasts)| created.checked_add(lasts));
        Self {
            app: app.clone(),
            token: granted.access_token,
            // A server that does not say has granted what was asked for (RFC 6749, 5.1).
            scopes: granted.scope.map_or_else(|| asked.clone(), Scopes::from),
            created_at: granted.created_at,
            expires_at,
            refresh_token: granted.refresh_token,
        }
    }

    /// A new token for one that has expired or soon will. Keep what it answers and throw this away.
    ///
    /// # Errors
    ///
    /// When the session has no refresh token, or the server refuses or is not reached.
    pub async fn refresh(&self, client: &Client) -> Result<Self, LoginError> {
        let token = self.refresh_token.clone();
        let request = Issue {
            refresh_token: Some(token.ok_or(LoginError::NoRefreshToken)?),
            ..Issue::of(&self.app, "refresh_token")
        };
        let mut fresh = Self::issue(client, &self.app, request, &self.scopes).await?;
        // A server that sends none lets the old one be used again (RFC 6749, 6).
        let kept = || self.refresh_token.clone();
        fresh.refresh_token = fresh.refresh_token.or_else(kept);
        Ok(fresh)
    }

    /// Makes the token useless, as a user does who signs out. GoToSocial has this since 0.19.0.
    ///
    /// # Errors
    ///
    /// When the server refuses or is not reached.
    pub async fn revoke(&self, client: &Client) -> Result<(), LoginError> {
        self.app.check(client)?;
        let request = Revoke {
            client_id: self.app.client_id.clone(),
            client_secret: self.app.client_secret.clone(),
            token: self.token.clone(),
        };
        client.without_token().send(request).await?;
        Ok(())
    }
}

impl App {
    /// A token of the application itself, for what needs no user.
    ///
    /// It names the application's first redirect address, which GoToSocial asks for here and others ignore.
    ///
    /// # Errors
    ///
    /// When the server refuses or is not reached.
    pub async fn session(&self, client: &Client) -> Result<Session, LoginError> {
        let request = Issue {
            redirect_uri: self.redirect_uris.first().cloned(),
            scope: (!self.scopes.is_empty()).then(|| self.scopes.to_string()),
            ..Issue::of(self, "client_credentials")
        };
        Session::issue(client, self, request, &self.scopes).await
    }

    /// Signs up a new user with the application's own token: `request` is the generated `accounts::Create`. Until the user has confirmed
    /// the address the token does little.
    ///
    /// ```no_run
    /// # use fedispec_runtime as rt;
    /// # use rt::client::login::App;
    /// # async fn sign_up<R>(client: rt::client::Client, app: App, request: R)
    /// # where R: rt::Request + rt::client::Encode {
    /// match app.sign_up(&client, request).await {
    ///     Ok(session) => println!("signed up with {}", session.scopes),
    ///     Err(error) => {
    ///         for fault in error.refused() {
    ///             println!("{}: {} ({})", fault.param, fault.description, fault.error); // username: is taken (ERR_TAKEN)
    ///         }
    ///     }
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the server refuses or is not reached; [`LoginError::refused`] has the parameters that are at fault. GoToSocial 0.19.0 and
    /// later sign nobody up by this.
    pub async fn sign_up<R: Request + Encode>(
        &self,
        client: &Client,
        request: R,
    ) -> Result<Session, LoginError> {
        let own = self.session(client).await?;
        let client = client.without_token().token(&own.token);
        let granted = client.send(As::<R, Granted>::new(request)).await?.into_value();
        Ok(Session::granted(self, granted, &self.scopes))
    }
}

impl Client {
    /// The same client with the token of a session.
    ///
    /// # Errors
    ///
    /// When the session belongs to another server: a token is sent to its own server only.
    pub fn signed_in(&self, session: &Session) -> Result<Self, LoginError> {
        session.app.check(self)?;
        Ok(self.clone().token(&session.token))
    }
}
