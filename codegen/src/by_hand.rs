//! Code that is written by hand and copied beside the generated types that it belongs to: what every user of them would write.
//!
//! Each file is Rust on its own: the tests here compile it beside stand-ins of the types, and the ready-made crate has the server's
//! builder. A helper is copied only where all that it
//! names is generated in the shape that it expects, so that ceilings, floors and selections never break a build.

use proc_macro2::TokenStream;

/// How a field is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As its value.
    Plain,
    /// As an `Option` of it.
    Optional,
}

/// A file, and what it needs.
pub(crate) struct Helper {
    /// The id of the entity, enumeration or operation that it stands beside.
    pub(crate) beside: &'static str,
    /// The types that it brings, to be named with the entities.
    pub(crate) brings: &'static [&'static str],
    text: &'static str,
    /// Ids of fields, each with its shape.
    fields: &'static [(&'static str, Shape)],
    /// Ids of values and parameters.
    others: &'static [&'static str],
}

const HELPERS: &[Helper] = &[
    Helper {
        beside: "Account",
        brings: &[],
        text: include_str!("by_hand/account.rs"),
        fields: &[("Account.acct", Shape::Plain)],
        others: &[],
    },
    Helper {
        beside: "MediaAttachment",
        brings: &["MediaKind"],
        text: include_str!("by_hand/media_attachment.rs"),
        fields: &[
            ("MediaAttachment.type", Shape::Plain),
            ("MediaAttachment.meta", Shape::Optional),
            ("MediaAttachment.meta.focus", Shape::Optional),
            ("MediaAttachment.meta.focus.x", Shape::Optional),
            ("MediaAttachment.meta.focus.y", Shape::Optional),
            ("MediaAttachment.meta.original", Shape::Optional),
            ("MediaAttachment.meta.original.bitrate", Shape::Optional),
            ("MediaAttachment.meta.original.duration", Shape::Optional),
            ("MediaAttachment.meta.original.frame_rate", Shape::Optional),
            ("MediaAttachment.meta.original.height", Shape::Optional),
            ("MediaAttachment.meta.original.width", Shape::Optional),
        ],
        others: &[],
    },
    Helper {
        beside: "Notification",
        brings: &["NotificationKind"],
        text: include_str!("by_hand/notification.rs"),
        fields: &[
            ("Notification.type", Shape::Plain),
            ("Notification.collection", Shape::Optional),
            ("Notification.event", Shape::Optional),
            ("Notification.moderation_warning", Shape::Optional),
            ("Notification.report", Shape::Optional),
            ("Notification.status", Shape::Optional),
        ],
        others: &[],
    },
    Helper {
        beside: "statuses.create",
        brings: &[],
        text: include_str!("by_hand/statuses_create.rs"),
        fields: &[
            ("Account.acct", Shape::Plain),
            ("Account.id", Shape::Plain),
            ("CredentialAccount.id", Shape::Plain),
            ("CredentialAccount.source", Shape::Plain),
            ("CredentialAccount.source.privacy", Shape::Plain),
            ("Mention.acct", Shape::Plain),
            ("Mention.id", Shape::Plain),
            ("Status.account", Shape::Plain),
            ("Status.id", Shape::Plain),
            ("Status.language", Shape::Optional),
            ("Status.mentions", Shape::Plain),
            ("Status.spoiler_text", Shape::Plain),
            ("Status.visibility", Shape::Plain),
        ],
        others: &[
            "statuses.create.in_reply_to_id",
            "statuses.create.language",
            "statuses.create.spoiler_text",
            "statuses.create.status",
            "statuses.create.visibility",
            // It orders them.
            "Visibility.direct",
            "Visibility.mutuals_only",
            "Visibility.private",
            "Visibility.public",
            "Visibility.unlisted",
        ],
    },
    Helper {
        beside: "statuses.update",
        brings: &[],
        text: include_str!("by_hand/statuses_update.rs"),
        fields: &[
            ("MediaAttachment.id", Shape::Plain),
            ("Poll.expired", Shape::Plain),
            ("Poll.expires_at", Shape::Optional),
            ("Poll.multiple", Shape::Plain),
            ("Poll.options", Shape::Plain),
            ("PollOption.title", Shape::Plain),
            ("Status.id", Shape::Plain),
            ("Status.language", Shape::Optional),
            ("Status.media_attachments", Shape::Plain),
            ("Status.poll", Shape::Optional),
            ("Status.sensitive", Shape::Plain),
            ("StatusSource.spoiler_text", Shape::Plain),
            ("StatusSource.text", Shape::Plain),
        ],
        others: &[
            "statuses.update.language",
            "statuses.update.media_ids",
            "statuses.update.poll.expires_in",
            "statuses.update.poll.multiple",
            "statuses.update.poll.options",
            "statuses.update.sensitive",
            "statuses.update.spoiler_text",
            "statuses.update.status",
        ],
    },
    Helper {
        beside: "Visibility",
        brings: &[],
        text: include_str!("by_hand/visibility.rs"),
        fields: &[],
        others: &[
            "Visibility.direct",
            "Visibility.mutuals_only",
            "Visibility.private",
            "Visibility.public",
            "Visibility.unlisted",
        ],
    },
];

/// The builder of a server, without the methods that mount its groups.
pub(crate) fn server() -> TokenStream {
    include_str!("by_hand/server.rs").parse().unwrap_or_default()
}

/// The operations and parameters that the OAuth routes use, by id.
const OAUTH: &[&str] = &[
    "apps.create.client_name",
    "apps.create.redirect_uris",
    "apps.create.scopes",
    "apps.create.website",
    "apps.verify_credentials",
    "oauth.approve",
    "oauth.authorize",
    "oauth.revoke.client_id",
    "oauth.revoke.client_secret",
    "oauth.revoke.token",
    "oauth.server_metadata",
    "oauth.token.client_id",
    "oauth.token.client_secret",
    "oauth.token.code",
    "oauth.token.code_verifier",
    "oauth.token.grant_type",
    "oauth.token.password",
    "oauth.token.redirect_uri",
    "oauth.token.scope",
    "oauth.token.username",
    "oauth.userinfo",
];

/// The entities that it builds, each with the number of fields that it knows.
const OAUTH_BUILDS: &[(&str, usize)] = &[
    ("Application", 7),
    ("CredentialApplication", 10),
    ("ServerMetadata", 13),
    ("Token", 4),
    ("UserInfo", 6),
];

/// The mounting of OAuth, where all that it needs is there.
pub(crate) fn oauth(
    is_there: impl Fn(&str) -> bool,
    sent: impl Fn(&str) -> usize,
) -> Option<TokenStream> {
    let is_whole = OAUTH.iter().all(|id| is_there(id))
        && OAUTH_BUILDS.iter().all(|(entity, fields)| sent(entity) == *fields);
    is_whole.then(|| include_str!("by_hand/oauth.rs").parse().unwrap_or_default())
}

/// The helper beside an item, where all that it needs is there.
pub(crate) fn helper(
    beside: &str,
    shape: impl Fn(&str) -> Option<Shape>,
    is_there: impl Fn(&str) -> bool,
) -> Option<&'static Helper> {
    let mut helpers = HELPERS.iter();
    helpers.find(|helper| {
        helper.beside == beside
            && { helper.fields.iter() }.all(|(id, expected)| shape(id) == Some(*expected))
            && helper.others.iter().all(|id| is_there(id))
    })
}

impl Helper {
    /// The code to copy.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.text.parse().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
