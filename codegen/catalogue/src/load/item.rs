//! Decoding of one item, with a report of every problem in it.
//!
//! serde stops at the first error, so decoding is repeated without the node that caused it.

use serde::de::DeserializeOwned;

use super::de::{Error, Kind, Omitted, Reader, Wanted};
use super::explain::explain;
use super::text::quote;
use crate::causes::SECTIONS;
use crate::diagnostic::Diagnostic;
use crate::map::IndexMap;
use crate::model::Mistake;
use crate::source::FileId;
use crate::source::tree::{Content, Scalar, YamlNode};

/// The most errors of one item that are reported one by one: each costs another attempt.
const ATTEMPTS: usize = 64;

/// The keys whose value is JSON, where null is a value.
const MAY_BE_NULL: [&str; 3] = ["default", "documents", "supplement"];

/// The keys whose text says something to people, and nothing where it is blank.
const PROSE: [&str; 10] =
    ["area", "at", "letter", "name", "note", "older_because", "revision", "title", "when", "why"];

/// The words that stand for a text that somebody has still to write.
const UNFINISHED: [&str; 2] = ["TODO", "FIXME"];

/// Decodes the items of a file.
pub(super) struct Decoder<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
    pub(super) root: &'a YamlNode,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// An item could not be kept.
    pub(super) lost: bool,
    omitted: Omitted,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(file: FileId, text: &'a str, root: &'a YamlNode) -> Self {
        Self { file, text, root, diagnostics: Vec::new(), lost: false, omitted: Omitted::default() }
    }

    /// Decodes each item of a section. What contains the section is then decoded as if the section were empty.
    pub(super) fn each<T>(
        &mut self,
        owner: &'a YamlNode,
        section: &str,
        decode: fn(&mut Self, &'a YamlNode) -> Option<T>,
    ) -> Option<IndexMap<String, T>> {
        let section = owner.child(section)?;
        let Content::Map(_) = section.content else {
            return None;
        };
        let items = self.items(section, decode);
        Some(items.filter_map(|(key, item)| Some((key?.to_owned(), item?))).collect())
    }

    /// The same for a list of items, each with its number.
    pub(super) fn list<T>(
        &mut self,
        owner: &'a YamlNode,
        section: &str,
        decode: fn(&mut Self, &'a YamlNode) -> Option<T>,
    ) -> Option<Vec<(usize, T)>> {
        let section = owner.child(section)?;
        let Content::List(_) = section.content else {
            return None;
        };
        let items = self.items(section, decode).enumerate();
        Some(items.filter_map(|(number, (_, item))| Some((number, item?))).collect())
    }

    /// Reads a list of statuses, `errors: [401, 404]`, and leaves it out of what contains it.
    pub(super) fn statuses(&mut self, owner: &'a YamlNode, section: &str) -> Option<Vec<String>> {
        let list = owner.child(section)?;
        let Content::List(elements) = &list.content else {
            return None;
        };
        let mut statuses = Vec::with_capacity(elements.len());
        for element in elements {
            match element.content {
                Content::Scalar(Scalar::Integer(status)) => statuses.push(status.to_string()),
                _ => self.report(&Kind::Type(Wanted::Whole(599)), element),
            }
        }
        self.report_repeated(list);
        self.omitted.add(list);
        Some(statuses)
    }

    fn items<T>(
        &mut self,
        section: &'a YamlNode,
        decode: fn(&mut Self, &'a YamlNode) -> Option<T>,
    ) -> impl Iterator<Item = (Option<&'a str>, Option<T>)> {
        section.children().map(move |(key, node)| {
            let item = if self.omitted.has(node) { None } else { decode(self, node) };
            self.omitted.add(node);
            (key, item)
        })
    }

    /// Whether a node is a map, as every item is.
    pub(super) fn is_map(&mut self, node: &YamlNode) -> bool {
        let is_map = matches!(node.content, Content::Map(_));
        if !is_map {
            self.report(&Kind::Type(Wanted::Map), node);
            self.lost = true;
        }
        is_map
    }

    /// Decodes an item whose whole form serde knows.
    pub(super) fn item<T: DeserializeOwned>(&mut self, node: &'a YamlNode) -> Option<T> {
        if !self.is_map(node) {
            return None;
        }
        for _ in 0..ATTEMPTS {
            match T::deserialize(Reader::new(node, &self.omitted)) {
                Ok(item) => {
                    // Evidence that is indented too little reads as an item.
                    for stray in
                        SECTIONS.iter().filter_map(|key| node.child(key)?.child("evidence"))
                    {
                        self.report(&Kind::Empty, stray);
                    }
                    self.report_empty(node);
                    return Some(item);
                }
                Err(error) if self.omit(node, &error) => {}
                Err(_) => {
                    self.lost = true;
                    return None;
                }
            }
        }
        self.lost = true;
        self.report(&Kind::TooMany(ATTEMPTS), node);
        None
    }

    /// Reports an error and leaves out its cause; whether anything is left to decode.
    fn omit(&mut self, item: &'a YamlNode, error: &Error) -> bool {
        let way = item.way_to(error.node.unwrap_or(item.number));
        let Some(((_, node), around)) = way.split_last() else {
            return false;
        };
        if let (Kind::UnknownKey(known), Some((_, map))) = (&error.kind, around.last()) {
            return self.omit_unknown(map, &error.kind, known);
        }
        // One list that should be a list of lists is one mistake.
        let is_flat = |list: &&YamlNode| {
            matches!(error.kind, Kind::Type(Wanted::Tuple(_)))
                && matches!(&list.content, Content::List(all) if all.iter().all(is_scalar))
        };
        let node = around.last().map(|(_, outer)| *outer).filter(is_flat).unwrap_or(node);
        if !self.is_explained(node, &error.kind) {
            self.report(&error.kind, node);
        }
        self.omitted.add(node);
        !around.is_empty()
    }

    /// Whether an error is only a consequence of what was left out.
    fn is_explained(&self, node: &YamlNode, kind: &Kind) -> bool {
        match kind {
            Kind::MissingKey(name) => node.child(name).is_some_and(|one| self.omitted.has(one)),
            Kind::Length(_) => node.children().any(|(_, one)| self.omitted.has(one)),
            _ => false,
        }
    }

    /// Reports and leaves out all unknown keys of a map at once: there may be thousands.
    fn omit_unknown(&mut self, map: &'a YamlNode, kind: &Kind, known: &[&str]) -> bool {
        for (key, node) in map.children() {
            let is_unknown = key.is_some_and(|key| !known.contains(&key));
            if is_unknown && !self.omitted.has(node) {
                self.report(kind, node);
                self.omitted.add(node);
            }
        }
        true
    }

    /// Reports what serde takes as it is, but somebody forgot or wrote twice: keys without a value, texts of no
    /// character, and repeated elements of a list.
    fn report_empty(&mut self, node: &'a YamlNode) {
        self.report_repeated(node);
        for (key, child) in node.children() {
            let is_json = key.is_some_and(|key| MAY_BE_NULL.contains(&key));
            if self.omitted.has(child) || is_json {
                continue;
            }
            let is_blank = key.is_none_or(|key| PROSE.contains(&key))
                && child.text().is_some_and(|text| text.trim().is_empty());
            let is_unfinished = |text: &str| UNFINISHED.iter().any(|word| text.contains(word));
            if child.text().is_some_and(is_unfinished) {
                let message = "the text is still to be written";
                let problem =
                    Diagnostic::at("unfinished-text", self.file, child.span.content(), message);
                self.diagnostics.push(problem.help("write it"));
            } else if self.ends_with_a_lone_quote(child) {
                let message = "the text ends with a quote that nothing opens";
                let problem =
                    Diagnostic::at("unfinished-text", self.file, child.span.content(), message);
                self.diagnostics.push(problem.help("put the whole text in quotes"));
            } else if child.is_null() && key.is_some() || is_blank {
                self.report(&Kind::Empty, child);
            } else {
                self.report_empty(child);
            }
        }
    }

    /// Whether a text without quotes ends with one. A mark of quotation in a sentence has its fellow before it.
    fn ends_with_a_lone_quote(&self, node: &YamlNode) -> bool {
        let written = self.text.get(node.span.content()).unwrap_or_default().trim_end();
        let is_plain = node.text().is_some() && !written.starts_with(['"', '\'', '|', '>']);
        is_plain && written.ends_with('"') && written.matches('"').count() % 2 == 1
    }

    fn report_repeated(&mut self, list: &'a YamlNode) {
        let Content::List(elements) = &list.content else {
            return;
        };
        // A stretch of releases that ends where it begins is told as such.
        let is_version =
            |one: &YamlNode| one.text().is_some_and(|text| Mistake::of_version(text).is_none());
        if elements.len() == 2 && elements.iter().all(is_version) {
            return;
        }
        let mut seen: IndexMap<String, &YamlNode> = IndexMap::default();
        for element in elements.iter().filter(|one| !self.omitted.has(one)) {
            let first = seen.entry(element.one_line()).or_insert(element);
            if first.number != element.number {
                let span = element.span.content();
                let message = format!("{} stands twice in the list", quote(&element.one_line()));
                let problem = Diagnostic::at("duplicate-element", self.file, span, message)
                    .related(self.file, first.span.content(), "it stands here first")
                    .help("remove one of the two");
                self.diagnostics.push(problem);
            }
        }
    }

    /// Reports a key that is written wrongly.
    pub(super) fn refuse_key(&mut self, node: &YamlNode, mistake: Mistake) {
        let problem = Diagnostic::at(mistake.code, self.file, node.span.name(), mistake.message);
        self.diagnostics.push(problem.help(mistake.help));
    }

    fn report(&mut self, kind: &Kind, node: &YamlNode) {
        let way = self.root.way_to(node.number);
        self.diagnostics.push(explain(kind, self.file, self.text, &way));
    }
}

fn is_scalar(node: &YamlNode) -> bool {
    matches!(node.content, Content::Scalar(_))
}
