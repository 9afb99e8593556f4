//! The checks between a store and a page: what each operation of OAuth does, but for the shape of its answer.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HeaderValue, REFERRER_POLICY, SET_COOKIE,
    X_FRAME_OPTIONS,
};

use super::super::authorization::escape_html;
use super::super::digest::{LENGTH, draw};
use super::super::ways::Ways;
use super::super::{Call, Caller, Error, OauthError, OrInternal as _, Reply, Result};
use super::page::{CSRF, Consent, OauthPage, OauthRequest, OauthUser};
use super::store::{Issued, OauthApp, OauthCode, OauthStore};
use crate::random::{digest, is_same};
use crate::{Scopes, Secret};

/// The time that a code is good, in seconds.
const CODE_LASTS: i64 = 600;
/// The greatest length of all texts of an application, and of the scopes that are asked for.
const LONGEST: usize = 4096;
/// The scopes of a token or an application for which none are named.
const DEFAULT_SCOPES: &str = "read";
/// The cookie whose digest is the page's CSRF token. With TLS no other host can set it.
const COOKIE_NAME: &str = "oauth_csrf";
const SECURE_COOKIE_NAME: &str = "__Host-oauth_csrf";

/// A store and a page, and the scopes that there are.
#[derive(Debug)]
pub struct OauthFlow<S, P>(Arc<Parts<S, P>>);

#[derive(Debug)]
struct Parts<S, P> {
    store: S,
    page: P,
    scopes: Vec<&'static str>,
}

impl<S, P> Clone for OauthFlow<S, P> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The parameters of `oauth.token`.
#[derive(Debug)]
#[allow(missing_docs, reason = "the parameters are documented")]
pub struct Exchange<'r> {
    pub client_id: &'r str,
    pub client_secret: &'r Secret,
    pub grant_type: &'r str,
    pub code: Option<&'r Secret>,
    pub redirect_uri: Option<&'r str>,
    pub code_verifier: Option<&'r Secret>,
    pub scope: Option<&'r str>,
    pub username: Option<&'r str>,
    pub password: Option<&'r Secret>,
}

impl<S: OauthStore, P: OauthPage> OauthFlow<S, P> {
    /// A flow, with all scopes that the API has.
    pub fn new(store: S, page: P, scopes: impl IntoIterator<Item = &'static str>) -> Self {
        Self(Arc::new(Parts { store, page, scopes: scopes.into_iter().collect() }))
    }

