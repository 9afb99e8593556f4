//! A stand-in as tests use it: started, asked over a socket, reset, saved and loaded.

#![allow(
    clippy::expect_fun_call,
    clippy::too_many_lines,
    reason = "a test that fails says what it has read"
)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use fedispec::entities::{AdminAccount, Report};
use fedispec::runtime::de::read;
use fedispec_standin::{
    DataError, Fault, OWNER_EMAIL, PASSWORD, Running, StandIn, StartError, Undecoded,
};
use serde_json::{Value, json};

mod asking;

use asking::{Answer, ask};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn get(server: &Running, path: &str) -> Value {
    ask(server.url(), "GET", path, Some(server.token()), "").await.json()
}

async fn post(server: &Running, path: &str, body: &str) -> Answer {
    ask(server.url(), "POST", path, Some(server.token()), body).await
}

/// The value of a field of a form, or a parameter of a query.
fn between<'t>(text: &'t str, begin: &str, end: char) -> &'t str {
    let (_, rest) = text.split_once(begin).expect(text);
    rest.split(end).next().unwrap_or_default()
}

#[tokio::test]
async fn each_test_has_its_own_and_resets_it() {
    let one = StandIn::new().start().await.expect("started");
    let other = StandIn::new().start().await.expect("started");
    assert_ne!(one.url(), other.url());
    assert_eq!(post(&one, "/api/v1/statuses", "status=Hello").await.status, 200);
    assert_eq!(get(&one, "/api/v1/timelines/home").await[0]["content"], "<p>Hello</p>");
    assert_eq!(get(&other, "/api/v1/timelines/home").await, json!([]));

    let mona = one.account("mona").expect("an account");
    let bob = one.remote_account("bob@other.example");
    assert!(one.follow(&mona.id, &bob));
    let status = one.post(&bob, "From afar").expect("posted");
    let home = ask(one.url(), "GET", "/api/v1/timelines/home", Some(&mona.token), "").await.json();
    assert_eq!(home[0]["id"], status.as_str());
    assert_eq!(home[0]["account"]["acct"], "bob@other.example");

    one.reset().expect("reset");
    assert_eq!(get(&one, "/api/v1/timelines/home").await, json!([]));
    assert_eq!(get(&one, "/api/v1/accounts/verify_credentials").await["username"], "owner");
    let gone = ask(one.url(), "GET", "/api/v1/timelines/home", Some(&mona.token), "").await;
    assert_eq!(gone.status, 401);
    one.stop().await.expect("stopped");
}

#[tokio::test]
async fn time_goes_as_the_test_wants() {
    let server = StandIn::new().start().await.expect("started");
    assert!(server.set_time(&"2024-10-08T12:00:00.000Z".into()));
    assert!(!server.set_time(&"soon".into()));
    let scheduled = json!({"status": "Later", "scheduled_at": "2024-10-08T12:30:00.000Z"});
    let answer = post(&server, "/api/v1/statuses", &scheduled.to_string()).await;
    assert_eq!(answer.json()["scheduled_at"], "2024-10-08T12:30:00.000Z");
    assert_eq!(get(&server, "/api/v1/timelines/home").await, json!([]));
    let soon = json!({"status": "Later", "scheduled_at": "2024-10-08T12:01:00.000Z"});
    assert_eq!(post(&server, "/api/v1/statuses", &soon.to_string()).await.status, 422);
    server.advance(Duration::from_secs(1800));
    let home = get(&server, "/api/v1/timelines/home").await;
    assert_eq!(home[0]["created_at"], "2024-10-08T12:30:00.000Z");
}

/// These lines are in the README.
#[tokio::test]
async fn it_takes_a_few_lines() -> Result<(), Box<dyn std::error::Error>> {
    let server = StandIn::new().emulate("gotosocial@0.17.0")?.start().await?;
    let mona = server.account("mona")?; // with a token; follow, post and remote_account fill the rest
    server.fault(Fault::operation("timelines.home").times(2).status(503))?; // and then it works again
    server.advance(Duration::from_secs(3600)); // scheduled statuses are posted, polls and mutes end
    let asked = server.calls(); // with bodies, without secrets
    server.reset()?;
    drop((mona, asked));
    Ok(())
}

#[tokio::test]
async fn a_status_is_answered_boosted_edited_and_deleted() {
    let server = StandIn::new().start().await.expect("started");
    let first = post(&server, "/api/v1/statuses", "status=One&visibility=unlisted").await.json();
    let id = first["id"].as_str().expect("an id");
    let reply = format!("status=Two&in_reply_to_id={id}");
    let reply = post(&server, "/api/v1/statuses", &reply).await.json();
    let context = get(&server, &format!("/api/v1/statuses/{id}/context")).await;
    assert_eq!(context["descendants"][0]["id"], reply["id"]);
    for (act, field) in [("favourite", "favourited"), ("bookmark", "bookmarked"), ("pin", "pinned")]
    {
        let done = post(&server, &format!("/api/v1/statuses/{id}/{act}"), "").await.json();
        assert_eq!(done[field], true, "{act}");
    }
    let boost = post(&server, &format!("/api/v1/statuses/{id}/reblog"), "").await.json();
    assert_eq!(
        (&boost["reblog"]["id"], &boost["reblog"]["reblogs_count"]),
        (&first["id"], &json!(1))
    );
    let path = format!("/api/v1/statuses/{id}");
    let edited = ask(server.url(), "PUT", &path, Some(server.token()), "status=Three").await.json();
    assert_eq!(edited["content"], "<p>Three</p>");
    let history = get(&server, &format!("{path}/history")).await;
    let texts: Vec<_> =
        history.as_array().expect("a list").iter().map(|one| &one["content"]).collect();
    assert_eq!(texts, ["<p>One</p>", "<p>Three</p>"]);
    let deleted = ask(server.url(), "DELETE", &path, Some(server.token()), "").await.json();
    assert_eq!(deleted["text"], "Three");
    let home = get(&server, "/api/v1/timelines/home").await;
    assert_eq!(home.as_array().map(Vec::len), Some(1), "the boost is gone too: {home}");
}

