//! GoToSocial's version strings, and what its releases have.

use fedispec::runtime::compatibility::{RemoteServer, Verdict};

use crate::gotosocial::VERSIONS;

fn servers() -> impl Iterator<Item = RemoteServer> {
    VERSIONS.iter().map(|version| RemoteServer::of("gotosocial", version))
}

#[test]
fn its_version_strings_are_read() {
    let read: Vec<_> = servers()
        .map(|server| {
            (
                server.identity.program.unwrap_or_default(),
                server.identity.version.unwrap_or_default(),
                server.identity.prerelease,
            )
        })
        .collect();
    let versions: Vec<_> = read
        .iter()
        .map(|(program, version, prerelease)| (program.as_str(), version.as_str(), *prerelease))
        .collect();
    let release = |version| ("gotosocial", version, false);
    assert_eq!(
        versions,
        [
            release("0.7.1"),
            release("0.10.0"),
            release("0.13.3"),
            release("0.15.0"),
            release("0.17.4"),
            release("0.19.2"),
            ("gotosocial", "0.20.0-rc1", true)
        ]
    );
    // An instance document has the same version string, without the program's name.
    for version in VERSIONS {
        let server = RemoteServer::of("", version);
        assert_eq!(server.identity.claims_mastodon, None, "{version}");
    }
}

#[test]
fn what_none_of_its_releases_has_is_known() {
    let lacking = [
        "apps.verify_credentials",
        "endorsements.list",
        "directory.list",
        "grouped_notifications.list",
        "statuses.get_many",
        "tags.feature",
        "featured_tags.create",
        "Account.uri",
        "Account.indexable",
        "Instance.api_versions",
        "Instance.icon",
        "Notification.group_key",
        "Tag.id",
        "Rule.hint",
        "FilterStatus.status_id",
    ];
    let items = fedispec::items();
    for server in servers().filter(|server| !server.identity.prerelease) {
        for id in lacking {
            let support = server.supports(items, id);
            assert_eq!(support.verdict, Verdict::No, "{server}: {id}: {}", support.evidence);
        }
    }
}

#[test]
fn what_came_late_or_does_nothing_is_known() {
    let items = fedispec::items();
    let verdict = |version: &str, id: &str| server(version).supports(items, id).verdict;
    let (_, program) = items.program("gotosocial").expect("it is registered");
    let newest = program.known_releases().last().expect("a release").version();
    let candidate = format!("{}.{}.0-rc1+git-8221628", newest.major, newest.minor + 1);
    for id in ["trends.tags", "suggestions.list", "scheduled_statuses.list"] {
        assert_eq!(verdict("0.19.2+git-90851fc", id), Verdict::No, "{id}");
        // The candidate of a release that the catalogue does not know yet may bring what the newest one lacks.
        if verdict(&newest.to_string(), id) == Verdict::No {
            assert_eq!(verdict(&candidate, id), Verdict::Unknown, "{id}");
        }
    }
    // Accepted and ignored.
    for (version, backdated) in [
        ("0.7.1 git-adb5966", Verdict::No),
        ("0.15.0+git-15733cd", Verdict::No),
        ("0.19.2+git-90851fc", Verdict::Yes),
    ] {
        assert_eq!(verdict(version, "statuses.create.scheduled_at"), backdated, "{version}");
        assert_eq!(verdict(version, "statuses.create.Idempotency-Key"), Verdict::No, "{version}");
    }
    for (id, before, since) in [
        ("Application.scopes", "0.17.4", "0.19.0"),
        ("Application.redirect_uris", "0.17.4", "0.19.0"),
    ] {
        assert_eq!((verdict(before, id), verdict(since, id)), (Verdict::No, Verdict::Yes), "{id}");
    }
    // Answered, and always empty.
    for (id, before, since) in
        [("custom_emojis.list", "0.3.3", "0.3.4"), ("lists.list", "0.9.0", "0.10.0")]
    {
        let both = (verdict(before, id), verdict(since, id));
        assert_eq!(both, (Verdict::Stub, Verdict::Yes), "{id}");
    }
    assert_eq!(verdict("0.19.2", "announcements.list"), Verdict::Stub);
}

fn server(version: &str) -> RemoteServer {
    RemoteServer::of("gotosocial", version)
}
