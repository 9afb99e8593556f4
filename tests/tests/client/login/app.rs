//! A server on the generated traits that signs users in: it checks redirect addresses, codes, proof keys and secrets as a strict server does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fedispec::entities::{
    CredentialApplication, MediaAttachment, OauthAuthorizeResponse, ScheduledStatus,
    ServerMetadata, Status, Token,
};
use fedispec::enums::OauthScope;
use fedispec::events::StreamEvent;
use fedispec::runtime::{self as rt, Either, Empty, Page, Secret};
use fedispec::server::{
    self, Call, Caller, Error, Event, Events, Listen, Reply, Result, Scopes, Server, StatusCode,
};
use fedispec::{accounts, apps, current, media, oauth, statuses, streaming, timelines};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::sync::mpsc::Sender;

use crate::entities;

/// The user's choice on the page of consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Consent {
    #[default]
    Given,
    Denied,
}

/// A code, and what it was issued for.
struct Issued {
    redirect_uri: String,
    challenge: Option<String>,
    scope: String,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) consent: Consent,
    /// Redirect addresses by the applications' ids.
    apps: BTreeMap<String, Vec<String>>,
    codes: BTreeMap<String, Issued>,
    /// Scopes of the tokens that are valid; a user's begins with `u`.
    tokens: BTreeMap<String, String>,
    origin: String,
    number: usize,
    /// How often a medium is asked for until it is processed.
    processing: usize,
    /// Each `Authorization` header with the operation that it came to.
    pub(crate) seen: Vec<(String, Option<String>)>,
    pub(crate) posted: Vec<String>,
    streams: Vec<Sender<Event>>,
}

impl State {
    fn next(&mut self, prefix: &str) -> String {
        self.number += 1;
        format!("{prefix}-{:08}", self.number)
    }
}

#[derive(Clone, Default)]
pub(crate) struct App(Arc<Mutex<State>>);

impl App {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn saw(&self, call: &Call) {
        let header = call.headers.get("authorization");
        let header = header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        self.state().seen.push((call.operation.id.to_owned(), header));
    }

    /// Serves at a port of its own; its origin.
    pub(crate) async fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Server::new()
            .authenticator(self.clone())
            .accounts(self.clone())
            .apps(self.clone())
            .media(self.clone())
            .oauth(self.clone())
            .statuses(self.clone())
            .streaming(self.clone())
            .timelines(self.clone())
            .without("instance.get")
            .without("instance.get_v1")
            .into_router();
        let instance = axum::routing::get(async || r#"{"version": "4.5.0"}"#);
        // Mastodon.py asks with a slash at the end, and for ever where it gets no version.
        let paths =
            ["/api/v1/instance", "/api/v1/instance/", "/api/v2/instance", "/api/v2/instance/"];
        let router =
            { paths.into_iter() }.fold(router, |router, path| router.route(path, instance.clone()));
        tokio::spawn(Listen::new(listener).serve(router));
        let origin = format!("http://{address}");
        self.state().origin.clone_from(&origin);
        origin
    }
}

fn refused(status: u16, error: &str) -> Error {
    let status = StatusCode::from_u16(status).expect("a status");
    Error::new(status, error).with_description("as the test has it")
}

/// The challenge of a verifier, made otherwise than the client makes it: bit by bit.
fn challenge(verifier: &str) -> String {
    let alphabet: Vec<char> =
        ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']).collect();
    let digest = Sha256::digest(verifier);
    let bits =
        digest.iter().flat_map(|byte| (0..8).rev().map(move |bit| usize::from(byte >> bit & 1)));
    let bits: Vec<usize> = bits.collect();
    let place =
        |six: &[usize]| (0..6).fold(0, |place, at| place << 1 | six.get(at).copied().unwrap_or(0));
    bits.chunks(6).map(|six| alphabet[place(six)]).collect()
}

impl server::Authenticator for App {
    async fn authenticate(&self, token: Secret) -> Result<Caller> {
        let token = token.expose();
        let scopes = self.state().tokens.get(token).cloned();
        let scopes = Scopes::from(scopes.ok_or_else(Error::unauthorized)?);
        if token.starts_with('u') { Ok(Caller::user("7", scopes)) } else { Ok(Caller::app(scopes)) }
    }
}

