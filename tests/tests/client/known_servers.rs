//! The verdicts of the whole catalogue for real releases.

use std::collections::{HashMap, HashSet};

use fedispec::features;
use fedispec::runtime::Feature;
use fedispec::runtime::compatibility::{Evidence, Gate, RemoteServer, Verdict};
use fedispec_model::features::Features;

#[test]
fn servers_have_what_their_releases_have() {
    use Verdict::{No, Unknown, Yes};
    let items = fedispec::items();
    for (software, version, id, expected) in [
        ("mastodon", "4.3.0", "accounts.lookup", Yes),
        ("mastodon", "3.3.0", "accounts.lookup", No),
        ("mastodon", "3.4.0rc1", "accounts.lookup", Unknown),
        ("mastodon", "2.9.1", "media.upload", No),
        ("mastodon", "3.5.3", "filters.create", No),
        ("mastodon", "4.0.0+glitch", "filters.create", Yes),
        ("gotosocial", "0.9.0 git-89ee9d5", "accounts.lookup", No),
        ("gotosocial", "0.19.2+git-90851fc", "accounts.lookup", Yes),
        // The fields are in GoToSocial's source before any operation answers them.
        ("gotosocial", "0.17.4", "DomainPermission.domain", No),
        ("gotosocial", "0.18.0", "DomainPermission.domain", Yes),
        ("gotosocial", "0.19.2", "Announcement.content", No),
        ("pleroma", "2.7.2 (compatible; Pleroma 2.7.0)", "accounts.lookup", Yes),
        ("pleroma", "2.7.2 (compatible; Pleroma 2.4.5)", "accounts.lookup", No),
        ("pleroma", "2.7.2 (compatible; Pleroma 0.9.0)", "accounts.lookup", Unknown),
        ("pleroma", "2.7.2 (compatible; Pleroma 2.9.1)", "filters.list", No),
        ("pleroma", "2.7.2 (compatible; Pleroma 2.9.1)", "pleroma_reactions.add", Yes),
        ("akkoma", "2.7.2 (compatible; Akkoma 3.0.0)", "akkoma_timelines.bubble", No),
        ("akkoma", "2.7.2 (compatible; Akkoma 3.1.0)", "akkoma_timelines.bubble", Yes),
        ("pixelfed", "3.5.3 (compatible; Pixelfed 0.11.13)", "statuses.create.poll.options", No),
    ] {
        let support = RemoteServer::of(software, version).supports(items, id);
        assert_eq!(support.verdict, expected, "{id} of {software} {version}: {}", support.evidence);
    }
}

/// A fork's own items are decided by the number that it publishes for them, and by its version where it publishes none.
#[test]
fn the_number_of_a_fork_decides_what_it_alone_has() {
    use Verdict::{No, Unknown, Yes};
    let id = "statuses.create.local_only";
    for (version, numbers, expected) in [
        ("4.5.7+glitch", &[("mastodon", 7), ("glitch", 1)][..], Yes),
        ("4.5.7+glitch", &[], Yes),
        ("4.5.6+glitch", &[], No),
        // The main line had it before the release that its version comes before, or not yet.
        ("4.6.0-alpha.2+glitch", &[("mastodon", 8)], No),
        ("4.6.0-alpha.3+glitch", &[("mastodon", 8), ("glitch", 1)], Yes),
        ("4.5.0-nightly.2026-02-01+chuckya", &[("mastodon", 7), ("glitch", 1)], Yes),
        ("4.5.0+chuckya", &[("mastodon", 7)], Unknown),
    ] {
        let mut server = RemoteServer::of("mastodon", version);
        server.api_versions.extend(numbers.iter().map(|(name, number)| ((*name).into(), *number)));
        let support = server.supports(fedispec::items(), id);
        assert_eq!(support.verdict, expected, "{version}, {numbers:?}: {}", support.evidence);
    }
    let mut server = RemoteServer::of("mastodon", "4.6.0-alpha.3+glitch");
    server.api_versions.insert("glitch".into(), 1);
    let supports = |id| server.supports(fedispec::items(), id);
    assert_eq!(
        supports(id).evidence.to_string(),
        "glitch_soc: there since 4.5.7; the server publishes API 1"
    );
    // The number says nothing of what Mastodon has.
    let told = supports("accounts.lookup").evidence.to_string();
    assert!(told.contains("the server is 4.6.0-alpha.3"), "{told}");
}

