//! The endpoints of OAuth, the methods that do the same as others, and values that nobody listed.

use fedispec::entities::{self, AdminMeasure, List, Marker, Report, Search, Token};
use fedispec::runtime::{Empty, Map};
use fedispec::server::{self, Call, Error, OauthError, Result, Server, Target};
use fedispec::{
    admin_measures, current, grouped_notifications, lists, markers, oauth, reports, search,
};

use crate::traits::answers::{Answer, ask};

#[derive(Clone)]
struct App;

impl server::Oauth for App {
    async fn authorize(
        &self,
        _: oauth::Authorize,
        _: Call,
    ) -> Result<entities::OauthAuthorizeResponse> {
        Err(Error::gone())
    }

    async fn token(&self, request: oauth::Token, _: Call) -> Result<Token> {
        if (&*request.client_id, request.client_secret.expose()) != ("id", "a b:c") {
            Err(OauthError::InvalidClient)?;
        }
        match request.grant_type.as_str() {
            "authorization_code" if request.code.is_some() => {}
            "client_credentials" => {}
            "device" => {
                let other = Error::from(OauthError::UnauthorizedClient);
                return Err(other.with_description("later"));
            }
            _ => Err(OauthError::UnsupportedGrantType)?,
        }
        Ok(current::Token {
            access_token: "token".into(),
            scope: request.scope.unwrap_or_default(),
            token_type: "Bearer".into(),
            created_at: 0,
        }
        .into())
    }

    async fn revoke(&self, request: oauth::Revoke, _: Call) -> Result<Empty> {
        if request.client_secret.expose() == "a b:c" {
            Ok(Empty {})
        } else {
            Err(Error::forbidden())
        }
    }
}

impl server::Lists for App {
    async fn update(&self, request: lists::Update, call: Call) -> Result<List> {
        let title = format!("{} {}", call.operation.id, request.title.unwrap_or_default());
        Ok(crate::entities::list(request.id, title))
    }
}

impl server::Search for App {
    async fn all(&self, request: search::All, _: Call) -> Result<Search> {
        assert!(request.r#type.is_none());
        Ok(current::Search {
            accounts: Vec::new(),
            statuses: Vec::new(),
            hashtags: Vec::new(),
            collections: Vec::new(),
        }
        .into())
    }
}

impl server::Markers for App {
    async fn get(&self, request: markers::Get, _: Call) -> Result<Map<Marker>> {
        assert!(request.timeline.is_empty());
        Ok(Map::new())
    }
}

impl server::AdminMeasures for App {
    async fn get(
        &self,
        request: admin_measures::Get,
        _: Call,
    ) -> Result<fedispec::runtime::List<AdminMeasure>> {
        assert!(request.keys.len() < 2);
        Ok(Vec::new().into())
    }
}

impl server::GroupedNotifications for App {
    async fn list(
        &self,
        _: grouped_notifications::List,
        _: Call,
    ) -> Result<entities::GroupedNotificationsResults> {
        Err(Error::gone())
    }
}

impl server::Reports for App {
    async fn create(&self, request: reports::Create, _: Call) -> Result<Report> {
        assert!(request.category.is_none());
        Err(Error::gone())
    }
}

fn server() -> Server {
    Server::new()
        .oauth(App)
        .lists(App)
        .search(App)
        .markers(App)
        .reports(App)
        .admin_measures(App)
        .grouped_notifications(App)
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
/// `id` and the secret `a b:c`, encoded as in a form.
const BASIC: (&str, &str) = ("authorization", "Basic aWQ6YSUyMGIlM0Fj");

async fn post(path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let line = format!("POST {path}");
    ask(server().into_router(), &line, headers, body).await
}

async fn token(headers: &[(&str, &str)], body: &str) -> Answer {
    let headers: Vec<_> = [FORM].into_iter().chain(headers.iter().copied()).collect();
    post("/oauth/token", &headers, body).await
}

/// The status, the code and the description of an error.
fn error(answer: &Answer) -> (u16, String, String) {
    let json = answer.json();
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    (answer.status, text("error"), text("error_description"))
}

#[tokio::test]
async fn a_client_may_send_its_secret_in_a_header() {
    let asked = "grant_type=client_credentials&scope=read";
    let answer = token(&[BASIC], asked).await;
    assert_eq!((answer.status, &answer.json()["scope"]), (200, &"read".into()));
    // The header goes before the body.
    let both = format!("{asked}&client_id=id&client_secret=wrong");
    assert_eq!(token(&[BASIC], &both).await.status, 200);
    let in_body = format!("{asked}&client_id=id&client_secret=a+b:c");
    assert_eq!(token(&[], &in_body).await.status, 200);
    let revoked = post("/oauth/revoke", &[FORM, BASIC], "token=t").await;
    assert_eq!((revoked.status, &*revoked.body), (200, "{}"));

    for (header, told) in [
        ("Basic aWQ6eA==", true),
        ("Basic !", true),
        ("basic aWQ=", true),
        ("Bearer aWQ6eA==", false),
    ] {
        let answer = token(&[("authorization", header)], asked).await;
        let (status, code, text) = error(&answer);
        if told {
            assert_eq!((status, &*code), (401, "invalid_client"), "{header}");
            assert_eq!(answer.header("www-authenticate"), "Basic realm=\"oauth\"");
        } else {
            assert_eq!((status, &*code), (400, "invalid_request"), "{header}");
            assert_eq!(text, "client_id is required");
        }
    }
    let wrong = format!("{asked}&client_id=id&client_secret=wrong");
    let answer = token(&[], &wrong).await;
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, ""));
}

