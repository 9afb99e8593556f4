//! The user's consent, and the code that comes of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::wire::{Authorize, Issue};
use super::{App, LoginError, Random, Session};
use crate::client::{Client, Origin};
use crate::compatibility::Verdict;
use crate::{Request as _, Scopes, Secret, random};

/// A login that waits for the user's consent. It may go into a store and out of it with serde, for a program that answers the redirect in
/// another request; serialised it holds the verifier and the state. `Debug` shows neither.
#[derive(Clone, Serialize, Deserialize)]
#[must_use]
pub struct Login {
    app: App,
    redirect_uri: String,
    scopes: Scopes,
    state: Secret,
    /// `None` where the server has no proof keys.
    verifier: Option<Secret>,
    is_forced: bool,
    language: Option<String>,
}

impl Login {
    /// A login to an application at the client's server, which sends the user back to one of the addresses that the application was
    /// registered with. It asks for the application's scopes unless told [otherwise](Self::scopes).
    ///
    /// A proof key goes with it unless the client [knows](Client::knowing) that its server has none: others ignore it.
    ///
    /// # Errors
    ///
    /// When the application belongs to another server or was not registered with the address.
    pub fn new(
        client: &Client,
        app: &App,
        redirect_uri: impl Into<String>,
        random: Random,
    ) -> Result<Self, LoginError> {
        app.check(client)?;
        let redirect_uri = redirect_uri.into();
        if !app.redirect_uris.contains(&redirect_uri) {
            return Err(LoginError::RedirectUri { uri: redirect_uri });
        }
        let has_pkce = client.has_param(Authorize::OPERATION, "code_challenge") != Verdict::No;
        let (verifier, state) = random.split();
        Ok(Self {
            app: app.clone(),
            redirect_uri,
            scopes: app.scopes.clone(),
            state,
            verifier: has_pkce.then_some(verifier),
            is_forced: false,
            language: None,
        })
    }

    /// Asks for these scopes, none beyond those of the application.
    pub fn scopes(mut self, scopes: impl Into<Scopes>) -> Self {
        self.scopes = scopes.into();
        self
    }

    /// Has the user sign in anew, so that another account can be chosen (Mastodon since 2.6.0).
    pub fn force_login(mut self) -> Self {
        self.is_forced = true;
        self
    }

    /// The language of the page, such as `de` (Mastodon since 3.5.0).
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = Some(language.into());
        self
    }

    /// The address that the user is sent back to.
    pub fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// The address of the page on which the user consents, to be opened in a browser.
    pub fn url(&self) -> String {
        let challenge = self.verifier.as_ref().map(|verifier| random::digest(verifier.expose()));
        let mut query = form_urlencoded::Serializer::new(String::new());
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.app.client_id)
            .append_pair("redirect_uri", &self.redirect_uri)
            .append_pair("scope", &self.scopes.to_string())
            .append_pair("state", self.state.expose());
        if let Some(challenge) = challenge {
            query.append_pair("code_challenge", &challenge);
            query.append_pair("code_challenge_method", "S256");
        }
        if self.is_forced {
            query.append_pair("force_login", "true");
        }
        if let Some(language) = &self.language {
            query.append_pair("lang", language);
        }
        let path = Authorize::OPERATION.path;
        format!("{}{path}?{}", self.app.server, query.finish())
    }

    /// The code of a redirect: of its whole URL or of its query alone.
    ///
    /// # Errors
    ///
    /// When its state is not that of this login, the user has refused, or there is no code.
    pub fn code(&self, redirected: &str) -> Result<Secret, LoginError> {
        let (_, query) = redirected.split_once('?').unwrap_or(("", redirected));
        let query = query.split('#').next().unwrap_or_default();
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        let find = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        if !find("state").is_some_and(|state| random::is_same(state, self.state.expose())) {
            return Err(LoginError::State);
        }
        let from_here = |issuer: &Cow<'_, str>| {
            let issuer = Origin::insecure(issuer).map(|issuer| issuer.to_string());
            issuer.is_ok_and(|issuer| issuer == self.app.server)
        };
        if !find("iss").is_none_or(from_here) {
            return Err(LoginError::Issuer);
        }
        if let Some(error) = find("error") {
            return Err(LoginError::Denied {
                error: error.to_string(),
                description: find("error_description").map(ToString::to_string),
            });
        }
        match find("code") {
            Some(code) if !code.is_empty() => Ok(Secret::new(&**code)),
            _ => Err(LoginError::NoCode),
        }
    }

    /// Checks a redirect, by its whole URL or its query, and exchanges its code for a session. A code is good for one exchange.
    ///
    /// # Errors
    ///
    /// As [`code`](Self::code) and [`finish_with_code`](Self::finish_with_code).
    pub async fn finish(&self, client: &Client, redirected: &str) -> Result<Session, LoginError> {
        let code = self.code(redirected)?;
        self.finish_with_code(client, code).await
    }

    /// Exchanges a code that the user has typed in. Blanks around it do not matter.
    ///
    /// # Errors
    ///
    /// When the server refuses the code or the proof key, or is not reached.
    pub async fn finish_with_code(
        &self,
        client: &Client,
        code: impl Into<Secret>,
    ) -> Result<Session, LoginError> {
        let code = code.into();
        let request = Issue {
            redirect_uri: Some(self.redirect_uri.clone()),
            scope: (!self.scopes.is_empty()).then(|| self.scopes.to_string()),
            code: Some(Secret::new(code.expose().trim())),
            code_verifier: self.verifier.clone(),
            ..Issue::of(&self.app, "authorization_code")
        };
        Session::issue(client, &self.app, request, &self.scopes).await
    }
}

// Hides the state, also where the address repeats it.
shown!(Login, own => app, redirect_uri, scopes);
