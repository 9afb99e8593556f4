//! The page on which users let applications in, which is the author's.

use std::future::{Future, ready};

use super::super::authorization::{Authorization, escape_html};
use super::super::{Call, Caller, Error, OauthError, Reply, Result};
use super::store::OauthApp;
use crate::{Id, Json, Scopes, Secret};

/// The parameter with the CSRF token of the page.
pub(super) const CSRF: &str = "csrf_token";

/// The page on which users let applications in, and what a server knows of its users, for `Server::oauth_with`.
///
/// ```
/// use fedispec_runtime::Id;
/// use fedispec_runtime::server::{Call, Consent, OauthPage, OauthRequest, OauthUser, Reply, Result, escape_html};
///
/// struct Users;
///
/// impl OauthPage for Users {
///     async fn show(&self, asked: &OauthRequest, _: &Call) -> Result<Reply> {
///         Ok(Reply::html(format!(
///             "<h1>{} asks for access</h1><p>{}<form method=\"post\" action=\"/oauth/authorize\">{}\
///              <input name=\"password\" type=\"password\"><button>Allow</button></form>",
///             escape_html(&asked.app.name),
///             escape_html(asked.error.as_deref().unwrap_or_default()),
///             asked.hidden_fields(),
///         )))
///     }
///
///     async fn consent(&self, asked: &OauthRequest, _: &Call) -> Result<Consent> {
///         Ok(match asked.field("password") {
///             "correct horse" => Consent::Given(Id::from("7")),
///             _ => Consent::Again("The password is wrong.".into()),
///         })
///     }
///
///     async fn user(&self, account: &Id, _: &Call) -> Result<OauthUser> {
///         let url = format!("https://social.example/users/{}", account.as_str());
///         Ok(OauthUser { uri: url.clone(), name: "Mona".into(), username: "mona".into(), url, avatar: String::new() })
///     }
/// }
/// # let _ = Users;
/// ```
pub trait OauthPage: Send + Sync + 'static {
    /// The page that asks the user, or a redirect to one that signs the user in first. Its form posts to `/oauth/authorize`, with
    /// [`OauthRequest::hidden_fields`]. The server adds the headers that forbid frames, caches and referrers.
    ///
    /// # Errors
    ///
    /// Where there is no page.
    fn show(&self, asked: &OauthRequest, call: &Call)
    -> impl Future<Output = Result<Reply>> + Send;

    /// The user who consents, by the form that the page has sent ([`OauthRequest::field`]) or the cookies of the call. Its CSRF token has been checked.
    ///
    /// # Errors
    ///
    /// Where nobody can tell.
    fn consent(
        &self,
        asked: &OauthRequest,
        call: &Call,
    ) -> impl Future<Output = Result<Consent>> + Send;

    /// The answer of `oauth.userinfo` about a user.
    ///
    /// # Errors
    ///
    /// Where there is no such account.
    fn user(&self, account: &Id, call: &Call) -> impl Future<Output = Result<OauthUser>> + Send;

    /// Looks at the caller of each request: adds the permissions of the user's role, or refuses a suspended user.
    ///
    /// # Errors
    ///
    /// The refusal.
    fn admit(&self, caller: Caller) -> impl Future<Output = Result<Caller>> + Send {
        ready(Ok(caller))
    }

    /// The account with a name and a password. It is asked only where the server emulates a release that has the grant type `password`.
    ///
    /// # Errors
    ///
    /// [`OauthError::InvalidGrant`] where there is none. Without this method the grant type is unsupported.
    fn password(&self, name: &str, password: &Secret) -> impl Future<Output = Result<Id>> + Send {
        let _ = (name, password);
        ready(Err(Error::from(OauthError::UnsupportedGrantType)))
    }
}

/// A user's answer to an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    /// The user of this account lets it in.
    Given(Id),
    /// The user does not; the application is told `access_denied`.
    Denied,
    /// The user is not known, for a reason in words: the page is shown again with it, and 401.
    Again(String),
}

/// A user as `oauth.userinfo` describes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OauthUser {
    /// The URI of the account, which never changes.
    pub uri: String,
    /// The display name.
    pub name: String,
    /// The name without the domain.
    pub username: String,
    /// The address of the profile.
    pub url: String,
    /// The address of the picture.
    pub avatar: String,
}

/// The request of a known application, for one of its own addresses and scopes, as the page shows it.
#[non_exhaustive]
pub struct OauthRequest {
    /// The application.
    pub app: OauthApp,
    /// The scopes that the token is to have.
    pub scopes: Scopes,
    /// Where the user is sent with the code.
    pub redirect_uri: String,
    /// The reason for which the form is shown again.
    pub error: Option<String>,
    pub(super) asking: Authorization,
    /// The digest of the cookie.
    pub(super) csrf: Secret,
    pub(super) cookie: Secret,
    /// The form.
    pub(super) sent: serde_json::Map<String, Json>,
}

impl OauthRequest {
    /// The hidden fields of the form, as HTML: what was asked for and the CSRF token.
    pub fn hidden_fields(&self) -> String {
        let (asked, csrf) = (self.asking.hidden_fields(), escape_html(self.csrf.expose()));
        format!("{asked}<input type=\"hidden\" name=\"{CSRF}\" value=\"{csrf}\">")
    }

    /// The CSRF token, which the form sends as `csrf_token`.
    pub fn csrf_token(&self) -> &Secret {
        &self.csrf
    }

    /// A field of the form, such as `password`; empty where it was not sent.
    pub fn field(&self, name: &str) -> &str {
        self.sent.get(name).and_then(Json::as_str).unwrap_or_default()
    }
}

// Hides the form and the CSRF token.
shown!(OauthRequest, own => app, scopes, redirect_uri, error);
