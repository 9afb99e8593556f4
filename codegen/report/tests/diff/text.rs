//! The report as text.

use fedispec_diff::{Options, compare};
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::render::View;
use fedispec_report::diff::render::lines::lines;
use fedispec_report::diff::render::text::text;

use super::support::edited;

#[test]
fn the_footer_says_how_hidden_changes_are_shown() {
    let new = edited(&[("max: 40", "max: 20"), ("summary: One book.", "summary: A book.")]);
    let compared = compare(&edited(&[]), &new, &Options::default());
    let report = assemble::report(compared, &Known::default());
    let shown = |docs| text(&report, &View { docs, ..View::default() });
    let total = "2 items, 2 changes: 1 breaking; 1 only text";
    assert!(shown(false).contains(&format!("{total}, hidden (--show docs)\n")), "{}", shown(false));
    assert!(shown(true).contains(&format!("{total}\n")), "{}", shown(true));
}

#[test]
fn the_only_program_is_named_once() {
    let new = edited(&[
        ("presence: {gotosocial: optional}", "presence: {gotosocial: nullable}"),
        ("max: {mastodon: 40, gotosocial: 80}", "max: {mastodon: 40, gotosocial: 90}"),
    ]);
    let compared = compare(&edited(&[]), &new, &Options::default());
    let report = assemble::report(compared, &Known::default());
    let said = lines(&report, &View::default());
    let said: Vec<_> = said.lines().filter_map(|line| line.split_once(": ")).collect();
    let told = |id: &str| said.iter().find(|(at, _)| at.ends_with(id)).map(|(_, said)| *said);
    assert_eq!(told("Loan.until"), Some("in gotosocial may be null, was may be absent"));
    assert_eq!(told("loans.list.limit"), Some("max in gotosocial is 90, was 80"));
}

/// The rows of an edit of the small catalogue.
#[test]
fn sentences_say_what_it_was() {
    let answers = "missing: {mastodon: {status: 422, text: Nobody is named}}";
    let told_as = |last: &str| {
        let first = "{status: 422, text: No name, until: \"4.2.0\"}";
        format!("missing: {{mastodon: [{first}, {{status: 422, text: {last}, since: \"4.2.0\"}}]}}")
    };
    let (nobody, no_one) = (told_as("Nobody"), told_as("No one"));
    for (old, new, id, expected) in [
        (
            "    deprecated: {mastodon: \"4.3.0\"}",
            "    deprecated: {mastodon: \"4.2.0\"}",
            "books.create",
            "mastodon discourages it since 4.2.0, was 4.3.0",
        ),
        (
            "    removed: {mastodon: \"4.4.0\"}",
            "    removed: {mastodon: \"4.3.0\"}",
            "loans.list_old",
            "mastodon dropped it in 4.3.0, was 4.4.0; use loans.list",
        ),
        (
            "{value: false, omitted: true}",
            "{value: false}",
            "Loan.late",
            "is not left out where it would be false",
        ),
        (
            "type: date, format: date",
            "type: string",
            "Book.printed",
            "has the type string, was date",
        ),
        (
            &nobody,
            &no_one,
            "loans.create.to",
            "without it is answered 422 \"No one\" since 4.2.0, was 422 \"Nobody\" since 4.2.0",
        ),
    ] {
        let stands = if old == nobody { answers } else { old };
        let [old, new] = [old, new].map(|text| edited(&[(stands, text)]));
        let compared = compare(&old, &new, &Options::default());
        let mut of_item = compared.changes.iter().filter(|change| change.item.id == id);
        let told = of_item.next().map(|change| change.message.as_str());
        assert_eq!((told, of_item.count()), (Some(expected), 0));
    }
}
