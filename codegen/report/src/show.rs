//! `show`: one item as merged from the layers, each fact with the line that states it and what proves it.

use std::collections::HashMap;
use std::fmt::Write as _;

use fedispec_model::api::{Api, Dispute, Operation};
use fedispec_model::notation::type_text;
use fedispec_model::reach::Reach;
use fedispec_model::rows::operation_key;
use fedispec_reader::load::Catalogue;

mod columns;
mod facts;
mod feature;
mod find;
mod history;
mod request;
mod subject;

use facts::{Fact, facts};
pub use find::Miss;
use find::{Found, find};
use subject::Subject;

/// The text about what `query` names: an id, a key of the documents, a path or URL with or without its method, a name
/// that only one item has, a feature; for a group, and a path that takes several methods, the list of operations.
pub fn show(catalogue: &Catalogue, api: &Api, query: &str) -> Result<String, Miss> {
    let reach = Reach::new(api);
    let feature = feature::find(api, query);
    let feature = feature.map(|feature| feature::text(catalogue, api, &reach, feature));
    let found = find(api, query);
    Ok(match (feature, found) {
        // An item of exactly this name is shown beside a feature of that name; an item of a similar name is not.
        (Some(feature), Ok(found)) if found.is_named(query) => {
            format!("{feature}\n{}", found_text(catalogue, api, &reach, &found))
        }
        (Some(feature), Err(several @ Miss::Several { .. })) => format!("{feature}\n{several}\n"),
        (Some(feature), _) => feature,
        (None, found) => found_text(catalogue, api, &reach, &found?),
    })
}

fn found_text(catalogue: &Catalogue, api: &Api, reach: &Reach<'_>, found: &Found<'_>) -> String {
    match found {
        Found::Items(subjects) => {
            let texts: Vec<_> =
                subjects.iter().map(|subject| text(catalogue, api, reach, subject)).collect();
            texts.join("\n")
        }
        Found::Operations(operations) => list(api, reach, operations),
    }
}

/// The keys that lead to every item in a file of a layer, by its kind and id.
pub(crate) fn paths(api: &Api) -> HashMap<(&'static str, &str), Vec<String>> {
    let all = subject::subjects(api).into_iter();
    all.map(|subject| ((subject.kind(), subject.item.id.as_str()), subject.own_path())).collect()
}

/// A line for each operation.
fn list(api: &Api, reach: &Reach<'_>, operations: &[&Operation]) -> String {
    let rows = operations.iter().map(|operation| {
        let route = operation.route.as_ref().map_or_else(
            || operation_key(operation).into_owned(),
            |route| format!("{} {}", route.method, route.path),
        );
        let lives = history::lives(api, reach, &operation.item);
        [operation.item.id.clone(), route, lives]
    });
    let mut text = String::new();
    columns::write(&mut text, "", &rows.collect::<Vec<_>>());
    text
}

fn text(catalogue: &Catalogue, api: &Api, reach: &Reach<'_>, subject: &Subject<'_>) -> String {
    let item = subject.item;
    let mut text = format!("{}\n{}\n", item.id, subject.title());
    if let Some(summary) = &item.summary {
        let _ = writeln!(text, "\n  {summary}");
    }
    for note in &item.notes {
        let _ = writeln!(text, "  Note: {note}");
    }
    text.push('\n');
    write_facts(&mut text, facts(catalogue, api, reach, subject));
    write_names(&mut text, subject);
    write_section(&mut text, "Changed in place", &history::changes(api, item));
    write_section(&mut text, "Ways to call it", &ways(subject));
    write_disputes(&mut text, api, &item.id);
    write_parts(&mut text, api, reach, subject);
    text
}

fn write_facts(text: &mut String, facts: Vec<Fact>) {
    let rows = facts.into_iter().flat_map(|fact| {
        let names = std::iter::once(fact.name).chain(std::iter::repeat_with(String::new));
        let rows = names.zip(fact.statements);
        rows.map(|(name, said)| [name, said.value, said.place, said.evidence])
    });
    columns::write(text, "  ", &rows.collect::<Vec<_>>());
}

/// A title and a table below it; nothing where the table is empty.
fn write_section<const N: usize>(text: &mut String, title: &str, rows: &[[String; N]]) {
    if !rows.is_empty() {
        let _ = writeln!(text, "\n  {title}:");
        columns::write(text, "    ", rows);
    }
}

/// The alternatives of an operation: what each needs, excludes and sets.
fn ways(subject: &Subject<'_>) -> Vec<[String; 5]> {
    let listed = |word: &str, names: &[String]| {
        let names = names.join(", ");
        Some(format!("{word} {names}")).filter(|_| !names.is_empty())
    };
    let alternatives = subject.operation().map(|operation| &operation.alternatives);
    let ways = alternatives.into_iter().flatten().map(|way| {
        let sets = way.sets.iter().map(|(name, value)| format!("{name}={value}"));
        [
            way.rust.clone(),
            listed("needs", &way.requires).unwrap_or_default(),
            listed("without", &way.excludes).unwrap_or_default(),
            listed("sets", &sets.collect::<Vec<_>>()).unwrap_or_default(),
            way.summary.clone().unwrap_or_default(),
        ]
    });
    ways.collect()
}

fn write_names(text: &mut String, subject: &Subject<'_>) {
    let item = subject.item;
    let _ = write!(text, "\n  Rust name: {}", item.rust);
    if let Some(wire) = subject.wire() {
        let _ = write!(text, " · on the wire: {wire}");
    }
    if let Some(replacement) = &item.replacement {
        let _ = write!(text, " · use instead: {replacement}");
    }
    text.push('\n');
}

fn write_disputes(text: &mut String, api: &Api, id: &str) {
    for Dispute { fact, documents, supplement, supplement_holds, evidence, why, .. } in
        api.disputes.iter().filter(|dispute| dispute.item == id)
    {
        let (holds, source) = if *supplement_holds {
            (supplement, "the supplement")
        } else {
            (documents, "the documents")
        };
        let _ = writeln!(
            text,
            "\n  Disputed: {fact} is {documents} in the documents and {supplement} in the supplement; {holds} holds ({source}), by {:?} {}",
            evidence.class, evidence.source
        );
        if let Some(why) = why {
            let _ = writeln!(text, "    {why}");
        }
    }
}

/// The items inside the subject, a line each.
fn write_parts(text: &mut String, api: &Api, reach: &Reach<'_>, subject: &Subject<'_>) {
    let rows = subject.parts(api).into_iter().map(|(item, kind)| {
        let kind = kind.map(type_text).unwrap_or_default();
        [item.name.clone(), kind, history::lives(api, reach, item)]
    });
    write_section(text, subject.parts_title(), &rows.collect::<Vec<_>>());
}
