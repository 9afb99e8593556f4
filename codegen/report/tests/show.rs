//! `show` on a small catalogue, and on the real one.

use std::path::Path;
use std::sync::LazyLock;

use fedispec_model::api::{Api, Layer};
use fedispec_reader::load::Catalogue;
use fedispec_report::show::{Miss, show};

/// A right name under a wrong owner comes before names that have more letters in common with the query.
#[test]
fn a_name_under_a_wrong_owner_is_suggested_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/base");
    let (catalogue, api) = fedispec_reader::open(&folder, Layer::Full).expect("a catalogue");
    for (query, expected) in [
        ("Mood.isbn", &["books.create.isbn", "Mood.sad"][..]),
        ("books.list.isbn", &["books.create.isbn", "books.list.limit", "books.list.mood"]),
    ] {
        let missed = show(&catalogue, &api, query).expect_err(query);
        let nearest = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(missed, Miss::Unknown { query: query.to_owned(), nearest });
    }
}

static REAL: LazyLock<(Catalogue, Api)> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    fedispec_reader::open(&folder, Layer::Full).expect("the catalogue is sound")
});

fn shown(query: &str) -> String {
    let (catalogue, api) = &*REAL;
    show(catalogue, api, query).expect(query)
}

#[test]
fn it_finds_an_item_by_any_of_its_names() {
    for name in ["accounts.lookup", "U24", "u24"] {
        let told = shown(name);
        assert!(told.starts_with("accounts.lookup\n"), "{name}: {told}");
    }
    for name in [
        "notifications.list.types",
        "Status.rebogged",
        "Instance.configuration[polls][max_options]",
        "Credential Account",
        "NotificationType",
    ] {
        shown(name);
    }
}

#[test]
fn it_takes_requests_as_they_are_sent() {
    for (query, id) in [
        ("GET /api/v1/accounts/lookup?acct=x", "accounts.lookup"),
        ("https://x.example/api/v1/accounts/109", "accounts.get"),
        ("DELETE /api/v1/statuses/109", "statuses.delete"),
    ] {
        assert_eq!(shown(query).lines().next(), Some(id), "{query}");
    }
    let methods = shown("/api/v1/statuses/109");
    assert!(
        methods.contains("GET /api/v1/statuses/:id")
            && methods.contains("DELETE /api/v1/statuses/:id"),
        "{methods}"
    );
}

#[test]
fn it_takes_names_without_owner_and_groups() {
    let told = shown("rebogged");
    assert!(
        told.starts_with("Status.reblogged\n") && told.contains("on the wire: reblogged"),
        "{told}"
    );
    for name in ["types", "types[]"] {
        let (catalogue, api) = &*REAL;
        let told = show(catalogue, api, name).expect_err(name).to_string();
        assert!(told.contains("\n  notifications.list.types\n"), "{told}");
    }
    // A feature is called so too.
    let told = shown("exclude_types");
    assert!(told.contains("\n    notifications.list.exclude_types "), "{told}");
    assert!(told.contains("4 items are called `exclude_types`"), "{told}");
    let group = shown("accounts");
    let lookup = "GET /api/v1/accounts/lookup ";
    let lookup = group.lines().find(|line| line.contains(lookup));
    let lookup = lookup.expect("the operation");
    assert!(lookup.contains("Mastodon 3.4.0 · GoToSocial 0.10.0"), "{lookup}");
    for unsent in ["Mention", "NotificationType", "U24"] {
        let told = shown(unsent);
        assert!(!told.contains("on the wire"), "{told}");
    }
}

#[test]
fn it_tells_the_history_in_tables() {
    let told = |name: &str| {
        let text = shown(name);
        // The widths of columns are no matter.
        let lines = text.lines().map(|line| {
            let words: Vec<_> = line.split("  ").map(str::trim).collect();
            words.into_iter().filter(|word| !word.is_empty()).collect()
        });
        lines.collect::<Vec<Vec<_>>>().iter().map(|line| line.join(" | ")).collect::<Vec<_>>()
    };
    let has = |name: &str, line: &str| {
        let lines = told(name);
        assert!(lines.iter().any(|told| told.starts_with(line)), "{name}: {line}: {lines:#?}");
    };
    has(
        "streaming.public",
        "Mastodon 4.3.14, not from 4.4.0 until 4.4.6 | scopes | none -> read:statuses",
    );
    has(
        "statuses.create",
        "media | needs media_ids[] | without poll[options][], poll[expires_in] |",
    );
    has(
        "statuses.create",
        "scheduled_at | datetime | Mastodon 2.7.0 · GoToSocial 0.1.0, works since 0.18.0",
    );
    has(
        "oauth.token",
        "with_password | needs username, password | without code, code_verifier | sets grant_type=password |",
    );
    has("Application.name", "effective.gotosocial | 0.19.0");
    has("Application", "name | string | Mastodon 2.0.0 · GoToSocial 0.1.0, effective 0.19.0");
    // AdminTag is newer than Tag, whose name it takes over.
    has("AdminTag.name", "since.mastodon | 2.4.1 | inherited from AdminTag");
}