    /// All scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &'static str> {
        self.0.scopes.iter().copied()
    }

    /// Resolves a token to its caller.
    ///
    /// # Errors
    ///
    /// Where nobody has it, or the page does not admit its owner.
    pub async fn caller(self, token: Secret) -> Result<Caller> {
        let token = self.0.store.find(&token).await?.ok_or_else(Error::unauthorized)?;
        let caller = match token.account {
            Some(account) => Caller::user(account, token.scopes),
            None => Caller::app(token.scopes),
        };
        self.0.page.admit(caller).await
    }

    /// Registers an application, and answers it with its secret.
    ///
    /// # Errors
    ///
    /// 422 where its name, addresses or scopes are missing or not acceptable.
    pub async fn register(
        &self,
        name: &str,
        redirect_uris: Vec<String>,
        scopes: Option<&str>,
        website: Option<String>,
    ) -> Result<(OauthApp, Secret)> {
        let refused = |why: &str| Error::unprocessable(format!("Validation failed: {why}"));
        let scopes = scopes.filter(|scopes| !scopes.is_empty()).unwrap_or(DEFAULT_SCOPES);
        let texts = redirect_uris.iter().map(String::as_str);
        let texts = texts.chain([name, scopes, website.as_deref().unwrap_or_default()]);
        if texts.map(str::len).sum::<usize>() > LONGEST {
            return Err(refused("the texts are too long"));
        }
        if name.trim().is_empty() {
            return Err(refused("Application name can't be blank"));
        }
        if redirect_uris.is_empty() || !redirect_uris.iter().all(|uri| is_acceptable(uri)) {
            return Err(refused("Redirect URI must be an absolute URI, without a fragment"));
        }
        let scopes = self.known(scopes);
        let scopes =
            scopes.map_err(|_| refused("Scopes doesn't match configured on the server"))?;
        let (client_id, secret) = (draw()?.expose().to_owned(), draw()?);
        let app = OauthApp {
            client_id,
            secret: digest(secret.expose()),
            name: name.to_owned(),
            website,
            redirect_uris,
            scopes,
        };
        self.0.store.add_app(app.clone()).await?;
        Ok((app, secret))
    }

    /// The application that the token of a call belongs to.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub async fn app(&self, call: &Call) -> Result<OauthApp> {
        let token = call.bearer().ok_or_else(Error::token_required)?;
        let token = self.0.store.find(&token).await?.ok_or_else(Error::unauthorized)?;
        self.0.store.app(&token.client_id).await?.ok_or_else(Error::unauthorized)
    }

    /// Shows the page.
    ///
    /// # Errors
    ///
    /// Always: the page, or a refusal.
    pub async fn authorize<A>(&self, call: &Call) -> Result<A> {
        let asked = self.asked(call).await?;
        self.show(asked, call, StatusCode::OK).await
    }

    /// Takes the form of the page.
    ///
    /// # Errors
    ///
    /// Always: the code, the page once more, or a refusal.
    pub async fn approve<A>(&self, call: &Call) -> Result<A> {
        let mut asked = self.asked(call).await?;
        let cookie = csrf_cookie(call);
        if !cookie.is_some_and(|cookie| is_same(&digest(&cookie), asked.field(CSRF))) {
            asked.error = Some("The page has expired, or cookies are off. Try again.".to_owned());
            return self.show(asked, call, StatusCode::FORBIDDEN).await;
        }
        let account = match self.0.page.consent(&asked, call).await? {
            Consent::Given(account) => account,
            Consent::Denied => return guarded(asked.asking.refuse(OauthError::AccessDenied)),
            Consent::Again(why) => {
                asked.error = Some(why);
                return self.show(asked, call, StatusCode::UNAUTHORIZED).await;
            }
        };
        let code = draw()?;
        let row = OauthCode {
            digest: digest(code.expose()),
            asked: asked.asking.clone().without_state(),
            account,
            expires_at: self.0.store.now().saturating_add(CODE_LASTS),
        };
        self.0.store.add_code(row).await?;
        guarded(asked.asking.accept(code.expose()))
    }

    /// The consent that an application asks a user for. A user is only sent to an address that the application has registered.
    async fn asked(&self, call: &Call) -> Result<OauthRequest> {
        let (asking, wrong) = call.asked();
        let Some(app) = self.0.store.app(&asking.client_id).await? else {
            return refused_page(StatusCode::UNAUTHORIZED, "The application is not known here.");
        };
        if !app.redirect_uris.iter().any(|registered| asking.returns_to(registered)) {
            let why = "The application has not registered the address that it wants to be sent to.";
            return refused_page(StatusCode::BAD_REQUEST, why);
        }
        let wrong = wrong.map_or(Ok(()), Err);
        let scopes = wrong.and_then(|()| self.within(&app, &asking.scopes.to_string()));
        let scopes = match scopes {
            Ok(scopes) => scopes,
            Err(error) => return guarded(asking.refuse(error)),
        };
        let mut asking = asking;
        asking.scopes.clone_from(&scopes);
        let csrf = match csrf_cookie(call) {
            Some(cookie) => cookie.into(),
            None => draw()?,
        };
        Ok(OauthRequest {
            app,
            scopes,
            redirect_uri: asking.redirect_uri.clone(),
            error: None,
            asking,
            csrf: digest(csrf.expose()).into(),
            cookie: csrf,
            sent: call.unknown_params(),
        })
    }

    async fn show<A>(&self, asked: OauthRequest, call: &Call, status: StatusCode) -> Result<A> {
        let page = self.0.page.show(&asked, call).await?;
        let page = if page.status == StatusCode::OK { page.with_status(status) } else { page };
        let tls = (SECURE_COOKIE_NAME, "; Secure");
        let (name, secure) = if is_secure(call) { tls } else { (COOKIE_NAME, "") };
        let cookie = asked.cookie.expose();
        let cookie = format!("{name}={cookie}; Path=/; HttpOnly; SameSite=Lax{secure}");
        guarded(page.with_header(SET_COOKIE, HeaderValue::try_from(cookie).or_internal()?))
    }

    /// Gives a token out.
    ///
    /// # Errors
    ///
    /// A refusal with a code of RFC 6749, 5.2.
    pub async fn token(&self, asked: Exchange<'_>, call: &Call) -> Result<Issued> {
        let app = self.client(asked.client_id, asked.client_secret).await?;
        let scopes = || self.within(&app, asked.scope.unwrap_or(DEFAULT_SCOPES));
        match asked.grant_type {
            "authorization_code" => self.exchange(&asked, call).await,
            "client_credentials" => self.0.store.issue(&app.client_id, None, scopes()?).await,
            "password" if has_passwords(call) => {
                let name = asked.username.ok_or(OauthError::InvalidGrant)?;
                let password = asked.password.ok_or(OauthError::InvalidGrant)?;
                let scopes = scopes()?;
                let account = self.0.page.password(name, password).await?;
                self.0.store.issue(&app.client_id, Some(account), scopes).await
            }
            _ => Err(OauthError::UnsupportedGrantType.into()),
        }
    }

    /// Exchanges a code. One that is wrong in any way, and so has leaked, ends with the token that it has given.
    async fn exchange(&self, asked: &Exchange<'_>, call: &Call) -> Result<Issued> {
        let store = &self.0.store;
        let key = digest(asked.code.ok_or(OauthError::InvalidRequest)?.expose());
        let code = store.code(&key).await?.filter(|code| code.expires_at > store.now());
        let code = code.filter(|code| {
            let redirect = asked.redirect_uri;
            code.asked.redeem(asked.client_id, redirect, asked.code_verifier).is_ok()
        });
        if let Some(code) = code {
            let (client_id, scopes) = (asked.client_id.to_owned(), code.asked.scopes);
            let mut issued = Issued::new(client_id, Some(code.account), scopes, store.now())?;
            issued.token.code = Some(key.clone());
            if store.add_token(issued.token.clone()).await? {
                return Ok(issued);
            }
        }
        self.end(&key, call).await?;
        Err(OauthError::InvalidGrant.into())
    }

    /// Revokes a token of the client.
    ///
    /// # Errors
    ///
    /// 403 as in the programs, where the client does not prove itself or the token is another's.
    pub async fn revoke(
        &self,
        client_id: &str,
        client_secret: &Secret,
        token: Option<&Secret>,
        call: &Call,
    ) -> Result<()> {
        let refused = || {
            let error = Error::new(StatusCode::FORBIDDEN, OauthError::UnauthorizedClient.as_str());
            error.with_description("You are not authorized to revoke this token")
        };
        let app = self.client(client_id, client_secret).await.map_err(|error| {
            if error.status() == StatusCode::UNAUTHORIZED { refused() } else { error }
        })?;
        let Some(token) = token else { return Ok(()) };
        // RFC 7009, 2.2: of what is no token there is nothing left to revoke.
        match self.0.store.find(token).await? {
            None => Ok(()),
            Some(row) if row.client_id == app.client_id => self.end(&row.digest, call).await,
            Some(_) => Err(refused()),
        }
    }

    /// Ends a token or a code, and the event streams that were opened with the token.
    async fn end(&self, key: &str, call: &Call) -> Result<()> {
        let ended = self.0.store.end(key).await?;
        if !ended.is_empty() {
            call.streams().close_tokens(|token| ended.contains(&digest(token.expose())));
        }
        Ok(())
    }

    /// The calling user.
    ///
    /// # Errors
    ///
    /// Where the caller is none.
    pub async fn user(&self, call: &Call) -> Result<OauthUser> {
        self.0.page.user(call.account()?, call).await
    }

    /// The application that has shown its secret.
    async fn client(&self, id: &str, secret: &Secret) -> Result<OauthApp> {
        let app = self.0.store.app(id).await?;
        let app = app.filter(|app| is_same(&app.secret, &digest(secret.expose())));
        Ok(app.ok_or(OauthError::InvalidClient)?)
    }

    /// Scopes that there are, each once.
    fn known(&self, scopes: &str) -> std::result::Result<Scopes, OauthError> {
        let asked = Scopes::from(scopes);
        let is_known = |scope| self.0.scopes.contains(&scope);
        if scopes.len() > LONGEST || asked.is_empty() || !asked.iter().all(is_known) {
            return Err(OauthError::InvalidScope);
        }
        Ok(Scopes::default().and(&asked))
    }

    /// Scopes that an application may ask for.
    fn within(&self, app: &OauthApp, scopes: &str) -> std::result::Result<Scopes, OauthError> {
        let scopes = self.known(scopes)?;
        let is_right = scopes.iter().all(|scope| app.scopes.allow(scope));
        is_right.then_some(scopes).ok_or(OauthError::InvalidScope)
    }
}

