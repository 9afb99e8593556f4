//! The promises of every store, and those of the store in memory besides.

use fedispec::server::{OauthApp, OauthCode, OauthMemory, OauthStore};
use tokio::join;

use super::*;

fn app(client_id: &str) -> OauthApp {
    OauthApp {
        client_id: client_id.to_owned(),
        secret: "digest".to_owned(),
        name: "elephant".to_owned(),
        website: None,
        redirect_uris: vec![BACK.to_owned()],
        scopes: "read".into(),
    }
}

fn code(digest: &str, client_id: &str) -> OauthCode {
    let asked = serde_json::json!({"client_id": client_id, "redirect_uri": BACK, "scopes": "read", "state": "", "challenge": ""});
    OauthCode {
        digest: digest.to_owned(),
        asked: serde_json::from_value(asked).expect("a request"),
        account: "7".into(),
        expires_at: i64::MAX,
    }
}

pub(crate) async fn keeps_its_promises(store: impl OauthStore) {
    store.add_app(app("app")).await.expect("added");
    assert_eq!(store.app("app").await.expect("asked"), Some(app("app")));
    assert_eq!(store.app("nobody").await.expect("asked"), None);
    store.add_code(code("code", "app")).await.expect("added");
    assert_eq!(store.code("code").await.expect("asked"), Some(code("code", "app")));

    let issued = store.issue("app", Some("7".into()), "read".into()).await.expect("issued");
    let found = store.find(&issued.secret).await.expect("asked");
    assert_eq!(found.as_ref(), Some(&issued.token));
    // Nobody who reads the store has the secret.
    assert!(!format!("{issued:?}").contains(issued.secret.expose()));
    assert_ne!(issued.token.digest, issued.secret.expose());

    // Of two at once one exchanges the code.
    let of_code = |digest: &str| {
        let (digest, code) = (digest.to_owned(), Some("code".to_owned()));
        fedispec::server::OauthToken { digest, code, ..issued.token.clone() }
    };
    let (one, other) = join!(store.add_token(of_code("one")), store.add_token(of_code("two")));
    let winners = [(one, "one"), (other, "two")];
    let winners = winners.map(|(added, name)| added.expect("asked").then_some(name));
    let winners: Vec<_> = winners.into_iter().flatten().collect();
    let [winner] = &winners[..] else { panic!("{winners:?}") };
    assert_eq!(store.code("code").await.expect("asked"), None);
    assert_eq!(store.end("code").await.expect("ended"), [*winner]);
    assert_eq!(store.token(winner).await.expect("asked"), None);
    assert_eq!(store.end("code").await.expect("ended"), [""; 0]);
    assert_eq!(store.end(&issued.token.digest).await.expect("ended"), [&*issued.token.digest]);
    assert_eq!(store.find(&issued.secret).await.expect("asked"), None);
    store.add_code(code("unused", "app")).await.expect("added");
    assert_eq!(store.end("unused").await.expect("ended"), [""; 0]);
    assert_eq!(store.code("unused").await.expect("asked"), None);
}

#[tokio::test]
async fn memory_keeps_them() {
    keeps_its_promises(OauthMemory::new()).await;
    keeps_its_promises(Arc::new(OauthMemory::new())).await;
}

#[tokio::test]
async fn memory_keeps_so_much_of_strangers() {
    let store = OauthMemory::new().with_most(2);
    for name in ["a", "b"] {
        store.add_app(app(name)).await.expect("added");
    }
    // A user has let this one in.
    store.add_code(code("code", "a")).await.expect("added");
    for name in ["c", "d"] {
        store.add_app(app(name)).await.expect("added");
    }
    let is_there = async |name| store.app(name).await.expect("asked").is_some();
    assert_eq!([is_there("a").await, is_there("b").await], [true, false]);
    assert_eq!([is_there("c").await, is_there("d").await], [true, true]);
    let first = store.issue("a", None, "read".into()).await.expect("issued");
    for _ in 0..2 {
        store.issue("a", None, "read".into()).await.expect("issued");
        store.add_code(code(first.secret.expose(), "a")).await.expect("added");
    }
    assert_eq!(store.find(&first.secret).await.expect("asked"), None);
    store.add_code(code("last", "a")).await.expect("added");
    assert_eq!(store.code("code").await.expect("asked"), None);
    let shown = format!("{store:?}");
    assert_eq!(shown, "OauthMemory { apps: 3, codes: 2, tokens: 2, .. }");
}
