//! Two programs side by side, renames, and what a program uses.

use std::collections::BTreeSet;

use fedispec_diff::parity::{Relation, parity};
use fedispec_diff::releases::releases;
use fedispec_diff::rules::Severity;
use fedispec_diff::used_by::{Source, Usage};
use fedispec_diff::{Options, compare};
use fedispec_model::api::{Api, Since};
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::report::Report;
use fedispec_since::StableVersion;

use super::support::{edited, real};

const A: (&str, StableVersion) = ("mastodon", StableVersion(4, 2, 0));
const B: (&str, StableVersion) = ("gotosocial", StableVersion(0, 16, 0));

fn relations(
    api: &Api,
    a: (&str, StableVersion),
    b: (&str, StableVersion),
) -> Vec<(Relation, String)> {
    let found = parity(api, a, b).expect("two programs");
    found.differences.into_iter().map(|one| (one.relation, one.item.id)).collect()
}

#[test]
fn one_has_what_the_other_has_not() {
    let found = relations(&edited(&[]), A, B);
    for expected in [
        (Relation::OnlyInA, "books.search"),
        (Relation::BLater, "books.delete"),
        (Relation::UnknownInB, "books.create"),
        (Relation::OnlyInA, "books.list.genre"),
        (Relation::OnlyInA, "Book.rating"),
        (Relation::BLater, "Genre.poetry"),
        (Relation::DiffersEnum, "Genre"),
    ] {
        assert!(found.contains(&(expected.0, expected.1.to_owned())), "{expected:?} of {found:#?}");
    }
    let parts = found.iter().filter(|(_, id)| id.starts_with("books.search."));
    assert_eq!(parts.count(), 0, "parts go with the whole");
}

/// The demands, defaults and bounds of each program are compared at its release; an unknown one is no difference.
#[test]
fn facts_that_are_stated_by_program_are_compared() {
    let b = ("gotosocial", StableVersion(0, 19, 2));
    let found = parity(real(), ("mastodon", StableVersion(4, 6, 5)), b).expect("two programs");
    let said = |id: &str| {
        let of_it = found.differences.iter().filter(|one| one.item.id == id);
        of_it.map(|one| (one.a.as_str(), one.b.as_str())).collect::<Vec<_>>()
    };
    let limit = said("accounts.statuses.limit");
    assert_eq!(limit, [("at most 40", "no maximum"), ("default `20`", "default `30`")]);
    let left_out =
        ("left out: changes meaning: nothing is found", "left out: fails: the server answers 400");
    assert_eq!(said("accounts.search.q"), [left_out, ("not required", "required")]);
    assert_eq!(said("media.get"), [("success 200 or 206", "success 200")]);
    let mut api = real().clone();
    for param in api.operations.iter_mut().flat_map(|one| &mut one.params) {
        if let Some(at) = api.programs.iter().position(|program| program.key == "gotosocial") {
            param.item.life[at].facts.clear();
            param.item.life[at].changed.clear();
            param.item.life[at].apart = true;
        }
    }
    let found = parity(&api, ("mastodon", StableVersion(4, 6, 5)), b).expect("two programs");
    let mut left = found.differences.iter().filter(|one| one.relation == Relation::DiffersRequest);
    assert!(left.all(|one| one.b == "does nothing"), "nobody knows the rest of it");
}

/// An item whose Since is unknown counts neither as supported nor as unsupported.
#[test]
fn unknown_is_not_unsupported() {
    let mut api = real().clone();
    let mut programs = api.programs.iter();
    let index = programs.position(|program| program.key == "gotosocial").expect("registered");
    let types = api.enums.iter_mut();
    let types = types.filter(|one| one.item.id == "NotificationType");
    let mut unknown = BTreeSet::new();
    for value in types.flat_map(|one| &mut one.values) {
        value.life[index].since = Since::Unknown;
        value.life[index].effective = Since::Unknown;
        unknown.insert(value.id.clone());
    }
    let found =
        parity(&api, ("mastodon", StableVersion(4, 5, 0)), ("gotosocial", StableVersion(0, 19, 2)))
            .expect("two programs");
    let told = found.differences.iter();
    let told = told.filter(|one| unknown.contains(one.item.id.as_str()));
    let told: Vec<_> = told.map(|one| one.relation).collect();
    assert!(!told.is_empty());
    assert!(told.iter().all(|relation| *relation == Relation::UnknownInB));
}

/// The relation with the programs swapped.
fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::OnlyInA => Relation::OnlyInB,
        Relation::OnlyInB => Relation::OnlyInA,
        Relation::BLater => Relation::ALater,
        Relation::ALater => Relation::BLater,
        Relation::UnknownInB => Relation::UnknownInA,
        Relation::UnknownInA => Relation::UnknownInB,
        same => same,
    }
}

