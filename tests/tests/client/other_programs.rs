//! Answers as other programs send them, written after their sources: an element is kept, and what it lacks is told.

use fedispec::client::{Client, Policy, RemoteServer, gate};
use fedispec::entities::{Account, Notification, Status};
use fedispec::runtime::de::read;
use fedispec::statuses;
use fedispec_tests::raw::{Raw, response};
use serde_json::{Value, json};

/// A status as Pleroma and Akkoma write it.
fn status(id: &str) -> Value {
    json!({
        "id": id, "uri": format!("https://a.example/objects/{id}"), "url": format!("https://a.example/notice/{id}"),
        "account": account(), "in_reply_to_id": null, "in_reply_to_account_id": null, "reblog": null, "card": null,
        "content": "<p>Hello.</p>", "text": null, "created_at": "2024-01-01T12:00:00.000Z", "edited_at": null, "emojis": [],
        "replies_count": 0, "reblogs_count": 0, "favourites_count": 0, "reblogged": false, "favourited": false,
        "bookmarked": false, "muted": false, "pinned": false, "sensitive": false, "spoiler_text": "", "visibility": "local",
        "media_attachments": [], "poll": null, "mentions": [], "tags": [], "application": null, "language": null,
        "pleroma": {"local": true, "conversation_id": 7, "emoji_reactions": [{"name": "☕", "count": 2, "me": false}]},
    })
}

fn account() -> Value {
    json!({
        "id": "9qA", "username": "mona", "acct": "mona", "display_name": "Mona", "locked": false,
        "created_at": "2024-01-01T12:00:00.000Z", "followers_count": 0, "following_count": 0, "statuses_count": 0,
        "note": "", "url": "https://a.example/users/mona", "avatar": "https://a.example/a.png",
        "avatar_static": "https://a.example/a.png", "header": "https://a.example/h.png",
        "header_static": "https://a.example/h.png", "emojis": [], "fields": [], "bot": false,
        "pleroma": {"is_admin": true, "tags": []},
    })
}

/// The statuses of a page, all of which must be there.
fn page(statuses: &[Value]) -> Vec<Status> {
    let read = read::<Vec<Status>>(&Value::from(statuses).to_string()).expect("a page");
    assert!(read.rejected.is_empty(), "{:?}", read.rejected);
    assert_eq!(read.value.len(), statuses.len());
    read.value
}

#[test]
fn a_reblog_has_fewer_keys_in_pleroma() {
    let mut reblog = status("1");
    for absent in ["card", "text", "poll", "edited_at"] {
        reblog.as_object_mut().expect("a map").remove(absent);
    }
    reblog["reblog"] = status("2");
    assert!(page(&[reblog])[0].reblog.is_some());
}

/// An optional part that is of another shape is dropped alone, and told.
#[test]
fn a_part_of_another_shape_costs_no_element() {
    // Akkoma writes the quoted status where Mastodon writes the quote that holds it.
    let mut quoting = status("1");
    quoting["quote"] = status("2");
    // An account that the user may not see is `{}` in Pleroma and Akkoma.
    let mut boosting = status("3");
    boosting["reblog"] = status("4");
    boosting["reblog"]["account"] = json!({});
    let read = read::<Vec<Status>>(&json!([quoting, boosting]).to_string()).expect("a page");
    let ids: Vec<_> = read.value.iter().map(|status| status.id.as_str()).collect();
    assert_eq!(ids, ["1", "3"]);
    assert!(read.value[0].quote.is_none());
    let boosted = read.value[1].reblog.as_ref().expect("the boosted post");
    assert_eq!((boosted.id.as_str(), boosted.account.id.as_str()), ("4", ""));
    let told: Vec<_> = read.rejected.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(told, ["$[0].quote", "$[1].reblog.account"]);
    assert_eq!(read.rejected[0].value["id"], "2");
}

/// A field that a program is known to miss stays blank, and is told.
#[test]
fn an_element_is_kept_without_what_its_program_is_known_to_miss() {
    let mut hidden = status("1");
    hidden["account"] = json!({});
    let page = read::<Vec<Status>>(&json!([hidden, status("2")]).to_string()).expect("a page");
    assert_eq!((page.value.len(), page.value[0].account.id.as_str()), (2, ""));
    let [told] = page.rejected.try_into().expect("the hidden account");
    assert_eq!((told.path.as_str(), told.value), ("$[0].account", json!({})));

    let follow = json!({"id": "1", "type": "follow", "created_at": "2024-01-01T12:00:00.000Z", "account": {}});
    let page = read::<Vec<Notification>>(&json!([follow]).to_string()).expect("a page");
    assert_eq!((page.value.len(), page.rejected[0].path.as_str()), (1, "$[0].account"));

    // Pixelfed 0.11.2 writes its own account.
    let mut own = account();
    for absent in ["header", "header_static", "avatar_static", "emojis", "fields", "bot"] {
        own.as_object_mut().expect("a map").remove(absent);
    }
    let page = read::<Vec<Account>>(&json!([own, account()]).to_string()).expect("a page");
    assert_eq!(page.value.len(), 2);
    assert_eq!(
        (page.value[0].username.as_str(), page.value[0].avatar_static.as_str()),
        ("mona", "")
    );
    let told: Vec<_> = page.rejected.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(told, ["$[0].avatar_static", "$[0].header_static"]);
}

/// A field that no program misses is never made up: an element without it is told with all that it has.
#[test]
fn an_element_without_what_all_send_is_told() {
    let mut nameless = account();
    nameless.as_object_mut().expect("a map").remove("username");
    let page = read::<Vec<Account>>(&json!([nameless, account()]).to_string()).expect("a page");
    assert_eq!((page.value.len(), page.rejected.len()), (1, 1));
    assert_eq!(page.rejected[0].value, nameless);
}

/// Friendica answers a list of nothing to the deletion of a status.
#[tokio::test]
async fn a_deletion_that_answers_a_list_has_been_done() {
    let server = Raw::always(response("200 OK", &[], "[]")).await;
    let friendica = gate(RemoteServer::of("friendica", "2.8.0 (compatible; Friendica 2024.08)"));
    let client = Client::new(server.origin.as_str()).expect("a client").token("t0ken");
    let client = client.knowing(friendica, Policy::Adapt);
    let answer = client.send(statuses::Delete::new("1")).await.expect("an answer");
    assert!(answer.value.second().is_some() && answer.rejected.is_empty());
}
