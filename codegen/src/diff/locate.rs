//! Where both states say what differs: the line of the fact, not of the item, and as the reader's folder has it.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::report::{Change, Place, Report, Side};
use crate::show;
use fedispec_model::api::Api;
use fedispec_reader::load::Catalogue;
use fedispec_reader::model::Source;

/// A state, with what its places are found by.
#[derive(Debug)]
pub struct State<'a> {
    /// What was compared.
    pub api: &'a Api,
    /// Its texts, where it was not read from the resolved form.
    pub catalogue: Option<&'a Catalogue>,
    /// What it is called, and the folder that goes before its places.
    pub side: &'a Side,
}

/// The keys of the facts that rules are about, by what a rule's name holds; the first that fits.
const FACTS: [(&str, &[&str]); 34] = [
    ("works-since", &["effective_since"]),
    ("since-", &["since"]),
    ("item-added", &["since"]),
    ("frozen-fact", &["since", "deprecated", "removed"]),
    ("absence-", &["absent"]),
    ("change-", &["changed"]),
    ("deprecated-", &["deprecated"]),
    ("removed-", &["removed"]),
    ("replacement-", &["replacement"]),
    ("item-renamed", &["renamed_from"]),
    ("wire-name", &["wire"]),
    ("rust-name", &["rust"]),
    ("path-", &["path"]),
    ("method-", &["method"]),
    ("request-encoding", &["body"]),
    ("auth-", &["auth"]),
    ("token-kind", &["auth"]),
    ("scope-", &["auth"]),
    ("role-", &["auth"]),
    ("pagination-", &["paging"]),
    ("success-status", &["success"]),
    ("error-", &["errors"]),
    ("response-", &["returns", "response"]),
    ("param-location", &["in"]),
    ("param-default", &["default"]),
    ("param-limit", &["max", "min", "max_length", "max_items"]),
    ("-nullable", &["nullable"]),
    ("-required", &["required", "optional", "when"]),
    ("-optional", &["required", "optional", "when"]),
    ("presence-note", &["when", "optional"]),
    ("-type-", &["type"]),
    ("-format-", &["format", "type"]),
    ("provenance-", &["evidence"]),
    ("docs-only", &["summary", "notes"]),
];

impl Report {
    /// Names both states, and says where each of them states what differs.
    pub fn locate(&mut self, base: &State<'_>, head: &State<'_>) {
        self.base.clone_from(base.side);
        self.head.clone_from(head.side);
        let (before, after) = (Finder::new(base), Finder::new(head));
        for change in &mut self.changes {
            let (was, is) = (before.place(change), after.place(change));
            change.base_at = was.or(change.base_at.take());
            let left_over = || after.left_over(change.base_at.as_ref()?);
            change.head_at = is.or(change.head_at.take()).or_else(left_over);
        }
        self.prefix();
        if let Some(catalogue) = head.catalogue {
            self.name_sources(&catalogue.implementations.sources);
        }
    }

    /// Sources go by the names that the files call them by: titles are long.
    fn name_sources(&mut self, sources: &IndexMap<String, Source>) {
        let proofs = self
            .changes
            .iter_mut()
            .flat_map(|change| &mut change.evidence);
        for proof in proofs {
            let named = sources.iter().find_map(|(name, source)| {
                let title = source.full_title();
                Some((name, proof.r#ref.strip_prefix(&title)?))
            });
            if let Some((name, rest)) = named {
                proof.r#ref = format!("{name}{rest}");
            }
        }
    }

    /// Puts the folders before the places.
    fn prefix(&mut self) {
        for change in &mut self.changes {
            for (place, side) in [
                (&mut change.base_at, &self.base),
                (&mut change.head_at, &self.head),
            ] {
                if let Some(place) = place.as_mut().filter(|_| !side.folder.is_empty()) {
                    place.file = format!("{}/{}", side.folder, place.file);
                }
            }
        }
    }
}

/// The places of a state.
struct Finder<'a> {
    state: &'a State<'a>,
    /// The keys that lead to an item in a file, by its kind and id.
    paths: HashMap<(&'static str, &'a str), Vec<String>>,
}

impl<'a> Finder<'a> {
    fn new(state: &'a State<'a>) -> Self {
        let paths = match state.catalogue {
            Some(_) => show::paths(state.api),
            None => HashMap::new(),
        };
        Self { state, paths }
    }

    /// The fact's place, else the item's own in the topmost layer.
    fn place(&self, change: &Change) -> Option<Place> {
        let catalogue = self.state.catalogue?;
        let item = self.item(change)?;
        let item: Vec<&str> = item.iter().map(String::as_str).collect();
        let mut of_facts = facts(change).into_iter();
        of_facts
            .find_map(|fact| top(catalogue, &[&item[..], &fact].concat()))
            .or_else(|| top(catalogue, &item))
    }

    /// The keys that lead to what a change is about.
    fn item(&self, change: &Change) -> Option<Vec<String>> {
        let id = change.item.id.as_str();
        let key = match change.item.kind.as_str() {
            "program" => "programs",
            "group" => "groups",
            "tombstone" => "tombstones",
            kind => {
                let kinds = [
                    "operation",
                    "param",
                    "field",
                    "response",
                    "entity",
                    "enum",
                    "value",
                ];
                let kind = kinds.into_iter().find(|known| *known == kind)?;
                return self.paths.get(&(kind, id)).cloned();
            }
        };
        Some(vec![key.to_owned(), id.to_owned()])
    }

    /// The head of the file where something stood that went without a trace.
    fn left_over(&self, base: &Place) -> Option<Place> {
        let there = self.state.api.files.contains(&base.file);
        there.then(|| Place {
            file: base.file.clone(),
            line: 1,
            col: None,
        })
    }
}

/// The keys below an item that a change is about, the likeliest first.
fn facts(change: &Change) -> Vec<Vec<&str>> {
    let rule = change.rule.rule().id;
    let program = change.implementation.as_deref();
    if rule.starts_with("release-") {
        let version = change.new.as_deref().or(change.old.as_deref());
        return version
            .map(|version| vec!["releases", version])
            .into_iter()
            .collect();
    }
    let (_, keys) = FACTS
        .iter()
        .find(|(part, _)| rule.contains(part))
        .unwrap_or(&("", &[]));
    let of_program = keys.iter().filter_map(|key| Some(vec![*key, program?]));
    of_program
        .chain(keys.iter().map(|key| vec![*key]))
        .collect()
}

/// Where the topmost layer that has the node has it.
fn top(catalogue: &Catalogue, path: &[&str]) -> Option<Place> {
    let sources = &catalogue.sources;
    let layers = catalogue.layers.iter().rev();
    let files = layers.flat_map(|layer| layer.files.iter().map(|file| file.file));
    let mut files = files.chain([catalogue.implementations_file]);
    files.find_map(|file| {
        let (line, col) = sources.line_col(file, sources.span(file, path)?.name().start);
        Some(Place {
            file: sources.path(file).to_owned(),
            line: u32::try_from(line).ok()?,
            col: u32::try_from(col).ok(),
        })
    })
}
