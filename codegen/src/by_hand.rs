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
#[allow(
    dead_code,
    unreachable_pub,
    clippy::match_wildcard_for_single_variants,
    reason = "where they are copied to the helpers are public and used, and an overlay may add values"
)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_rust_and_stands_once() {
        for helper in HELPERS {
            assert!(!helper.tokens().is_empty(), "{}", helper.beside);
            for name in helper.brings {
                assert!(helper.text.contains(&format!("pub enum {name}")), "{name}");
            }
            let same = HELPERS.iter().filter(|other| other.beside == helper.beside);
            assert_eq!(same.count(), 1, "{}", helper.beside);
        }
    }

    #[test]
    fn what_is_not_generated_in_that_shape_is_not_copied() {
        let is_there = |shape: Option<Shape>| helper("Account", |_| shape, |_| true).is_some();
        assert!(is_there(Some(Shape::Plain)));
        assert!(!is_there(Some(Shape::Optional)));
        assert!(!is_there(None));
        let visibility = |missing: &str| helper("Visibility", |_| None, |id| id != missing);
        assert!(visibility("").is_some());
        assert!(visibility("Visibility.mutuals_only").is_none());
    }

    mod account {
        struct Account {
            acct: String,
        }

        include!("by_hand/account.rs");

        #[test]
        fn an_address_has_a_domain() {
            for (acct, address) in
                [("mona", "mona@here.example"), ("mona@there.example", "mona@there.example")]
            {
                let acct = acct.to_owned();
                assert_eq!(Account { acct }.address("here.example"), address);
            }
        }
    }

    mod visibility {
        #[derive(Debug, PartialEq)]
        enum Visibility {
            Public,
            Unlisted,
            Private,
            Direct,
            MutualsOnly,
            Unrecognized(Box<str>),
        }

        include!("by_hand/visibility.rs");

        #[test]
        fn from_direct_to_public() {
            use Visibility::{Direct, MutualsOnly, Private, Public, Unlisted, Unrecognized};
            let ascending = [Direct, MutualsOnly, Private, Unlisted, Public];
            assert!(ascending.is_sorted());
            assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
            let local = || Unrecognized("local".into());
            assert_eq!(local().partial_cmp(&Public), None);
            assert_eq!(local().partial_cmp(&local()), Some(std::cmp::Ordering::Equal));
        }
    }

    mod media_attachment {
        #[derive(Default)]
        struct MediaAttachment {
            r#type: String,
            meta: Option<Meta>,
        }

        #[derive(Default)]
        struct Meta {
            focus: Option<Focus>,
            original: Option<Original>,
        }

        struct Focus {
            x: Option<f64>,
            y: Option<f64>,
        }

        #[derive(Default)]
        struct Original {
            width: Option<i64>,
            height: Option<i64>,
            duration: Option<f64>,
            bitrate: Option<i64>,
            frame_rate: Option<String>,
        }

        include!("by_hand/media_attachment.rs");

        fn of(r#type: &str, frame_rate: &str) -> MediaKind {
            let original = Original {
                width: Some(640),
                height: Some(480),
                duration: Some(1.5),
                bitrate: Some(96_000),
                frame_rate: Some(frame_rate.to_owned()),
            };
            let focus = Focus { x: Some(0.5), y: Some(-0.5) };
            let meta = Meta { focus: Some(focus), original: Some(original) };
            let attachment = MediaAttachment { r#type: r#type.to_owned(), meta: Some(meta) };
            attachment.kind()
        }

        #[test]
        fn each_kind_has_its_own() {
            let size = Some((640, 480));
            let duration = Some(1.5);
            let focus = Some((0.5, -0.5));
            assert_eq!(of("image", ""), MediaKind::Image { size, focus });
            let bitrate = Some(96_000);
            assert_eq!(of("audio", ""), MediaKind::Audio { duration, bitrate });
            for (text, frame_rate) in [
                ("30/1", Some(30.0)),
                ("25", Some(25.0)),
                ("0/0", None),
                ("1/0", None),
                ("often", None),
            ] {
                let video = MediaKind::Video { size, duration, frame_rate };
                assert_eq!(of("video", text), video, "{text}");
            }
            assert_eq!(of("hologram", ""), MediaKind::Other);
            let bare = MediaAttachment { r#type: "gifv".into(), ..MediaAttachment::default() };
            let nothing = MediaKind::Gifv { size: None, duration: None, frame_rate: None };
            assert_eq!(bare.kind(), nothing);
        }
    }

    mod notification {
        mod entities {
            #[derive(Debug)]
            pub(in crate::by_hand::tests) struct Status;
            #[derive(Debug)]
            pub(in crate::by_hand::tests) struct Report;
            #[derive(Debug)]
            pub(in crate::by_hand::tests) struct AccountWarning;
            #[derive(Debug)]
            pub(in crate::by_hand::tests) struct RelationshipSeveranceEvent;
            #[derive(Debug)]
            pub(in crate::by_hand::tests) struct Collection;
        }

        #[derive(Default)]
        struct Notification {
            r#type: String,
            status: Option<entities::Status>,
            report: Option<entities::Report>,
            moderation_warning: Option<entities::AccountWarning>,
            event: Option<entities::RelationshipSeveranceEvent>,
            collection: Option<entities::Collection>,
        }

        include!("by_hand/notification.rs");

        #[test]
        fn a_type_brings_its_object() {
            let mention = |status| Notification {
                r#type: "mention".into(),
                status,
                ..Notification::default()
            };
            let kind = mention(Some(entities::Status));
            assert!(matches!(kind.kind(), NotificationKind::Mention(_)));
            let deleted = mention(None);
            assert!(matches!(deleted.kind(), NotificationKind::Other("mention")));
            let unknown = Notification { r#type: "wave".into(), ..Notification::default() };
            assert!(matches!(unknown.kind(), NotificationKind::Other("wave")));
        }
    }
}