#[test]
fn every_row_has_the_verdict_of_its_gate() {
    let items = fedispec::items();
    for version in ["2.9.1", "4.2.0", "4.6.0-rc.1"] {
        let server = RemoteServer::of("mastodon", version);
        let gate = Gate::new(server.clone(), items);
        for (row, item) in items.rows().iter().enumerate() {
            assert_eq!(
                gate.verdicts()[row],
                server.supports_item(items, item).verdict,
                "{}",
                item.id()
            );
        }
    }
}

#[test]
fn a_newer_release_loses_only_what_was_removed() {
    let items = fedispec::items();
    let (old, new) = (RemoteServer::of("mastodon", "4.2.0"), RemoteServer::of("mastodon", "4.3.0"));
    let lost = items.rows().iter().filter(|item| {
        let removed =
            item.life(0).is_some_and(|life| life.removed_in().is_some() || life.holes().len() > 0);
        old.supports_item(items, item).is_yes()
            && new.supports_item(items, item).is_no()
            && !removed
    });
    let lost: Vec<_> = lost.map(fedispec::runtime::Item::id).collect();
    assert_eq!(lost, [""; 0]);
}

#[test]
fn servers_below_the_floors() {
    let items = fedispec::items();
    let floors: Vec<_> =
        { fedispec::FLOORS.iter() }.map(|(program, floor)| format!("{program} {floor}")).collect();
    assert_eq!(floors, ["mastodon 2.0.0", "gotosocial 0.1.0"]);
    for (software, version, is_below) in [
        ("mastodon", "1.6.1", true),
        ("mastodon", "1.6.1+glitch", true),
        ("mastodon", "2.0.0", false),
        ("gotosocial", "0.1.0", false),
        ("pleroma", "1.5.0 (compatible; Pleroma 0.9.0)", false),
    ] {
        let below = RemoteServer::of(software, version).below_floor(items);
        assert_eq!(below.is_some(), is_below, "{software} {version}: {below:?}");
    }
}

/// The catalogue's tools and the client count by the same rule.
#[test]
fn every_feature_has_the_verdict_of_the_catalogue() {
    let api = fedispec_tests::catalogue::whole();
    let lives = Features::new(&api);
    let known: HashMap<&str, Feature> =
        features::ALL.iter().map(|feature| (feature.id(), *feature)).collect();
    assert_eq!(known.len(), api.features.len());
    let mut judged = HashSet::new();
    for (place, program) in api.programs.iter().enumerate() {
        for release in program.releases.iter().map(|release| release.version) {
            let server = RemoteServer::of(&program.key, &release.to_string());
            for feature in &api.features {
                let support = server.has(known[feature.id.as_str()]);
                // A fork whose version string says nothing of it is judged by its base.
                let by_own = |key| matches!(support.evidence, Evidence::Program { program, .. } if program == key);
                if !by_own(&program.key) {
                    continue;
                }
                judged.insert(&program.key);
                let verdict = lives.verdict(feature, place, release);
                let told = &support.evidence;
                assert_eq!(
                    support.verdict, verdict,
                    "{} {release} {}: {told}",
                    program.key, feature.id
                );
            }
        }
    }
    assert!(judged.len() > 5, "{judged:?}");
}

#[test]
fn servers_have_the_features_of_their_releases() {
    use Verdict::{No, Unknown, Yes};
    for (software, version, feature, expected) in [
        ("mastodon", "3.4.10", features::EDIT_HISTORY, No),
        ("mastodon", "3.5.0", features::EDIT_HISTORY, Yes),
        ("gotosocial", "0.17.4", features::EDIT_HISTORY, No),
        ("gotosocial", "0.18.0", features::EDIT_HISTORY, Yes),
        ("mastodon", "4.3.9", features::BLUR_FILTERS, No),
        ("mastodon", "4.4.0+glitch", features::BLUR_FILTERS, Yes),
        ("gotosocial", "0.19.2", features::SCHEDULED_POSTS, No),
        ("gotosocial", "0.12.0", features::SEARCH_FROM_ACCOUNT, No),
        ("gotosocial", "0.16.0", features::SEARCH_FROM_ACCOUNT, Yes),
        ("gotosocial", "0.16.0", features::LOCAL_ONLY_POSTS, Yes),
        ("pleroma", "2.7.2 (compatible; Pleroma 2.7.0)", features::EMOJI_REACTIONS, Yes),
        ("mastodon", "4.5.0", features::EMOJI_REACTIONS, No),
        ("takahe", "0.11.0", features::BOOKMARKS, Unknown),
    ] {
        let support = RemoteServer::of(software, version).has(feature);
        assert_eq!(
            support.verdict, expected,
            "{feature} of {software} {version}: {}",
            support.evidence
        );
    }
}
