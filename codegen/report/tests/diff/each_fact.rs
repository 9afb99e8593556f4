//! Any one fact of the small catalogue, edited: some finding tells it, and no public item differs without one.

use std::sync::LazyLock;

use fedispec_diff::rules::{RuleId, Severity};
use fedispec_diff::{Options, compare};
use fedispec_model::api::Api;
use fedispec_reader::load::Catalogue;
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::locate::State;
use fedispec_report::diff::report::{Report, Side};
use fedispec_report::diff::surface::Surface;
use proptest::prelude::*;
use serde_yaml::{Mapping, Value};

use super::harm::harms;
use super::measured::surface;
use super::support::{FILES, base, cases, line, opened};

/// A file, the keys to one of its facts, and what becomes of it; nothing where it is taken away.
#[derive(Debug, Clone)]
struct Edit {
    file: &'static str,
    keys: Vec<Value>,
    to: Option<Value>,
}

static BASE: LazyLock<(Catalogue, Api)> = LazyLock::new(|| {
    opened(&FILES.map(|name| (name, base(name)))).unwrap_or_else(|failure| panic!("{failure}"))
});
static SURFACE: LazyLock<Surface> = LazyLock::new(|| surface(&BASE.1));
static EDITS: LazyLock<Vec<Edit>> = LazyLock::new(|| {
    let mut edits = Vec::new();
    for file in FILES {
        let document = serde_yaml::from_str(&base(file)).expect("the base is YAML");
        let mut facts = Vec::new();
        collect(&document, &mut Vec::new(), &mut facts);
        for (keys, value) in facts {
            let to = others(&value).into_iter().map(Some).chain([None]);
            edits.extend(to.map(|to| Edit { file, keys: keys.clone(), to }));
        }
    }
    edits
});

