//! The refusals of each program: a table of the releases that their sources and recordings were read at.

use fedispec::runtime::Secret;
use fedispec::server::{Call, Caller, Error, Listen, RequestLimits, Result, Router, Server};
use tokio::net::TcpListener;

use crate::traits::app::{Running, server};
use crate::traits::raw::{Answer, exchange};

const ME: &str = "GET /api/v1/accounts/verify_credentials";
const JSON: (&str, &str) = ("accept", "application/json");

/// A status and its words.
type Told = (u16, &'static str);

const INVALID: Told = (401, "The access token is invalid");
const EXPIRED: Told = (401, "The access token expired");
const REVOKED: Told = (401, "The access token was revoked");
const USER: Told = (422, "This method requires an authenticated user");
const SCOPE: Told = (403, "This action is outside the authorized scopes");
const NO_TOKEN: Told = (401, "Unauthorized: token not supplied");
const NO_USER: Told = (401, "Unauthorized: user not supplied or not authorized");
const NO_SCOPE: Told = (403, "Forbidden: token has insufficient scope permission");
const GONE: Told = (404, "Not Found");
const EMPTY: Told = (404, "");
const FORBIDDEN: Told = (403, "Invalid credentials.");
const NARROW: Told = (403, "Insufficient permissions: read:accounts.");
const NOTHING: Told = (404, "Not implemented");
const METHOD: Told = (405, "405 method not allowed");
const NONE: Told = (404, "There is nothing at this path");
const NO_DELETE: Told = (405, "DELETE is not allowed here");
const ANEW: Told = (500, "Unauthenticated.");
const NOT_YOURS: Told =
    (403, "Token is not authorized with a valid user or is missing a required scope");
const ROUTE: Told = (404, "The route api/v1/nothing_here could not be found.");
const PAGE: &str = "<!DOCTYPE html>\n<title>404 Not Found</title>\n<p>The page you are looking for is not here.</p>\n";

async fn caller(token: Secret) -> Result<Caller> {
    match token.expose() {
        "user" => Ok(Caller::user("7", "read write")),
        "app" => Ok(Caller::app("read write")),
        "narrow" => Ok(Caller::user("7", "read:lists")),
        "expired" => Err(Error::token_expired()),
        "revoked" => Err(Error::token_revoked()),
        _ => Err(Error::unauthorized()),
    }
}

/// Asks over a socket.
async fn ask(router: Router, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let served = tokio::spawn(Listen::new(listener).serve(router));
    let headers: Vec<_> =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: a.example\r\ncontent-length: {}\r\n{}\r\n{body}",
        body.len(),
        headers.concat()
    );
    let answer = exchange(address, request.as_bytes()).await;
    served.abort();
    Answer::parse(&answer).expect(&answer)
}

/// The status, and the words where there are some: those of `error`, or a body that is no JSON.
fn told(answer: &Answer) -> (u16, String) {
    let json = serde_json::from_str::<fedispec::runtime::Json>(&answer.body);
    let words = match json {
        Ok(json) => json["error"].as_str().unwrap_or_default().to_owned(),
        Err(_) => answer.body.clone(),
    };
    (answer.status, words)
}