impl server::Apps for App {
    async fn create(&self, request: apps::Create, call: Call) -> Result<CredentialApplication> {
        self.saw(&call);
        let mut state = self.state();
        let id = state.next("app");
        let uris: Vec<String> = request.redirect_uris.into_iter().flatten().collect();
        let redirect_uri = uris.join("\n");
        state.apps.insert(id.clone(), uris.clone());
        Ok(current::CredentialApplication {
            client_id: id,
            client_secret: "s3cret-of-the-app".into(),
            id: "1".into(),
            name: request.client_name,
            redirect_uri,
            redirect_uris: uris,
            client_secret_expires_at: 0,
            scopes: Vec::new(),
            website: None,
            vapid_key: None,
        }
        .into())
    }
}

impl server::Oauth for App {
    async fn authorize(
        &self,
        request: oauth::Authorize,
        call: Call,
    ) -> Result<OauthAuthorizeResponse> {
        self.saw(&call);
        let mut state = self.state();
        let known = state.apps.get(&request.client_id);
        if !known.is_some_and(|uris| uris.contains(&request.redirect_uri)) {
            return Err(refused(400, "invalid_request"));
        }
        let echoed = request.state.unwrap_or_default();
        let answer = if state.consent == Consent::Denied {
            "error=access_denied&error_description=The+user+said+no.".to_owned()
        } else {
            let code = state.next("c0de");
            let issued = Issued {
                redirect_uri: request.redirect_uri.clone(),
                challenge: request.code_challenge,
                scope: request.scope.unwrap_or_default(),
            };
            state.codes.insert(code.clone(), issued);
            format!("code={code}")
        };
        if request.redirect_uri.starts_with("urn:") {
            return Err(Reply::html(answer.replace("code=", "")))?;
        }
        Err(Reply::redirect(&format!("{}?{answer}&state={echoed}", request.redirect_uri)))?
    }

    async fn token(&self, request: oauth::Token, call: Call) -> Result<Token> {
        self.saw(&call);
        let mut state = self.state();
        let Some(uris) = state.apps.get(&request.client_id).cloned() else {
            return Err(refused(401, "invalid_client"));
        };
        if request.client_secret.expose() != "s3cret-of-the-app" {
            return Err(refused(401, "invalid_client"));
        }
        // As GoToSocial, it wants a redirect address for every grant.
        let Some(redirect) = request.redirect_uri.filter(|uri| uris.contains(uri)) else {
            return Err(refused(400, "invalid_request"));
        };
        let (prefix, scope) = if request.grant_type.as_str() == "authorization_code" {
            let code = request.code.as_ref().map(|code| code.expose().to_owned());
            // A code is good for one exchange, whatever comes of it.
            let issued = code.and_then(|code| state.codes.remove(&code));
            let Some(issued) = issued else {
                return Err(refused(400, "invalid_grant"));
            };
            let proof = request.code_verifier.map(|verifier| challenge(verifier.expose()));
            if issued.redirect_uri != redirect || proof != issued.challenge {
                return Err(refused(400, "invalid_grant"));
            }
            ("u", issued.scope)
        } else {
            ("a", request.scope.unwrap_or_default())
        };
        let token = state.next(prefix);
        state.tokens.insert(token.clone(), scope.clone());
        Ok(Token {
            expires_in: (prefix == "a").then_some(3600),
            ..current::Token {
                access_token: token.into(),
                scope,
                token_type: "Bearer".into(),
                created_at: 1_728_390_600,
            }
            .into()
        })
    }

    async fn revoke(&self, request: oauth::Revoke, call: Call) -> Result<Empty> {
        self.saw(&call);
        self.state().tokens.remove(request.token.as_ref().map_or("", Secret::expose));
        Ok(Empty)
    }

