//! Bodies shaped as GoToSocial's, without the keys that it leaves out.

use serde_json::{Value, json};

/// An account, without `uri`, `indexable` and, before 0.18, `group`.
pub(crate) fn account() -> Value {
    json!({
        "id": "01J0000000000000000000ACCT", "username": "mona", "acct": "mona@b.example", "display_name": "", "locked": true,
        "discoverable": false, "bot": false, "created_at": "2024-10-08T00:00:00.000Z", "note": "", "url": "https://b.example/@mona",
        "avatar": "", "avatar_static": "", "header": "https://b.example/h.webp", "header_static": "https://b.example/h.webp",
        "followers_count": 0, "following_count": 0, "statuses_count": 0, "last_status_at": null, "emojis": [], "fields": []
    })
}

/// The same account with these fields set.
pub(crate) fn with(mut body: Value, fields: &Value) -> Value {
    for (name, value) in fields.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    body
}

/// A post.
pub(crate) fn status() -> Value {
    json!({
        "id": "01J0000000000000000000STAT", "created_at": "2024-10-08T12:30:00.000Z", "edited_at": null, "in_reply_to_id": null,
        "in_reply_to_account_id": null, "sensitive": false, "spoiler_text": "", "visibility": "public", "language": "en",
        "uri": "https://b.example/users/mona/statuses/1", "url": "https://b.example/@mona/statuses/1", "replies_count": 0,
        "reblogs_count": 0, "favourites_count": 0, "favourited": false, "reblogged": false, "muted": false, "bookmarked": false,
        "pinned": false, "content": "<p>Hello</p>", "reblog": null, "account": account(), "media_attachments": [], "mentions": [],
        "tags": [{"name": "hello", "url": "https://b.example/tags/hello"}], "emojis": [], "card": null, "poll": null, "text": "Hello"
    })
}
