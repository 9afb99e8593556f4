//! A store of applications, codes and tokens over `PostgreSQL`, and a server that signs users in on it. `cargo run -p fedispec-tests --example
//! postgres_oauth "host=localhost user=postgres"` serves it to the user with the password `password`.

#![allow(unreachable_pub, reason = "a test includes this file")]

use std::sync::Arc;

use fedispec::server::{
    Call, Consent, Id, OauthApp, OauthCode, OauthPage, OauthRequest, OauthStore, OauthToken,
    OauthUser, OrInternal as _, Reply, Result, Server, escape_html, serve,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS oauth_apps (client_id text PRIMARY KEY, app text NOT NULL);
    CREATE TABLE IF NOT EXISTS oauth_codes (digest text PRIMARY KEY, expires_at bigint NOT NULL, code text NOT NULL);
    CREATE TABLE IF NOT EXISTS oauth_tokens (digest text PRIMARY KEY, code text UNIQUE, token text NOT NULL);";
const ADD_APP: &str = "INSERT INTO oauth_apps VALUES ($1, $2)";
const APP: &str = "SELECT app FROM oauth_apps WHERE client_id = $1";
const ADD_CODE: &str = "
    WITH expired AS (DELETE FROM oauth_codes WHERE expires_at <= $4)
    INSERT INTO oauth_codes VALUES ($1, $2, $3)";
const CODE: &str = "SELECT code FROM oauth_codes WHERE digest = $1";
/// One statement, and so one transaction: of two that delete a code, the second finds none.
const ADD_TOKEN: &str = "
    WITH code AS (DELETE FROM oauth_codes WHERE digest = $2 RETURNING digest)
    INSERT INTO oauth_tokens SELECT $1, $2, $3 WHERE $2::text IS NULL OR EXISTS (SELECT FROM code)";
const TOKEN: &str = "SELECT token FROM oauth_tokens WHERE digest = $1";
const END: &str = "
    WITH code AS (DELETE FROM oauth_codes WHERE digest = $1)
    DELETE FROM oauth_tokens WHERE digest = $1 OR code = $1 RETURNING digest";

/// The store. Clones share the connection.
#[derive(Clone)]
pub struct Postgres(Arc<Client>);

impl Postgres {
    /// Connects, and creates the tables.
    ///
    /// # Errors
    ///
    /// Where the database is not reached.
    pub async fn connect(config: &str) -> std::result::Result<Self, tokio_postgres::Error> {
        let (client, connection) = tokio_postgres::connect(config, NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute(TABLES).await?;
        Ok(Self(Arc::new(client)))
    }

    async fn one<T: DeserializeOwned>(&self, query: &str, key: &str) -> Result<Option<T>> {
        let row = self.0.query_opt(query, &[&key]).await.or_internal()?;
        row.map(|row| serde_json::from_str(row.get(0)).or_internal()).transpose()
    }

    async fn execute(&self, query: &str, params: &[&(dyn ToSql + Sync)]) -> Result<u64> {
        self.0.execute(query, params).await.or_internal()
    }
}

fn json<T: Serialize>(row: &T) -> Result<String> {
    serde_json::to_string(row).or_internal()
}

impl OauthStore for Postgres {
    async fn add_app(&self, app: OauthApp) -> Result<()> {
        self.execute(ADD_APP, &[&app.client_id, &json(&app)?]).await.map(drop)
    }

    async fn app(&self, client_id: &str) -> Result<Option<OauthApp>> {
        self.one(APP, client_id).await
    }

    async fn add_code(&self, code: OauthCode) -> Result<()> {
        let row = json(&code)?;
        let params: [&(dyn ToSql + Sync); 4] = [&code.digest, &code.expires_at, &row, &self.now()];
        self.execute(ADD_CODE, &params).await.map(drop)
    }

    async fn code(&self, digest: &str) -> Result<Option<OauthCode>> {
        self.one(CODE, digest).await
    }

    async fn add_token(&self, token: OauthToken) -> Result<bool> {
        let row = json(&token)?;
        let added = self.execute(ADD_TOKEN, &[&token.digest, &token.code, &row]).await?;
        Ok(added == 1)
    }

    async fn token(&self, digest: &str) -> Result<Option<OauthToken>> {
        self.one(TOKEN, digest).await
    }

    async fn end(&self, digest: &str) -> Result<Vec<String>> {
        let ended = self.0.query(END, &[&digest]).await.or_internal()?;
        Ok(ended.iter().map(|row: &Row| row.get(0)).collect())
    }
}

/// The page of a server with one user.
pub struct Page;

impl OauthPage for Page {
    async fn show(&self, asked: &OauthRequest, _: &Call) -> Result<Reply> {
        let (name, fields) = (escape_html(&asked.app.name), asked.hidden_fields());
        let error = escape_html(asked.error.as_deref().unwrap_or_default());
        Ok(Reply::html(format!(
            "<!doctype html><title>Sign in</title><h1>{name} asks for access</h1><p>{error}</p>\
             <form method=\"post\" action=\"/oauth/authorize\">{fields}\
             <input name=\"password\" type=\"password\"><button>Allow</button></form>"
        )))
    }

    async fn consent(&self, asked: &OauthRequest, _: &Call) -> Result<Consent> {
        Ok(match asked.field("password") {
            "password" => Consent::Given("7".into()),
            "" => Consent::Denied,
            _ => Consent::Again("The password is wrong.".into()),
        })
    }

    async fn user(&self, _: &Id, _: &Call) -> Result<OauthUser> {
        let (uri, url) = ("https://a.example/users/7".into(), "https://a.example/@mona".into());
        Ok(OauthUser {
            uri,
            url,
            name: "Mona".into(),
            username: "mona".into(),
            avatar: String::new(),
        })
    }
}

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let config = std::env::args().nth(1).ok_or("say where the database is")?;
    let store = Postgres::connect(&config).await?;
    let server = Server::new().oauth_with(store, Page).public_origin("http://127.0.0.1:3000");
    Ok(serve("127.0.0.1:3000", server).await?)
}
