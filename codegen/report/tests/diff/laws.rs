//! Laws that hold for every comparison.

use fedispec_diff::change::Cause;
use fedispec_diff::rules::{Bump, RuleId, Severity};
use fedispec_diff::{Options, compare};
use fedispec_model::api::Api;
use fedispec_model::resolved;
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::report::{Entry, Report};
use fedispec_since::StableVersion;

use super::fixtures::{fixtures, side};
use super::support::{edited, found_with, line, real};

fn report(old: &Api, new: &Api) -> Report {
    assemble::report(compare(old, new, &Options::default()), &Known::default())
}

#[test]
fn a_state_does_not_differ_from_itself() {
    for api in [&edited(&[]), real()] {
        let report = compare(api, api, &Options::default());
        assert_eq!(report.changes, Vec::new());
        assert_eq!(report.implied, Bump::None);
        let read =
            resolved::from_json(&resolved::to_json(api).expect("is written")).expect("is read");
        assert_eq!(compare(api, &read, &Options::default()).changes, Vec::new(), "by way of JSON");
    }
}

#[test]
fn equal_input_gives_equal_bytes() {
    let (old, new) = (
        edited(&[]),
        edited(&[("type: Genre", "type: Mood"), ("summary: One book.", "summary: A book.")]),
    );
    let json = || {
        let report = report(&old, &new);
        serde_json::to_string(&report).expect("a report")
    };
    assert_eq!(json(), json());
}

/// Fingerprints are of the finding, not of the place or the words.
#[test]
fn fingerprints_tell_findings_apart_and_stay() {
    let mut seen = std::collections::BTreeMap::new();
    for fixture in fixtures() {
        let report = report(&side(&fixture.old), &side(&fixture.new));
        let mut here = std::collections::BTreeSet::new();
        for Entry { fp, change, .. } in &report.changes {
            assert!(here.insert(fp.clone()), "{} has the fingerprint of another", line(change));
            let content = (line(change), change.old.clone(), change.new.clone());
            if let Some(before) = seen.insert(fp.clone(), content.clone()) {
                assert_eq!((&before.1, &before.2), (&content.1, &content.2));
            }
        }
    }
    let change = |text: &str| {
        let report = report(&edited(&[]), &edited(&[("max: 40", text)]));
        report.changes[0].fp.clone()
    };
    assert_eq!(change("max: 80"), change("max: 80\n        "), "the place does not count");
    assert_ne!(change("max: 80"), change("max: 81"));
}

/// Proof by the servers' own source or recordings that the old value never worked takes a level from what breaks calls,
/// and nothing from what breaks code.
#[test]
fn proven_corrections_weigh_less() {
    let path = "path: /api/v1/books/search";
    let with =
        |evidence: &str| format!("path: /api/v1/books/find\n    evidence: {{shape: {evidence}}}");
    for (evidence, expected) in [
        ("source", "path-changed books.search correction risky/patch"),
        ("docs", "path-changed books.search correction"),
    ] {
        let new = edited(&[(path, &with(evidence))]);
        assert_eq!(found_with(&edited(&[]), &new, &Options::default()), [expected]);
    }
    let format = edited(&[(
        "format: uuid, required: false",
        "format: uri, required: false, evidence: {shape: source}",
    )]);
    let found = found_with(&edited(&[]), &format, &Options::default());
    assert_eq!(found, ["param-format-changed books.create.isbn correction risky/patch"]);
}

#[test]
fn frozen_facts_move_only_with_proof() {
    let mut options = Options::default();
    options.freeze.insert("mastodon".into(), StableVersion(4, 2, 0));
    let moved = |text: &str| edited(&[("rating: {since: {mastodon: \"4.2.0\"", text)]);
    let without = moved("rating: {since: {mastodon: \"4.1.0\"");
    assert_eq!(
        found_with(&edited(&[]), &without, &options),
        [
            "frozen-fact-changed Book.rating mastodon correction breaking/patch",
            "since-moved-earlier Book.rating mastodon correction"
        ]
    );
    let with = moved(
        "rating: {evidence: {mastodon: {source: source, at: books.rb}}, since: {mastodon: \"4.1.0\"",
    );
    assert_eq!(
        found_with(&edited(&[]), &with, &options),
        [
            "frozen-fact-changed Book.rating mastodon correction",
            "since-moved-earlier Book.rating mastodon correction"
        ]
    );
    options.freeze.insert("mastodon".into(), StableVersion(4, 1, 0));
    assert_eq!(
        found_with(&edited(&[]), &without, &options),
        [
            "since-moved-earlier Book.rating mastodon correction",
            "since-rewritten-unproven Book.rating mastodon correction"
        ],
        "what is newer than the line needs evidence as any Since"
    );
}

