//! The entities of the servers' answers, built from another crate: what is always sent first, then the rest.

use fedispec::entities::{
    Account, FeatureApproval, Instance, InstanceConfigurationTimelinesAccess as TimelinesAccess,
    List, MediaAttachment, Notification, NotificationRequest, Relationship, Status, V1Instance,
};
use fedispec::enums::{
    FeatureApprovalCurrentUser, ListRepliesPolicy, MediaAttachmentType, NotificationType,
    QuoteApprovalCurrentUser, TimelineAccess, Visibility,
};
use fedispec::runtime::Id;
use fedispec::{current, entities};

pub(crate) fn account(id: &str) -> Account {
    Account {
        noindex: Some(true),
        ..current::Account {
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
            url: format!("https://example.org/@user{id}"),
            bot: false,
            emojis: Vec::new(),
            fields: Vec::new(),
            last_status_at: None,
            discoverable: None,
            group: false,
            uri: String::new(),
            avatar_description: String::new(),
            header_description: String::new(),
            indexable: false,
            hide_collections: None,
            show_media: true,
            show_media_replies: true,
            show_featured: true,
            feature_approval: feature_approval(),
        }
        .into()
    }
}

pub(crate) fn status(id: &str) -> Status {
    current::Status {
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
        in_reply_to_account_id: None,
        in_reply_to_id: None,
        reblog: None,
        url: None,
        language: None,
        replies_count: 0,
        card: None,
        poll: None,
        edited_at: None,
        quotes_count: 0,
        quote: None,
        quote_approval: current::QuoteApproval {
            automatic: Vec::new(),
            manual: Vec::new(),
            current_user: QuoteApprovalCurrentUser::Denied,
        }
        .into(),
        tagged_collections: Vec::new(),
    }
    .into()
}

pub(crate) fn notification(id: &str) -> Notification {
    Notification {
        status: Some(status("31")),
        ..current::Notification {
            account: account("7"),
            created_at: "2024-10-08T12:31:00.000Z".into(),
            id: id.into(),
            r#type: NotificationType::Mention,
            group_key: String::new(),
        }
        .into()
    }
}

pub(crate) fn notification_request(id: &str) -> NotificationRequest {
    current::NotificationRequest {
        account: account("8"),
        id: id.into(),
        notifications_count: "12".into(),
        updated_at: "2024-10-09T00:00:00.000Z".into(),
        created_at: "2024-10-08T00:00:00.000Z".into(),
        last_status: Some(status("32")),
    }
    .into()
}

pub(crate) fn instance() -> Instance {
    let rule = current::Rule {
        id: "1".into(),
        text: "Be kind".into(),
        hint: String::new(),
        translations: [].into(),
    };
    current::Instance {
        configuration: configuration(),
        contact: current::InstanceContact { email: "staff@example.org".into(), account: None }
            .into(),
        description: "A server".into(),
        domain: "example.org".into(),
        languages: vec!["en".into(), "eo".into()],
        source_url: "https://example.org/source".into(),
        title: "Example".into(),
        version: "4.6.5".into(),
        registrations: current::InstanceRegistrations {
            approval_required: true,
            enabled: true,
            message: None,
            min_age: None,
            reason_required: false,
            url: None,
        }
        .into(),
        rules: vec![rule.into()],
        thumbnail: current::InstanceThumbnail {
            url: "https://example.org/thumbnail.png".into(),
            description: String::new(),
        }
        .into(),
        usage: entities::InstanceUsage::new(entities::InstanceUsageUsers::new(9)),
        api_versions: [("mastodon".to_owned(), 7)].into(),
        icon: Vec::new(),
        wrapstodon: None,
    }
    .into()
}

fn configuration() -> entities::InstanceConfiguration {
    current::InstanceConfiguration {
        accounts: current::InstanceConfigurationAccounts {
            max_featured_tags: 10,
            max_pinned_statuses: 0,
            max_display_name_length: 0,
            max_note_length: 0,
            max_avatar_description_length: 0,
            max_header_description_length: 0,
            max_profile_fields: 0,
            profile_field_name_limit: 0,
            profile_field_value_limit: 0,
        }
        .into(),
        media_attachments: current::InstanceConfigurationMediaAttachments {
            image_matrix_limit: 33_177_600,
            image_size_limit: 16_777_216,
            supported_mime_types: vec!["image/png".into()],
            video_frame_rate_limit: 120,
            video_matrix_limit: 8_294_400,
            video_size_limit: 103_809_024,
            description_limit: 0,
        }
        .into(),
        polls: current::InstanceConfigurationPolls {
            max_characters_per_option: 50,
            max_expiration: 2_629_746,
            max_options: 4,
            min_expiration: 300,
        }
        .into(),
        statuses: current::InstanceConfigurationStatuses {
            characters_reserved_per_url: 23,
            max_characters: 500,
            max_media_attachments: 4,
        }
        .into(),
        translation: current::InstanceConfigurationTranslation { enabled: true }.into(),
        urls: current::InstanceConfigurationUrls {
            streaming: "wss://example.org".into(),
            status: None,
            about: String::new(),
            privacy_policy: "https://example.org/privacy".into(),
            terms_of_service: None,
        }
        .into(),
        vapid: entities::InstanceConfigurationVapid::new(Some("k3y".into())),
        timelines_access: timelines_access(),
        limited_federation: false,
    }
    .into()
}