/// Every value, with the keys to it.
fn collect(value: &Value, keys: &mut Vec<Value>, to: &mut Vec<(Vec<Value>, Value)>) {
    if !keys.is_empty() {
        to.push((keys.clone(), value.clone()));
    }
    let parts: Vec<(Value, &Value)> = match value {
        Value::Mapping(mapping) => {
            mapping.iter().map(|(key, value)| (key.clone(), value)).collect()
        }
        Value::Sequence(list) => {
            list.iter().enumerate().map(|(at, value)| (Value::from(at), value)).collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in parts {
        keys.push(key);
        collect(value, keys, to);
        keys.pop();
    }
}

/// Other values for a scalar. Most of them are refused where they make no sense.
fn others(value: &Value) -> Vec<Value> {
    const WORDS: &[&str] = &[
        "4.2.0",
        "0.17.0",
        "1.1.0",
        "unknown",
        "never",
        "always",
        "optional",
        "boolean",
        "integer",
        "Book",
        "Mood",
        "Loan",
        "none",
        "user",
        "app",
        "read",
        "write",
        "query",
        "form",
        "keep",
        "reset",
        "refused",
        "ignored",
        "harmless",
        "PATCH",
        "POST",
        "link",
        "source",
        "docs",
        "guess",
        "string",
        "uri",
        "closed",
        "something else",
    ];
    match value {
        Value::Bool(is) => vec![Value::from(!is)],
        Value::Number(number) => {
            number.as_i64().map(|number| Value::from(number + 1)).into_iter().collect()
        }
        Value::String(text) => {
            let words = WORDS.iter().filter(|word| *word != text);
            let more = [format!("{text} more"), format!("{text}s")];
            words.map(|word| (*word).to_owned()).chain(more).map(Value::from).collect()
        }
        _ => Vec::new(),
    }
}

impl Edit {
    fn apply(&self) -> Option<(Catalogue, Api)> {
        let files = FILES.map(|name| {
            let text = base(name);
            if name != self.file {
                return (name, text);
            }
            let mut document: Value = serde_yaml::from_str(&text).expect("the base is YAML");
            let (end, path) = self.keys.split_last().expect("a key");
            let mut at = &mut document;
            for key in path {
                at = match key.as_u64().and_then(|place| usize::try_from(place).ok()) {
                    Some(place) => at.get_mut(place),
                    None => at.get_mut(key),
                }
                .expect("is there");
            }
            match (at, &self.to) {
                (Value::Mapping(mapping), Some(to)) => {
                    drop(mapping.insert(end.clone(), to.clone()));
                }
                (Value::Mapping(mapping), None) => *mapping = without(mapping, end),
                (Value::Sequence(list), to) => {
                    let place = usize::try_from(end.as_u64().expect("a place")).expect("small");
                    match to {
                        Some(to) => list[place] = to.clone(),
                        None => drop(list.remove(place)),
                    }
                }
                _ => unreachable!("keys lead through maps and lists"),
            }
            // JSON is YAML in which every text is quoted.
            (name, serde_json::to_string(&document).expect("is written"))
        });
        opened(&files).ok()
    }
}

fn without(mapping: &Mapping, key: &Value) -> Mapping {
    let left = mapping.iter().filter(|(other, _)| *other != key);
    left.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn report(head: &(Catalogue, Api)) -> Report {
    report_from(&BASE, head)
}

fn report_from(base: &(Catalogue, Api), (catalogue, api): &(Catalogue, Api)) -> Report {
    let measured = if base.1 == BASE.1 {
        SURFACE.measure(&surface(api))
    } else {
        surface(&base.1).measure(&surface(api))
    };
    let sides = [Side::default(), Side::default()];
    let found = compare(&base.1, api, &Options::default());
    let base = State { api: &base.1, catalogue: Some(&base.0), side: &sides[0] };
    let head = State { api, catalogue: Some(catalogue), side: &sides[1] };
    let known =
        Known { states: Some([&base, &head]), measured: Some(&measured), ..Known::default() };
    assemble::report(found, &known)
}

fn wrong(edit: &Edit) -> Option<String> {
    let head = edit.apply()?;
    let report = report(&head);
    let lines: Vec<_> = report.changes.iter().map(|entry| line(&entry.change)).collect();
    let rules = || report.changes.iter().map(|entry| entry.change.rule);
    let unclassified = rules().any(|rule| rule == RuleId::UnclassifiedChange);
    // Words are for people.
    let is_raw = |text: &String| text.contains("Some(") || text.contains("Life {");
    let changes = || report.changes.iter().map(|entry| &entry.change);
    let is_raw = changes().flat_map(|one| [&one.old, &one.new]).flatten().any(is_raw);
    if is_raw || lines.is_empty() || unclassified || !report.bump.unclaimed.is_empty() {
        return Some(format!("{edit:?}: {lines:?} {:#?}", report.bump.unclaimed));
    }
    // What breaks a call in some release is told as no less than risky.
    let worst = changes().map(|one| one.severity).max();
    let harms = harms(&BASE.1, &head.1);
    let is_small = worst < Some(Severity::Risky) && !harms.is_empty();
    is_small.then(|| format!("{edit:?}: {lines:?} {harms:#?}"))
}

/// `Book` holds a `Loan`, which holds a `Book`: a field that did not change is boxed.
#[test]
fn a_circle_of_entities_is_told_by_the_field_that_closes_it() {
    let closes = |edit: &&Edit| {
        let keys = edit.keys.iter().filter_map(Value::as_str).collect::<Vec<_>>();
        keys.ends_with(&["Book", "fields", "blurb", "type"]) && edit.to == Some("Loan".into())
    };
    let edit = EDITS.iter().find(closes).expect("an edit of that type");
    assert_eq!(wrong(edit), None);
}

#[test]
fn other_releases_that_answer_an_error_are_named() {
    let keys = ["operations", "books.list", "errors", "404"].map(Value::from).to_vec();
    let to = serde_yaml::from_str("{when: There is no such shelf., since: {mastodon: \"4.2.0\"}}");
    let to = Some(to.expect("a map"));
    let edit = Edit { file: "supplement/books.yaml", keys, to };
    assert_eq!(wrong(&edit), None);
    let report = report(&edit.apply().expect("a catalogue"));
    let told = report.changes.iter().find(|one| one.change.rule == RuleId::ErrorStatusRemoved);
    let told = &told.expect("is told").change;
    assert_eq!(told.old.as_deref(), Some("404 wherever it has the operation"));
    assert_eq!(told.new.as_deref(), Some("404 since 4.2.0"));
    assert_eq!(told.versions.as_deref(), Some(">=4.1.0, <4.2.0"));
}

/// The base with texts that stand otherwise.
fn state_with(otherwise: &[[&str; 2]]) -> (Catalogue, Api) {
    let files = FILES.map(|name| {
        let replaced = |text: String, [was, is]: &[&str; 2]| text.replace(was, is);
        (name, otherwise.iter().fold(base(name), replaced))
    });
    opened(&files).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The findings of texts that stand otherwise than in a state.
fn lines_from(before: &[[&str; 2]], otherwise: &[[&str; 2]]) -> Vec<String> {
    let report = report_from(&state_with(before), &state_with(&[before, otherwise].concat()));
    assert!(report.bump.unclaimed.is_empty(), "{:?}", report.bump.unclaimed);
    report.changes.iter().map(|entry| line(&entry.change)).collect()
}

/// Its users and the rows of its parts differ in the name alone.
#[test]
fn an_entity_with_another_name_is_told_once() {
    let ends = ["[]", ">", "\n", ":", ",", ".", "]", "}"];
    let names = ends.map(|end| [format!("Loan{end}"), format!("Lending{end}")]);
    let mut otherwise: Vec<_> =
        names.iter().map(|pair| pair.each_ref().map(|text| &**text)).collect();
    otherwise.push(["  Lending:\n", "  Lending:\n    renamed_from: Loan\n"]);
    assert_eq!(lines_from(&[], &otherwise), ["item-renamed Lending correction"]);
}

/// The evidence that names it is the same.
#[test]
fn a_source_of_another_class_is_told_once() {
    let worse =
        [["source: {class: B, title: the source}", "source: {class: C, title: the sources}"]];
    assert_eq!(
        lines_from(&[], &worse),
        ["provenance-weakened source editorial", "statement-changed source editorial"]
    );
    let read = ["title: the source}", "title: the source, revision: v1}"];
    let anew = ["revision: v1", "revision: v2"];
    assert_eq!(lines_from(&[read], &[anew]), ["statement-changed source editorial"]);
}

/// What the resolved form holds no proof of has evidence as well: its own class, or else that of its source.
#[test]
fn evidence_of_a_worse_class_proves_less() {
    let lent = "auth.extra: {source: extra-source, ";
    let of = |class: &str| format!("{lent}class: {class}, ");
    let (worse, as_its_source) = (of("D"), of("B"));
    let told = |otherwise: &str| lines_from(&[], &[[lent, otherwise]]);
    assert_eq!(told(&worse), ["provenance-weakened loans.list editorial"]);
    assert_eq!(told(&as_its_source), ["provenance-only-changed loans.list editorial"]);
}

/// The beginning of a field of `Loan`.
const STATE: &str = "      state:\n        summary: Its state.";

/// A condition that names it is the same, and a word of a sentence is no name.
#[test]
fn a_field_with_another_name_is_told_once() {
    let when = ["when: {token: owner}", "when: {field: state, is: [open]}"];
    let prose = ["when: Nobody is named.", "when: The state is wrong."];
    let renamed = [
        [
            STATE,
            "      status:\n        renamed_from: Loan.state\n        wire: state\n        summary: Its state.",
        ],
        ["{field: state,", "{field: status,"],
    ];
    assert_eq!(
        lines_from(&[when, prose], &renamed),
        ["item-renamed Loan.status correction compatible/patch"]
    );
}

/// An argument is known by its place in the path, and what is said of it stays.
#[test]
fn an_argument_with_another_name_is_told_once() {
    let renamed = [
        ["/api/v1/loans/:id", "/api/v1/loans/:loan"],
        ["      id: {summary: Its id., in: path", "      loan: {summary: Its id., in: path"],
    ];
    assert_eq!(
        lines_from(&[], &renamed),
        [
            "rust-name-changed loans.update.loan correction",
            "path-arg-renamed loans.update editorial"
        ]
    );
}

/// A call that sends back all that was read cannot be made where a part is not read.
#[test]
fn a_way_of_calling_that_is_gone_is_told_of_its_operation() {
    let read = [
        STATE,
        "      note: {summary: A note., since: {mastodon: \"4.1.0\", gotosocial: never}, type: string, nullable: false, optional: false, evidence: {presence.mastodon: source}}\n      state:\n        summary: Its state.",
    ];
    let note = "      note: {summary: A note., in: form";
    let more = format!(
        "      mark: {{summary: A mark., in: form, type: string, required: false, unset: reset, left_out: harmless}}\n{note}"
    );
    assert_eq!(
        lines_from(&[read], &[[note, &more]]),
        [
            "constructor-changed loans.update coverage",
            "item-added-backdated loans.update.mark coverage"
        ]
    );
}

/// The item is another folder's.
#[test]
fn what_a_folder_says_stands_there() {
    let of = ["of: [loans.stream, shelves.vague]", "of: [shelves.vague]"];
    let report = report_from(&BASE, &state_with(&[of]));
    let told = report.changes.iter().find(|one| one.change.item.id == "loans.stream");
    let at = told.and_then(|one| one.change.head_at.as_ref()).map(|at| at.file.as_str());
    assert_eq!(at, Some("programs/extra/extra.yaml"));
}

#[test]
fn an_error_stands_at_its_status() {
    let head = state_with(&[["There is no such book.", "There is no such shelf."]]);
    let report = report_from(&BASE, &head);
    let at = report.changes.first().and_then(|one| one.change.head_at.as_ref());
    let text = base("supplement/loans.yaml");
    let line = text.lines().zip(1..).find(|(line, _)| line.contains("There is no such book."));
    assert_eq!(at.map(|at| at.line), line.map(|(_, number)| number));
}

/// A line of `has` says one Since of an operation and of its parameters.
#[test]
fn the_parts_that_a_line_covers_go_with_their_owner() {
    let covered = ["[loans.stream, shelves.vague]", "[loans.stream, books.get, shelves.vague]"];
    assert_eq!(
        lines_from(&[covered], &[["books.get, ", ""]]),
        ["since-became-unknown books.get extra correction"]
    );
}

/// Holding a program against a fact tells no more than the facts that it makes known.
#[test]
fn what_makes_a_fact_known_is_told_once() {
    let of_one = ["title: the documentation}", "title: the documentation, programs: [mastodon]}"];
    let held = ["\"0.16.0\"\n    held_against: {", "\"0.16.0\"\n    held_against: {max: source, "];
    assert_eq!(
        lines_from(&[of_one], &[held]),
        ["fact-became-known books.list.limit gotosocial coverage"]
    );
}

/// Another program that has the operation does not answer it.
#[test]
fn an_error_of_one_program_names_it() {
    let errors = r#"errors: {"401": {}, "422": {when: Nobody is named.}}"#;
    let more = r#"errors: {"401": {}, "403": {when: It is late., since: {mastodon: "4.1.0", gotosocial: never}}, "422": {when: Nobody is named.}}"#;
    assert_eq!(
        lines_from(&[], &[[errors, more]]),
        ["error-status-added loans.create mastodon coverage"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..cases(32) })]

    #[test]
    fn each_edit_is_told(at in any::<prop::sample::Index>()) {
        let edit = at.get(&EDITS);
        prop_assert_eq!(wrong(edit), None);
    }
}