#[tokio::test]
async fn aliases_are_removed_by_an_empty_list() {
    let server = StandIn::new().emulate("gotosocial@0.19.2").expect("a release");
    let server = server.start().await.expect("it starts");
    let alias = async |body: &str| {
        let answer = post(&server, "/api/v1/accounts/alias", body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.body);
        let me = get(&server, "/api/v1/accounts/verify_credentials").await;
        assert_eq!(answer.json()["source"], me["source"]);
        me["source"]["also_known_as_uris"].clone()
    };
    let one = "also_known_as_uris=https%3A%2F%2Felsewhere.example%2Fusers%2Fmona";
    let known = json!(["https://elsewhere.example/users/mona"]);
    for none in [r#"{"also_known_as_uris": []}"#, "also_known_as_uris=", ""] {
        assert_eq!(alias(one).await, known);
        assert_eq!(alias(none).await, Value::Null, "{none}");
    }
    server.stop().await.expect("it stops");
}

/// A refusal has the status and the words of the release that is presented.
#[tokio::test]
async fn what_is_missing_is_told_as_the_release_does() {
    let (search, keyword) = ("GET /api/v2/search", "POST /api/v2/filters/1/keywords");
    let (list, apps) = ("POST /api/v1/lists", "POST /api/v1/apps");
    for (release, call, status, told) in [
        ("mastodon@4.6.5", search, 400, "param is missing or the value is empty or invalid: q"),
        ("mastodon@4.6.5", keyword, 422, "Validation failed: Keyword can't be blank"),
        ("mastodon@4.6.5", list, 422, "Validation failed: Title can't be blank"),
        (
            "gotosocial@0.19.2",
            search,
            400,
            "Bad Request: required key q was not set or had empty value",
        ),
        (
            "gotosocial@0.19.2",
            list,
            400,
            "Bad Request: list title must be provided, and must be no more than 200 chars",
        ),
        (
            "gotosocial@0.19.2",
            apps,
            400,
            "Bad Request: Key: 'ApplicationCreateRequest.ClientName' Error:Field validation for 'ClientName' failed on the 'required' tag",
        ),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let (method, path) = call.split_once(' ').expect("a path");
        let answer = ask(server.url(), method, path, Some(server.token()), "").await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (status, Some(told)),
            "{release} {call}"
        );
        server.stop().await.expect("it stops");
    }
}

/// Pages, defaults and statuses of success are those of the release that is presented.
#[tokio::test]
async fn each_release_has_its_pages_defaults_and_statuses() {
    for (release, page, most, whole_word, replies, muted) in [
        ("mastodon@4.6.5", 20, 40, true, "list", true),
        ("gotosocial@0.19.2", 30, 60, false, "followed", false),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let me = get(&server, "/api/v1/accounts/verify_credentials").await;
        for number in 0..60 {
            let status = post(&server, "/api/v1/statuses", &format!("status={number}")).await;
            assert_eq!(status.status, 200, "{}", status.body);
        }
        let path = format!("/api/v1/accounts/{}/statuses", me["id"].as_str().expect("an id"));
        let count = async |query: &str| {
            let page = get(&server, &format!("{path}{query}")).await;
            page.as_array().map(Vec::len)
        };
        assert_eq!(
            (count("").await, count("?limit=80").await),
            (Some(page), Some(most)),
            "{release}"
        );
        let filter = post(&server, "/api/v2/filters", "title=tea&context[]=home").await.json();
        let keywords =
            format!("/api/v2/filters/{}/keywords", filter["id"].as_str().expect("an id"));
        let keyword = post(&server, &keywords, "keyword=tea").await.json();
        assert_eq!(keyword["whole_word"], whole_word, "{release}");
        let list = post(&server, "/api/v1/lists", "title=tea").await.json();
        assert_eq!(list["replies_policy"], replies, "{release}");
        let list = format!("/api/v1/lists/{}", list["id"].as_str().expect("an id"));
        let list = ask(server.url(), "PUT", &list, Some(server.token()), "exclusive=true").await;
        assert_eq!((list.status, &list.json()["title"]), (200, &json!("tea")), "{release}");
        let bob = server.remote_account("bob@other.example");
        let mute = post(&server, &format!("/api/v1/accounts/{bob}/mute"), "").await.json();
        assert_eq!(mute["muting_notifications"], muted, "{release}: {mute}");
        server.stop().await.expect("it stops");
    }
}

