//! The documents in which the server describes itself, in both versions.

use fedispec::current;
use fedispec::entities::{
    self as told, Instance, InstanceConfigurationTimelinesAccess, V1Instance,
};
use fedispec::enums::TimelineAccess;

use super::instance::rules;
use super::posts::{MAX_CHARACTERS, MAX_MEDIA, MAX_OPTIONS};
use super::prelude::*;

/// The release whose API this is, as clients look for it.
const VERSION: &str = "4.6.5 (compatible; small_server 0.1.0)";
const TITLE: &str = "A small server";
const URL_CHARACTERS: i64 = 23;
const OPTION_CHARACTERS: i64 = 50;
const POLL_SECONDS: (i64, i64) = (300, 2_629_746);
const MAX_FEATURED_TAGS: i64 = 10;
const MAX_BYTES: i64 = 16 * 1024 * 1024;
const MAX_PIXELS: i64 = 33_177_600;
const MAX_FRAMES: i64 = 120;
const TYPES: [&str; 3] = ["image/png", "video/mp4", "audio/mpeg"];

pub fn instance(db: &Store) -> Instance {
    let always = current::Instance {
        api_versions: Map::new(),
        configuration: configuration(db),
        contact: told::InstanceContact::new(None, format!("owner@{}", db.domain())),
        description: String::new(),
        domain: db.domain().to_owned(),
        icon: Vec::new(),
        languages: Vec::new(),
        registrations: current::InstanceRegistrations {
            approval_required: false,
            enabled: true,
            message: None,
            min_age: None,
            reason_required: false,
            url: None,
        }
        .into(),
        rules: rules(),
        source_url: String::new(),
        thumbnail: current::InstanceThumbnail { url: String::new(), description: String::new() }
            .into(),
        title: TITLE.to_owned(),
        usage: told::InstanceUsage::new(told::InstanceUsageUsers::new(count(db.users.len()))),
        version: VERSION.to_owned(),
        wrapstodon: None,
    };
    always.into()
}

fn configuration(db: &Store) -> told::InstanceConfiguration {
    let always = current::InstanceConfiguration {
        accounts: current::InstanceConfigurationAccounts {
            max_avatar_description_length: 0,
            max_display_name_length: 30,
            max_featured_tags: MAX_FEATURED_TAGS,
            max_header_description_length: 0,
            max_note_length: 500,
            max_pinned_statuses: 5,
            max_profile_fields: 4,
            profile_field_name_limit: 255,
            profile_field_value_limit: 255,
        }
        .into(),
        limited_federation: true,
        media_attachments: current::InstanceConfigurationMediaAttachments {
            description_limit: 1500,
            image_matrix_limit: MAX_PIXELS,
            image_size_limit: MAX_BYTES,
            supported_mime_types: TYPES.map(str::to_owned).into(),
            video_frame_rate_limit: MAX_FRAMES,
            video_matrix_limit: MAX_PIXELS,
            video_size_limit: MAX_BYTES,
        }
        .into(),
        polls: current::InstanceConfigurationPolls {
            max_characters_per_option: OPTION_CHARACTERS,
            max_expiration: POLL_SECONDS.1,
            max_options: count(MAX_OPTIONS),
            min_expiration: POLL_SECONDS.0,
        }
        .into(),
        statuses: current::InstanceConfigurationStatuses {
            characters_reserved_per_url: URL_CHARACTERS,
            max_characters: count(MAX_CHARACTERS),
            max_media_attachments: count(MAX_MEDIA),
        }
        .into(),
        timelines_access: timelines_access(),
        translation: told::InstanceConfigurationTranslation::new(false),
        urls: current::InstanceConfigurationUrls {
            about: db.url("about"),
            privacy_policy: db.url("privacy"),
            status: None,
            streaming: streaming(db),
            terms_of_service: None,
        }
        .into(),
        vapid: told::InstanceConfigurationVapid::new(None),
    };
    always.into()
}

/// Everybody reads every timeline.
fn timelines_access() -> InstanceConfigurationTimelinesAccess {
    let (local, remote) = (TimelineAccess::Public, TimelineAccess::Public);
    current::InstanceConfigurationTimelinesAccess {
        hashtag_feeds: current::InstanceConfigurationTimelinesAccessHashtagFeeds {
            local: local.clone(),
            remote: remote.clone(),
        }
        .into(),
        live_feeds: current::InstanceConfigurationTimelinesAccessLiveFeeds {
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

pub fn v1(db: &Store) -> V1Instance {
    let always = current::V1Instance {
        approval_required: false,
        configuration: v1_configuration(),
        contact_account: None,
        description: String::new(),
        email: format!("owner@{}", db.domain()),
        invites_enabled: false,
        languages: Vec::new(),
        registrations: true,
        rules: rules(),
        short_description: String::new(),
        stats: current::V1InstanceStats {
            domain_count: 0,
            status_count: count(db.posts.len()),
            user_count: count(db.users.len()),
        }
        .into(),
        thumbnail: db.url("thumbnail.png"),
        title: TITLE.to_owned(),
        uri: db.domain().to_owned(),
        urls: told::V1InstanceUrls::new(streaming(db)),
        version: VERSION.to_owned(),
    };
    always.into()
}

fn v1_configuration() -> told::V1InstanceConfiguration {
    let always = current::V1InstanceConfiguration {
        accounts: told::V1InstanceConfigurationAccounts::new(MAX_FEATURED_TAGS),
        media_attachments: current::V1InstanceConfigurationMediaAttachments {
            image_matrix_limit: MAX_PIXELS,
            image_size_limit: MAX_BYTES,
            supported_mime_types: TYPES.map(str::to_owned).into(),
            video_frame_rate_limit: MAX_FRAMES,
            video_matrix_limit: MAX_PIXELS,
            video_size_limit: MAX_BYTES,
        }
        .into(),
        polls: current::V1InstanceConfigurationPolls {
            max_characters_per_option: OPTION_CHARACTERS,
            max_expiration: POLL_SECONDS.1,
            max_options: count(MAX_OPTIONS),
            min_expiration: POLL_SECONDS.0,
        }
        .into(),
        statuses: current::V1InstanceConfigurationStatuses {
            characters_reserved_per_url: URL_CHARACTERS,
            max_characters: count(MAX_CHARACTERS),
            max_media_attachments: count(MAX_MEDIA),
        }
        .into(),
    };
    always.into()
}

/// The address of streams.
fn streaming(db: &Store) -> String {
    db.origin.replacen("http", "ws", 1)
}
