//! Applications, tokens and codes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fedispec::server::{Authorization, Call, Result, Scopes};

use super::chance::Chance;
use super::prelude::*;

/// An application.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Application {
    pub(crate) id: Key,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) name: String,
    pub(crate) website: Option<String>,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) scopes: Scopes,
    pub(crate) created_at: Millis,
    /// The user who has registered it with a token.
    #[serde(default)]
    pub(crate) owner: Option<Key>,
}

/// An access token, under its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Token {
    pub(crate) id: Key,
    pub(crate) app: Key,
    /// None of an application's own.
    pub(crate) account: Option<Key>,
    pub(crate) scopes: Scopes,
    pub(crate) created_at: Millis,
    #[serde(default)]
    pub(crate) last_used: Option<Millis>,
    #[serde(default)]
    pub(crate) revoked: bool,
}

/// An authorization code, under its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) account: Key,
    pub(crate) asked: Authorization,
    pub(crate) expires_at: Millis,
}

/// Applications, tokens and codes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Oauth {
    pub(crate) apps: BTreeMap<Key, Application>,
    pub(crate) tokens: BTreeMap<String, Token>,
    pub(crate) grants: BTreeMap<String, Grant>,
}

/// Text that cannot be guessed, unless it comes from a seed.
///
/// # Errors
///
/// Where the system has no random numbers.
pub(crate) fn secret(chance: &mut Chance) -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(chance.bytes::<32>()?))
}

impl State {
    /// Registers an application.
    pub(crate) fn add_app(
        &mut self,
        name: &str,
        redirect_uris: Vec<String>,
        scopes: Scopes,
    ) -> Result<&mut Application> {
        let (id, created_at) = (self.next_key(), self.now());
        let app = Application {
            id,
            client_id: secret(&mut self.chance)?,
            client_secret: secret(&mut self.chance)?,
            name: name.to_owned(),
            website: None,
            redirect_uris,
            scopes,
            created_at,
            owner: None,
        };
        Ok(self.oauth.apps.entry(id).or_insert(app))
    }

    /// Gives a token out.
    pub(crate) fn add_token(
        &mut self,
        app: Key,
        account: Option<Key>,
        scopes: Scopes,
    ) -> Result<String> {
        let text = secret(&mut self.chance)?;
        self.put_token(text.clone(), app, account, scopes);
        Ok(text)
    }

    /// Makes a text a token.
    pub(crate) fn put_token(
        &mut self,
        text: String,
        app: Key,
        account: Option<Key>,
        scopes: Scopes,
    ) {
        let token = Token {
            id: self.next_key(),
            app,
            account,
            scopes,
            created_at: self.now(),
            last_used: None,
            revoked: false,
        };
        self.oauth.tokens.insert(text, token);
    }

    /// The token of a call.
    pub(crate) fn token(&self, call: &Call) -> Option<&Token> {
        self.oauth.tokens.get(call.bearer()?.expose())
    }

    /// The application of a call.
    pub(crate) fn app(&self, call: &Call) -> Option<&Application> {
        self.oauth.apps.get(&self.token(call)?.app)
    }
}