#[tokio::test]
async fn lists_are_as_long_as_the_release_takes_them() {
    let fields = |count: usize| {
        let fields = (0..count).map(|n| format!("fields_attributes[{n}][name]=a"));
        fields.collect::<Vec<_>>().join("&")
    };
    let of_one = |name: &str, count: usize| vec![format!("{name}[]=1"); count].join("&");
    let profile = "PATCH /api/v1/accounts/update_credentials";
    let five = "Validation failed: Fields is too long (maximum is 4 characters)";
    for (release, line, body, told) in [
        ("mastodon@4.6.5", profile, fields(4), Ok(())),
        ("mastodon@4.6.5", profile, fields(5), Err((422, five))),
        ("gotosocial@0.19.2", profile, fields(6), Ok(())),
        (
            "gotosocial@0.19.2",
            profile,
            fields(7),
            Err((400, "Bad Request: fields_attributes should be no more than 6, provided 7")),
        ),
        (
            "mastodon@4.6.5",
            &format!("GET /api/v1/statuses?{}", of_one("id", 21)),
            String::new(),
            Err((422, "Mastodon::ValidationError")),
        ),
        // Reading ignores what is too much.
        (
            "mastodon@4.6.5",
            &format!("GET /api/v1/timelines/tag/tea?{}", of_one("any", 5)),
            String::new(),
            Ok(()),
        ),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let (method, path) = line.split_once(' ').expect("a path");
        let answer = ask(server.url(), method, path, Some(server.token()), &body).await;
        let (status, words) = told.err().unwrap_or((200, ""));
        let said = answer.json();
        let said = said["error"].as_str().unwrap_or_default();
        assert_eq!((answer.status, said), (status, words), "{release} {line} {body}");
        server.stop().await.expect("it stops");
    }
}

#[tokio::test]
async fn what_is_too_long_is_told_as_the_release_does() {
    let too_long = |most| {
        format!("Validation failed: Display name is too long (maximum is {most} characters)")
    };
    for (release, length, told) in [
        ("mastodon@4.5.0", 30, None),
        ("mastodon@4.5.0", 31, Some(too_long(30))),
        ("mastodon@4.6.5", 40, None),
        ("mastodon@4.6.5", 41, Some(too_long(40))),
        ("gotosocial@0.19.2", 200, None),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let body = format!("display_name={}", "x".repeat(length));
        let path = "/api/v1/accounts/update_credentials";
        let answer = ask(server.url(), "PATCH", path, Some(server.token()), &body).await;
        let expected = told.as_ref().map_or(200, |_| 422);
        assert_eq!(answer.status, expected, "{release}: {}", answer.body);
        if let Some(told) = told {
            assert_eq!(answer.json()["error"], json!(told), "{release}");
        }
        server.stop().await.expect("it stops");
    }
}

#[tokio::test]
async fn gotosocial_completes_policies_and_filters_peers() {
    let server = StandIn::new().emulate("gotosocial@0.19.2").expect("a release");
    let server = server.start().await.expect("it starts");
    let path = "/api/v1/interaction_policies/defaults";
    let body = "public[can_reply][with_approval][0]=public";
    let answer = ask(server.url(), "PATCH", path, Some(server.token()), body).await.json();
    let always = |does: &str| answer["public"][does]["always"].clone();
    assert_eq!(always("can_favourite"), json!(["author"]));
    assert_eq!(always("can_reply"), json!(["author", "mentioned"]));
    assert_eq!(answer["private"]["can_reblog"]["always"], json!(["author"]));
    server.remote_account("bob@other.example");
    let peers = get(&server, "/api/v1/instance/peers?filter=open").await;
    assert_eq!(peers[0]["domain"], "other.example", "{peers}");
    let answer = ask(server.url(), "GET", "/api/v1/instance/peers?filter=all", None, "").await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    server.stop().await.expect("it stops");
}

/// An account of another server has no user here.
#[tokio::test]
async fn moderators_see_accounts_without_a_user() {
    for (release, told) in [
        ("mastodon@4.6.5", [const { Value::Null }; 5]),
        ("gotosocial@0.19.2", [json!(""), json!(false), json!(false), json!([]), json!(false)]),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let bob = server.remote_account("bob@other.example");
        let seen = get(&server, &format!("/api/v1/admin/accounts/{bob}")).await;
        let report = post(&server, "/api/v1/reports", &format!("account_id={bob}")).await.json();
        let found = ["email", "confirmed", "disabled", "ips"].map(|key| &seen[key]);
        let [.., forwarded] = &told;
        assert_eq!(found.as_slice(), told[..4].iter().collect::<Vec<_>>(), "{release}: {seen}");
        assert_eq!(report["forwarded"], *forwarded, "{release}: {report}");
        let account = read::<AdminAccount>(&seen.to_string()).expect("an account").value;
        assert_eq!(account.domain.as_deref(), Some("other.example"));
        assert!(account.ips.unwrap_or_default().is_empty());
        read::<Report>(&report.to_string()).expect("a report");
        server.stop().await.expect("it stops");
    }
}

#[tokio::test]
async fn a_list_is_changed_without_its_title() {
    let server = StandIn::new().start().await.expect("it starts");
    let list = post(&server, "/api/v1/lists", "title=Cats").await.json();
    let id = list["id"].as_str().expect("an id");
    let path = format!("/api/v1/lists/{id}");
    let changed = ask(server.url(), "PUT", &path, Some(server.token()), "exclusive=true").await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let changed = changed.json();
    assert_eq!((&changed["title"], &changed["exclusive"]), (&json!("Cats"), &json!(true)));
    let blank = ask(server.url(), "PUT", &path, Some(server.token()), "title=").await;
    assert_eq!(blank.status, 422, "{}", blank.body);
    server.stop().await.expect("it stops");
}

