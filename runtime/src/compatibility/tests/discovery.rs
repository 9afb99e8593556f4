use proptest::prelude::*;

use crate::compatibility::{Discovery, RemoteServer};

const LINKS: &str = r#"{"links": [
    {"rel": "http://nodeinfo.diaspora.software/ns/schema/2.1", "href": "https://a.example/nodeinfo/2.1"},
    {"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": "https://a.example/nodeinfo/2.0"}]}"#;

/// Discovers a server with these answers, and 404 for all else; returns the requests and the finding.
fn discover(answers: &[(&str, u16, &str)]) -> (Vec<String>, RemoteServer) {
    let mut discovery = Discovery::new();
    let mut asked = Vec::new();
    while let Some(path) = discovery.next().map(str::to_owned) {
        let answer = answers.iter().find(|(known, ..)| *known == path);
        let (_, status, body) = answer.copied().unwrap_or(("", 404, "not found"));
        discovery.answer(status, body.as_bytes());
        asked.push(path);
        assert!(asked.len() < 5, "it does not end: {asked:?}");
    }
    (asked, discovery.finish())
}

fn node_info(name: &str, version: &str) -> String {
    format!(r#"{{"software": {{"name": "{name}", "version": "{version}"}}}}"#)
}

#[test]
fn mastodon_is_asked_for_what_its_release_has() {
    for (version, last) in [
        ("2.9.1", "/nodeinfo/2.1"),
        ("3.4.1", "/nodeinfo/2.1"),
        ("3.4.2", "/api/v1/instance"),
        ("3.5.3", "/api/v1/instance"),
        ("4.0.0", "/api/v2/instance"),
        ("4.4.0-rc.1", "/api/v2/instance"),
    ] {
        let node_info = node_info("mastodon", version);
        let (asked, server) = discover(&[
            ("/.well-known/nodeinfo", 200, LINKS),
            ("/nodeinfo/2.1", 200, &node_info),
            (
                "/api/v1/instance",
                200,
                r#"{"configuration": {"statuses": {"max_characters": 1000}}}"#,
            ),
            (
                "/api/v2/instance",
                200,
                r#"{"configuration": {"statuses": {"max_characters": 1000}}}"#,
            ),
        ]);
        assert_eq!(asked.last().map(String::as_str), Some(last), "{version}");
        assert_eq!(server.identity.version.as_deref(), Some(version));
        let characters = if last == "/nodeinfo/2.1" { 500 } else { 1000 };
        assert_eq!(server.limits().characters, Some(characters), "{version}");
    }
}

#[test]
fn without_node_info_the_instance_tells() {
    let (asked, server) = discover(&[(
        "/api/v1/instance",
        200,
        r#"{"version": "2.7.2 (compatible; Pleroma 2.5.0)", "max_toot_chars": 5000}"#,
    )]);
    assert_eq!(asked, ["/.well-known/nodeinfo", "/api/v2/instance", "/api/v1/instance"]);
    assert_eq!(server.identity.program.as_deref(), Some("pleroma"));
    assert_eq!(server.limits().characters, Some(5000));
    // It claims a release of Mastodon, and has not its limits.
    assert_eq!(server.limits().characters_per_link, None);
    let body =
        r#"{"version": "4.4.0-nightly.2025-02-07", "api_versions": {"mastodon": 3, "x": -1}}"#;
    let (asked, server) = discover(&[("/api/v2/instance", 200, body)]);
    assert_eq!(asked.len(), 2);
    assert_eq!(server.api_version(), Some(3));
    assert_eq!(server.api_versions.len(), 1);
    assert!(server.identity.prerelease);
}

#[test]
fn a_claim_is_learned_beside_the_own_version() {
    let info = node_info("gotosocial", "0.19.2+git-90851fc");
    let (asked, server) = discover(&[
        ("/.well-known/nodeinfo", 200, LINKS),
        ("/nodeinfo/2.1", 200, &info),
        ("/api/v2/instance", 200, r#"{"version": "3.5.3+0.19.2+git-90851fc"}"#),
    ]);
    assert_eq!(asked.len(), 3);
    assert_eq!(server.to_string(), "gotosocial 0.19.2 (as Mastodon 3.5.3)");
}

#[test]
fn node_info_and_the_instance_complete_each_other() {
    let known = |name: &str, version: &str, instance: &str| {
        let info = node_info(name, version);
        let (_, server) = discover(&[
            ("/.well-known/nodeinfo", 200, LINKS),
            ("/nodeinfo/2.1", 200, &info),
            ("/api/v2/instance", 200, &format!(r#"{{"version": "{instance}"}}"#)),
        ]);
        server
    };
    // Node info has the version of the program; an instance document may only claim one.
    let gotosocial = known("gotosocial", "0.19.2", "3.5.3");
    assert_eq!(gotosocial.to_string(), "gotosocial 0.19.2");
    // Where node info has no version, the instance tells it.
    let pleroma = "2.7.2 (compatible; Pleroma 2.5.0)";
    assert_eq!(known("pleroma", "", pleroma).to_string(), "pleroma 2.5.0 (as Mastodon 2.7.2)");
    assert!(known("mastodon", "", "4.4.0-rc.1").identity.prerelease);
}

#[test]
fn gotosocial_is_known_by_what_only_it_has() {
    let program = |instance: &str| {
        let (_, server) = discover(&[("/api/v2/instance", 200, instance)]);
        server.identity.program
    };
    let source = r#"{"version": "0.17.3", "source_url": "https://codeberg.org/superseriousbusiness/gotosocial"}"#;
    assert_eq!(program(source).as_deref(), Some("gotosocial"));
    let keys = r#"{"version": "0.5.0", "account_domain": "a.example", "max_toot_chars": 5000}"#;
    assert_eq!(program(keys).as_deref(), Some("gotosocial"));
    for one in [
        r#"{"version": "4.2.0", "account_domain": "a.example"}"#,
        r#"{"version": "4.2.0", "max_toot_chars": 5000}"#,
        r#"{"version": "4.2.0", "source_url": "https://github.com/mastodon/mastodon"}"#,
    ] {
        assert_ne!(program(one).as_deref(), Some("gotosocial"), "{one}");
    }
    let refused = |status, body| {
        let (_, server) = discover(&[("/api/v2/instance", status, body)]);
        server.identity.program
    };
    assert_eq!(refused(418, "I'm a teapot").as_deref(), Some("gotosocial"));
    assert_eq!(refused(418, "no coffee"), None);
    assert_eq!(refused(404, "I'm a teapot"), None);
    let pleroma = node_info("pleroma", "2.5.0");
    let (_, server) = discover(&[
        ("/.well-known/nodeinfo", 200, LINKS),
        ("/nodeinfo/2.1", 200, &pleroma),
        ("/api/v2/instance", 418, "I'm a teapot"),
    ]);
    assert_eq!(server.identity.program.as_deref(), Some("pleroma"));
}

#[test]
fn the_address_of_streams_is_what_the_instance_says() {
    let streaming = |instance: &str| {
        let (_, server) = discover(&[("/api/v2/instance", 200, instance)]);
        server.streaming
    };
    let second = r#"{"configuration": {"urls": {"streaming": "wss://s.example"}}}"#;
    assert_eq!(streaming(second).as_deref(), Some("wss://s.example"));
    let first = r#"{"urls": {"streaming_api": "wss://s.example"}}"#;
    assert_eq!(streaming(first).as_deref(), Some("wss://s.example"));
    assert_eq!(streaming(r#"{"urls": {"streaming_api": ""}}"#), None);
}

#[test]
fn a_closed_server_is_an_answer() {
    let info = node_info("mastodon", "4.3.0");
    let (asked, server) = discover(&[
        ("/.well-known/nodeinfo", 200, LINKS),
        ("/nodeinfo/2.1", 200, &info),
        ("/api/v2/instance", 401, r#"{"error": "This API requires an authenticated user"}"#),
    ]);
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert!(server.closed);
    assert_eq!(server.to_string(), "mastodon 4.3.0");
}

#[test]
fn the_first_instance_document_is_asked_for_where_the_second_tells_nothing() {
    let old = node_info("gotosocial", "0.6.0");
    let links = ("/.well-known/nodeinfo", 200, LINKS);
    let with_program = |status| {
        discover(&[
            links,
            ("/nodeinfo/2.1", 200, old.as_str()),
            ("/api/v2/instance", status, "{}"),
            ("/api/v1/instance", 403, "{}"),
        ])
    };
    // A release without it answers 404, and the other document may still be there.
    let (asked, server) = with_program(404);
    assert_eq!(asked.last().map(String::as_str), Some("/api/v1/instance"));
    assert!(server.closed, "the first document is closed");
    // A server that closes one closes the other: nothing more is learned of a program that is known ..
    let (asked, _) = with_program(403);
    assert_eq!(asked.last().map(String::as_str), Some("/api/v2/instance"));
    // .. and of one that is not known, its version may be.
    let (asked, server) = discover(&[("/api/v2/instance", 403, "{}")]);
    assert_eq!(asked.last().map(String::as_str), Some("/api/v1/instance"));
    assert!(server.closed);
}

#[test]
fn nothing_is_an_answer_too() {
    let (asked, server) =
        discover(&[("/api/v2/instance", 200, "<html>"), ("/api/v1/instance", 418, "I'm a teapot")]);
    assert_eq!(asked.len(), 3);
    assert_eq!(server.identity.program.as_deref(), Some("gotosocial"));
    let (_, server) = discover(&[]);
    assert_eq!(server, RemoteServer::default());
}

#[test]
fn node_info_is_asked_from_the_same_host_only() {
    for (href, path) in [
        ("https://elsewhere.example/n/2.0?x=1", "/n/2.0?x=1"),
        ("/n/2.0", "/n/2.0"),
        ("//elsewhere.example/n", "/api/v2/instance"),
        ("https://elsewhere.example", "/api/v2/instance"),
        ("https://a.example/n o", "/api/v2/instance"),
    ] {
        let links = format!(
            r#"{{"links": [{{"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": "{href}"}}]}}"#
        );
        let (asked, _) = discover(&[("/.well-known/nodeinfo", 200, &links)]);
        assert_eq!(asked[1], path, "{href}");
    }
}

proptest! {
    #[test]
    fn ends_whatever_is_answered(answers in proptest::collection::vec((0_u16..600, "\\PC{0,40}|\\{\"links\": [0-9a-z{}:,\\[\\]\"]{0,20}\\}"), 6)) {
        let mut discovery = Discovery::new();
        let mut asked = 0;
        for (status, body) in answers {
            if discovery.next().is_none() {
                break;
            }
            asked += 1;
            discovery.answer(status, body.as_bytes());
        }
        prop_assert!(asked <= 4);
        prop_assert_eq!(discovery.next(), None);
    }
}

/// A fork that node info calls by the name of what it is a fork of, and what its number decides.
#[test]
fn a_fork_is_known_by_the_number_that_it_publishes() {
    for (version, numbers, program) in [
        ("4.6.0-alpha.5", r#"{"mastodon": 9, "glitch": 1}"#, "glitch-soc"),
        ("4.5.8+cots", r#"{"mastodon": 7, "glitch": 1}"#, "glitch-soc"),
        ("4.5.8+glitch", r#"{"mastodon": 7}"#, "glitch-soc"),
        ("4.5.8", r#"{"mastodon": 7}"#, "mastodon"),
        ("4.5.8+chuckya", r#"{"mastodon": 7, "glitch": 1}"#, "chuckya"),
    ] {
        let mut discovery = Discovery::new();
        let links = r#"{"links": [{"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": "/nodeinfo/2.0"}]}"#;
        discovery.answer(200, links.as_bytes());
        let told = format!(r#"{{"software": {{"name": "mastodon", "version": "{version}"}}}}"#);
        discovery.answer(200, told.as_bytes());
        let document = format!(r#"{{"version": "{version}", "api_versions": {numbers}}}"#);
        discovery.answer(200, document.as_bytes());
        assert_eq!(discovery.finish().identity.program.as_deref(), Some(program), "{version}");
    }
}
