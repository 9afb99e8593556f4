//! Registered applications.

use serde::{Deserialize, Serialize};

use super::LoginError;
use super::wire::Register;
use crate::client::Client;
use crate::client::encoder::Together;
use crate::{OneOrMany, Request as _, Scopes, Secret};

/// The redirect address of applications that nobody can be sent back to: the page shows the code, and the user types it in.
pub const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// The details under which an application is registered.
#[derive(Debug, Clone)]
#[must_use]
pub struct Registration {
    name: String,
    redirect_uris: OneOrMany<String>,
    scopes: Scopes,
    website: Option<String>,
}

impl Registration {
    /// The name that users are shown, and the addresses that they may be sent back to, such as [`OUT_OF_BAND`].
    pub fn new(
        name: impl Into<String>,
        redirect_uris: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            redirect_uris: redirect_uris.into_iter().map(Into::into).collect(),
            scopes: Scopes::default(),
            website: None,
        }
    }

    setters! {
        /// The most that a token of the application may be given. Without any it may read.
        scopes(scopes: impl Into<Scopes>) => scopes = scopes.into();

        /// The address of the application's home page.
        website(website: impl Into<String>) => website = Some(website.into());
    }
}

/// An application that a server has registered. `Debug` hides its secret; serialised it holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct App {
    /// The origin of the server, the only one that knows it.
    pub server: String,
    /// The id that the server gave the application.
    pub client_id: String,
    /// The secret that proves that a request comes from it.
    pub client_secret: Secret,
    /// The addresses that users may be sent back to.
    pub redirect_uris: Vec<String>,
    /// The most that its tokens may be given.
    pub scopes: Scopes,
    /// When the secret expires, in seconds since 1970; `None` for never.
    #[serde(default)]
    pub secret_expires_at: Option<i64>,
}

impl App {
    /// Checks that a client is of the server that knows the application.
    pub(super) fn check(&self, client: &Client) -> Result<(), LoginError> {
        let found = client.origin().to_string();
        if self.server == found {
            return Ok(());
        }
        let expected = self.server.clone();
        Err(LoginError::Server { expected, found })
    }
}

impl Client {
    /// Registers an application at the server. One registration does for all users of a program on that server, so keep it.
    ///
    /// Several redirect addresses are sent as a list to a Mastodon that is [known](Self::knowing) to take one, and otherwise one a line, which
    /// every Mastodon reads and GoToSocial since 0.19.0. An earlier GoToSocial takes one, and more are an error where it is known.
    ///
    /// # Errors
    ///
    /// When the server refuses or is not reached, and where it would not understand the redirect addresses.
    pub async fn register(&self, registration: Registration) -> Result<App, LoginError> {
        let Registration { name, redirect_uris, scopes, website } = registration;
        let count = redirect_uris.len();
        let takes_one = || {
            let mut params = Register::OPERATION.params.iter();
            let param = params.find(|param| !param.several.is_empty());
            param.is_some_and(|param| Together::of(param, self.remote().as_ref()) == Together::One)
        };
        if count == 0 || (count > 1 && takes_one()) {
            return Err(LoginError::RedirectUris { count });
        }
        let request = Register {
            client_name: name,
            redirect_uris: redirect_uris.clone(),
            scopes: (!scopes.is_empty()).then(|| scopes.to_string()),
            website,
        };
        let registered = self.without_token().send(request).await?.into_value();
        Ok(App {
            server: self.origin().to_string(),
            client_id: registered.id,
            client_secret: registered.secret,
            redirect_uris: redirect_uris.into_vec(),
            scopes: if scopes.is_empty() { ["read"].into() } else { scopes },
            // Mastodon says 0 for never.
            secret_expires_at: registered.expires_at.filter(|at| *at != 0),
        })
    }
}