#[tokio::test]
async fn a_repeated_post_is_one_post() {
    let server = StandIn::new().start().await.expect("started");
    let body = r#"{"status": "Once"}"#;
    let host = server.url().strip_prefix("http://").expect("http");
    for _ in 0..2 {
        let mut socket = TcpStream::connect(host).await.expect("a server");
        let head = format!(
            "POST /api/v1/statuses HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Idempotency-Key: 7\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            server.token(),
            body.len()
        );
        socket.write_all(head.as_bytes()).await.expect("sent");
        socket.read_to_end(&mut Vec::new()).await.expect("answered");
    }
    assert_eq!(get(&server, "/api/v1/timelines/home").await.as_array().map(Vec::len), Some(1));
}

/// Registers an application, and answers its id and secret.
async fn register(server: &Running) -> (String, String) {
    let app = "client_name=A&redirect_uris=https%3A%2F%2Fa.example%2Fback&scopes=read+write";
    let app = ask(server.url(), "POST", "/api/v1/apps", None, app).await.json();
    let text = |name: &str| app[name].as_str().expect("a text").to_owned();
    (text("client_id"), text("client_secret"))
}

#[tokio::test]
async fn users_sign_in_with_a_code_and_its_verifier() {
    let server = StandIn::new().start().await.expect("started");
    let (id, secret) = register(&server).await;
    // The verifier of RFC 7636, appendix B.
    let (challenge, verifier) = (
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    );
    let query = format!(
        "client_id={id}&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&scope=read&state=x%22y\
         &code_challenge={challenge}&code_challenge_method=S256"
    );
    let page = ask(server.url(), "GET", &format!("/oauth/authorize?{query}"), None, "").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("value=\"x&quot;y\"") && !page.body.contains("x\"y"));
    let answer = |decision: &str, password: &str| {
        format!("{query}&decision={decision}&username={OWNER_EMAIL}&password={password}")
    };
    let at = "/oauth/authorize";
    let wrong = ask(server.url(), "POST", at, None, &answer("allow", "wrong")).await;
    assert_eq!((wrong.status, wrong.header("location")), (401, None));
    let denied = ask(server.url(), "POST", at, None, &answer("deny", "")).await;
    let location = "https://a.example/back?error=access_denied&state=x%22y";
    assert_eq!((denied.status, denied.header("location")), (302, Some(location)));
    let elsewhere = answer("allow", PASSWORD).replace("a.example", "evil.example");
    let elsewhere = ask(server.url(), "POST", at, None, &elsewhere).await;
    assert_eq!((elsewhere.status, elsewhere.header("location")), (400, None));

    let mut codes = Vec::new();
    for _ in 0..2 {
        let allowed = ask(server.url(), "POST", at, None, &answer("allow", PASSWORD)).await;
        let location = allowed.header("location").expect("a redirect");
        assert!(
            location.starts_with("https://a.example/back?code=")
                && location.ends_with("&state=x%22y")
        );
        codes.push(between(location, "code=", '&').to_owned());
    }
    let exchange = |code: &str, verifier: &str| {
        format!(
            "grant_type=authorization_code&client_id={id}&client_secret={secret}&code={code}\
             &redirect_uri=https%3A%2F%2Fa.example%2Fback&code_verifier={verifier}"
        )
    };
    let wrong =
        ask(server.url(), "POST", "/oauth/token", None, &exchange(&codes[0], "wrong")).await;
    assert_eq!((wrong.status, &wrong.json()["error"]), (400, &json!("invalid_grant")));
    let right = exchange(&codes[1], verifier);
    let token = ask(server.url(), "POST", "/oauth/token", None, &right).await.json();
    assert_eq!((&token["scope"], &token["token_type"]), (&json!("read"), &json!("Bearer")));
    let again = ask(server.url(), "POST", "/oauth/token", None, &right).await;
    assert_eq!(again.json()["error"], "invalid_grant", "a code is good once");

    let token = token["access_token"].as_str();
    let own = ask(server.url(), "GET", "/api/v1/accounts/verify_credentials", token, "").await;
    assert_eq!(own.json()["username"], "owner");
    let posted = ask(server.url(), "POST", "/api/v1/statuses", token, "status=a").await;
    assert_eq!(posted.status, 403, "the scope is not granted");
    let revoke =
        format!("client_id={id}&client_secret={secret}&token={}", token.unwrap_or_default());
    let revoked = ask(server.url(), "POST", "/oauth/revoke", None, &revoke).await;
    assert_eq!(revoked.status, 200);
    let own = ask(server.url(), "GET", "/api/v1/accounts/verify_credentials", token, "").await;
    assert_eq!(own.status, 401);
}

