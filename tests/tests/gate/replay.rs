//! Recorded answers, read with types of high floors: `tests/fixtures/replay`.

use std::fs;

use fedispec_tests::{shared, skip};
use serde_json::{Value, json};

use crate::crates::Crate;

/// An account as GoToSocial 0.19.2 sends it: it has a picture without a description, which is left out.
fn account() -> Value {
    json!({
        "id": "01J0000000000000000000ACCT", "username": "zork", "acct": "zork", "display_name": "", "locked": false,
        "discoverable": true, "bot": false, "created_at": "2024-10-08T00:00:00.000Z", "note": "", "url": "https://b.example/@zork",
        "avatar": "https://b.example/a.png", "avatar_static": "https://b.example/a.png", "avatar_media_id": "01J0000000000000000000FILE",
        "header": "https://b.example/h.png", "header_static": "https://b.example/h.png", "followers_count": 1, "following_count": 2,
        "statuses_count": 3, "last_status_at": null, "emojis": [], "fields": [], "group": false
    })
}

fn status(reblog: &Value) -> Value {
    json!({
        "id": "01J0000000000000000000STAT", "created_at": "2024-10-08T12:30:00.000Z", "edited_at": null, "in_reply_to_id": null,
        "in_reply_to_account_id": null, "sensitive": false, "spoiler_text": "", "visibility": "public", "language": "en",
        "uri": "https://b.example/s/1", "url": "https://b.example/@zork/1", "replies_count": 0, "reblogs_count": 0, "favourites_count": 0,
        "favourited": false, "reblogged": false, "muted": false, "bookmarked": false, "pinned": false, "content": "<p>Hello</p>",
        "reblog": reblog, "account": account(), "media_attachments": [], "mentions": [], "tags": [], "emojis": [], "card": null,
        "poll": null, "text": "Hello", "interaction_policy": {
            "can_favourite": {"always": ["public"], "with_approval": [], "automatic_approval": ["public"], "manual_approval": []},
            "can_reply": {"always": ["public"], "with_approval": [], "automatic_approval": ["public"], "manual_approval": []},
            "can_reblog": {"always": ["public"], "with_approval": [], "automatic_approval": ["public"], "manual_approval": []}
        }
    })
}

#[test]
fn floors_refuse_nothing_that_a_supported_program_sends() {
    let replay = Crate::copy("fixtures/replay", "replay");
    let answer = |path: &str, body: Value| {
        json!({"method": "GET", "path": path, "status": 200, "body": body}).to_string()
    };
    let made = [
        answer("/api/v1/accounts/1", account()),
        answer("/api/v1/blocks", json!([account(), account()])),
        answer("/api/v1/statuses/1", status(&status(&Value::Null))),
        answer(
            "/api/v1/timelines/home",
            json!([status(&Value::Null), status(&status(&Value::Null))]),
        ),
    ];
    let file = replay.place().join("made.jsonl");
    fs::write(&file, made.join("\n")).expect("written");
    let corpus = shared().join("corpus");
    let recorded = ["gotosocial-0.19.2", "mastodon-4.6.4", "live/gotosocial-0.17.4"];
    let recorded = recorded.map(|name| corpus.join(format!("{name}.jsonl")));
    let recorded: Vec<_> = recorded.iter().filter(|path| path.exists()).collect();
    if recorded.is_empty() {
        skip::skipped(
            "floors_refuse_nothing_that_a_supported_program_sends",
            "no recordings are beside this checkout; only made answers are read",
        );
    }
    let mut files = vec![file.display().to_string()];
    files.extend(recorded.iter().map(|path| path.display().to_string()));
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let ran = replay.run(&arguments).succeeded();
    let told: Vec<&str> = ran.stdout.lines().collect();
    let [first, second] = told.as_slice() else {
        panic!("{}", ran.stdout);
    };
    for (line, module) in [(first, "from_0_17"), (second, "from_0_19")] {
        assert!(line.starts_with(module) && line.ends_with(" read, 0 set aside"), "{line}");
    }
    println!("{}", ran.stdout);
}
