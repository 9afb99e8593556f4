//! Mastodon.py walks through a stand-in of several releases.
use fedispec::items;
use fedispec::runtime::Item;
use fedispec::server::emulation;
use fedispec_standin::StandIn;
use fedispec_tests::python;
use serde_json::json;

async fn walk(release: &str) {
    let Some(python) = python::python("mastodon_py_walks") else {
        return;
    };
    let server = StandIn::new().emulate(release).expect("a release");
    let server = server.start().await.expect("it starts");
    let emulation = emulation(release).expect("a release");
    let lacking: Vec<&str> = emulation.lacking().map(Item::id).collect();
    // Where an application cannot register users for itself, there is one already.
    let registers = release.starts_with("mastodon") && !lacking.contains(&"accounts.create");
    let mona = (!registers).then(|| server.account("mona").expect("an account").token);
    let known: Vec<&str> = items().rows().iter().map(Item::id).collect();
    let told = json!({
        "as": release,
        "known": known,
        "lacking": lacking,
        "unimplemented": server.unimplemented(),
        "mona": mona,
    });
    python::walk(python, server.url(), server.token(), &told).await;
    server.stop().await.expect("it stops");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_walks_through_mastodon() {
    walk("mastodon@4.6.4").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_walks_through_an_old_mastodon() {
    walk("mastodon@2.9.1").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_walks_through_gotosocial() {
    walk("gotosocial@0.19.2").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_walks_through_an_old_gotosocial() {
    walk("gotosocial@0.17.4").await;
}