/// Mastodon before 4.3.0 knew no PKCE, and let clients in that use it.
#[tokio::test]
async fn a_release_without_pkce_ignores_it() {
    let server = StandIn::new().emulate("mastodon@4.2.0");
    let server = server.expect("a release").start().await.expect("started");
    let (id, secret) = register(&server).await;
    let query = format!(
        "client_id={id}&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&scope=read"
    );
    let challenge =
        "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
    let at = format!("/oauth/authorize?{query}&{challenge}");
    let page = ask(server.url(), "GET", &at, None, "").await;
    assert!(page.body.contains("name=\"client_id\"") && !page.body.contains("code_challenge"));
    let allow = format!("{query}&username={OWNER_EMAIL}&password={PASSWORD}");
    let allowed = ask(server.url(), "POST", "/oauth/authorize", None, &allow).await;
    let location = allowed.header("location").expect("a redirect");
    let (_, code) = location.split_once("code=").expect("a code");
    let exchange = format!(
        "grant_type=authorization_code&client_id={id}&client_secret={secret}&code={code}\
         &redirect_uri=https%3A%2F%2Fa.example%2Fback&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    );
    let token = ask(server.url(), "POST", "/oauth/token", None, &exchange).await;
    assert_eq!(token.json()["scope"], "read", "{}", token.body);
}

/// RFC 6749, 3.1.2 allows no fragment; GoToSocial takes one.
#[tokio::test]
async fn a_redirect_with_a_fragment_is_taken_as_the_program_takes_it() {
    for (release, status) in [("mastodon@4.6.5", 422), ("gotosocial@0.19.2", 200)] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("started");
        let app = "client_name=A&redirect_uris=https%3A%2F%2Fa.example%2Fback%23a";
        let app = ask(server.url(), "POST", "/api/v1/apps", None, app).await;
        assert_eq!(app.status, status, "{release}: {}", app.body);
    }
}

#[tokio::test]
async fn applications_have_tokens_and_users_register_with_them() {
    let server = StandIn::new().start().await.expect("started");
    let (id, secret) = register(&server).await;
    let ask_token = format!(
        "grant_type=client_credentials&client_id={id}&client_secret={secret}&scope=read+write"
    );
    let token = ask(server.url(), "POST", "/oauth/token", None, &ask_token).await.json();
    let token = token["access_token"].as_str();
    let user = |name: &str, agreement: &str| {
        format!(
            "username={name}&email={name}%40example.org&password=password&agreement={agreement}&locale=en"
        )
    };
    let refused =
        ask(server.url(), "POST", "/api/v1/accounts", token, &user("owner", "false")).await;
    let told = refused.json();
    assert_eq!(refused.status, 422);
    assert_eq!(told["details"]["username"][0]["error"], "ERR_TAKEN");
    assert_eq!(told["details"]["agreement"][0]["error"], "ERR_ACCEPTED");
    let made =
        ask(server.url(), "POST", "/api/v1/accounts", token, &user("mona", "true")).await.json();
    let own = made["access_token"].as_str();
    let own = ask(server.url(), "GET", "/api/v1/accounts/verify_credentials", own, "").await;
    assert_eq!(own.json()["username"], "mona");
}

#[tokio::test]
async fn the_state_outlives_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state.json");
    let server = StandIn::new().data(&file).start().await.expect("started");
    let token = server.token().to_owned();
    assert_eq!(post(&server, "/api/v1/statuses", "status=Kept").await.status, 200);
    server.stop().await.expect("saved");

    // The same state as another program: the ids are written otherwise, and the tokens stay good.
    let again = StandIn::new().emulate("gotosocial").expect("a program");
    let again = again.data(&file).start().await.expect("loaded");
    assert_eq!(again.token(), token);
    let home = get(&again, "/api/v1/timelines/home").await;
    assert_eq!(home[0]["content"], "<p>Kept</p>");
    assert_eq!(home[0]["id"].as_str().map(str::len), Some(26));
}

