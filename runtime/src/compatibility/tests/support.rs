use proptest::prelude::*;

use super::*;
use crate::Feature;
use crate::compatibility::{BelowFloor, Evidence, Gate, RemoteServer, Verdict};

fn verdict(server: &RemoteServer, id: &str) -> Verdict {
    server.supports(&ITEMS, id).verdict
}

fn numbered(software: &str, version: &str, number: u32) -> RemoteServer {
    let mut server = RemoteServer::of(software, version);
    server.api_versions.insert("mastodon".into(), number);
    server
}

#[test]
fn a_program_has_what_its_releases_have() {
    use Verdict::{No, Stub, Unknown, Yes};
    for (software, version, id, expected) in [
        ("mastodon", "4.3.0", "a.get", Yes),
        ("mastodon", "4.3.0", "a.get.new", No),
        ("mastodon", "4.4.0", "a.get.new", Yes),
        ("mastodon", "4.9.0", "a.get.new", Yes),
        ("mastodon", "4.4.0", "a.get.open", Unknown),
        ("mastodon", "4.4.0", "nobody.knows", Unknown),
        ("mastodon", "3.5.0", "b.gone", Yes),
        ("mastodon", "4.0.0", "b.gone", No),
        ("mastodon", "2.3.0", "c.hole", Yes),
        ("mastodon", "2.9.1", "c.hole", No),
        ("mastodon", "3.3.0", "c.hole", Yes),
        ("mastodon", "4.0.0", "E.ignored", No),
        ("mastodon", "4.2.0", "E.ignored", Yes),
        ("mastodon", "4.2.0", "E.inner", No),
        ("mastodon", "4.3.0", "E.inner", Yes),
        ("mastodon", "main", "a.get", Unknown),
        ("gotosocial", "0.19.2+git-90851fc", "d.new", Yes),
        ("gotosocial", "v0.17.4 git-aebb846", "d.new", No),
        ("gotosocial", "0.19.2", "a.get.new", No),
        ("gotosocial", "0.21.0", "a.get.new", Unknown),
        ("gotosocial", "0.19.2", "E.ignored", No),
        ("gotosocial", "0.9.0", "e.empty", Stub),
        ("gotosocial", "0.10.0", "e.empty", Yes),
        ("mastodon", "3.5.0", "e.empty", No),
        ("gotosocial", "kalaclista git-212fecf", "a.get", Unknown),
        // The claim of a program with a column of its own counts for nothing.
        ("gotosocial", "3.5.3+0.17.4-git-1a2b3c4", "d.new", No),
    ] {
        let found = RemoteServer::of(software, version).supports(&ITEMS, id);
        assert_eq!(found.verdict, expected, "{id} of {software} {version}: {}", found.evidence);
        let words = [found.is_yes(), found.is_stub(), found.is_no(), found.is_unknown()];
        assert_eq!(words, [Yes, Stub, No, Unknown].map(|verdict| verdict == expected));
    }
}

#[test]
fn a_server_below_the_floor_is_named_with_both_releases() {
    let below = BelowFloor {
        program: "Mastodon",
        release: crate::Version::new(1, 6, 1),
        floor: crate::Version::new(2, 0, 0),
    };
    assert_eq!(
        below.to_string(),
        "the server runs Mastodon 1.6.1, and the types are made for Mastodon 2.0.0 and later"
    );
}

#[test]
fn a_pre_release_may_have_what_its_release_brings() {
    for (version, id, expected) in [
        ("4.4.0-rc.1", "a.get.new", Verdict::Unknown),
        ("4.4.0-nightly.2025-02-07", "a.get.new", Verdict::Unknown),
        ("4.3.0-rc.1", "a.get.new", Verdict::No),
        ("4.5.0-alpha.1", "a.get.new", Verdict::Yes),
        ("4.0.0rc1", "b.gone", Verdict::Unknown),
        ("4.4.0-rc.1", "E.patched", Verdict::Yes),
    ] {
        assert_eq!(
            verdict(&RemoteServer::of("mastodon", version), id),
            expected,
            "{id} of {version}"
        );
    }
    let gotosocial = RemoteServer::of("gotosocial", "0.19.0-rc1+git-1a2b3c4");
    assert_eq!(verdict(&gotosocial, "d.new"), Verdict::Unknown);
}

