//! `show`: one item as merged from the layers, each fact with the line that states it and what proves it.

use std::collections::HashMap;
use std::fmt::Write as _;

use fedispec_model::api::{Api, Dispute, Life, Operation};
use fedispec_model::notation::type_text;
use fedispec_model::rows::operation_key;
use fedispec_reader::load::Catalogue;

mod facts;
mod find;
mod request;
mod subject;

use facts::{Fact, facts};
pub use find::Miss;
use find::{Found, find};
use subject::Subject;

/// The text about what `query` names: an id, a key of the documents, a path or URL with or without its method, a name
/// that only one item has; for a group, and a path that takes several methods, the list of operations.
pub fn show(catalogue: &Catalogue, api: &Api, query: &str) -> Result<String, Miss> {
    Ok(match find(api, query)? {
        Found::Items(subjects) => {
            let texts: Vec<_> = subjects
                .iter()
                .map(|subject| text(catalogue, api, subject))
                .collect();
            texts.join("\n")
        }
        Found::Operations(operations) => list(&operations),
    })
}

/// The keys that lead to every item in a file of a layer, by its kind and id.
pub(crate) fn paths(api: &Api) -> HashMap<(&'static str, &str), Vec<String>> {
    let own = subject::subjects(api)
        .into_iter()
        .filter(|subject| !subject.inherited());
    own.map(|subject| ((subject.kind(), subject.item.id.as_str()), subject.path()))
        .collect()
}

/// A line for each operation.
fn list(operations: &[&Operation]) -> String {
    let widest = operations
        .iter()
        .map(|operation| operation.item.id.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for operation in operations {
        let route = operation.route.as_ref().map_or_else(
            || operation_key(operation).into_owned(),
            |route| format!("{} {}", route.method, route.path),
        );
        let _ = writeln!(text, "{:<widest$}  {route}", operation.item.id);
    }
    text
}

fn text(catalogue: &Catalogue, api: &Api, subject: &Subject<'_>) -> String {
    let item = subject.item;
    let mut text = format!("{}\n{}\n", item.id, subject.title());
    if let Some(summary) = &item.summary {
        let _ = writeln!(text, "\n  {summary}");
    }
    for note in &item.notes {
        let _ = writeln!(text, "  Note: {note}");
    }
    text.push('\n');
    write_facts(&mut text, &facts(catalogue, api, subject));
    write_names(&mut text, subject);
    write_disputes(&mut text, api, &item.id);
    write_parts(&mut text, api, subject);
    text
}

fn write_facts(text: &mut String, facts: &[Fact]) {
    let widest = |of: fn(&facts::Statement) -> &str| {
        facts
            .iter()
            .flat_map(|fact| &fact.statements)
            .map(|s| of(s).chars().count())
            .max()
            .unwrap_or(0)
            .min(60)
    };
    let name = facts
        .iter()
        .map(|fact| fact.name.chars().count())
        .max()
        .unwrap_or(0);
    let (value, place) = (widest(|s| &s.value), widest(|s| &s.place));
    for fact in facts {
        let mut label = fact.name.as_str();
        for statement in &fact.statements {
            let line = format!(
                "  {label:<name$}  {:<value$}  {:<place$}  {}",
                statement.value, statement.place, statement.evidence
            );
            let _ = writeln!(text, "{}", line.trim_end());
            label = "";
        }
    }
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
    for Dispute {
        fact,
        documents,
        supplement,
        supplement_holds,
        evidence,
        why,
        ..
    } in api.disputes.iter().filter(|dispute| dispute.item == id)
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
fn write_parts(text: &mut String, api: &Api, subject: &Subject<'_>) {
    let parts = subject.parts(api);
    let Some(widest) = parts
        .iter()
        .map(|(item, _)| item.name.chars().count())
        .max()
    else {
        return;
    };
    let _ = writeln!(text, "\n  {}:", subject.parts_title());
    for (item, kind) in parts {
        let kind = kind.map(type_text).unwrap_or_default();
        let line = format!(
            "    {:<widest$}  {kind:<20}  {}",
            item.name,
            since_line(api, &item.life)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// `Mastodon 3.4.0 · GoToSocial unknown`
fn since_line(api: &Api, life: &[Life]) -> String {
    let parts: Vec<_> = api
        .programs
        .iter()
        .zip(life)
        .map(|(program, life)| format!("{} {}", program.name, life.since))
        .collect();
    parts.join(" · ")
}