#[tokio::test]
async fn what_cannot_be_used_is_told() {
    let one = StandIn::new().start().await.expect("started");
    let port = one.url().rsplit(':').next().and_then(|port| port.parse().ok());
    let error = StandIn::new().port(port.expect("a port")).start().await.err();
    let told = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        told.contains("cannot listen on 127.0.0.1:") && told.contains("choose another port"),
        "{told}"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let load = async |content: &str| {
        let file = folder.path().join("state.json");
        std::fs::write(&file, content).expect("written");
        let error = StandIn::new().data(&file).start().await.expect_err("refused");
        // A file of somebody else is left as it is.
        assert_eq!(std::fs::read_to_string(&file).expect("still there"), content);
        error
    };
    let newer = load(r#"{"fedispec-standin": 99, "state": {"other": []}}"#).await;
    assert!(
        matches!(newer, StartError::Data(DataError::Unusable { why: Undecoded::Newer(99), .. })),
        "{newer}"
    );
    let older = load(r#"{"fedispec-standin": 1, "state": {"accounts": 7}}"#).await;
    assert!(
        matches!(older, StartError::Data(DataError::Unusable { why: Undecoded::Older(1, _), .. })),
        "{older}"
    );
    for other in ["", "{}", "[]", r#"{"fedispec-standin": 4, "state": {"accounts": 7}}"#] {
        let error = load(other).await;
        let StartError::Data(DataError::Unusable { why, .. }) = &error else {
            panic!("{other}: {error}");
        };
        assert!(matches!(why, Undecoded::Malformed(_)), "{other}: {why}");
    }
    let error = StandIn::new().data(folder.path()).start().await.err();
    assert!(matches!(error, Some(StartError::Data(DataError::Unreadable { .. }))));
    let nowhere = folder.path().join("nowhere/state.json");
    let error = StandIn::new().data(nowhere).start().await.err();
    assert!(matches!(error, Some(StartError::Data(DataError::Unwritable { .. }))));
}

#[tokio::test]
async fn what_cannot_trend_is_refused() {
    let server = StandIn::new().start().await.expect("started");
    server.promote_tag("#tea").expect("a tag");
    server.promote_link("https://example.org/").expect("a link");
    for refused in [server.promote_tag("two words"), server.promote_link("example")] {
        assert!(refused.is_err_and(|error| error.to_string().contains("is no")));
    }
}

/// The variable that has the data file of the server that is killed.
const FILE: &str = "FEDISPEC_STANDIN_TEST_FILE";

/// The server that [`nothing_saved_is_lost_when_it_is_killed`] starts: it posts, saves and tells each status that it has saved, for ever.
#[tokio::test]
#[ignore = "a process that another test starts"]
async fn a_server_that_is_killed() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let server = StandIn::new().data(file).start().await.expect("started");
    let mona = server.account("mona").expect("an account");
    loop {
        let status = server.post(&mona.id, "a ".repeat(2000)).expect("posted");
        server.save().await.expect("saved");
        println!("\nsaved {status}");
    }
}

#[tokio::test]
async fn nothing_saved_is_lost_when_it_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state.json");
    let mut told = Vec::new();
    for round in 0..12 {
        let own = std::env::current_exe().expect("this test");
        let mut child = Command::new(own)
            .args(["a_server_that_is_killed", "--exact", "--ignored", "--nocapture"])
            .env(FILE, &file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        let mut saved = out.lines().map_while(Result::ok).filter_map(|line| {
            let id = line.strip_prefix("saved ")?;
            Some(id.to_owned())
        });
        told.extend(saved.by_ref().take(5));
        // Somewhere in the next saves, at another point each time.
        std::thread::sleep(Duration::from_micros(700 * round));
        child.kill().expect("killed");
        told.extend(saved);
        child.wait().expect("ended");
    }
    let server = StandIn::new().data(&file).start().await.expect("loaded");
    assert!(told.len() >= 60, "{}", told.len());
    for id in told {
        let path = format!("/api/v1/statuses/{id}");
        let answer = ask(server.url(), "GET", &path, None, "").await;
        assert_eq!(answer.status, 200, "{id} was saved");
    }
}

#[tokio::test]
async fn every_operation_of_a_release_is_served() {
    for release in ["mastodon", "mastodon@2.9.1", "gotosocial"] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("started");
        let page = get(&server, "/index.json").await;
        assert_eq!(page["unserved"], json!([]), "{release}");
        assert!(server.unimplemented().is_empty(), "{release}");
    }
}

#[tokio::test]
async fn pictures_that_nobody_uploaded_are_there() {
    let server = StandIn::new().start().await.expect("started");
    let own = get(&server, "/api/v1/accounts/verify_credentials").await;
    let instance = get(&server, "/api/v2/instance").await;
    let named = [
        &own["avatar"],
        &own["avatar_static"],
        &own["header"],
        &own["header_static"],
        &instance["thumbnail"]["url"],
    ];
    for picture in named {
        let url = picture.as_str().expect("an address");
        let path = url.strip_prefix(server.url()).expect(url);
        let host = server.url().strip_prefix("http://").expect("http");
        let mut socket = TcpStream::connect(host).await.expect("a server");
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        socket.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await.expect("answered");
        let text = String::from_utf8_lossy(&answer).to_lowercase();
        assert!(text.starts_with("http/1.1 200"), "{url}: {text}");
        assert!(text.contains("content-type: image/png"), "{url}: {text}");
        let begin = b"\r\n\r\n\x89PNG\r\n\x1a\n";
        assert!(answer.windows(begin.len()).any(|part| part == begin), "{url}: no picture");
    }
}

#[tokio::test]
async fn gotosocial_refuses_in_its_own_words() {
    let server = StandIn::new().emulate("gotosocial@0.19.2");
    let server = server.expect("a release").start().await.expect("started");
    let mona = server.account("mona").expect("an account");
    let theirs = server.post(&mona.id, "mine").expect("posted");
    let me = get(&server, "/api/v1/accounts/verify_credentials").await;
    let me = me["id"].as_str().expect("an id");
    let long = format!("status={}", "a".repeat(5001));
    for (line, body, status, told) in [
        (
            "POST /api/v1/statuses",
            "status=+",
            400,
            "Bad Request: status contains no text, media or poll",
        ),
        (
            "POST /api/v1/statuses",
            &long,
            400,
            "Bad Request: text with spoiler exceed max chars (5000)",
        ),
        (
            "POST /api/v1/statuses",
            "status=a&media_ids[]=01JPZGGTQR8GRHWN4XK5D7YBRV",
            400,
            "Bad Request: media not found: 01JPZGGTQR8GRHWN4XK5D7YBRV",
        ),
        (
            "POST /api/v1/statuses",
            "status=a&scheduled_at=2999-01-01T00:00:00Z",
            501,
            "Not Implemented: scheduled statuses are not yet supported",
        ),
        (
            "GET /api/v1/statuses/01JPZGGTQR8GRHWN4XK5D7YBRV",
            "",
            404,
            "Not Found: target status not found",
        ),
        ("GET /api/v1/accounts/01JPZGGTQR8GRHWN4XK5D7YBRV", "", 404, "Not Found"),
        (
            "GET /api/v1/statuses/01JPZGGTQR8GRHWN4XK5D7YBRV/context",
            "",
            404,
            "Not Found: target status not found",
        ),
        ("DELETE /api/v1/statuses/01JPZGGTQR8GRHWN4XK5D7YBRV", "", 404, "Not Found"),
        (
            "GET /api/v1/polls/01JPZGGTQR8GRHWN4XK5D7YBRV",
            "",
            404,
            "Not Found: target status not found",
        ),
        (&format!("DELETE /api/v1/statuses/{theirs}"), "", 403, "Forbidden"),
        (&format!("POST /api/v1/accounts/{me}/follow"), "", 406, "Not Acceptable"),
        ("GET /api/v1/lists/01JPZGGTQR8GRHWN4XK5D7YBRV", "", 404, "Not Found: list not found"),
    ] {
        let (method, path) = line.split_once(' ').expect("a path");
        let answer = ask(server.url(), method, path, Some(server.token()), body).await;
        let said = answer.json();
        assert_eq!((answer.status, said["error"].as_str()), (status, Some(told)), "{line}");
    }
}