#[test]
fn the_published_number_goes_first() {
    for (version, number, id, expected) in [
        ("4.4.0-nightly.2025-06-01", 6, "a.get.new", Verdict::Yes),
        ("4.4.0-nightly.2025-02-07", 3, "a.get.new", Verdict::Unknown),
        ("4.4.0-alpha.1", 1, "a.get.new", Verdict::No),
        ("main", 7, "a.get.new", Verdict::Yes),
        ("main", 2, "d.new", Verdict::Yes),
        ("main", 2, "b.gone", Verdict::No),
        ("4.3.0", 2, "E.patched", Verdict::No),
        ("4.3.5", 2, "E.patched", Verdict::Yes),
        ("main", 2, "E.patched", Verdict::Unknown),
        ("main", 6, "E.patched", Verdict::Yes),
    ] {
        let found = numbered("mastodon", version, number).supports(&ITEMS, id);
        assert_eq!(found.verdict, expected, "{id} of {version}, API {number}: {}", found.evidence);
    }
    let found = numbered("glitch-soc", "4.4.0-alpha.3+glitch", 6).supports(&ITEMS, "a.get.new");
    assert!(matches!(found.evidence, Evidence::ApiVersion { published: 6, .. }));
    assert!(found.is_yes());
}

#[test]
fn a_claim_is_weak() {
    let pleroma = RemoteServer::of("pleroma", "4.4.0 (compatible; Pleroma 2.7.0)");
    assert_eq!(verdict(&pleroma, "a.get"), Verdict::Unknown);
    assert_eq!(verdict(&pleroma, "b.gone"), Verdict::Unknown);
    let hometown = RemoteServer::of("hometown", "1.1.1+4.0.15");
    assert_eq!(verdict(&hometown, "d.new"), Verdict::Yes);
    assert_eq!(verdict(&hometown, "a.get.new"), Verdict::Unknown);
    let nobody = RemoteServer::default().supports(&ITEMS, "a.get");
    assert_eq!((nobody.verdict, nobody.evidence), (Verdict::Unknown, Evidence::NoProgram));
}

#[test]
fn evidence_is_told() {
    let told = |server: &RemoteServer, id: &str| server.supports(&ITEMS, id).evidence.to_string();
    let mastodon = RemoteServer::of("mastodon", "4.3.0");
    assert_eq!(told(&mastodon, "a.get.new"), "mastodon: there since 4.4.0; the server is 4.3.0");
    assert_eq!(told(&mastodon, "b.gone"), "mastodon: removed in 4.0.0; the server is 4.3.0");
    assert_eq!(
        told(&RemoteServer::of("mastodon", "2.9.1"), "c.hole"),
        "mastodon: absent from 2.4.0 until 3.3.0; the server is 2.9.1"
    );
    let gotosocial = RemoteServer::of("gotosocial", "0.19.2");
    assert_eq!(
        told(&gotosocial, "E.ignored"),
        "gotosocial: accepted and ignored; the server is 0.19.2"
    );
}

#[test]
fn a_gate_says_the_same() {
    for server in [
        RemoteServer::of("mastodon", "4.3.0"),
        RemoteServer::of("mastodon", "4.4.0-rc.1"),
        RemoteServer::of("gotosocial", "0.17.4"),
        RemoteServer::of("pleroma", "2.7.2 (compatible; Pleroma 2.7.0)"),
        numbered("mastodon", "main", 6),
    ] {
        let gate = Gate::new(server.clone(), &ITEMS);
        for (row, item) in ITEMS.rows().iter().enumerate() {
            assert_eq!(
                gate.verdicts()[row],
                server.supports_item(&ITEMS, item).verdict,
                "{} of {server}",
                item.id()
            );
        }
    }
    let gate = Gate::new(RemoteServer::of("mastodon", "4.3.0"), &ITEMS);
    assert_eq!(gate.request(&A_GET, [0]), Verdict::Yes);
    assert_eq!(gate.request(&A_GET, [0, 2]), Verdict::Unknown);
    assert_eq!(gate.request(&STRANGER, [0]), Verdict::Unknown);
    assert_eq!(gate.param(&STRANGER, 0), Verdict::Unknown);
    assert_eq!(gate.request(&A_GET, [0, 1, 2]), Verdict::No);
    assert_eq!(gate.param(&A_GET, 3), Verdict::Unknown, "it has no fourth parameter");
}

