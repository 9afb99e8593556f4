//! The statements of the layers about one item: each fact with its value, line and evidence, as `show` prints them.

use fedispec_model::api::Layer;
use fedispec_model::change::ChangedFact;

use crate::load::{Catalogue, LayerKind};
use crate::merge::{Merged, Stated};
use crate::model::{Evidence, FactName};
use crate::problems::{NodePath, Problems};
use crate::source::FileId;
use crate::source::tree::YamlNode;

/// A line that states a fact of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement<'a> {
    /// `type`, `since.mastodon`
    pub fact: String,
    /// The value on one line.
    pub value: String,
    /// The file that it stands in.
    pub file: FileId,
    /// The line, from 1.
    pub line: usize,
    /// Its evidence.
    pub evidence: Option<&'a Evidence>,
    /// Whether it is a default of the file, which holds for every item that states nothing else.
    pub by_default: bool,
}

/// Keys that hold other items, or say something about statements rather than about the API.
const NO_FACTS: [&str; 9] = [
    "params",
    "response",
    "fields",
    "values",
    "errors",
    "evidence",
    "summary",
    "notes",
    "documented_as",
];
/// Keys whose value is a map by program.
const PER_PROGRAM: [&str; 12] = [
    "since",
    "works_since",
    "stub",
    "deprecated",
    "removed",
    "absent",
    "changed",
    "also",
    "unlisted_values",
    "several",
    "refused",
    "missing",
];

/// The key of `evidence` under which a program's proof of a key stands whose value is a map by program only where the programs differ.
pub(crate) fn proofs_of(key: &str) -> Option<&'static str> {
    if key == "auth" { Some("auth") } else { ChangedFact::is_by_program(key).then_some("facts") }
}

/// Lists the facts about the item under a path, from the lowest layer up. A file's defaults come after its statement
/// about the item.
pub fn statements<'a>(catalogue: &'a Catalogue, path: &[&str]) -> Vec<Statement<'a>> {
    let mut problems = Problems::new(&catalogue.sources);
    let merged = Merged::new(catalogue, Layer::Full, &mut problems);
    let mut collector = Collector { catalogue, problems: &problems, found: Vec::new() };
    let said = merged.said(path);
    for one in &said {
        collector.own(one);
        // The folder of a program says nothing of all where the catalogue has the item.
        if one.kind != LayerKind::Program || said[0].kind == LayerKind::Program {
            collector.defaults(one, path);
        }
    }
    if said.iter().any(|one| one.kind != LayerKind::Documents) {
        collector.usual(path);
    }
    collector.found
}

struct Collector<'a, 'p> {
    catalogue: &'a Catalogue,
    problems: &'p Problems<'a>,
    found: Vec<Statement<'a>>,
}

impl<'a> Collector<'a, '_> {
    /// Adds the facts of a file's statement.
    fn own(&mut self, said: &Stated<'a>) {
        for key in self.keys(&said.place) {
            if NO_FACTS.contains(&key) {
                continue;
            }
            let place = said.place.then(key);
            let programs = self.keys(&place);
            if let Some(proofs) = proofs_of(key) {
                self.by_value(said, (key, proofs), &place, &programs);
            } else if PER_PROGRAM.contains(&key) {
                for program in programs {
                    let evidence = said.proof(program);
                    self.add(format!("{key}.{program}"), &place.then(program), evidence, false);
                }
            } else {
                self.add(key.into(), &place, said.proof("shape"), false);
            }
        }
    }

    /// Adds a fact: for all programs at once, or for each. What proves it of one program is named there.
    fn by_value(
        &mut self,
        said: &Stated<'a>,
        (fact, proofs): (&str, &str),
        place: &NodePath<'_>,
        keys: &[&'a str],
    ) {
        let programs = self.catalogue.implementations.programs.keys();
        let is_each = programs.clone().any(|program| keys.contains(&program.as_str()));
        if !is_each {
            self.add(fact.into(), place, said.proof("shape"), false);
        }
        for program in programs {
            let fact = format!("{fact}.{program}");
            let own = said.proof(&format!("{proofs}.{program}"));
            if !is_each && own.is_some() && proofs == "auth" {
                self.add(fact, place, own, false);
            } else if keys.contains(&program.as_str()) {
                let evidence = own.or_else(|| said.proof("shape"));
                self.add(fact, &place.then(program), evidence, false);
            }
        }
    }

    /// Adds the file's defaults for facts that the statement leaves out.
    fn defaults(&mut self, said: &Stated<'a>, path: &[&str]) {
        let defaults = NodePath::root(said.place.file).then("defaults");
        // Entities are no items: they have no Since of their own.
        if !matches!(path, ["entities", _]) {
            let since = defaults.then("since");
            let own = said.place.then("since");
            for program in said.defaults.since.keys() {
                if !self.problems.stands(&own.then(program)) {
                    self.add(format!("since.{program}"), &since.then(program), None, true);
                }
            }
        }
        let open = open_facts(path);
        for (number, fact) in said.defaults.unknown.iter().enumerate() {
            let key = fact.key();
            let stands = |key: &'static str| self.problems.stands(&said.place.then(key));
            let stated = stands(key) || *fact == FactName::Returns && stands("response");
            if open.contains(fact) && !stated {
                let place = defaults.then("unknown").then(number.to_string());
                self.add(key.into(), &place, None, true);
                if let Some(last) = self.found.last_mut() {
                    last.value = "unknown".into();
                }
            }
        }
    }

    /// Adds what the catalogue says once of the facts that no layer states.
    fn usual(&mut self, path: &[&str]) {
        let file = self.catalogue.implementations_file;
        let defaults = NodePath::root(file).then("defaults");
        for fact in open_facts(path).iter().filter(|fact| **fact != FactName::Errors) {
            let place = defaults.then(fact.key());
            let said =
                self.found.iter().any(|one| one.fact == fact.key() && one.value != "unknown");
            if !said && self.problems.stands(&place) {
                self.add(fact.key().into(), &place, None, true);
            }
        }
    }

    fn keys(&self, place: &NodePath<'_>) -> Vec<&'a str> {
        let node = self.catalogue.sources.node(place.file, &place.keys());
        node.into_iter().flat_map(|node| node.children().filter_map(|(key, _)| key)).collect()
    }

    fn add(
        &mut self,
        fact: String,
        place: &NodePath<'_>,
        evidence: Option<&'a Evidence>,
        by_default: bool,
    ) {
        let sources = &self.catalogue.sources;
        let node = sources.node(place.file, &place.keys());
        self.found.push(Statement {
            fact,
            value: node.map_or_else(String::new, YamlNode::one_line),
            file: place.file,
            line: sources.line_col(place.file, self.problems.key_span(place).start).0,
            evidence,
            by_default,
        });
    }
}

/// The facts that a file's `defaults.unknown` may speak of for an item of that kind.
fn open_facts(path: &[&str]) -> &'static [FactName] {
    use FactName as F;
    match path {
        ["operations", _] => {
            &[F::Method, F::Path, F::Auth, F::Returns, F::Success, F::Errors, F::Paging]
        }
        [.., "params", _] => &[F::In, F::Type, F::Required, F::Default, F::Nullable],
        ["entities", _] => &[F::Fields],
        ["enums", _] => &[F::Values],
        [.., "fields" | "response", _] => &[F::Type, F::Nullable, F::Optional],
        _ => &[],
    }
}