#[test]
fn places_changed_are_mirrored() {
    for (api, a, b) in [
        (&edited(&[]), A, B),
        (real(), ("mastodon", StableVersion(4, 3, 0)), ("gotosocial", StableVersion(0, 19, 2))),
    ] {
        let mut there: Vec<_> = relations(api, a, b)
            .into_iter()
            .map(|(relation, id)| (mirrored(relation), id))
            .collect();
        let mut back = relations(api, b, a);
        there.sort();
        back.sort();
        assert_eq!(there, back);
    }
    assert_eq!(relations(real(), A, A), vec![], "a release does not differ from itself");
}

#[test]
fn lag_is_told_with_and_without_dates() {
    let undated = ("\"0.17.0\": {date: \"2024-10-14\"}", "\"0.17.0\": {}");
    for (edits, days) in [(&[][..], Some(612)), (&[undated], None)] {
        let b = ("gotosocial", StableVersion(0, 18, 0));
        let found = parity(&edited(edits), A, b).expect("two programs");
        let mut lags = found.lag.iter();
        let lag = { lags.find(|lag| lag.item == "books.delete") }.expect("both have it");
        assert_eq!(
            (lag.a.version, lag.b.version, lag.days),
            (StableVersion(4, 1, 0), StableVersion(0, 17, 0), days)
        );
    }
}

#[test]
fn whom_nobody_registered_is_not_compared() {
    assert!(parity(real(), ("nobody", StableVersion(1, 0, 0)), A).is_none());
    assert!(releases(real(), "nobody", StableVersion(1, 0, 0), StableVersion(2, 0, 0)).is_none());
}

/// The catalogue stays between two releases of a program: what would only break source code is compatible.
#[test]
fn between_releases_no_source_code_breaks() {
    let found = releases(real(), "mastodon", StableVersion(0, 1, 0), StableVersion(4, 6, 5))
        .expect("registered");
    for event in &found.events {
        let hits = event.breaks.iter().any(|who| matches!(who.letter(), 'W' | 'S'));
        assert!(
            event.severity < Severity::Breaking || hits,
            "{} {}",
            event.item.id,
            event.rule.rule().id
        );
        assert!(event.breaks.iter().all(|who| who.letter() != 'C'));
    }
}

#[test]
fn what_a_program_uses_is_told_with_its_places() {
    let (old, new) = (
        edited(&[]),
        edited(&[
            (
                "      genre: {since: {mastodon: \"4.2.0\"",
                "      genre: {evidence: {mastodon: {source: source, at: books.rb}}, since: {mastodon: \"4.3.0\"",
            ),
            ("max: 40", "max: 20"),
        ]),
    );
    let source = "use fedispec::books;\nfn main() {\n    // books::List::limit is only in a comment\n    let list = books::List::new().genre(Genre::Crime);\n}\n";
    let report = used(&old, &new, &[("src/main.rs".to_owned(), source.to_owned())]);
    let used = report.used_by.expect("an answer");
    let hit: Vec<_> = report
        .changes
        .iter()
        .filter(|entry| used.hit.contains_key(&entry.fp))
        .map(|entry| entry.change.item.id.as_str())
        .collect();
    assert_eq!(hit, ["books.list.genre"]);
    let places: Vec<_> = used.hit.values().flatten().cloned().collect();
    assert_eq!(places, ["src/main.rs:4"]);
    assert_eq!(used.minimum["mastodon"], ("4.2.0".to_owned(), "4.3.0".to_owned()));
    assert_eq!(used.minimum["gotosocial"], ("none".to_owned(), "none".to_owned()));
}

/// The report with what a program uses of both states.
fn used(old: &Api, new: &Api, sources: &[Source]) -> Report {
    let usage = Usage::of(old, new, sources);
    let known = Known { usage: Some(("app", &usage)), ..Known::default() };
    assemble::report(compare(old, new, &Options::default()), &known)
}

/// A field need not be named with its type: what answers it is enough.
#[test]
fn a_field_is_used_where_an_operation_brings_it() {
    let (old, new) = (
        edited(&[]),
        edited(&[("type: integer, nullable: false", "type: boolean, nullable: false")]),
    );
    let hit = |source: &str| {
        used(&old, &new, &[("a.rs".to_owned(), source.to_owned())])
            .used_by
            .expect("an answer")
            .hit
            .into_values()
            .flatten()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        hit("let book = client.send(books::Get::new(id)).await?;\nprint(book.pages);"),
        ["a.rs:2"]
    );
    assert_eq!(hit("print(leaflet.pages);"), Vec::<String>::new());
    assert_eq!(hit("client.send(books::Get::new(id)).await?;"), Vec::<String>::new());
}