    async fn server_metadata(
        &self,
        _: oauth::ServerMetadata,
        call: Call,
    ) -> Result<ServerMetadata> {
        self.saw(&call);
        let origin = self.state().origin.clone();
        let at = |path: &str| format!("{origin}{path}");
        Ok(current::ServerMetadata {
            app_registration_endpoint: at("/api/v1/apps"),
            authorization_endpoint: at("/oauth/authorize"),
            code_challenge_methods_supported: vec!["S256".into()],
            grant_types_supported: vec!["authorization_code".into()],
            issuer: at("/"),
            response_modes_supported: vec!["query".into()],
            response_types_supported: vec!["code".into()],
            revocation_endpoint: at("/oauth/revoke"),
            scopes_supported: vec![OauthScope::Read, OauthScope::WriteMedia],
            service_documentation: at("/docs"),
            token_endpoint: at("/oauth/token"),
            token_endpoint_auth_methods_supported: vec!["client_secret_post".into()],
            userinfo_endpoint: String::new(),
        }
        .into())
    }
}

impl server::Accounts for App {
    async fn create(&self, request: accounts::Create, call: Call) -> Result<Token> {
        self.saw(&call);
        if request.username == "taken" {
            let details = serde_json::json!({
                "username": [{"error": "ERR_TAKEN", "description": "is taken"}],
                "agreement": [{"error": "ERR_ACCEPTED", "description": "must be accepted"}],
            });
            return Err(Error::unprocessable("Validation failed").with_details(details));
        }
        let mut state = self.state();
        let token = state.next("u");
        state.tokens.insert(token.clone(), "read".to_owned());
        Ok(current::Token {
            access_token: token.into(),
            scope: "read".into(),
            token_type: "Bearer".into(),
            created_at: 0,
        }
        .into())
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        call: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        self.saw(&call);
        let text = request.status.unwrap_or_default();
        self.state().posted.push(text.clone());
        Ok(Either::Second(status(&text)))
    }

    async fn update(&self, request: statuses::Update, call: Call) -> Result<Status> {
        self.saw(&call);
        Ok(status(&request.status.unwrap_or_default()))
    }
}

fn status(text: &str) -> Status {
    let status = serde_json::json!({
        "id": "1", "uri": "https://example.org/1", "created_at": "2024-10-08T12:30:00.000Z",
        "favourites_count": 0, "reblogs_count": 0, "replies_count": 0, "content": text,
        "url": "https://example.org/1", "in_reply_to_id": null, "in_reply_to_account_id": null,
        "sensitive": false, "spoiler_text": "", "visibility": "public", "language": "en", "reblog": null,
        "media_attachments": [], "mentions": [], "tags": [], "emojis": [], "card": null, "poll": null,
        "account": {
            "id": "7", "username": "mona", "acct": "mona", "url": "https://example.org/@mona",
            "note": "", "avatar": "", "header": "", "locked": false, "display_name": "",
            "created_at": "2024-10-08T00:00:00.000Z", "followers_count": 0,
            "following_count": 0, "statuses_count": 0,
            "avatar_static": "", "header_static": "", "emojis": [], "fields": [], "bot": false,
        },
    });
    rt::de::read::<Status>(&status.to_string()).expect("a status").value
}

fn medium(url: Option<&str>) -> MediaAttachment {
    MediaAttachment { url: url.map(str::to_owned), ..entities::media("1") }
}

impl server::Media for App {
    async fn upload(&self, _: media::Upload, call: Call) -> Result<MediaAttachment> {
        self.saw(&call);
        call.set_status(StatusCode::ACCEPTED)?;
        self.state().processing = 2;
        Ok(medium(None))
    }

    /// Processed when it is asked for the second time.
    async fn get(&self, _: media::Get, call: Call) -> Result<MediaAttachment> {
        let mut state = self.state();
        state.processing = state.processing.saturating_sub(1);
        if state.processing > 0 {
            call.set_status(StatusCode::PARTIAL_CONTENT)?;
            return Ok(medium(None));
        }
        Ok(medium(Some("https://example.org/1.png")))
    }
}

impl server::Timelines for App {
    async fn home(&self, _: timelines::Home, call: Call) -> Result<Page<Status>> {
        self.saw(&call);
        Ok(Page::new([]))
    }
}

impl server::Streaming for App {
    /// A stream with one status, which stays open.
    async fn user(&self, _: streaming::User, call: Call) -> Result<Events> {
        self.saw(&call);
        let (sender, events) = Events::channel(8);
        let update = StreamEvent::Update(Box::new(status("<p>Rain &amp; sun.</p>")));
        drop(sender.try_send(update.into()));
        self.state().streams.push(sender);
        Ok(events)
    }
}
