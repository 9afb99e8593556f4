//! Changes from release to release.

use fedispec::server::Server;

use crate::emulation::app::{App, ask, json};

#[test]
fn an_unknown_release_is_told_with_the_nearest() {
    for (release, told) in [
        ("4.2.0", "`4.2.0` is not a release: write PROGRAM@VERSION, such as `mastodon@"),
        (
            "mastadon@4.2.0",
            "no program has the key `mastadon`; did you mean `mastodon`? There are: mastodon, gotosocial",
        ),
        ("tusky@25.0.0", "no program has the key `tusky`; There are: mastodon, gotosocial"),
        ("mastodon@4.2", "Mastodon 4.2 is not registered; the newest of that series is 4.2."),
        ("mastodon@1.4.0", "Mastodon 1.4.0 is not registered; the nearest are 1.3.3 and 1.4.1"),
        ("mastodon@99.0.0", "Mastodon 99.0.0 is not registered; the nearest is "),
        ("gotosocial@x", "GoToSocial x is not registered; its releases are 0.1.0 to "),
    ] {
        let error = Server::new().emulate(release).expect_err(release);
        let text = error.to_string();
        assert!(text.starts_with(told), "{release}: {text}");
    }
}

#[tokio::test]
async fn routes_are_those_of_the_release() {
    let app = App::default();
    let old = app.emulating("mastodon@3.3.0");
    // Before `lookup` was a route of its own, it was read as the id of an account.
    let account = json(&old, "GET /api/v1/accounts/lookup?acct=a", "").await;
    assert_eq!(account["id"], "lookup");
    let new = app.emulating("mastodon@3.4.0");
    let account = json(&new, "GET /api/v1/accounts/lookup?acct=a", "").await;
    assert_eq!(account["id"], "looked up");
    let json_404 =
        (404, "application/json; charset=utf-8".to_owned(), r#"{"error":"Not Found"}"#.to_owned());
    for line in [
        "GET /api/v2/instance",
        "POST /api/v2/instance",
        "GET /api/v1/nothing",
        "GET /oauth/userinfo",
    ] {
        assert_eq!(ask(&old, line, "").await, json_404, "{line}");
    }
    let ancient = app.emulating("mastodon@2.0.0");
    assert_eq!(
        ask(&ancient, "GET /api/v2/instance", "").await,
        (404, String::new(), String::new())
    );
    let gotosocial = app.emulating("gotosocial@0.17.0");
    assert_eq!(ask(&gotosocial, "GET /api/v1/accounts/1/identity_proofs", "").await, json_404);
    let told = (405, "text/plain".to_owned(), "405 method not allowed".to_owned());
    assert_eq!(ask(&gotosocial, "PUT /api/v1/accounts/1", "").await, told);
    assert_eq!(ask(&old, "PUT /api/v1/accounts/1", "").await, json_404);
    let lacking: Vec<_> = {
        let served = app.served.lock().expect("no panic");
        let lacking = served.iter().filter(|one| !one.in_release);
        lacking.map(|one| (one.operation.id, one.status.as_u16())).collect()
    };
    assert_eq!(
        lacking,
        [
            ("instance.get", 404),
            ("oauth.userinfo", 404),
            ("instance.get", 404),
            ("accounts.identity_proofs", 404)
        ]
    );
}

#[tokio::test]
async fn newer_parameters_are_ignored_and_told() {
    let app = App::default();
    let form = "status=a&quoted_status_id=7&made_up=1&visibility=direct";
    for release in ["mastodon@4.4.0", "mastodon@4.5.0"] {
        json(&app.emulating(release), "POST /api/v1/statuses", form).await;
    }
    let asked = app.asked.lock().expect("no panic").clone();
    assert_eq!(asked, ["None", "Some(\"7\")"]);
    let served = app.served.lock().expect("no panic");
    let told: Vec<_> = { served.iter() }
        .map(|one| (one.ignored_params.clone(), one.unknown_params.clone()))
        .collect();
    let unknown = vec!["made_up".to_owned()];
    assert_eq!(told, [(vec!["quoted_status_id"], unknown.clone()), (vec![], unknown)]);
}

#[tokio::test]
async fn a_newer_value_is_refused_as_any_unlisted_one() {
    let app = App::default();
    let form = "status=a&visibility=direct";
    let (status, _, text) =
        ask(&app.emulating("mastodon@1.0.0"), "POST /api/v1/statuses", form).await;
    assert_eq!(status, 422, "{text}");
    assert!(text.contains("Visibility is not included in the list"), "{text}");
    json(&app.emulating("mastodon@1.1.0"), "POST /api/v1/statuses", form).await;
}

#[tokio::test]
async fn answers_and_events_are_cut() {
    let app = App::default();
    for (release, names, count) in [
        ("mastodon@3.4.0", "update", false),
        ("mastodon@4.4.0", "status.update update", false),
        ("mastodon@4.5.0", "status.update update", true),
    ] {
        let router = app.emulating(release);
        let status = json(&router, "POST /api/v1/statuses", "status=a").await;
        assert_eq!(status.get("quotes_count").is_some(), count, "{release}");
        assert_eq!(status["account"].get("noindex").is_some(), release != "mastodon@3.4.0");
        let (_, _, events) = ask(&router, "GET /api/v1/streaming/public", "").await;
        let lines = |start: &str| {
            let lines = events.lines().filter_map(|line| line.strip_prefix(start));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines("event: ").join(" "), names, "{release}");
        for data in lines("data: ") {
            assert_eq!(data.contains("quotes_count"), count, "{release}: {data}");
        }
    }
}

#[tokio::test]
async fn the_instance_is_of_the_release() {
    let app = App::default();
    for (release, version, number, source) in [
        ("mastodon@4.2.0", "4.2.0", None, "https://github.com/mastodon/mastodon"),
        ("mastodon@4.3.0", "4.3.0", Some(2), "https://github.com/mastodon/mastodon"),
        (
            "gotosocial@0.17.0",
            "0.17.0+git-0000000",
            None,
            "https://github.com/superseriousbusiness/gotosocial",
        ),
    ] {
        let told = json(&app.emulating(release), "GET /api/v2/instance", "").await;
        assert_eq!(told["version"], version, "{release}");
        assert_eq!(told["api_versions"]["mastodon"].as_i64(), number, "{release}");
        assert_eq!(told["source_url"], source, "{release}");
    }
}
