use crate::Identity;
use crate::compatibility::Counting;
use crate::compatibility::{Attachment, Draft, InstanceLimits, Limit, PollDraft, RemoteServer};

fn read(document: &str) -> InstanceLimits {
    InstanceLimits::read(&serde_json::from_str(document).expect(document))
}

#[test]
fn instance_documents_are_read_alike() {
    let limits = read(
        r#"{"configuration": {"statuses": {"max_characters": 5000, "max_media_attachments": 6, "characters_reserved_per_url": 25},
        "polls": {"max_options": "6", "min_expiration": -1}, "accounts": {"max_pinned_statuses": 5},
        "media_attachments": {"supported_mime_types": ["image/png", 1], "image_size_limit": 10}}, "max_toot_chars": 1}"#,
    );
    assert_eq!(limits.characters, Some(5000));
    assert_eq!(limits.attachments, Some(6));
    assert_eq!(limits.poll_options, Some(6));
    assert_eq!(limits.poll_shortest, None);
    assert_eq!(limits.pinned, Some(5));
    assert_eq!(limits.media_types, ["image/png"]);
    let old = read(
        r#"{"max_toot_chars": 5000, "poll_limits": {"max_options": 20, "max_option_chars": 200}, "upload_limit": 7}"#,
    );
    assert_eq!(
        (old.characters, old.poll_options, old.poll_option_characters),
        (Some(5000), Some(20), Some(200))
    );
    assert_eq!(old.image_bytes, Some(7));
    for nonsense in ["{}", r#"{"configuration": null}"#, r#"{"configuration": [1]}"#, "[]"] {
        assert_eq!(read(nonsense), InstanceLimits::default(), "{nonsense}");
    }
}

#[test]
fn older_releases_are_known() {
    let of = |version: &str| RemoteServer::of("mastodon", version).limits();
    assert_eq!(of("2.7.0").poll_options, None);
    assert_eq!(of("2.9.1").poll_option_characters, Some(25));
    assert_eq!(of("3.2.0").poll_option_characters, Some(50));
    assert_eq!(of("2.9.1").description, Some(420));
    assert_eq!(of("3.3.0").description, Some(1500));
    assert_eq!(of("1.6.0").pinned, None);
    assert_eq!(of("1.6.1").pinned, Some(5));
    assert_eq!(of("3.3.0").image_bytes, Some(10 * 1024 * 1024));
    let glitch = RemoteServer::of("mastodon", "3.3.0+glitch").limits();
    assert_eq!((glitch.characters, glitch.description), (None, Some(1500)));
    assert_eq!(RemoteServer::of("pleroma", "2.5.0").limits(), InstanceLimits::default());
    let mut told = RemoteServer::of("mastodon", "3.3.0");
    told.reported.characters = Some(1);
    assert_eq!(told.limits().characters, Some(1));
}

/// Read in Mastodon's source at each tag: `app/models/media_attachment.rb`, `app/validators/poll_validator.rb` and the like.
#[test]
fn every_limit_of_a_release_is_known() {
    let mib = 1_048_576;
    let limits = RemoteServer::of("mastodon", "4.3.0").limits();
    let expected = InstanceLimits {
        characters: Some(500),
        characters_per_link: Some(23),
        attachments: Some(4),
        description: Some(1500),
        image_bytes: Some(16 * mib),
        image_pixels: Some(33_177_600),
        video_bytes: Some(99 * mib),
        video_pixels: Some(8_294_400),
        video_frame_rate: Some(120),
        poll_options: Some(4),
        poll_option_characters: Some(50),
        poll_shortest: Some(300),
        poll_longest: Some(2_629_746),
        pinned: Some(5),
        featured_tags: Some(10),
        profile_fields: Some(4),
        ..InstanceLimits::default()
    };
    assert_eq!(limits, expected);
    let of = |version: &str| {
        let limits = RemoteServer::of("mastodon", version).limits();
        (limits.image_bytes, limits.video_bytes)
    };
    assert_eq!(of("0.5.0"), (None, None));
    assert_eq!(of("2.4.3"), (Some(8 * mib), Some(8 * mib)));
    assert_eq!(of("2.5.0"), (Some(8 * mib), Some(40 * mib)));
    assert_eq!(of("3.0.0"), (Some(10 * mib), Some(40 * mib)));
    assert_eq!(of("4.2.0"), (Some(16 * mib), Some(99 * mib)));
    // Pleroma claims a release of Mastodon, and has limits of its own.
    let claim = "2.7.2 (compatible; Pleroma 2.5.0)";
    let mut pleroma = RemoteServer::of("mastodon", "2.7.2");
    pleroma.identity = Identity::read(claim, Some("pleroma"));
    assert!(pleroma.identity.claims_mastodon.is_some());
    assert_eq!(pleroma.limits(), InstanceLimits::default());
}