/// A key of the model that no rule knows is told, whoever adds it: here by a role that no catalogue can change.
#[test]
fn what_no_rule_knows_is_told() {
    let (old, mut new) = (edited(&[]), edited(&[]));
    let shelf = new.entities.iter_mut().find(|entity| entity.item.id == "Shelf").expect("a shelf");
    shelf.role = fedispec_model::api::EntityRole::Response("books.get".into());
    let report = compare(&old, &new, &Options::default());
    let change = report.changes.iter().find(|change| change.item.id == "Shelf").expect("is told");
    assert_eq!((change.rule, change.severity), (RuleId::UnclassifiedChange, Severity::Risky));
    assert_eq!(change.cause, Cause::Correction);
}

/// Keepers read from the finding what a client will send in place of the call.
#[test]
fn a_stand_in_is_told_with_what_it_is_made_of() {
    let deprecated = "deprecated: {mastodon: \"4.3.0\"}\n";
    let with = |made: &str| format!("{deprecated}    replacement: books.search\n{made}");
    let of_operation = edited(&[(deprecated, &with(""))]);
    let made = "    stands_in: {title: author, author: title}\n";
    let by_operation = edited(&[(deprecated, &with(made))]);
    let summary = "summary: A shelf.\n";
    let shelf = format!("{summary}    stands_in: {{for: Book, fields: {{title: id}}}}\n");
    let by_entity = edited(&[(summary, &shelf)]);
    for (old, new, is) in [
        (&of_operation, &by_operation, "title: author, author: title"),
        (&edited(&[]), &by_entity, "Book by title: id"),
    ] {
        let report = compare(old, new, &Options::default());
        let told = report.changes.iter();
        let told: Vec<_> =
            told.map(|change| (change.old.as_deref(), change.new.as_deref())).collect();
        assert_eq!(told, [(Some("nothing"), Some(is))]);
    }
}

/// Each Since that moves lists the releases whose gate opens or closes; an entity the operations that return it.
#[test]
fn reach_in_releases_and_operations() {
    let since = "since: {mastodon: \"4.0.0\", gotosocial: unknown}\n    deprecated";
    let later =
        edited(&[(since, "since: {mastodon: \"4.2.0\", gotosocial: unknown}\n    deprecated")]);
    let releases = vec![StableVersion(4, 0, 0), StableVersion(4, 0, 1), StableVersion(4, 1, 0)];
    let report = compare(&edited(&[]), &later, &Options::default());
    let gate = report.changes[0].gate.clone().expect("a gate");
    assert_eq!((gate.opens, gate.closes), (vec![], releases.clone()));
    let back = compare(&later, &edited(&[]), &Options::default());
    let gate = back.changes[0].gate.clone().expect("a gate");
    assert_eq!((gate.opens, gate.closes), (releases, vec![]));

    let pages = ("type: integer, nullable: false", "type: boolean, nullable: false");
    // An entity that takes over the fields of a book is answered with them.
    let novel = ("    returns: Book\n", "    returns: Novel\n");
    for [old, new] in [[vec![], vec![pages]], [vec![novel], vec![novel, pages]]] {
        let report = compare(&edited(&old), &edited(&new), &Options::default());
        let mut of_field = report.changes.iter().filter(|one| one.item.id == "Book.pages");
        let reach = of_field.next().map(|change| change.reach.clone()).unwrap_or_default();
        assert_eq!(reach, ["books.create", "books.get", "books.list", "books.search"]);
    }
}
