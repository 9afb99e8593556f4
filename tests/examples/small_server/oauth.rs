//! Applications, and signing in.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fedispec::entities::{Application, CredentialApplication, Token};
use fedispec::enums::{OauthGrantType, OauthScope};
use fedispec::server::{
    Authorization, OauthError, OrInternal as _, Reply, StatusCode, escape_html,
};
use fedispec::{accounts, apps, current, oauth};

use super::prelude::*;

/// How long a code is good, in seconds.
const CODE_LASTS: i64 = 600;

pub fn apps(mount: Mount) -> Mount {
    mount
        .anybody(|db, _, req: apps::Create, _| {
            let redirects: Vec<String> = req.redirect_uris.into_iter().flatten().collect();
            let scopes = req.scopes.unwrap_or_else(|| "read".into());
            let client = CredentialApplication::from(current::CredentialApplication {
                client_id: random()?,
                client_secret: Secret::from(random()?),
                client_secret_expires_at: 0,
                id: db.next().into(),
                name: req.client_name,
                redirect_uri: redirects.join("\n"),
                redirect_uris: redirects,
                scopes: scopes.split_whitespace().map(OauthScope::custom).collect(),
                vapid_key: None,
                website: req.website,
            });
            db.apps.insert(client.client_id.clone(), client.clone());
            Ok(client)
        })
        .anybody(|db, _, _: apps::VerifyCredentials, call| {
            let client = db.client(&db.grant(call)?.0)?;
            Ok(Application::from(current::Application {
                id: client.id.clone(),
                name: client.name.clone(),
                redirect_uri: client.redirect_uri.clone(),
                redirect_uris: client.redirect_uris.clone().unwrap_or_default(),
                scopes: client.scopes.clone().unwrap_or_default(),
                vapid_key: None,
                website: client.website.clone(),
            }))
        })
        .anybody(|db, _, req: accounts::Create, call| {
            let (app, _, scopes) = db.grant(call)?;
            let user = db.sign_up(&req.username, &req.email, req.password.expose())?;
            db.add_token(app, Some(user), scopes)
        })
        .anybody(|db, _, req: oauth::Revoke, _| {
            db.client_with(&req.client_id, &req.client_secret)?;
            let (id, token) = (&req.client_id, req.token.as_ref().map_or("", Secret::expose));
            db.tokens.retain(|text, (app, ..)| text != token || app != id);
            Ok(Empty)
        })
}

pub fn handlers(mount: Mount) -> Mount {
    mount
        .anybody(|db, _, _: oauth::Authorize, call| {
            let asked = call.authorization()?;
            let name = escape_html(&db.asking(&asked)?.name);
            Err(Reply::html(format!(
                "<!doctype html><title>Sign in</title><h1>{name} asks for access</h1>\
                 <form method=\"post\" action=\"/oauth/authorize\">{}<input name=\"username\">\
                 <input name=\"password\" type=\"password\"><button>Allow</button></form>",
                asked.hidden_fields()
            )))?
        })
        .anybody(|db, _, _: oauth::Approve, call| {
            let (asked, sent) = (call.authorization()?, call.unknown_params());
            db.asking(&asked)?;
            let text = |name| sent.get(name).and_then(|value| value.as_str());
            let (name, password) = (text("username"), text("password"));
            let is =
                |user: &User| name == Some(&user.account.username) || name == Some(&user.email);
            let user = db.users.iter().find(|(_, user)| is(user));
            let user = user.filter(|(_, user)| password == Some(&user.password));
            let Some((&user, _)) = user else {
                let told = Reply::html("There is no such user, or the password is wrong.");
                return Err(told.with_status(StatusCode::UNAUTHORIZED).into());
            };
            let (code, reply) = (random()?, asked.clone());
            let row = (asked, user, Timestamp::in_seconds(CODE_LASTS));
            db.codes.insert(code.clone(), row);
            Err(reply.accept(&code))?
        })
        .anybody(|db, _, req: oauth::Token, _| {
            let client = db.client_with(&req.client_id, &req.client_secret)?;
            if req.grant_type == OauthGrantType::ClientCredentials {
                let scopes = within(client, req.scope.as_deref().unwrap_or("read").into())?;
                return db.add_token(req.client_id, None, scopes);
            }
            let code = req.code.as_ref().map_or("", Secret::expose);
            let code = db.codes.remove(code).filter(|(.., end)| !end.is_past());
            let (asked, user, _) = code.ok_or(OauthError::InvalidGrant)?;
            let (uri, verifier) = (req.redirect_uri.as_deref(), req.code_verifier.as_ref());
            asked.redeem(&req.client_id, uri, verifier)?;
            db.add_token(req.client_id, Some(user), asked.scopes)
        })
}

/// Scopes that an application has registered for.
fn within(client: &CredentialApplication, asked: Scopes) -> Result<Scopes> {
    let own: Scopes = client.scopes.iter().flatten().collect();
    let is_right = asked.iter().all(|scope| own.allow(scope));
    Ok(is_right.then_some(asked).ok_or(OauthError::InvalidScope)?)
}

impl Store {
    fn client(&self, id: &str) -> Result<&CredentialApplication> {
        Ok(self.apps.get(id).ok_or(OauthError::InvalidClient)?)
    }

    /// The application that has shown its secret.
    fn client_with(&self, id: &str, secret: &Secret) -> Result<&CredentialApplication> {
        let client = Some(self.client(id)?);
        let client = client.filter(|one| one.client_secret.expose() == secret.expose());
        Ok(client.ok_or(OauthError::InvalidClient)?)
    }

    /// The application that asks a user. Nobody is sent to an address that it has not registered.
    fn asking(&self, asked: &Authorization) -> Result<&CredentialApplication> {
        let client = self.client(&asked.client_id)?;
        let mut registered = client.redirect_uri.lines();
        let known = registered.find(|uri| asked.returns_to(uri));
        known.ok_or(OauthError::InvalidRequest)?;
        within(client, asked.scopes.clone()).map(|_| client)
    }

    /// What the token of a call is good for.
    fn grant(&self, call: &Call) -> Result<Grant> {
        let token = call.bearer().ok_or_else(Error::unauthorized)?;
        let grant = self.tokens.get(token.expose()).cloned();
        grant.ok_or_else(Error::unauthorized)
    }

    fn add_token(&mut self, app: String, user: Option<Key>, scopes: Scopes) -> Result<Token> {
        let text = random()?;
        let token = current::Token {
            access_token: Secret::from(text.as_str()),
            created_at: Timestamp::now().unix().unwrap_or_default(),
            scope: scopes.to_string(),
            token_type: "Bearer".to_owned(),
        };
        self.tokens.insert(text, (app, user, scopes));
        Ok(token.into())
    }
}

/// Text that cannot be guessed.
fn random() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).or_internal()?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
