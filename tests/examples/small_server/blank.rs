//! Entities to begin with, in which everything that is always sent has a value.

use fedispec::current;
use fedispec::entities::{CredentialAccountSource, FeatureApproval, QuoteApproval, Role};
use fedispec::enums::{
    FeatureApprovalCurrentUser, MediaAttachmentType, QuoteApprovalCurrentUser, QuotePolicy,
};

use super::prelude::*;

/// An account without a profile.
pub fn account(key: Key, name: &str, url: String) -> Account {
    let approval = current::FeatureApproval {
        automatic: Vec::new(),
        manual: Vec::new(),
        current_user: FeatureApprovalCurrentUser::Denied,
    };
    current::Account {
        acct: name.to_owned(),
        avatar: String::new(),
        avatar_description: String::new(),
        avatar_static: String::new(),
        bot: false,
        created_at: Timestamp::now(),
        discoverable: None,
        display_name: name.to_owned(),
        emojis: Vec::new(),
        feature_approval: FeatureApproval::from(approval),
        fields: Vec::new(),
        followers_count: 0,
        following_count: 0,
        group: false,
        header: String::new(),
        header_description: String::new(),
        header_static: String::new(),
        hide_collections: None,
        id: key.into(),
        indexable: false,
        last_status_at: None,
        locked: false,
        note: String::new(),
        show_featured: true,
        show_media: true,
        show_media_replies: true,
        statuses_count: 0,
        uri: url.clone(),
        url,
        username: name.to_owned(),
    }
    .into()
}

/// The part of an account that only its user sees.
pub fn source() -> CredentialAccountSource {
    current::CredentialAccountSource {
        attribution_domains: Vec::new(),
        discoverable: None,
        fields: Vec::new(),
        follow_requests_count: 0,
        hide_collections: None,
        indexable: false,
        language: None,
        note: String::new(),
        privacy: Visibility::Public,
        quote_policy: QuotePolicy::Nobody,
        sensitive: false,
    }
    .into()
}

/// The role of everybody.
pub fn role() -> Role {
    current::Role {
        collection_limit: 0,
        color: String::new(),
        highlighted: false,
        id: "-99".into(),
        name: String::new(),
        permissions: "65536".to_owned(),
    }
    .into()
}

/// A status that says nothing.
pub fn status(account: Account, visibility: Visibility) -> Status {
    let approval = current::QuoteApproval {
        automatic: Vec::new(),
        manual: Vec::new(),
        current_user: QuoteApprovalCurrentUser::Denied,
    };
    current::Status {
        account,
        card: None,
        content: String::new(),
        created_at: Timestamp::now(),
        edited_at: None,
        emojis: Vec::new(),
        favourites_count: 0,
        id: 0.into(),
        in_reply_to_account_id: None,
        in_reply_to_id: None,
        language: None,
        media_attachments: Vec::new(),
        mentions: Vec::new(),
        poll: None,
        quote: None,
        quote_approval: QuoteApproval::from(approval),
        quotes_count: 0,
        reblog: None,
        reblogs_count: 0,
        replies_count: 0,
        sensitive: false,
        spoiler_text: String::new(),
        tagged_collections: Vec::new(),
        tags: Vec::new(),
        uri: String::new(),
        url: None,
        visibility,
    }
    .into()
}

/// A file that has been kept.
pub fn media(key: Key, kind: MediaAttachmentType, url: String) -> MediaAttachment {
    current::MediaAttachment {
        blurhash: None,
        description: None,
        id: key.into(),
        meta: None,
        preview_remote_url: None,
        preview_url: Some(url.clone()),
        remote_url: None,
        text_url: None,
        r#type: kind,
        url: Some(url),
    }
    .into()
}

/// An account that has nothing to do with the caller's.
pub fn relationship(to: Key) -> Relationship {
    current::Relationship {
        blocked_by: false,
        blocking: false,
        domain_blocking: false,
        endorsed: false,
        followed_by: false,
        following: false,
        id: to.into(),
        languages: None,
        muting: false,
        muting_expires_at: None,
        muting_notifications: false,
        note: String::new(),
        notifying: false,
        requested: false,
        requested_by: false,
        showing_reblogs: false,
    }
    .into()
}
