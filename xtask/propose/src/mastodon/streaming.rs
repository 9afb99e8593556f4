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
    let mut texts = Vec::new();
    for file in FILES {
        texts.extend(snapshot.text(file)?.map(|text| (file.to_owned(), text)));
    }
    let (files, unread) = parse(&tree_sitter_javascript::LANGUAGE.into(), texts)?;
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
                let operation = Operation {
                    at: spot.place(),
                    condition: None,
                    params,
                    auth: None,
                    answer: None,
                    errors: BTreeMap::new(),
                    stub: false,
                    handler: None,
                    unfollowed: vec!["the token of a stream".to_owned()],
                };
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
    let mut found = Params::new();
    at.walk(|at| {
        let object = at.field("object").filter(|_| at.kind() == "member_expression");
        let object = object.map(|object| object.text().rsplit('.').next().unwrap_or_default());
        if let (Some("params" | "query"), Some(name)) = (object, at.field("property")) {
            found.insert(name.text().to_owned(), param(at));
        }
        true
    });
    found
}

fn param(at: Spot<'_>) -> Param {
    Param {
        at: at.place(),
        location: Location::Query,
        r#type: None,
        required: false,
        container: false,
    }
}

/// The parameters that the case of each channel reads.
fn channels(file: &File) -> BTreeMap<String, Params> {
    let mut found = BTreeMap::<String, Params>::new();
    file.root().walk(|case| {
        let name = case.field("value").filter(|value| {
            case.kind() == "switch_case" && value.kind() == "string" && !value.text().contains('/')
        });
        if let Some(name) = name {
            let known = found.entry(unquoted(name).to_owned()).or_default();
            known.extend(members(case));
        }
        true
    });
    found
}

/// What the case of a path reads: what the channels read that it names, and what the names that it looks at were made of.
fn read_by(case: Spot<'_>, channels: &BTreeMap<String, Params>) -> Params {
    let mut found = members(case);
    let around = case.parent().and_then(Spot::parent).and_then(Spot::parent);
    case.walk(|at| {
        match at.kind() {
            "string" => found.extend(channels.get(unquoted(at)).cloned().unwrap_or_default()),
            "identifier" => {
                let declared = around.into_iter().flat_map(Spot::children);
                let declared = declared.flat_map(Spot::children).filter(|declared| {
                    declared.kind() == "variable_declarator"
                        && declared.field("name").is_some_and(|name| name.text() == at.text())
                });
                found.extend(declared.flat_map(members));
            }
            _ => {}
        }
        true
    });
    found
}

/// The token in the query, which every stream takes.
fn token(file: &File) -> Option<(String, Param)> {
    let mut found = None;
    file.root().walk(|at| {
        let is_token =
            matches!(at.kind(), "property_identifier" | "shorthand_property_identifier_pattern")
                && at.text() == "access_token";
        if is_token {
            found.get_or_insert_with(|| ("access_token".to_owned(), param(at)));
        }
        found.is_none()
    });
    found
}

fn unquoted(at: Spot<'_>) -> &str {
    at.text().trim_matches(['\'', '"'])
}

/// The words of a switch: the names of channels, and what a socket may be told to do.
fn words(switch: Spot<'_>, found: &mut BTreeMap<String, Enumeration>) {
    let cases = switch.field("body").map(Spot::children).unwrap_or_default();
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
    let declared = || Enumeration { at: at.place(), values: BTreeMap::new() };
    let known = found.entry(name).or_insert_with(declared);
    for at in words {
        known.note(unquoted(at).to_owned(), at.place(), Use::Accepted);
    }
}

/// The events that the program's workers and services publish: `{ event: :update, payload: .. }`.
pub(super) fn events(files: &[File], found: &mut BTreeMap<String, Enumeration>) {
    for file in files {
        file.root().walk(|hash| {
            let is_hash = matches!(hash.kind(), "hash" | "argument_list");
            if is_hash
                && let Some(event) = value_of(hash, "event")
                && (value_of(hash, "payload").is_some() || hash.children().len() == 1)
            {
                event.walk(|at| {
                    let word = ruby::name(at).filter(|_| at.kind() != "hash_key_symbol");
                    let is_word = word.is_some();
                    if let Some(word) = word {
                        let known = found.entry("events".to_owned());
                        let known = known.or_insert_with(|| Enumeration {
                            at: at.place(),
                            values: BTreeMap::new(),
                        });
                        known.note(word, at.place(), Use::Sent);
                    }
                    !is_word
                });
            }
            true
        });
    }
}

/// The value of a key that is written out.
fn value_of<'s>(hash: Spot<'s>, key: &str) -> Option<Spot<'s>> {
    let pairs = hash.children().into_iter();
    let mut pairs = pairs.filter(|pair| {
        pair.kind() == "pair"
            && pair.field("key").and_then(ruby::name).is_some_and(|name| name == key)
    });
    pairs.next()?.field("value")
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
