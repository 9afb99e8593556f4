//! `cargo xtask has`: verdicts with evidence, of version strings and of running servers.

use fedispec_tests::commands::{self, Ran};
use fedispec_tests::raw::{Act, Raw, response};
use serde_json::Value;

fn has(args: &[&str]) -> Ran {
    commands::run(["has"].iter().chain(args))
}

#[test]
fn a_verdict_has_an_exit_code_and_evidence() {
    for (args, code, expected) in [
        (
            &["mastodon@4.3.0", "edit_history"][..],
            0,
            r#"{"program":"mastodon","version":"4.3.0","item":"edit_history","verdict":"yes","since":"3.5.0","evidence":"mastodon: there since 3.5.0; the server is 4.3.0"}"#,
        ),
        (
            &["4.2.0", "--software", "mastodon", "blur", "filters"],
            1,
            r#"{"program":"mastodon","version":"4.2.0","item":"blur_filters","verdict":"no","since":"4.4.0","evidence":"mastodon: there since 4.4.0; the server is 4.2.0"}"#,
        ),
        (
            &["gotosocial@0.3.0", "Custom emojis"],
            0,
            r#"{"program":"gotosocial","version":"0.3.0","item":"custom_emoji","verdict":"stub","since":"0.3.4","evidence":"gotosocial: answers, always empty before 0.3.4; the server is 0.3.0"}"#,
        ),
        (
            &["gotosocial@0.19.2", "statuses.translate"],
            1,
            r#"{"program":"gotosocial","version":"0.19.2","item":"statuses.translate","verdict":"no","since":"never","evidence":"gotosocial: in no release; the server is 0.19.2"}"#,
        ),
        (
            &["main", "bookmarks"],
            3,
            r#"{"program":null,"version":null,"item":"bookmarks","verdict":"unknown","since":null,"evidence":"the server's program is not known"}"#,
        ),
    ] {
        let ran = has(&[args, &["--format", "json"]].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.stderr);
        let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(told, serde_json::from_str::<Value>(expected).expect("JSON"), "{args:?}");
    }
    let text = has(&["mastodon@3.0.0", "statuses.history"]);
    assert_eq!(text.code, Some(1));
    assert_eq!(
        text.stdout,
        "no: statuses.history in mastodon 3.0.0\nsince     3.5.0\nevidence  mastodon: there since 3.5.0; the server is 3.0.0\n"
    );
    let later = has(&["mastodon@4.2.20", "statuses.history"]);
    assert_eq!(later.stderr, "Mastodon 4.2.20: as 4.2.11, the newest looked at of 4.2\n");
}

#[test]
fn what_has_no_name_is_suggested() {
    for (name, suggested) in [
        ("edit histroy", "did you mean `edit_history`?"),
        ("acounts.lookup", "did you mean `accounts.lookup`?"),
        ("Account", "no item or feature is called `Account`"),
        ("", "no item or feature is called ``"),
    ] {
        let ran = has(&["mastodon@4.3.0", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(ran.stderr.contains(suggested), "{name}: {}", ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_is_asked_what_it_is() {
    let node_info = r#"{"software": {"name": "gotosocial", "version": "0.17.4"}}"#;
    let instance = r#"{"version": "0.17.4 git-aebb846"}"#;
    let server = Raw::serve(move |request: &str| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (status, body) = match path {
            "/nodeinfo/2.0" => ("200 OK", node_info),
            "/api/v1/instance" | "/api/v2/instance" => ("200 OK", instance),
            _ => ("404 Not Found", "{}"),
        };
        response(status, &[("content-type", "application/json")], body)
    });
    let server = server.await;
    let ran = has(&[&server.origin, "edit history", "--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(told["program"], "gotosocial");
    assert_eq!(told["since"], "0.18.0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_is_told() {
    for (acts, expected) in [
        (vec![Act::Hang], "did not tell what it is within 10 seconds"),
        (response("404 Not Found", &[], ""), "tells neither its program nor a version"),
        (response("503 Service Unavailable", &[], ""), "does not tell what it is"),
    ] {
        let server = Raw::always(acts).await;
        let ran = has(&[&server.origin, "bookmarks"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{expected}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }

    let ran = has(&["http://127.0.0.1:1", "bookmarks"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(
        ran.stderr.contains("http://127.0.0.1:1 does not tell what it is: nobody answers"),
        "{}",
        ran.stderr
    );
    let ran = has(&["http://social.example", "bookmarks"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("would be asked without encryption"), "{}", ran.stderr);
}