pub(crate) fn v1_instance() -> V1Instance {
    V1Instance {
        max_toot_chars: Some(500),
        ..current::V1Instance {
            description: "A server".into(),
            email: "staff@example.org".into(),
            uri: "example.org".into(),
            version: "4.6.5".into(),
            urls: entities::V1InstanceUrls::new("wss://example.org"),
            stats: current::V1InstanceStats { domain_count: 1, status_count: 0, user_count: 1 }
                .into(),
            title: "Example".into(),
            thumbnail: "https://example.org/thumbnail.png".into(),
            languages: Vec::new(),
            contact_account: None,
            registrations: false,
            approval_required: false,
            short_description: String::new(),
            invites_enabled: false,
            rules: Vec::new(),
            configuration: v1_configuration(),
        }
        .into()
    }
}

/// The older document's part of the [`configuration`].
fn v1_configuration() -> entities::V1InstanceConfiguration {
    let entities::InstanceConfiguration { media_attachments: media, polls, statuses, .. } =
        configuration();
    current::V1InstanceConfiguration {
        accounts: entities::V1InstanceConfigurationAccounts::new(10),
        media_attachments: current::V1InstanceConfigurationMediaAttachments {
            image_matrix_limit: media.image_matrix_limit,
            image_size_limit: media.image_size_limit,
            supported_mime_types: media.supported_mime_types,
            video_frame_rate_limit: media.video_frame_rate_limit,
            video_matrix_limit: media.video_matrix_limit,
            video_size_limit: media.video_size_limit,
        }
        .into(),
        polls: current::V1InstanceConfigurationPolls {
            max_characters_per_option: polls.max_characters_per_option,
            max_expiration: polls.max_expiration,
            max_options: polls.max_options,
            min_expiration: polls.min_expiration,
        }
        .into(),
        statuses: current::V1InstanceConfigurationStatuses {
            characters_reserved_per_url: statuses.characters_reserved_per_url,
            max_characters: statuses.max_characters,
            max_media_attachments: statuses.max_media_attachments,
        }
        .into(),
    }
    .into()
}

fn timelines_access() -> TimelinesAccess {
    let (local, remote) = (TimelineAccess::Public, TimelineAccess::Public);
    current::InstanceConfigurationTimelinesAccess {
        live_feeds: current::InstanceConfigurationTimelinesAccessLiveFeeds {
            local: local.clone(),
            remote: remote.clone(),
        }
        .into(),
        hashtag_feeds: current::InstanceConfigurationTimelinesAccessHashtagFeeds {
            local: local.clone(),
            remote: remote.clone(),
        }
        .into(),
        trending_link_feeds: current::InstanceConfigurationTimelinesAccessTrendingLinkFeeds {
            local,
            remote,
        }
        .into(),
    }
    .into()
}

fn feature_approval() -> FeatureApproval {
    current::FeatureApproval {
        automatic: Vec::new(),
        manual: Vec::new(),
        current_user: FeatureApprovalCurrentUser::Denied,
    }
    .into()
}

pub(crate) fn media(id: impl Into<Id<MediaAttachment>>) -> MediaAttachment {
    current::MediaAttachment {
        id: id.into(),
        r#type: MediaAttachmentType::Image,
        url: None,
        preview_url: None,
        remote_url: None,
        meta: None,
        description: None,
        blurhash: None,
        text_url: None,
        preview_remote_url: None,
    }
    .into()
}

pub(crate) fn list(id: impl Into<Id<List>>, title: String) -> List {
    current::List {
        id: id.into(),
        title,
        replies_policy: ListRepliesPolicy::List,
        exclusive: false,
    }
    .into()
}

/// Nobody follows, mutes or blocks anybody.
pub(crate) fn relationship(id: impl Into<Id<Account>>) -> Relationship {
    current::Relationship {
        id: id.into(),
        following: false,
        followed_by: false,
        blocking: false,
        domain_blocking: false,
        muting: false,
        requested: false,
        muting_notifications: false,
        showing_reblogs: false,
        endorsed: false,
        blocked_by: false,
        note: String::new(),
        notifying: false,
        languages: None,
        requested_by: false,
        muting_expires_at: None,
    }
    .into()
}
