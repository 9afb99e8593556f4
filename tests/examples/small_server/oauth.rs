//! The page on which users sign in, and signing up. The library keeps applications and tokens.

use fedispec::entities::Token;
use fedispec::server::{
    Consent, OauthPage, OauthRequest, OauthStore as _, OauthUser, Reply, escape_html,
};
use fedispec::{accounts, current};

use super::prelude::*;

impl OauthPage for App {
    async fn show(&self, asked: &OauthRequest, _: &Call) -> Result<Reply> {
        let (name, fields) = (escape_html(&asked.app.name), asked.hidden_fields());
        let error = escape_html(asked.error.as_deref().unwrap_or_default());
        Ok(Reply::html(format!(
            "<!doctype html><title>Sign in</title><h1>{name} asks for access</h1><p>{error}</p>\
             <form method=\"post\" action=\"/oauth/authorize\">{fields}<input name=\"username\">\
             <input name=\"password\" type=\"password\"><button>Allow</button></form>"
        )))
    }

    async fn consent(&self, asked: &OauthRequest, _: &Call) -> Result<Consent> {
        let (name, password) = (asked.field("username"), asked.field("password"));
        let db = self.lock();
        let is = |user: &User| name == user.account.username || name == user.email;
        let user = db.users.iter().find(|(_, user)| is(user) && user.password == password);
        let why = "There is no such user, or the password is wrong.";
        Ok(user.map_or(Consent::Again(why.into()), |(key, _)| Consent::Given((*key).into())))
    }

    async fn user(&self, account: &Id, _: &Call) -> Result<OauthUser> {
        let account = self.lock().account(key(account)?);
        let (name, username) = (account.display_name, account.username);
        let url = account.url.unwrap_or_default();
        Ok(OauthUser { uri: url.clone(), name, username, url, avatar: account.avatar })
    }
}

pub fn handlers(server: Server<App>) -> Server<App> {
    server.on(async |app: App, req: accounts::Create, call: Call| {
        let oauth = app.lock().oauth.clone();
        let own = call.bearer().ok_or_else(Error::unauthorized)?;
        let own = oauth.find(&own).await?.ok_or_else(Error::unauthorized)?;
        let user = app.lock().sign_up(&req.username, &req.email, req.password.expose())?;
        let issued = oauth.issue(&own.client_id, Some(user.into()), own.scopes).await?;
        Ok(Token::from(current::Token {
            access_token: issued.secret,
            created_at: issued.token.created_at,
            scope: issued.token.scopes.to_string(),
            token_type: "Bearer".to_owned(),
        }))
    })
}