/// The ways to ask for a token.
pub fn grant_types(call: &Call) -> Vec<String> {
    let password = has_passwords(call).then_some("password");
    let all = ["authorization_code", "client_credentials"].into_iter().chain(password);
    all.map(ToOwned::to_owned).collect()
}

/// The address of the API's documentation.
pub fn documentation(call: &Call) -> String {
    Ways(call.target.as_deref()).documentation().to_owned()
}

/// Whether the server emulates a release in which users' passwords give tokens.
fn has_passwords(call: &Call) -> bool {
    let dialect = call.rules.dialect.as_ref();
    dialect.is_some_and(|dialect| dialect.replacement("OauthGrantType", "password").is_none())
}

/// Leaves with a page or a redirect that no frame shows, no cache keeps and no other site learns of.
fn guarded<A>(reply: Reply) -> Result<A> {
    let headers =
        [(X_FRAME_OPTIONS, "DENY"), (CACHE_CONTROL, "no-store"), (REFERRER_POLICY, "no-referrer")];
    let only = |reply: Reply, (name, value)| reply.with_only(name, HeaderValue::from_static(value));
    // Beside a policy of the page's own, which stays.
    let policy = HeaderValue::from_static("frame-ancestors 'none'");
    let reply = headers.into_iter().fold(reply, only);
    Err(reply.with_header(CONTENT_SECURITY_POLICY, policy).into())
}