#[tokio::test]
async fn accounts_are_found_by_their_address() {
    let server = StandIn::new().start().await.expect("started");
    let domain = server.url().strip_prefix("http://").expect("http");
    for resource in [format!("acct:owner@{domain}"), format!("{}/@owner", server.url())] {
        let path = format!("/.well-known/webfinger?resource={resource}");
        let answer = ask(server.url(), "GET", &path, None, "").await;
        let found = answer.json();
        assert_eq!(found["subject"], format!("acct:owner@{domain}"));
        assert_eq!(answer.header("content-type"), Some("application/jrd+json; charset=utf-8"));
    }
    for resource in [
        "acct:owner@other.example".to_owned(),
        format!("acct:nobody@{domain}"),
        "https://other.example/@owner".to_owned(),
    ] {
        let path = format!("/.well-known/webfinger?resource={resource}");
        let answer = ask(server.url(), "GET", &path, None, "").await;
        assert_eq!(answer.status, 404, "{resource}");
    }
    let answer = ask(server.url(), "GET", "/.well-known/host-meta", None, "").await;
    assert!(answer.body.contains("webfinger?resource={uri}"));
}

#[tokio::test]
async fn a_user_of_gotosocial_changes_address_and_password() {
    let server = StandIn::new().emulate("gotosocial").expect("a program");
    let server = server.start().await.expect("started");
    let wrong = "password=wrong&new_email=new%40example.org";
    let right = format!("password={PASSWORD}&new_email=new%40example.org");
    let path = "/api/v1/user/email_change";
    assert_eq!(post(&server, path, wrong).await.status, 401);
    let changed = post(&server, path, &right).await;
    assert_eq!((changed.status, &changed.json()["email"]), (202, &json!("new@example.org")));
    assert_eq!(get(&server, "/api/v1/user").await["email"], "new@example.org");
    let path = "/api/v1/user/password_change";
    let same = format!("old_password={PASSWORD}&new_password={PASSWORD}");
    assert_eq!(post(&server, path, &same).await.status, 400);
    let new = format!("old_password={PASSWORD}&new_password=another+password");
    assert_eq!(post(&server, path, &new).await.status, 200);
    assert_eq!(post(&server, path, &new).await.status, 401);
}

#[tokio::test]
async fn a_second_factor_is_asked_for_where_it_is_on() {
    let server = StandIn::new().emulate("gotosocial@0.19.2").expect("a release");
    let server = server.start().await.expect("started");
    let enable = |code: &'static str| {
        let server = &server;
        async move {
            let answer = post(server, "/api/v1/user/2fa/enable", &format!("code={code}")).await;
            (answer.status, answer.json())
        }
    };
    let told = json!("Forbidden: no 2fa secret stored yet; read the qr code first");
    assert_eq!(enable("287082").await, (403, json!({ "error": told })));
    let uri = || ask(server.url(), "GET", "/api/v1/user/2fa/qruri", Some(server.token()), "");
    let shown = uri().await.body;
    assert!(shown.starts_with("otpauth://totp/127.0.0.1:"), "{shown}");
    assert!(shown.contains("%20-%20GoToSocial:owner@example.org?algorithm=SHA1"), "{shown}");
    assert_eq!(uri().await.body, shown, "the secret stays");
    // The secret and the time of RFC 6238, appendix B.
    let (_, secret) = shown.split_once("secret=").expect("a secret");
    let snapshot = String::from_utf8(server.snapshot().expect("a state")).expect("text");
    let snapshot = snapshot.replace(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    server.restore(snapshot.as_bytes()).expect("restored");
    assert!(server.set_time(&"1970-01-01T00:00:59Z".into()));
    assert_eq!(enable("287083").await.0, 403);
    let (status, recovery) = enable("287082").await;
    assert_eq!((status, recovery.as_array().map(Vec::len)), (200, Some(8)));
    assert_eq!((enable("287082").await.0, uri().await.status), (409, 409));

    let (id, _) = register(&server).await;
    let sign_in = |code: String| {
        let form = format!(
            "client_id={id}&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&scope=read\
             &username=owner&password={PASSWORD}&code={code}"
        );
        let server = &server;
        async move { ask(server.url(), "POST", "/oauth/authorize", None, &form).await.status }
    };
    let spare = recovery[0].as_str().expect("a code").to_owned();
    assert_eq!((sign_in(String::new()).await, sign_in("287082".into()).await), (401, 302));
    assert_eq!((sign_in(spare.clone()).await, sign_in(spare).await), (302, 401), "it is good once");
    let off = |password: &str| format!("password={password}");
    let path = "/api/v1/user/2fa/disable";
    assert_eq!(post(&server, path, &off("wrong")).await.status, 401);
    assert_eq!(post(&server, path, &off(PASSWORD)).await.status, 200);
    assert_eq!(post(&server, path, &off(PASSWORD)).await.status, 409);
    assert_eq!(sign_in(String::new()).await, 302);
}