#[test]
fn an_attachment_is_named_from_one_on_and_measured_in_pixels() {
    let limits = InstanceLimits {
        image_pixels: Some(99),
        video_pixels: Some(99),
        video_bytes: Some(9),
        ..InstanceLimits::default()
    };
    let told = |media_type, size| {
        let one = Attachment { media_type, size: Some(size), ..Attachment::default() };
        let draft = Draft { attachments: &[Attachment::default(), one], ..Draft::default() };
        let found = limits.check(&draft);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let text = "attachment 2 has 100 pixels and the server allows 99";
    for media_type in ["image/png", "video/webm", "Video/MP4"] {
        assert_eq!(told(media_type, (10, 10)), [text], "{media_type}");
        // The product counts: not a sum, not a ratio.
        assert_eq!(told(media_type, (1, 99)), [""; 0], "{media_type}");
    }
    assert_eq!(told("text/plain", (10, 10)), [""; 0]);
    let sound = Attachment { media_type: "audio/ogg", bytes: 10, ..Attachment::default() };
    let draft = Draft { attachments: &[sound], ..Draft::default() };
    let told = limits.check(&draft).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told, ["attachment 1 has 10 bytes and the server allows 9"]);
}

#[test]
fn a_post_is_held_against_them() {
    let server = RemoteServer::of("mastodon", "2.9.1");
    let text = "a".repeat(490);
    let image = Attachment { media_type: "image/png", bytes: 9_000_000, ..Attachment::default() };
    let fine = Attachment { media_type: "image/png", ..Attachment::default() };
    let attachments = [fine, image, fine, fine, fine];
    let draft = Draft {
        text: &text,
        spoiler_text: "hello world",
        attachments: &attachments,
        poll: Some(PollDraft {
            options: &["yes", "no", "perhaps, but only when it rains"],
            expires_in: 60,
        }),
    };
    let mut limits = server.limits();
    let found: Vec<_> =
        limits.check(&draft).iter().map(|excess| (excess.limit, excess.place)).collect();
    assert_eq!(
        found,
        [
            (Limit::Characters, None),
            (Limit::Attachments, None),
            (Limit::ImageBytes, Some(1)),
            (Limit::PollOptionCharacters, Some(2)),
            (Limit::PollShortest, None),
        ]
    );
    let excess = limits.check(&draft)[0];
    assert_eq!(excess.to_string(), "the post has 501 characters and the server allows 500");
    limits.media_types = vec!["video/webm".into()];
    assert_eq!(
        limits.check(&Draft { attachments: &[fine], ..Draft::default() })[0].limit,
        Limit::MediaType
    );
    assert_eq!(limits.check(&Draft::default()), []);
    assert_eq!(InstanceLimits::default().check(&draft), []);
}

#[test]
fn what_is_allowed_is_allowed_to_the_last() {
    let limits = InstanceLimits {
        characters: Some(3),
        attachments: Some(1),
        poll_options: Some(2),
        poll_option_characters: Some(1),
        poll_shortest: Some(300),
        poll_longest: Some(300),
        ..InstanceLimits::default()
    };
    let check = |text, attachments, options: &[&str], expires_in| {
        let draft = Draft {
            text,
            attachments,
            poll: Some(PollDraft { options, expires_in }),
            ..Draft::default()
        };
        let found = limits.check(&draft);
        found.iter().map(|one| (one.limit, one.place)).collect::<Vec<_>>()
    };
    let one = [Attachment::default()];
    assert_eq!(check("abc", &one, &["a", "b"], 300), []);
    let two = [Attachment::default(); 2];
    assert_eq!(
        check("abcd", &two, &["a", "bc", "c"], 301),
        [
            (Limit::Characters, None),
            (Limit::Attachments, None),
            (Limit::PollOptions, None),
            (Limit::PollOptionCharacters, Some(1)),
            (Limit::PollLongest, None),
        ]
    );
    assert_eq!(check("", &[], &[], 299), [(Limit::PollShortest, None)]);
}

#[test]
fn programs_count_differently() {
    let mastodon = RemoteServer::of("mastodon", "4.3.0").limits();
    let gotosocial = RemoteServer::of("gotosocial", "0.19.2").limits();
    assert_eq!(gotosocial.counting, Some(Counting::CodePoints));
    let text = "https://example.org/a/long/way/to/go 👩‍👩‍👧‍👦";
    assert_eq!(mastodon.characters_of(text, "é"), 23 + 2 + 1);
    assert_eq!(gotosocial.characters_of(text, "é"), 36 + 1 + 7 + 1);
}
