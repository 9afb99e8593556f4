//! Answers with missing, additional or differently typed fields.

use fedispec::enums::{NotificationType, ReportCategory};
use fedispec::runtime::Either;
use fedispec::{accounts, apps, blocks, filters, instance, notifications, reports, statuses};
use serde_json::{Value, json};

use crate::gotosocial::bodies::{account, status, with};
use crate::gotosocial::read;

#[tokio::test]
async fn what_is_missing_is_none_or_what_that_means() {
    let account = read(accounts::Get::new("1"), &account()).await;
    assert_eq!((&account.uri, account.indexable, account.group), (&None, false, false));
    let body = json!([{"id": "1", "type": "favourite", "created_at": "2024-10-08T12:30:00.000Z", "account": crate::gotosocial::bodies::account(), "status": status()}]);
    let notifications = read(notifications::List::new(), &body).await;
    assert_eq!(notifications[0].group_key, None);
    let status = notifications[0].status.as_ref().expect("a post");
    assert_eq!((status.tags[0].name.as_str(), status.quote.is_none()), ("hello", true));
    let rules = read(instance::Rules::new(), &json!([{"id": "1", "text": "Be kind."}])).await;
    assert_eq!(rules[0].hint, "");
    let tag = read(fedispec::tags::Get::new("hello"), &json!({"name": "hello", "url": "https://b.example/tags/hello", "history": [], "following": true})).await;
    assert_eq!((&tag.id, tag.following), (&None, Some(true)));
}

#[tokio::test]
async fn an_application_needs_no_more_than_its_keys() {
    let body = json!({"id": "01J", "name": "elephant", "redirect_uri": "urn:ietf:wg:oauth:2.0:oob", "client_id": "c", "client_secret": "s"});
    let app =
        read(apps::Create::new("elephant").redirect_uris("urn:ietf:wg:oauth:2.0:oob"), &body).await;
    assert_eq!((&app.redirect_uris, &app.scopes, &app.vapid_key), (&None, &None, &None));
    assert_eq!(app.client_secret.expose(), "s");
}

#[tokio::test]
async fn a_filtered_post_may_stand_under_another_name() {
    let filtered = read(
        filters::GetStatus::new("1"),
        &json!({"id": "1", "phrase": "01J0000000000000000000STAT"}),
    )
    .await;
    assert_eq!(
        (filtered.status_id.is_none(), filtered.phrase.as_deref()),
        (true, Some("01J0000000000000000000STAT"))
    );
}

#[tokio::test]
async fn names_that_changed_are_read_under_both() {
    let source = |name: &str| {
        let source = json!({"privacy": "public", "sensitive": false, "language": "en", "note": "", "fields": [], "follow_requests_count": 0});
        with(account(), &json!({"source": with(source, &json!({name: "text/markdown"}))}))
    };
    let old = read(accounts::VerifyCredentials::new(), &source("status_format")).await;
    let new = read(accounts::VerifyCredentials::new(), &source("status_content_type")).await;
    let format = |account: &fedispec::entities::CredentialAccount| {
        let source = &account.source;
        source.status_content_type.clone().or(source.status_format.clone())
    };
    assert_eq!(
        (format(&old), format(&new)),
        (Some("text/markdown".to_owned()), Some("text/markdown".to_owned()))
    );

    let role = json!({"id": "1", "name": "admin", "color": "", "permissions": "546033", "highlighted": true});
    let before = with(account(), &json!({"role": role}));
    let after = with(account(), &json!({"roles": [role]}));
    read(accounts::Get::new("1"), &before).await;
    assert_eq!(read(accounts::Get::new("1"), &after).await.roles[0].name, "admin");
    // Some releases answer an object with a name only.
    let own = read(
        accounts::VerifyCredentials::new(),
        &with(source("status_format"), &json!({"role": {"name": "user"}})),
    )
    .await;
    assert_eq!(own.role.as_ref().map(|role| role.name.as_str()), Some("user"));
}

#[tokio::test]
async fn policies_of_interaction_are_read_old_and_new() {
    let old = json!({"always": ["public"], "with_approval": []});
    let new =
        with(old.clone(), &json!({"automatic_approval": ["public", "me"], "manual_approval": []}));
    for (rules, unknown) in [(old, 0), (new, 6)] {
        let policy = json!({"can_favourite": rules, "can_reply": rules, "can_reblog": rules});
        let body =
            with(status(), &json!({"interaction_policy": policy, "content_type": "text/plain"}));
        let status = read(statuses::Get::new("1"), &body).await;
        let policy = status.interaction_policy.as_ref().expect("a policy");
        assert_eq!(policy.can_reply.always.len(), 1);
        // Fields that the catalogue does not know are kept on request.
        let fields = status.unknown_fields();
        let place = "$.interaction_policy.can_reply.automatic_approval";
        assert_eq!(fields.len(), unknown, "{fields:?}");
        assert_eq!(fields.iter().any(|field| field.path == place), unknown > 0);
    }
}

