//! The entities of the server's answers, built from another crate: required fields first, then optional ones.

use fedispec::entities::{
    Account, Instance, Notification, NotificationRequest, Status, V1Instance, V1InstanceUrls,
};
use fedispec::enums::{NotificationType, Visibility};
use fedispec::required;

pub(crate) fn account(id: &str) -> Account {
    Account {
        noindex: Some(true),
        ..required::Account {
            acct: format!("user{id}@example.org"),
            avatar: "https://example.org/avatar.png".into(),
            avatar_static: "https://example.org/avatar.png".into(),
            created_at: "2024-01-01T00:00:00.000Z".into(),
            display_name: "Mona".into(),
            followers_count: 3,
            following_count: 2,
            header: "https://example.org/header.png".into(),
            header_static: "https://example.org/header.png".into(),
            id: id.into(),
            locked: false,
            note: String::new(),
            statuses_count: 1,
            username: format!("user{id}"),
        }
        .into()
    }
}

pub(crate) fn status(id: &str) -> Status {
    Status {
        ..required::Status {
            account: account("7"),
            content: "<p>Hello</p>".into(),
            created_at: "2024-10-08T12:30:00.000Z".into(),
            favourites_count: 0,
            id: id.into(),
            reblogs_count: 0,
            media_attachments: Vec::new(),
            mentions: Vec::new(),
            tags: Vec::new(),
            sensitive: false,
            visibility: Visibility::Public,
            spoiler_text: String::new(),
            emojis: Vec::new(),
            uri: format!("https://example.org/statuses/{id}"),
        }
        .into()
    }
}

pub(crate) fn notification(id: &str) -> Notification {
    Notification {
        status: Some(status("31")),
        ..required::Notification {
            account: account("7"),
            created_at: "2024-10-08T12:31:00.000Z".into(),
            id: id.into(),
            r#type: NotificationType::Mention,
        }
        .into()
    }
}

pub(crate) fn notification_request(id: &str) -> NotificationRequest {
    NotificationRequest {
        last_status: Some(status("32")),
        ..required::NotificationRequest {
            account: account("8"),
            id: id.into(),
            notifications_count: "12".into(),
            updated_at: "2024-10-09T00:00:00.000Z".into(),
            created_at: "2024-10-08T00:00:00.000Z".into(),
        }
        .into()
    }
}

pub(crate) fn instance() -> Instance {
    let rule = required::Rule { id: "1".into(), text: "Be kind".into() };
    Instance {
        api_versions: [("mastodon".to_owned(), 7)].into(),
        ..required::Instance {
            configuration: configuration(),
            contact: required::InstanceContact { email: "staff@example.org".into() }.into(),
            description: "A server".into(),
            domain: "example.org".into(),
            languages: vec!["en".into(), "eo".into()],
            source_url: "https://example.org/source".into(),
            title: "Example".into(),
            version: "4.6.5".into(),
            registrations: required::InstanceRegistrations {
                approval_required: true,
                enabled: true,
            }
            .into(),
            rules: vec![rule.into()],
            thumbnail: required::InstanceThumbnail {
                url: "https://example.org/thumbnail.png".into(),
            }
            .into(),
            usage: required::InstanceUsage {
                users: required::InstanceUsageUsers { active_month: 9 }.into(),
            }
            .into(),
        }
        .into()
    }
}

fn configuration() -> fedispec::entities::InstanceConfiguration {
    required::InstanceConfiguration {
        accounts: required::InstanceConfigurationAccounts { max_featured_tags: 10 }.into(),
        media_attachments: required::InstanceConfigurationMediaAttachments {
            image_matrix_limit: 33_177_600,
            image_size_limit: 16_777_216,
            supported_mime_types: vec!["image/png".into()],
            video_frame_rate_limit: 120,
            video_matrix_limit: 8_294_400,
            video_size_limit: 103_809_024,
        }
        .into(),
        polls: required::InstanceConfigurationPolls {
            max_characters_per_option: 50,
            max_expiration: 2_629_746,
            max_options: 4,
            min_expiration: 300,
        }
        .into(),
        statuses: required::InstanceConfigurationStatuses {
            characters_reserved_per_url: 23,
            max_characters: 500,
            max_media_attachments: 4,
        }
        .into(),
        translation: required::InstanceConfigurationTranslation { enabled: true }.into(),
        urls: required::InstanceConfigurationUrls { streaming: "wss://example.org".into() }.into(),
    }
    .into()
}

pub(crate) fn v1_instance() -> V1Instance {
    V1Instance {
        max_toot_chars: Some(500),
        title: "Example".into(),
        ..required::V1Instance {
            description: "A server".into(),
            email: "staff@example.org".into(),
            uri: "example.org".into(),
            version: "4.6.5".into(),
            urls: V1InstanceUrls::default(),
            stats: required::V1InstanceStats { domain_count: 1, status_count: 0, user_count: 1 }
                .into(),
        }
        .into()
    }
}