/// Leaves with a page for the user: the application is told nothing.
fn refused_page<A>(status: StatusCode, why: &str) -> Result<A> {
    let page = format!("<!doctype html>\n<title>Refused</title>\n<p>{}\n", escape_html(why));
    guarded(Reply::html(page).with_status(status))
}

/// Whether the client has come over TLS, as far as anybody knows.
fn is_secure(call: &Call) -> bool {
    call.origin().is_some_and(|origin| origin.starts_with("https://"))
}

/// The cookie that the page has set.
fn csrf_cookie(call: &Call) -> Option<String> {
    let name = if is_secure(call) { SECURE_COOKIE_NAME } else { COOKIE_NAME };
    let cookies = call.headers.get_all(COOKIE).into_iter();
    let mut cookies =
        cookies.filter_map(|sent| sent.to_str().ok()).flat_map(|sent| sent.split(';'));
    let value = cookies.find_map(|cookie| {
        let (own, value) = cookie.trim().split_once('=')?;
        (own == name).then_some(value)
    });
    let is_text = |value: &&str| {
        value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    value.filter(|value| value.len() == LENGTH).filter(is_text).map(ToOwned::to_owned)
}

/// Whether an address may be registered: one with a scheme that runs no script, and without a fragment, as in Mastodon.
fn is_acceptable(uri: &str) -> bool {
    let is_plain = uri.bytes().all(|byte| byte.is_ascii_graphic()) && !uri.contains('#');
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let scheme = scheme.to_ascii_lowercase();
    let is_scheme = scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_plain
        && is_scheme
        && !rest.is_empty()
        && !["data", "javascript", "vbscript"].contains(&&*scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_absolute_and_run_nothing() {
        for uri in [
            "https://app.example/back",
            "urn:ietf:wg:oauth:2.0:oob",
            "app.example+x://back",
            "http://127.0.0.1/",
        ] {
            assert!(is_acceptable(uri), "{uri}");
        }
        for uri in [
            "",
            "back",
            "/back",
            "//a.example",
            "https:",
            "https://a.example/#b",
            "1a:b",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,a",
            "https://a.example/ b",
            "a:\nb",
        ] {
            assert!(!is_acceptable(uri), "{uri}");
        }
    }
}
