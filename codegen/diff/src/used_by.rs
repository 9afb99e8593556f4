//! The items that a program uses: its Rust sources are searched for the items' Rust paths and ids.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::change::ItemRef;
use super::index::{Index, IndexedItem};
use fedispec_model::api::{Api, Operation, Since};
use fedispec_since::StableVersion;

/// A Rust file of the program: its path and text.
pub type Source = (String, String);

/// The items of two states that a program uses.
#[derive(Debug)]
pub struct Usage<'a> {
    words: Words<'a>,
    uses: BTreeSet<String>,
    /// The least release that has all it uses, before and after, by program.
    pub minimum: BTreeMap<String, (String, String)>,
    /// How many files were read.
    pub files: usize,
}

impl<'a> Usage<'a> {
    /// Searches the sources for what either state has.
    pub fn of(old: &Api, new: &Api, sources: &'a [Source]) -> Self {
        let words = Words::of(sources);
        let (before, after) = (Index::new(old), Index::new(new));
        let mut uses = words.uses(&before);
        uses.extend(words.uses(&after));
        let least = |index: &Index<'_>, program: &str| minimum(index, program, &uses);
        let programs = new.programs.iter().map(|program| &program.key);
        let minimum = programs.map(|key| (key.clone(), (least(&before, key), least(&after, key))));
        Self { minimum: minimum.collect(), files: sources.len(), words, uses }
    }

    /// How many items the program uses.
    pub fn count(&self) -> usize {
        self.uses.len()
    }

    /// Where the program uses an item, if it does.
    pub fn places(&self, item: &ItemRef) -> Option<Vec<String>> {
        let path = item.rust.as_deref().unwrap_or(&item.id);
        let used = self.uses.contains(&item.id);
        used.then(|| self.words.places(path))
    }
}

/// The entities that operations take or answer, with all that stands in them.
fn held<'a>(index: &Index<'a>, operations: &[&'a Operation]) -> HashSet<&'a str> {
    let mut types = Vec::new();
    for operation in operations {
        operation.returns.names(&mut types);
        operation.params.iter().for_each(|param| param.r#type.names(&mut types));
    }
    let mut held = HashSet::new();
    while let Some(id) = types.pop() {
        if held.insert(id) {
            let fields = index.entity(id).into_iter().flat_map(|entity| &entity.fields);
            fields.for_each(|field| field.r#type.names(&mut types));
        }
    }
    held
}

/// The least release that has everything that is used.
fn minimum(index: &Index<'_>, program: &str, uses: &BTreeSet<String>) -> String {
    let Some(at) = index.api.column(program) else {
        return "unknown".into();
    };
    let mut least = StableVersion::FIRST;
    let lives = index
        .nodes
        .iter()
        .filter(|node| uses.contains(&node.item().id))
        .filter(|node| matches!(node, IndexedItem::Operation(_) | IndexedItem::Param(..)));
    for life in lives.filter_map(|node| node.item().life.get(at)) {
        match life.effective {
            Since::Since(version) => least = least.max(version),
            Since::Never => return "none".into(),
            Since::Unknown => return "unknown".into(),
        }
    }
    least.to_string()
}

/// The identifiers of the sources, and where they stand.
#[derive(Debug)]
struct Words<'a> {
    at: HashMap<&'a str, BTreeSet<(&'a str, usize)>>,
    /// The text of a string literal.
    quoted: HashSet<&'a str>,
}

impl<'a> Words<'a> {
    fn of(sources: &'a [Source]) -> Self {
        let mut words = Self { at: HashMap::new(), quoted: HashSet::new() };
        for (path, text) in sources {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or(line);
                words.quoted.extend(code.split('"').skip(1).step_by(2));
                let all = code.split(|c: char| !c.is_alphanumeric() && c != '_');
                for word in all.filter(|word| !word.is_empty()) {
                    let places = words.at.entry(word).or_default();
                    places.insert((path.as_str(), number + 1));
                }
            }
        }
        words
    }

    /// Lists the ids of the items used: operations and types by name, fields also where an operation that is used
    /// answers them.
    fn uses(&self, index: &Index<'_>) -> BTreeSet<String> {
        let mut uses = BTreeSet::new();
        let mut operations = Vec::new();
        for node in index.nodes.iter().filter(|node| self.names(index, **node)) {
            uses.insert(node.item().id.clone());
            if let IndexedItem::Operation(operation) = node {
                operations.push(*operation);
            }
        }
        let held = held(index, &operations);
        for node in &index.nodes {
            if let IndexedItem::Field(entity, field) = node
                && held.contains(entity.item.id.as_str())
                && self.at.contains_key(field.item.rust.as_str())
            {
                uses.insert(field.item.id.clone());
            }
        }
        uses
    }

    /// Where its id stands in quotes, or every part of its Rust path in one file.
    fn names<'i>(&self, index: &Index<'i>, node: IndexedItem<'i>) -> bool {
        self.quoted.contains(node.item().id.as_str()) || self.has(&index.rust_path(node))
    }

    fn has(&self, path: &str) -> bool {
        // The modules need not be written where they are imported together; the type and the member are.
        let parts = path.split("::").filter(|part| !matches!(*part, "entities" | "enums"));
        let files = parts.map(|part| {
            let places = self.at.get(part).into_iter().flatten();
            places.map(|(file, _)| *file).collect::<BTreeSet<_>>()
        });
        let common = files.reduce(|all, here| all.intersection(&here).copied().collect());
        common.is_some_and(|files| !files.is_empty())
    }

    fn places(&self, path: &str) -> Vec<String> {
        let last = path.rsplit("::").next().unwrap_or(path);
        let places = self.at.get(last).into_iter().flatten();
        places.map(|(file, line)| format!("{file}:{line}")).collect()
    }
}