#[tokio::test]
async fn each_program_refuses_in_its_own_words() {
    let app = Running::start(RequestLimits::default()).await.app.clone();
    let router = |release: &str| -> Router {
        let server = server(app.clone()).authenticator(caller);
        match release {
            "" => server.into_router(),
            _ => server.emulate(release).expect(release).into_router(),
        }
    };
    let releases = [
        "",
        "mastodon@4.5.0",
        "mastodon@2.9.1",
        "gotosocial@0.19.2",
        "gotosocial@0.17.4",
        "pleroma@2.6.0",
        "pixelfed@0.11.9",
        "friendica@2024.8.0",
    ];
    let nothing = "GET /api/v1/nothing_here";
    let delete = "DELETE /api/v1/accounts/verify_credentials";
    for (line, token, wanted) in [
        (ME, "", [INVALID, INVALID, INVALID, NO_TOKEN, NO_TOKEN, FORBIDDEN, ANEW, NOT_YOURS]),
        (
            ME,
            "unknown",
            [INVALID, INVALID, INVALID, NO_TOKEN, NO_TOKEN, FORBIDDEN, ANEW, NOT_YOURS],
        ),
        (
            ME,
            "expired",
            [EXPIRED, EXPIRED, EXPIRED, NO_TOKEN, NO_TOKEN, FORBIDDEN, ANEW, NOT_YOURS],
        ),
        (
            ME,
            "revoked",
            [REVOKED, REVOKED, REVOKED, NO_TOKEN, NO_TOKEN, FORBIDDEN, ANEW, NOT_YOURS],
        ),
        (ME, "app", [USER, USER, USER, NO_USER, NO_USER, FORBIDDEN, ANEW, NOT_YOURS]),
        // GoToSocial looks at scopes since 0.19.0, Pixelfed since 0.11.10.
        (ME, "narrow", [SCOPE, SCOPE, SCOPE, NO_SCOPE, (200, ""), NARROW, (200, ""), NOT_YOURS]),
        (ME, "user", [(200, ""); 8]),
        (nothing, "", [NONE, GONE, EMPTY, GONE, GONE, NOTHING, ROUTE, (404, PAGE)]),
        (delete, "", [NO_DELETE, GONE, EMPTY, METHOD, METHOD, EMPTY, (405, PAGE), (405, PAGE)]),
    ] {
        for (release, wanted) in releases.iter().zip(wanted) {
            let bearer = format!("Bearer {token}");
            let headers = [JSON, ("authorization", bearer.as_str())];
            let headers = if token.is_empty() { &headers[..1] } else { &headers };
            let answer = ask(router(release), line, headers, "").await;
            let (status, words) = told(&answer);
            let what = format!("{release}: {line} with `{token}`");
            assert_eq!((status, words.as_str()), wanted, "{what}");
        }
    }
    // No release may be led to store what nobody listed, whatever its faults: GoToSocial 0.18 and 0.19 keep it and fail ever after.
    for release in releases {
        let headers = [
            ("authorization", "Bearer user"),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let body = "status=a&visibility=nonsense";
        let answer = ask(router(release), "POST /api/v1/statuses", &headers, body).await;
        let (status, words) = told(&answer);
        let (refused, told) = match release.split('@').next() {
            Some("gotosocial") => (400, "visibility must be one of these: "),
            Some("mastodon") => (422, "Validation failed: Visibility is not included in the list"),
            _ => (422, ""),
        };
        assert_eq!(status, refused, "{release}: {words}");
        assert!(words.contains(told), "{words}");
    }
}

/// Another status, and another shape, for what is missing.
#[tokio::test]
async fn each_program_has_its_own_shape_for_what_is_missing() {
    for (release, line, status, body) in [
        (
            "pixelfed@0.11.9",
            "GET /api/v2/search",
            500,
            r#"{"message":"The q field is required.","errors":{"q":["The q field is required."]}}"#,
        ),
        (
            "friendica@2022.10.0",
            "GET /api/v1/statuses/none",
            404,
            r#"{"error":"Record not found"}"#,
        ),
        ("friendica@2024.8.0", "GET /api/v1/statuses/none", 403, r#"{"error":"Record not found"}"#),
    ] {
        let missing = async |(): (), _: fedispec::statuses::Get, _: Call| Err(Error::not_found());
        let search = async |(): (), _: fedispec::search::All, _: Call| Err(Error::not_found());
        let server = Server::new().on(missing).on(search).authenticator(caller);
        let router = server.emulate(release).expect(release).into_router();
        let headers = [JSON, ("authorization", "Bearer user")];
        let answer = ask(router, line, &headers, "").await;
        assert_eq!((answer.status, answer.body.as_str()), (status, body), "{release}: {line}");
    }
}