#[tokio::test]
async fn a_token_is_refused_in_the_words_of_the_program() {
    let help = "If you arrived at this error during a sign in/oauth flow, please try clearing your session cookies and signing in again; if problems persist, make sure you're using the correct credentials";
    let none = "sql: no rows in result set";
    for (release, change, status, error, description) in [
        (
            "mastodon@4.3.0",
            ("SECRET", "wrong"),
            401,
            "invalid_client",
            "Client authentication failed",
        ),
        (
            "mastodon@4.3.0",
            ("scope=read", "scope=admin"),
            400,
            "invalid_scope",
            "The requested scope",
        ),
        // Nobody is found without a name.
        (
            "mastodon@4.3.0",
            ("client_credentials", "password&password=a"),
            400,
            "invalid_grant",
            "The provided authorization grant",
        ),
        (
            "gotosocial@0.19.2",
            ("SECRET", "wrong"),
            400,
            "invalid_client",
            "Bad Request: could not get access token: invalid_client: ",
        ),
        (
            "gotosocial@0.19.2",
            ("CLIENT", "unknown"),
            400,
            none,
            "Bad Request: could not get access token: sql: no rows in result set: ",
        ),
        (
            "gotosocial@0.19.2",
            ("client_credentials", "authorization_code&code=unknown"),
            400,
            none,
            "Bad Request: could not get access token: sql: no rows in result set: ",
        ),
        (
            "gotosocial@0.19.2",
            ("scope=read", "scope=admin"),
            403,
            "invalid_scope",
            "Forbidden: requested scope admin was not covered by client scope: ",
        ),
    ] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("started");
        let (id, secret) = register(&server).await;
        let form = "grant_type=client_credentials&client_id=CLIENT&client_secret=SECRET&scope=read&redirect_uri=https%3A%2F%2Fa.example%2Fback";
        let form =
            form.replace(change.0, change.1).replace("CLIENT", &id).replace("SECRET", &secret);
        let answer = ask(server.url(), "POST", "/oauth/token", None, &form).await;
        let told = answer.json();
        assert_eq!(
            (answer.status, told["error"].as_str()),
            (status, Some(error)),
            "{release}: {form}"
        );
        let words = told["error_description"].as_str().unwrap_or_default();
        assert!(words.starts_with(description), "{words}");
        assert!(!release.starts_with("goto") || words.ends_with(help), "{words}");
    }
}

#[tokio::test]
async fn the_server_is_described_anew() {
    let server = StandIn::new().emulate("gotosocial").expect("a program");
    let server = server.start().await.expect("started");
    let mona = server.account("mona").expect("an account");
    let said = "title=A+house&terms=Be+kind&contact_username=mona";
    let path = "/api/v1/instance";
    let refused = ask(server.url(), "PATCH", path, Some(&mona.token), said).await;
    assert_eq!(refused.status, 403);
    let changed = ask(server.url(), "PATCH", path, Some(server.token()), said).await;
    assert_eq!(changed.json()["title"], "A house");
    let told = get(&server, "/api/v2/instance").await;
    assert_eq!(told["terms"], "Be kind");
    assert_eq!(told["contact"]["account"]["id"], mona.id.as_str());
    let nobody = "contact_username=nobody";
    let refused = ask(server.url(), "PATCH", path, Some(server.token()), nobody).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn collections_are_listed_by_who_made_them_and_who_is_in_them() {
    let server = StandIn::new().start().await.expect("started");
    let mona = server.account("mona").expect("an account");
    let me = get(&server, "/api/v1/accounts/verify_credentials").await;
    let me = me["id"].as_str().expect("an id");
    for (name, discoverable) in [("seen", true), ("hidden", false)] {
        let made = json!({"name": name, "description": "", "sensitive": false, "discoverable": discoverable, "account_ids": [mona.id.as_str()]});
        let made = post(&server, "/api/v1/collections", &made.to_string()).await;
        assert_eq!(made.status, 200, "{}", made.body);
    }
    let names = async |path: String, token: Option<&str>| {
        let answer = ask(server.url(), "GET", &path, token, "").await.json();
        let collections = answer["collections"].as_array().expect("a list").clone();
        let names = collections.iter().map(|one| one["name"].to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    let made = format!("/api/v1/accounts/{me}/collections");
    assert_eq!(names(made.clone(), None).await, "\"seen\"");
    assert_eq!(names(made.clone(), Some(server.token())).await, "\"hidden\" \"seen\"");
    let first = format!("{made}?limit=1");
    assert_eq!(names(first, Some(server.token())).await, "\"hidden\"");
    let with = format!("/api/v1/accounts/{}/in_collections", mona.id);
    assert_eq!(names(with, Some(&mona.token)).await, "\"seen\"");
}
