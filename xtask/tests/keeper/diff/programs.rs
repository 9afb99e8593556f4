//! Holds the diff of releases and programs of the real catalogue against the programs' release notes, and tests the short form in `gen`.

use fedispec_tests::catalogue::Scratch;
use fedispec_tests::commands;

fn told(args: &[&str]) -> String {
    let all: Vec<&str> = ["diff"].iter().chain(args).copied().collect();
    commands::run(all).succeeded().stdout
}

/// The lines below a heading.
fn section<'t>(text: &'t str, title: &str) -> &'t str {
    let start = text.find(&format!("\n{title} (")).expect(title);
    let rest = &text[start + 1..];
    rest.find("\n\n").map_or(rest, |end| &rest[..end])
}

#[test]
fn mastodon_4_3_reads_as_its_release_notes() {
    let notes = told(&["--program", "mastodon", "4.2.0..4.3.0"]);
    assert!(notes.starts_with("Mastodon 4.2.0 (2023-09-21) .. 4.3.0 (2024-10-"), "{notes}");
    let operations = section(&notes, "New operations");
    for (id, route) in [
        ("grouped_notifications.list", "GET /api/v2/notifications"),
        ("notification_policy.get", "GET /api/v2/notifications/policy"),
        ("notification_requests.accept", "POST /api/v1/notifications/requests/:id/accept"),
        ("accounts.get_many", "GET /api/v1/accounts"),
        ("timelines.link", "GET /api/v1/timelines/link"),
        ("oauth.server_metadata", "GET /.well-known/oauth-authorization-server"),
    ] {
        let line = operations.lines().find(|line| line.starts_with(&format!(" + {id} ")));
        assert!(line.is_some_and(|line| line.ends_with(route)), "{id}: {operations}");
    }
    // Items of 4.2.0, and items that came with 4.4.0, are not reported as new in 4.3.0.
    for other in ["accounts.lookup ", "notifications.list ", "quotes"] {
        assert!(!operations.contains(&format!(" + {other}")), "{other}: {operations}");
    }
    assert!(
        section(&notes, "New values")
            .contains("NotificationType  moderation_warning, severed_relationships")
    );
    assert!(section(&notes, "New fields").contains(" + Instance  api_versions, "), "{notes}");
    assert!(
        section(&notes, "Discouraged").contains("Suggestion.source  -> Suggestion.sources"),
        "{notes}"
    );
    let changed = section(&notes, "Changed in place");
    assert!(
        changed.contains("apps.verify_credentials  scopes: none (was read)  scope-loosened"),
        "{changed}"
    );
    assert!(section(&notes, "Gone").contains("OauthScope  crypto"), "{notes}");
}

/// Breaking changes come first in every form; a job gets annotations of them.
#[test]
fn releases_are_a_page_and_annotations_too() {
    let release = ["--program", "gotosocial", "0.18.0..0.19.0"];
    let notes = told(&release);
    let breaks = section(&notes, "What breaks");
    assert!(breaks.contains("scope"), "{notes}");
    let page = told(&[&release[..], &["--format", "html"]].concat());
    let place = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}: {page}"));
    assert!(place("<h2>What breaks") < place("<h2>New operations"), "{page}");
    assert!(!page.contains("http-equiv=\"refresh\"") && page.trim_end().ends_with("</html>"));
    let lines = told(&[&release[..], &["--format", "github"]].concat());
    assert!(lines.starts_with("::warning title=scope-"), "{lines}");
    assert!(lines.trim_end().ends_with("see the job summary"), "{lines}");
}

#[test]
fn gotosocial_0_17_reads_as_its_release_notes() {
    let notes = told(&["--program", "gotosocial", "v0.16.0..v0.17.0"]);
    let operations = section(&notes, "New operations");
    for id in [
        "interaction_requests.authorize",
        "interaction_policies.defaults",
        "conversations.mark_read",
        "exports.followers",
        "imports.create",
        "tags.follow",
    ] {
        assert!(operations.contains(&format!(" + {id} ")), "{id}: {operations}");
    }
    assert!(
        section(&notes, "New fields").contains("Status  interaction_policy, local_only"),
        "{notes}"
    );
    assert!(
        section(&notes, "Gone").contains("statuses.create  boostable, likeable, replyable"),
        "{notes}"
    );
}

#[test]
fn programs_stand_side_by_side() {
    let text = told(&["mastodon@4.3.0", "gotosocial@0.19.2"]);
    assert!(
        section(&text, "Only in Mastodon 4.3.0: only-in-a")
            .contains("grouped_notifications.list  GET /api/v2/notifications"),
        "{text}"
    );
    assert!(
        section(&text, "Only in GoToSocial 0.19.2: only-in-b")
            .contains("interaction_requests.list"),
        "{text}"
    );
    assert!(
        text.contains("GoToSocial 0.16.0 reached Mastodon 1.1.0 `mutes.list` after 2627 days"),
        "{text}"
    );
    let line = text
        .lines()
        .find(|line| line.starts_with(" grouped_notifications "))
        .expect("a line for the group");
    assert!(line.ends_with("-               -"), "no operation is unknown: {line}");
    assert!(line.split_whitespace().nth(3) != Some("-"), "some are only in A: {line}");
    let few = told(&[
        "mastodon@4.3.0",
        "gotosocial@0.19.2",
        "--only",
        "differs-auth",
        "--format",
        "markdown",
    ]);
    assert!(
        few.contains(
            "## Both have it, and ask for another token, scope or permission: differs-auth"
        ),
        "{few}"
    );
    assert!(!few.contains("only-in-a ("), "{few}");
}

/// An item with an unknown Since is listed separately, neither as new nor as missing.
#[test]
fn unknown_versions_are_told_apart() {
    let scratch = Scratch::new();
    let value = "\n        on_older: drop_element\n      moderation_warning:";
    scratch.edit(
        "supplement/notifications.yaml",
        &format!("gotosocial: never}}{value}"),
        &format!("gotosocial: unknown}}{value}"),
    );
    let spec = scratch.spec().display().to_string();
    let on_copy = |args: &[&str]| told(&[args, &["--spec", &spec]].concat());
    let release = ["--program", "gotosocial", "0.16.0..0.17.0"];
    let notes = on_copy(&release);
    assert!(
        notes.contains("no known since for gotosocial: may belong here (list: --show unknown)"),
        "{notes}"
    );
    let all = on_copy(&[&release[..], &["--show", "unknown"]].concat());
    let unknown = "NotificationType.severed_relationships";
    assert!(all.contains(&format!(" ? {unknown}")), "{all}");
    assert!(!all.contains(&format!(" + {unknown} ")), "{all}");
    let text = on_copy(&["mastodon@4.3.0", "gotosocial@0.19.2"]);
    assert!(text.contains("unknown is not unsupported; --show unknown lists them"), "{text}");
}

#[test]
fn gen_says_for_whom() {
    let scratch = Scratch::generated();
    let quiet = commands::run(scratch.gen_args(&[])).succeeded();
    assert!(!quiet.stdout.contains("bump"), "{}", quiet.stdout);
    let since = "since: {mastodon: \"3.4.0\", gotosocial: \"";
    scratch.edit(
        "supplement/accounts.yaml",
        &format!("{since}0.10.0\""),
        &format!("{since}0.9.0\""),
    );
    let told = commands::run(scratch.gen_args(&[])).succeeded();
    assert!(
        told.stdout.contains("2 risky, 1 compatible; asks for a patch bump"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains(
            "risky       accounts.lookup gotosocial since 0.9.0, was 0.10.0 (since-moved-earlier)"
        ),
        "{}",
        told.stdout
    );
}
