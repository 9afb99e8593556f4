//! Tests of the helpers on stand-ins of the types that they are copied beside.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::match_wildcard_for_single_variants,
    reason = "where they are copied to the helpers are public and used, and an overlay may add values"
)]

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

    include!("account.rs");

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

    include!("visibility.rs");

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

    include!("media_attachment.rs");

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

    include!("notification.rs");

    #[test]
    fn a_type_brings_its_object() {
        let mention =
            |status| Notification { r#type: "mention".into(), status, ..Notification::default() };
        let kind = mention(Some(entities::Status));
        assert!(matches!(kind.kind(), NotificationKind::Mention(_)));
        let deleted = mention(None);
        assert!(matches!(deleted.kind(), NotificationKind::Other("mention")));
        let unknown = Notification { r#type: "wave".into(), ..Notification::default() };
        assert!(matches!(unknown.kind(), NotificationKind::Other("wave")));
    }
}
