//! The small server of the examples: real clients use it, and it stays small.
#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../examples/small_server/main.rs"]
pub(crate) mod program;

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use fedispec::client::{Client, Origin, Reqwest};
use fedispec::enums::{MediaAttachmentType, NotificationType, Visibility};
use fedispec::events::StreamEvent;
use fedispec::runtime::{File, Item};
use fedispec::server::{Listen, Server};
use fedispec::{accounts, apps, items, media, oauth, search, statuses, streaming, timelines};
use fedispec_tests::{python, root};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(240);

/// The items that the script leaves out, and why. Operations without a handler are not among them: the server lists them itself.
const LACKING: &[(&str, &str)] = &[
    ("OauthGrantType.password", "users sign in on the page"),
    ("oauth.userinfo", "the script has no token with the scope profile for it"),
    ("statuses.create.quoted_status_id", "it knows no quotes"),
    ("Account.fields", "profiles have no fields"),
    ("scheduled_statuses.list", "it posts at once"),
];

async fn serve() -> (String, Vec<&'static str>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let app = program::app(&origin).expect("an application");
    let server = program::server(&app);
    let missing = server.unimplemented().map(|operation| operation.id);
    let missing = missing.collect();
    let router = program::router(&app);
    tokio::spawn(Listen::new(listener).serve(router));
    (origin, missing)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_walks_through_it() {
    let Some(python) = python::python("mastodon_py_walks_through_the_small_server") else {
        return;
    };
    let (origin, missing) = serve().await;
    let lacking: Vec<&str> = LACKING.iter().map(|(id, _)| *id).collect();
    let known: Vec<&str> = items().rows().iter().map(Item::id).collect();
    let told = json!({
        "as": "mastodon@4.6.5",
        "known": known,
        "lacking": lacking,
        "unimplemented": missing,
        "mona": null,
    });
    python::walk(python, &origin, "none", &told).await;
}

/// A client of a new user.
async fn sign_up(origin: &str, name: &str) -> Client {
    let origin = Origin::insecure(origin).expect("an origin");
    let client = Client::with_transport(origin, Reqwest::new().expect("a transport"));
    let scopes = "read write follow";
    let app = apps::Create::new("tests").redirect_uris("urn:ietf:wg:oauth:2.0:oob").scopes(scopes);
    let app = client.send(app).await.expect("an application");
    let own =
        oauth::Token::client_credentials(&app.client_id, app.client_secret.clone()).scope(scopes);
    let own = client.send(own).await.expect("a token");
    let email = format!("{name}@example.org");
    let user = accounts::Create::new(accounts::CreateNew {
        username: name.into(),
        email,
        password: "password".into(),
        agreement: true,
    })
    .locale("en");
    let user = client.clone().token(own.access_token.clone()).send(user).await;
    client.token(user.expect("a user").access_token.clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_is_shown_to_those_whom_it_is_for() {
    let (origin, _) = serve().await;
    let [mona, follower, stranger] =
        ["mona", "follower", "stranger"].map(|name| sign_up(&origin, name));
    let (mona, follower, stranger) = (mona.await, follower.await, stranger.await);
    let me = mona.send(accounts::VerifyCredentials::new()).await.expect("an account");
    follower.send(accounts::Follow::new(&me.id)).await.expect("followed");
    let cases = [
        (Visibility::Public, [true, true, true]),
        (Visibility::Unlisted, [false, true, true]),
        (Visibility::Private, [false, true, false]),
        (Visibility::Direct, [false, false, false]),
    ];
    for (visibility, [is_public, to_follower, to_stranger]) in cases {
        let post = statuses::Create::text("A secret perhaps").visibility(visibility.clone());
        let post = mona.send(post).await.expect("posted").into_value();
        let public = stranger.send(timelines::Public::new()).await.expect("a timeline");
        assert_eq!(public.iter().any(|one| one.id == post.id), is_public, "{visibility:?}");
        for (client, sees) in [(&follower, to_follower), (&stranger, to_stranger)] {
            let got = client.send(statuses::Get::new(&post.id)).await;
            assert_eq!(got.is_ok(), sees, "{visibility:?}: {got:?}");
            let found = client.send(search::All::new("perhaps")).await.expect("found");
            let own = client.send(accounts::Statuses::new(&me.id)).await.expect("a list");
            assert_eq!(found.statuses.iter().any(|one| one.id == post.id), sees, "{visibility:?}");
            assert_eq!(own.iter().any(|one| one.id == post.id), sees, "{visibility:?}");
            let marked = client.send(statuses::Favourite::new(&post.id)).await;
            assert_eq!(marked.is_ok(), sees, "{visibility:?}");
        }
        let home = follower.send(timelines::Home::new()).await.expect("a timeline");
        assert_eq!(home.iter().any(|one| one.id == post.id), to_follower, "{visibility:?}");
    }
    mona.send(accounts::Block::new(
        &follower.send(accounts::VerifyCredentials::new()).await.expect("an account").id,
    ))
    .await
    .expect("blocked");
    let left = follower.send(accounts::Statuses::new(&me.id)).await.expect("a list");
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_what_its_first_bytes_say() {
    let (origin, _) = serve().await;
    let mona = sign_up(&origin, "mona").await;
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    for declared in [None, Some("application/octet-stream"), Some("audio/mpeg")] {
        let file = File::new("picture", png.clone());
        let file = declared.into_iter().fold(file, File::with_content_type);
        let media = mona.send(media::Upload::new(file)).await.expect("an attachment");
        assert_eq!(media.r#type, MediaAttachmentType::Image, "{declared:?}");
    }
    let text = File::new("text", b"Hello.".to_vec());
    let refused = mona.send(media::Upload::new(text)).await.expect_err("a text");
    assert_eq!(refused.status().map(|status| status.as_u16()), Some(422));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_websocket_tells_what_happens() {
    let (origin, _) = serve().await;
    let (mona, bob) = (sign_up(&origin, "mona").await, sign_up(&origin, "bob").await);
    let mut live = mona.stream(streaming::User::new());
    let mentions = async {
        // A client that connects between two statuses receives the next.
        loop {
            let post = statuses::Create::text("Hello @mona");
            bob.send(post).await.expect("posted");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let heard = async {
        loop {
            let event = live.next().await.expect("a stream").expect("an event");
            if let StreamEvent::Notification(one) = event {
                return one;
            }
        }
    };
    let heard = async {
        tokio::select! {
            one = heard => one,
            () = mentions => unreachable!("it does not end"),
        }
    };
    let heard = timeout(HANGS, heard).await.expect("it hangs");
    assert_eq!(heard.r#type, NotificationType::Mention);
    assert_eq!(heard.account.username, "bob");
}

/// The example is short enough for a newcomer to read in one go.
#[test]
fn it_is_small() {
    let folder = root().join("tests/examples/small_server");
    let files = fs::read_dir(folder).expect("its folder");
    let texts: Vec<String> =
        files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("text")).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    assert!(lines.clone().count() < 1900, "{} lines", lines.count());
    assert!(lines.clone().all(|line| line.chars().count() <= 100));
    let app = program::app("http://a.example").expect("an application");
    let server = program::server(&app);
    let missing: BTreeSet<_> = server.unimplemented().map(|one| one.id).collect();
    let all = Server::new();
    let handled = all.unimplemented().map(|one| one.id);
    let handled = handled.filter(|id| !missing.contains(id));
    let groups: BTreeSet<_> = handled.filter_map(|id| id.split('.').next()).collect();
    assert!(groups.len() > 25, "{groups:?}");
}