proptest! {
    /// An item that was not removed stays.
    #[test]
    fn newer_releases_have_no_less(minor in 0_u32..9, patch in 0_u32..9) {
        let has = |minor: u32| verdict(&RemoteServer::of("mastodon", &format!("4.{minor}.{patch}")), "a.get.new");
        prop_assert!(has(minor + 1) <= has(minor));
    }

    #[test]
    fn never_panics(version in "\\PC{0,20}", software in "mastodon|gotosocial|glitch-soc|x", number in proptest::option::of(any::<u32>())) {
        let mut server = RemoteServer::of(&software, &version);
        server.api_versions.extend(number.map(|number| ("mastodon".to_owned(), number)));
        for item in ITEMS.rows() {
            let _ = server.supports_item(&ITEMS, item).evidence.to_string();
        }
    }
}

const fn feature(all: &'static [&'static str], one_of: &'static [&'static str]) -> Feature {
    Feature::new("feature", || &ITEMS, all, one_of)
}

#[test]
fn a_feature_is_what_its_items_are() {
    use Verdict::{No, Stub, Unknown, Yes};
    for (software, version, feature, expected, evidence) in [
        ("mastodon", "4.3.0", feature(&["a.get", "d.new"], &[]), Yes, "there since 4.0.0"),
        ("mastodon", "4.3.0", feature(&["a.get.new", "d.new"], &[]), No, "there since 4.4.0"),
        ("mastodon", "2.9.1", feature(&["a.get.new", "d.new"], &[]), No, "there since 4.4.0"),
        ("mastodon", "2.9.1", feature(&[], &["a.get.new", "d.new"]), No, "there since 4.0.0"),
        ("mastodon", "4.3.0", feature(&[], &["a.get.new", "d.new"]), Yes, "there since 4.0.0"),
        ("mastodon", "4.3.0", feature(&["a.get"], &["b.gone", "d.new"]), Yes, "there since 4.0.0"),
        ("mastodon", "4.3.0", feature(&["a.get", "b.gone"], &[]), No, "removed in 4.0.0"),
        ("mastodon", "4.3.0", feature(&["a.get", "a.get.open"], &[]), Unknown, "nobody says"),
        ("mastodon", "4.3.0", feature(&["a.get.new", "a.get.open"], &[]), No, "there since 4.4.0"),
        ("mastodon", "4.3.0", feature(&[], &["a.get.new", "a.get.open"]), Unknown, "nobody says"),
        ("mastodon", "4.0.0", feature(&["a.get", "E.ignored"], &[]), No, "ignored before 4.2.0"),
        ("gotosocial", "0.9.0", feature(&["a.get", "e.empty"], &[]), Stub, "always empty"),
        ("gotosocial", "0.21.0", feature(&["a.get"], &["a.get.new"]), Unknown, "in no release"),
        ("mastodon", "4.3.0", feature(&["a.strange"], &[]), Unknown, "does not list it"),
        ("mastodon", "4.3.0", feature(&[], &[]), Unknown, "does not list it"),
    ] {
        let found = RemoteServer::of(software, version).has(feature);
        let told = found.evidence.to_string();
        assert_eq!(found.verdict, expected, "{software} {version} {feature:?}: {told}");
        assert!(told.contains(evidence), "{software} {version}: {told}");
    }
    assert!(RemoteServer::default().has(feature(&["a.get"], &[])).is_unknown());
    let published = numbered("glitch-soc", "4.4.0+glitch", 6).has(feature(&["a.get.new"], &[]));
    assert!(published.is_yes(), "{}", published.evidence);
}