#[tokio::test]
async fn lists_that_are_null_are_empty() {
    let body = json!([with(account(), &json!({"emojis": null, "fields": null}))]);
    let blocked = read(blocks::List::new(), &body).await;
    assert!(blocked[0].emojis.is_empty() && blocked[0].fields.is_empty());
}

#[tokio::test]
async fn peers_are_names_or_objects() {
    let names = read(instance::Peers::new(), &json!(["a.example", "b.example"])).await;
    let Either::First(names) = names.into_value() else { panic!("names") };
    assert_eq!(names.len(), 2);
    let body = json!([{"domain": "a.example", "suspended_at": "2024-10-08T12:30:00.000Z", "public_comment": "spam"}, {"domain": "b.example"}]);
    let objects = read(instance::Peers::new().filter("suspended,open"), &body).await;
    let Either::Second(objects) = objects.into_value() else { panic!("objects") };
    assert_eq!(
        objects.iter().map(|peer| peer.domain.as_str()).collect::<Vec<_>>(),
        ["a.example", "b.example"]
    );
}

#[tokio::test]
async fn its_own_kinds_of_notifications_have_names() {
    let kinds = [
        ("pending.reply", NotificationType::PendingReply),
        ("pending.reblog", NotificationType::PendingReblog),
        ("pending.favourite", NotificationType::PendingFavourite),
    ];
    for (wire, kind) in kinds {
        let body = json!([{"id": "1", "type": wire, "created_at": "2024-10-08T12:30:00.000Z", "account": account(), "status": status()}]);
        assert_eq!(read(notifications::List::new(), &body).await[0].r#type, kind);
    }
    let unheard = json!([{"id": "1", "type": "pending.poke", "created_at": "2024-10-08T12:30:00.000Z", "account": account(), "status": null}]);
    assert_eq!(read(notifications::List::new(), &unheard).await[0].r#type.as_str(), "pending.poke");
}

#[tokio::test]
async fn addresses_and_categories_are_kept_as_they_came() {
    let instance = read(instance::GetV1::new(), &instance_v1()).await;
    let urls = &instance.urls;
    assert_eq!(urls.streaming_api.as_deref(), Some("wss://127.0.0.1:8080"));
    let body = json!({"id": "1", "created_at": "2024-10-08T12:30:00.000Z", "action_taken": false, "action_taken_at": null, "category": "other", "comment": "", "forwarded": false, "status_ids": [], "rule_ids": [], "target_account": account()});
    let report = read(reports::Create::new("1").category(ReportCategory::Spam), &body).await;
    assert_eq!(report.category, Some(ReportCategory::Other), "whatever was sent");
}

fn instance_v1() -> Value {
    json!({
        "uri": "b.example", "title": "B", "description": "", "short_description": "", "email": "", "version": "0.13.3 git-fb3e3ca", "languages": [],
        "registrations": false, "approval_required": true, "invites_enabled": false, "urls": {"streaming_api": "wss://127.0.0.1:8080"},
        "stats": {"domain_count": 0, "status_count": 0, "user_count": 1}, "thumbnail": "https://b.example/t.png", "max_toot_chars": 5000, "rules": []
    })
}

#[tokio::test]
async fn the_newer_instance_document_has_no_numbers_of_the_api() {
    let body = json!({
        "domain": "b.example", "account_domain": "b.example", "title": "B", "version": "0.19.2+git-90851fc", "source_url": "https://code.example", "description": "",
        "usage": {"users": {"active_month": 0}}, "thumbnail": {"url": "https://b.example/t.png"}, "languages": ["en"],
        "configuration": {
            "urls": {"streaming": "wss://b.example"}, "accounts": {"max_featured_tags": 10, "max_profile_fields": 6, "allow_custom_css": false},
            "statuses": {"max_characters": 5000, "max_media_attachments": 6, "characters_reserved_per_url": 25, "supported_mime_types": ["text/plain"]},
            "media_attachments": {"supported_mime_types": ["image/png"], "image_size_limit": 41_943_040, "image_matrix_limit": 2_147_483_647, "video_size_limit": 41_943_040, "video_frame_rate_limit": 2_147_483_647, "video_matrix_limit": 2_147_483_647},
            "polls": {"max_options": 6, "max_characters_per_option": 50, "min_expiration": 300, "max_expiration": 2_629_746},
            "translation": {"enabled": false}, "emojis": {"emoji_size_limit": 51_200}
        },
        "registrations": {"enabled": false, "approval_required": true, "message": null}, "contact": {"email": "", "account": null}, "rules": []
    });
    let instance = read(instance::Get::new(), &body).await;
    assert!(instance.api_versions.is_empty() && instance.icon.is_empty());
}
