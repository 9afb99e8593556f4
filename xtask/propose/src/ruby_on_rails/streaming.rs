//! The server of streams, a program of its own in JavaScript.

use std::collections::BTreeMap;

use super::ruby;
use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::{Endpoint, Enumeration, Location, Operation, Param, Surface, Use};
use crate::syntax::{File, Spot, parse};

/// The file of the server, by the names that it had.
const FILES: [&str; 2] = ["streaming/index.js", "streaming/index.mjs"];

/// Adds the paths of the streams with what they read, and the names of the channels. Which token a stream wants is not read.
pub(super) fn add(snapshot: &Snapshot<'_>, surface: &mut Surface) -> Result<(), Error> {
    let found = snapshot.sources(&[], &FILES, |_| false)?;
    let (files, unread) = parse(&tree_sitter_javascript::LANGUAGE.into(), found.texts)?;
    surface.unread.extend(unread);
    for file in &files {
        let channels = channels(file);
        let token = token(file);
        // The router names the socket; what serves it stands here.
        let socket = Endpoint { method: "GET".to_owned(), path: "/api/v1/streaming".to_owned() };
        if let Some(operation) = surface.operations.get_mut(&socket) {
            operation.params = channels
                .values()
                .flatten()
                .map(|(name, param)| (name.clone(), param.clone()))
                .collect();
            operation.params.extend(token.clone());
            operation.auth = None;
            operation.unfollowed =
                vec!["the token and the other parameters of the socket".to_owned()];
        }
        let mut compared: BTreeMap<&str, Vec<Spot<'_>>> = BTreeMap::new();
        file.root().walk(|spot| {
            if let Some(path) = path(spot) {
                let mut params =
                    spot.parent().map(|case| read_by(case, &channels)).unwrap_or_default();
                let is_stream = spot.parent().is_some_and(|parent| parent.kind() == "switch_case");
                params.extend(token.clone().filter(|_| is_stream));
                let unfollowed = vec!["the token of a stream".to_owned()];
                let operation =
                    Operation { at: spot.place(), params, unfollowed, ..Operation::default() };
                let endpoint = Endpoint { method: "GET".to_owned(), path };
                surface.operations.entry(endpoint).or_insert(operation);
            }
            if spot.kind() == "switch_statement" {
                words(spot, &mut surface.enums);
            }
            // `if (type === 'subscribe') .. else if (type === 'unsubscribe')`
            if spot.kind() == "binary_expression"
                && spot.field("operator").is_none_or(|one| one.text() == "===")
                && let (Some(left), Some(right)) = (spot.field("left"), spot.field("right"))
                && right.kind() == "string"
            {
                compared.entry(left.text()).or_default().push(right);
            }
            true
        });
        for (left, words) in compared {
            if let (Some(first), true) = (words.first(), words.len() > 1) {
                note(format!("streaming:{left}"), *first, words.clone(), &mut surface.enums);
            }
        }
    }
    Ok(())
}

type Params = BTreeMap<String, Param>;

/// The members of `params` and `query` that an expression reads.
fn members(at: Spot<'_>) -> Params {
    let members = at
        .of_kind("member_expression")
        .filter(|at| matches!(at.word("object").rsplit('.').next(), Some("params" | "query")));
    let members = members.filter_map(|at| {
        let name = at.field("property")?.text().to_owned();
        Some((name, Param::read(at.place(), Location::Query)))
    });
    members.collect()
}

/// The parameters that the case of each channel reads.
fn channels(file: &File) -> BTreeMap<String, Params> {
    let mut found = BTreeMap::<String, Params>::new();
    for case in file.root().of_kind("switch_case") {
        let name = case.field("value").filter(|value| value.kind() == "string");
        if let Some(name) = name.filter(|name| !name.text().contains('/')) {
            found.entry(unquoted(name).to_owned()).or_default().extend(members(case));
        }
    }
    found
}

/// The parameters of a path's case: its own, those of the channels that it names, and those that its names were made of.
fn read_by(case: Spot<'_>, channels: &BTreeMap<String, Params>) -> Params {
    let mut found = members(case);
    let around = case.parent().and_then(Spot::parent).and_then(Spot::parent);
    let around = around.map(Spot::children).unwrap_or_default();
    for at in case.all() {
        match at.kind() {
            "string" => found.extend(channels.get(unquoted(at)).cloned().unwrap_or_default()),
            "identifier" => {
                let declared = around.iter().flat_map(|at| at.children());
                let declared = declared
                    .filter(|of| of.kind() == "variable_declarator" && of.is("name", at.text()));
                found.extend(declared.flat_map(members));
            }
            _ => {}
        }
    }
    found
}

/// The token in the query, which every stream takes.
fn token(file: &File) -> Option<(String, Param)> {
    let is_token = |at: &Spot<'_>| {
        matches!(at.kind(), "property_identifier" | "shorthand_property_identifier_pattern")
            && at.text() == "access_token"
    };
    let at = file.root().all().find(is_token)?;
    Some(("access_token".to_owned(), Param::read(at.place(), Location::Query)))
}

fn unquoted(at: Spot<'_>) -> &str {
    at.text().trim_matches(['\'', '"'])
}

/// The words of a switch: the names of channels, and what a socket may be told to do.
fn words(switch: Spot<'_>, found: &mut BTreeMap<String, Enumeration>) {
    let cases = switch.list("body");
    let words = cases.into_iter().filter_map(|case| case.field("value"));
    let words: Vec<_> = words.filter(|at| at.kind() == "string").collect();
    let is_path = words.iter().any(|at| at.text().contains('/'));
    if is_path || words.len() < 2 {
        return;
    }
    note(format!("streaming:{}", switch.place().line), switch, words, found);
}

fn note(
    name: String,
    at: Spot<'_>,
    words: Vec<Spot<'_>>,
    found: &mut BTreeMap<String, Enumeration>,
) {
    let declared = || Enumeration::of(at.place(), [], Use::Accepted);
    let known = found.entry(name).or_insert_with(declared);
    for at in words {
        known.note(unquoted(at).to_owned(), at.place(), Use::Accepted);
    }
}

/// The events that the program's workers and services publish: `{ event: :update, payload: .. }`.
pub(super) fn events(files: &[File], found: &mut BTreeMap<String, Enumeration>) {
    let hashes = files.iter().flat_map(|file| file.root().all());
    let hashes = hashes.filter(|at| matches!(at.kind(), "hash" | "argument_list"));
    for hash in hashes {
        let value_of = |key| ruby::value_of(hash.children(), key);
        let is_alone = || value_of("payload").is_some() || hash.children().len() == 1;
        let Some(event) = value_of("event").filter(|_| is_alone()) else {
            continue;
        };
        event.walk(|at| {
            let word = ruby::name(at).filter(|_| at.kind() != "hash_key_symbol");
            let is_word = word.is_some();
            if let Some(word) = word {
                let new = || Enumeration::of(at.place(), [], Use::Sent);
                let known = found.entry("events".to_owned()).or_insert_with(new);
                known.note(word, at.place(), Use::Sent);
            }
            !is_word
        });
    }
}

/// The path that a case of a switch, or the first argument of `app.get`, names.
fn path(spot: Spot<'_>) -> Option<String> {
    if spot.kind() != "string" {
        return None;
    }
    let path = unquoted(spot);
    let parent = spot.parent()?;
    let is_case = parent.kind() == "switch_case";
    let is_route = parent.kind() == "arguments";
    let is_path = path.starts_with("/api/v1/streaming/") && !path.contains('*');
    (is_path && (is_case || is_route)).then(|| path.to_owned())
}
