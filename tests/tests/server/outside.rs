//! Entities built from another crate, each in one expression.

use crate::entities;

use fedispec::runtime::Json;

fn json(entity: impl serde::Serialize) -> Json {
    serde_json::to_value(entity).expect("JSON")
}

#[test]
fn an_account_is_built() {
    let account = json(entities::account("7"));
    assert_eq!(account["noindex"], true);
    assert_eq!(account["acct"], "user7@example.org");
    assert_eq!(account["emojis"], Json::Array(Vec::new()));
}

#[test]
fn a_status_is_built() {
    let status = json(entities::status("31"));
    assert_eq!(status["content"], "<p>Hello</p>");
    assert_eq!(status["created_at"], "2024-10-08T12:30:00.000Z");
    assert_eq!(status["account"]["id"], "7");
}

#[test]
fn a_notification_is_built() {
    let notification = json(entities::notification("34"));
    assert_eq!(notification["type"], "mention");
    assert_eq!(notification["status"]["id"], "31");
    assert_eq!(notification.get("report"), None);
    let request = json(entities::notification_request("61"));
    assert_eq!(request["last_status"]["id"], "32");
}

#[test]
fn an_instance_is_built() {
    let instance = json(entities::instance());
    assert_eq!(instance["api_versions"]["mastodon"], 7);
    assert_eq!(instance["usage"]["users"]["active_month"], 9);
    assert_eq!(json(entities::v1_instance())["max_toot_chars"], 500);
}

/// A type of `current` has the fields that the newest release always sends, null included, and no others.
#[test]
fn what_is_current_is_built_of_all_its_fields() {
    use fedispec::{current, entities};
    let tag = entities::Tag::from(current::Tag {
        name: "cats".into(),
        url: "https://example.org/tags/cats".into(),
        history: Vec::new(),
        id: "5".into(),
    });
    let tag = json(tag);
    assert_eq!((&tag["id"], &tag["history"]), (&"5".into(), &Json::Array(Vec::new())));
    assert_eq!(tag.get("following"), None);
    let filter = entities::Filter::from(current::Filter {
        id: "1".into(),
        title: "weather".into(),
        context: Vec::new(),
        expires_at: None,
        filter_action: fedispec::enums::FilterAction::Warn,
        keywords: Vec::new(),
        statuses: Vec::new(),
    });
    assert_eq!(json(filter)["expires_at"], Json::Null);
}

#[test]
fn a_stream_is_still_a_request_for_transports_of_ones_own() {
    use fedispec::{client, streaming};
    let origin = "social.example".parse().expect("an origin");
    let request = client::request(&streaming::User::new(), &origin, None).expect("a request");
    assert_eq!(request.uri().path(), "/api/v1/streaming/user");
    assert_eq!(request.headers()["accept"], "text/event-stream");
}