#[tokio::test]
async fn errors_of_oauth_have_its_shape() {
    let own = "client_id=id&client_secret=a+b:c";
    let told = async |body: &str| error(&token(&[], &format!("{own}&{body}")).await);
    let told = async |body: &str| {
        let (status, code, text) = told(body).await;
        (status, format!("{code}: {text}"))
    };
    let missing = "unsupported_grant_type: grant_type is required";
    assert_eq!(told("scope=read").await, (400, missing.into()));
    let missing = "invalid_request: code is required";
    let code = "grant_type=authorization_code&redirect_uri=urn:x";
    assert_eq!(told(code).await, (400, missing.into()));
    // Unlisted grant types, extensions among them, are the handler's to judge.
    assert_eq!(
        told("grant_type=device&device_code=1").await,
        (400, "unauthorized_client: later".into())
    );
    let (status, unknown) = told("grant_type=telepathy").await;
    assert_eq!(status, 400);
    assert!(unknown.starts_with("unsupported_grant_type: "), "{unknown}");

    let line = "GET /oauth/authorize?client_id=id";
    let answer = ask(server().into_router(), line, &[], "").await;
    let (status, code, text) = error(&answer);
    assert_eq!((status, &*code), (400, "invalid_request"));
    assert_eq!(text, "redirect_uri is required");
    let answer = post("/oauth/token", &[("content-type", "text/xml")], "<a/>").await;
    let (status, code, _) = error(&answer);
    assert_eq!((status, &*code), (415, "invalid_request"));
}

/// PUT and PATCH are one in Mastodon, and in GoToSocial only what it has.
#[tokio::test]
async fn a_twin_does_the_same() {
    let ask = async |server: Server, line: &str| {
        let answer = ask(server.into_router(), line, &[FORM], "title=a").await;
        let title = answer.json()["title"].as_str().map(ToOwned::to_owned);
        (answer.status, title)
    };
    let renamed = Some("lists.update a".to_owned());
    for line in ["PUT /api/v1/lists/7", "PATCH /api/v1/lists/7", "PATCH /api/v1/lists/7/"] {
        assert_eq!(ask(server(), line).await, (200, renamed.clone()), "{line}");
    }
    let target = |program: &str| Target::new(program, "1.0.0".parse().expect("a version"));
    let mastodon = || server().target(target("mastodon"));
    let patch = "PATCH /api/v1/lists/7";
    assert_eq!(ask(mastodon(), patch).await, (200, renamed.clone()));
    let gotosocial = || server().target(target("gotosocial"));
    assert_eq!(ask(gotosocial(), patch).await.0, 405);
    let put = "PUT /api/v1/lists/7";
    assert_eq!(ask(gotosocial(), put).await, (200, renamed));
    assert_eq!(ask(server().without("lists.update"), patch).await.0, 405);
    assert_eq!(ask(server(), "PATCH /api/v1/lists").await.0, 405);
}

#[tokio::test]
async fn unlisted_values_are_taken_as_the_program_does() {
    let version = |text: &str| text.parse().expect("a version");
    let mastodon = || server().target(Target::new("mastodon", version("4.5.0")));
    let gotosocial = || server().target(Target::new("gotosocial", version("0.19.2")));
    let status = async |server: Server, line: &str, body: &str| {
        let answer = ask(server.into_router(), line, &[FORM], body).await;
        (answer.status, error(&answer).1)
    };
    for line in ["GET /api/v2/search?q=a&type=smells", "GET /api/v1/markers?timeline[]=attic"] {
        for server in [server(), mastodon()] {
            assert_eq!(status(server, line, "").await.0, 200, "{line}");
        }
        let (refused, told) = status(gotosocial(), line, "").await;
        assert_eq!(refused, 400, "{line}");
        assert!(told.contains(" was not recognized, valid options are "), "{told}");
    }
    // Without a target as Mastodon does.
    let line = "GET /api/v2/notifications?expand_accounts=nobody";
    for server in [server(), mastodon()] {
        assert_eq!(status(server, line, "").await.0, 400, "{line}");
    }
    // A POST that reads: newer clients ask for what an older server has not heard of.
    let line = "POST /api/v1/admin/measures";
    let days = "start_at=2024-01-01&end_at=2024-01-02";
    let keys = "keys[]=smells&keys[]=new_users";
    for server in [server(), mastodon()] {
        assert_eq!(status(server, line, &format!("{days}&{keys}")).await.0, 200);
    }
    let unknown = format!("{days}&keys[]=smells");
    assert_eq!(status(mastodon(), line, &unknown).await.0, 200);
    assert_eq!(status(mastodon(), line, days).await.0, 422);
    let report = "POST /api/v1/reports";
    let category = "account_id=7&category=nonsense";
    assert_eq!(status(mastodon(), report, category).await.0, 422);
    assert_eq!(status(gotosocial(), report, category).await.0, 410);
}
