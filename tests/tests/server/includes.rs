//! Entities that have the fields of another: what each is made of, and an answer that is less than the entity.

use crate::entities;

use fedispec::entities::{
    Account, AdminTrendsStatus, CredentialAccount, CredentialAccountSource, DeletedStatus,
    MutedAccount, Status,
};
use fedispec::enums::{NotificationType, QuotePolicy, Visibility};
use fedispec::runtime::{Id, Json, client, de};
use fedispec::{current, statuses};
use serde_json::json;

fn source() -> CredentialAccountSource {
    current::CredentialAccountSource {
        note: "Hello".into(),
        privacy: Visibility::Private,
        fields: Vec::new(),
        sensitive: false,
        follow_requests_count: 0,
        language: None,
        attribution_domains: Vec::new(),
        hide_collections: None,
        discoverable: None,
        indexable: false,
        quote_policy: QuotePolicy::Public,
    }
    .into()
}

#[test]
fn an_account_and_what_is_besides_make_another_and_come_back() {
    let account =
        Account { moved: Some(Box::new(entities::account("8"))), ..entities::account("7") };
    let role = current::Role {
        id: "-99".into(),
        name: String::new(),
        color: String::new(),
        permissions: "0".into(),
        highlighted: false,
        collection_limit: 0,
    };
    let own = CredentialAccount::from_account(account.clone(), source(), role.into());
    assert_eq!(own.acct, "user7@example.org");
    assert_eq!(own.role.as_ref().and_then(|role| role.id.as_ref()).map(Id::as_str), Some("-99"));
    assert_eq!(own.source, source());
    assert_eq!(own.moved.as_ref().map(|moved| moved.id.as_str()), Some("8"));
    let account = Account { role: own.role.clone(), ..account };
    assert_eq!(Account::from(&own), account);
    assert_eq!(Account::from(own), account);

    let muted = MutedAccount::from_account(account.clone(), None);
    assert_eq!(muted.mute_expires_at, None);
    assert_eq!(Account::from(muted), account);

    let status = entities::status("31");
    let trend = AdminTrendsStatus::from_status(status.clone(), 3);
    assert_eq!(Status::from(trend).replies_count, Some(3));
}

fn answered(
    body: &Json,
) -> client::Answer<<statuses::Delete as fedispec::runtime::Request>::Answer> {
    let response = http::Response::new(body.to_string().into());
    client::response::<statuses::Delete>(response).expect("an answer")
}

/// Mastodon leaves the text as HTML out, also of what the deleted status boosted or quoted.
#[test]
fn a_deleted_status_has_its_source_instead_of_its_text() {
    let deleted = |id: &str, more: Json| {
        let status = DeletedStatus::from_status(entities::status(id), 0, "Hello", None, None);
        let mut tree = serde_json::to_value(status).expect("JSON");
        let object = tree.as_object_mut().expect("an object");
        object.remove("content");
        object.extend(more.as_object().cloned().unwrap_or_default());
        tree
    };
    let shallow = json!({"quote": {"state": "accepted", "quoted_status_id": "33"}});
    let quote = json!({"state": "accepted", "quoted_status": deleted("32", shallow)});
    let body =
        deleted("31", json!({"quote": quote, "reblog": deleted("30", json!({"text": null}))}));
    assert!(de::read::<Status>(&body.to_string()).is_err());
    let answer = answered(&body);
    let status = answer.value.clone().first().expect("the status");
    assert_eq!((status.text.as_deref(), &status.content), (Some("Hello"), &None));
    let boosted = status.reblog.as_ref().expect("the boosted one");
    assert_eq!((boosted.id.as_str(), &boosted.text), ("30", &None));
    let quoted = status.quote.as_ref().and_then(|quote| quote.quoted_status.as_ref());
    let inner = quoted.and_then(|quoted| quoted.quote.as_ref());
    let id = inner.and_then(|quote| quote.quoted_status_id.as_ref());
    assert_eq!(id.map(Id::as_str), Some("33"));
    assert!(answer.unknown_fields().is_empty());

    // GoToSocial sends both, and Mastodon answered nothing up to 2.8.4.
    let both = deleted("31", json!({"content": "<p>Hello</p>"}));
    let answer = answered(&both);
    let status = answer.value.first().expect("the status");
    assert_eq!(status.content.as_deref(), Some("<p>Hello</p>"));
    assert!(answered(&json!({})).value.first().is_none());
}

/// The hand-written helpers of generated types fit the values that servers send.
#[test]
fn helpers_of_generated_types() {
    use fedispec::entities::{MediaAttachment, MediaKind, Notification, NotificationKind};
    let mut notification =
        Notification { status: Some(entities::status("31")), ..entities::notification("1") };
    let NotificationKind::Mention(status) = notification.kind() else {
        unreachable!("it is a mention: {:?}", notification.kind());
    };
    assert_eq!(status.id.as_str(), "31");
    assert_eq!(status.account.address("social.example"), "user7@example.org");
    notification.r#type = NotificationType::custom("admin.report");
    let other: &Notification = &notification;
    assert!(matches!(other.kind(), NotificationKind::Other("admin.report")));

    let text = r#"{"id": "1", "type": "video", "url": null, "meta": {"original": {"width": 640, "height": 480, "frame_rate": "30/1", "duration": 1.5}}}"#;
    let attachment = de::read::<MediaAttachment>(text).expect("an attachment").value;
    let MediaKind::Video { size, frame_rate, duration, .. } = attachment.kind() else {
        unreachable!("it is a video: {:?}", attachment.kind());
    };
    assert_eq!((size, frame_rate, duration), (Some((640, 480)), Some(30.0), Some(1.5)));
    assert!(Visibility::Direct < Visibility::Private && Visibility::Unlisted < Visibility::Public);
}
