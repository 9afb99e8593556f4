//! Answers as other programs send them, written after their sources: none of their elements is lost.

use fedispec::entities::Status;
use fedispec::runtime::de::read;
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
