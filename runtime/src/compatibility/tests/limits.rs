use crate::compatibility::limits::Counting;
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
    for nonsense in [
        "{}",
        r#"{"configuration": null}"#,
        r#"{"configuration": [1]}"#,
        "[]",
    ] {
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
    assert_eq!(
        RemoteServer::of("pleroma", "2.5.0").limits(),
        InstanceLimits::default()
    );
    let mut told = RemoteServer::of("mastodon", "3.3.0");
    told.reported.characters = Some(1);
    assert_eq!(told.limits().characters, Some(1));
}

#[test]
fn a_post_is_held_against_them() {
    let server = RemoteServer::of("mastodon", "2.9.1");
    let text = "a".repeat(490);
    let image = Attachment {
        media_type: "image/png",
        bytes: 9_000_000,
        ..Attachment::default()
    };
    let fine = Attachment {
        media_type: "image/png",
        ..Attachment::default()
    };
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
    let found: Vec<_> = limits
        .check(&draft)
        .iter()
        .map(|excess| (excess.limit, excess.place))
        .collect();
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
    assert_eq!(
        excess.to_string(),
        "the post has 501 characters and the server allows 500"
    );
    limits.media_types = vec!["video/webm".into()];
    assert_eq!(
        limits.check(&Draft {
            attachments: &[fine],
            ..Draft::default()
        })[0]
            .limit,
        Limit::MediaType
    );
    assert_eq!(limits.check(&Draft::default()), []);
    assert_eq!(InstanceLimits::default().check(&draft), []);
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
