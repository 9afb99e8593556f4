//! Every statement about an item, layer by layer.

use serde_yaml::Value;

use fedispec_model::api::{Api, Dispute, Since};
use fedispec_reader::load::{Catalogue, LayerFile};

use super::subject::Subject;

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
const PER_PROGRAM: [&str; 6] = [
    "since",
    "works_since",
    "deprecated",
    "removed",
    "absent",
    "changed",
];
const UNKNOWN: &str = "unknown";

/// A fact and who says what of it, the one that holds first.
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) statements: Vec<Statement>,
}

/// What a line of a layer says.
pub(super) struct Statement {
    pub(super) value: String,
    pub(super) place: String,
    pub(super) evidence: String,
}

/// Every fact about the subject: Since first, then the rest as the layers give it.
pub(super) fn facts(catalogue: &Catalogue, api: &Api, subject: &Subject<'_>) -> Vec<Fact> {
    let mut facts = Facts::default();
    for (program, life) in api.programs.iter().zip(&subject.item.life) {
        let name = format!("since.{}", program.key);
        facts.of(&name);
        if life.at.is_none() && life.since != Since::Unknown {
            let from = subject
                .item
                .id
                .rsplit_once('.')
                .map_or("its parts", |(container, _)| container);
            facts.add(
                &name,
                String::from(life.since.clone()),
                format!("inherited from {from}"),
                String::new(),
            );
        }
    }
    for layer in &catalogue.layers {
        for file in &layer.files {
            read_file(&mut facts, &Reader { catalogue, file }, subject);
        }
    }
    for dispute in api
        .disputes
        .iter()
        .filter(|dispute| dispute.item == subject.item.id)
    {
        facts.settle(catalogue, api, dispute);
    }
    facts.list.retain(|fact| !fact.statements.is_empty());
    facts.list
}

#[derive(Default)]
struct Facts {
    list: Vec<Fact>,
}

impl Facts {
    fn of(&mut self, name: &str) -> &mut Fact {
        let at = self
            .list
            .iter()
            .position(|fact| fact.name == name)
            .unwrap_or_else(|| {
                self.list.push(Fact {
                    name: name.to_owned(),
                    statements: Vec::new(),
                });
                self.list.len() - 1
            });
        &mut self.list[at]
    }

    /// A known value goes before what stood so far; an unknown one after it.
    fn add(&mut self, name: &str, value: String, place: String, evidence: String) {
        let statements = &mut self.of(name).statements;
        let at = if value == UNKNOWN {
            statements.len()
        } else {
            0
        };
        statements.insert(
            at,
            Statement {
                value,
                place,
                evidence,
            },
        );
    }

    fn settle(&mut self, catalogue: &Catalogue, api: &Api, dispute: &Dispute) {
        let value = if dispute.supplement_holds {
            &dispute.supplement
        } else {
            &dispute.documents
        };
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let file = api
            .files
            .get(dispute.at.0 as usize)
            .map_or("", String::as_str);
        let shown = catalogue
            .sources
            .files()
            .find(|id| catalogue.sources.path(*id) == file);
        let place = format!(
            "{}:{}",
            shown.map_or_else(
                || file.to_owned(),
                |id| catalogue.sources.display_path(id).to_owned()
            ),
            dispute.at.1
        );
        let sources = &catalogue.implementations.sources;
        let source = sources
            .iter()
            .find(|(_, source)| dispute.evidence.source.starts_with(&source.title))
            .map_or(dispute.evidence.source.as_str(), |(name, _)| name);
        let evidence = format!("{:?} {source} (dispute)", dispute.evidence.class);
        self.of(&dispute.fact).statements.insert(
            0,
            Statement {
                value,
                place,
                evidence,
            },
        );
    }
}

/// A file of a layer, and what its lines mean.
struct Reader<'a> {
    catalogue: &'a Catalogue,
    file: &'a LayerFile,
}

fn read_file(facts: &mut Facts, reader: &Reader<'_>, subject: &Subject<'_>) {
    let path = subject.path();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let sources = &reader.catalogue.sources;
    if sources.span(reader.file.file, &path).is_none() {
        return;
    }
    let Ok(root) = serde_yaml::from_str::<Value>(sources.text(reader.file.file)) else {
        return;
    };
    let stated = get(&root, &path).and_then(Value::as_mapping);
    for (key, value) in stated.into_iter().flatten() {
        let Some(key) = key.as_str().filter(|key| !NO_FACTS.contains(key)) else {
            continue;
        };
        if let Some(programs) = value.as_mapping().filter(|_| PER_PROGRAM.contains(&key)) {
            for (program, value) in programs {
                let Some(program) = program.as_str() else {
                    continue;
                };
                let at = [&path[..], &[key, program]].concat();
                facts.add(
                    &format!("{key}.{program}"),
                    plain(value),
                    reader.place(&at),
                    reader.evidence(&root, &path, program),
                );
            }
        } else {
            let at = [&path[..], &[key]].concat();
            facts.add(
                key,
                plain(value),
                reader.place(&at),
                reader.evidence(&root, &path, "shape"),
            );
        }
    }
    read_defaults(facts, reader, subject, &root);
}

/// What the head of the file says for every item that is silent.
fn read_defaults(facts: &mut Facts, reader: &Reader<'_>, subject: &Subject<'_>, root: &Value) {
    let path = subject.path();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let stated = |keys: &[&str]| get(root, &[&path[..], keys].concat()).is_some();
    for (program, value) in get(root, &["defaults", "since"])
        .and_then(Value::as_mapping)
        .filter(|_| subject.is_item())
        .into_iter()
        .flatten()
    {
        let Some(program) = program
            .as_str()
            .filter(|program| !stated(&["since", program]))
        else {
            continue;
        };
        let place = reader.place(&["defaults", "since", program]);
        facts.add(
            &format!("since.{program}"),
            plain(value),
            place,
            "(of the whole file)".to_owned(),
        );
    }
    let unknown = get(root, &["defaults", UNKNOWN]).and_then(Value::as_sequence);
    for (index, fact) in unknown.into_iter().flatten().enumerate() {
        let Some(fact) = fact
            .as_str()
            .filter(|fact| subject.open_facts().contains(fact))
        else {
            continue;
        };
        if !(stated(&[fact]) || fact == "returns" && stated(&["response"])) {
            let place = reader.place(&["defaults", UNKNOWN, &index.to_string()]);
            facts.add(
                fact,
                UNKNOWN.to_owned(),
                place,
                "(of the whole file)".to_owned(),
            );
        }
    }
}

impl Reader<'_> {
    /// `spec/documents/accounts.yaml:12`
    fn place(&self, path: &[&str]) -> String {
        let sources = &self.catalogue.sources;
        let start = sources.nearest(self.file.file, path).name().start;
        format!(
            "{}:{}",
            sources.display_path(self.file.file),
            sources.line_col(self.file.file, start).0
        )
    }

    /// What proves a statement: said of the item, of what it belongs to, or of the whole file.
    fn evidence(&self, root: &Value, path: &[&str], key: &str) -> String {
        let of_owner = &path[..path.len().min(2)];
        [path, of_owner, &["defaults"]]
            .iter()
            .find_map(|at| get(root, &[at, &["evidence", key][..]].concat()))
            .map_or_else(String::new, |evidence| self.evidence_text(evidence))
    }

    fn evidence_text(&self, evidence: &Value) -> String {
        let detail = |key| evidence.get(key).and_then(Value::as_str);
        let Some(name) = evidence.as_str().or_else(|| detail("source")) else {
            return String::new();
        };
        let source = self.catalogue.implementations.sources.get(name);
        let class = detail("class")
            .map(str::to_owned)
            .or_else(|| source.map(|source| format!("{:?}", source.class)));
        let mut text = format!("{} {name}", class.unwrap_or_default());
        for extra in [detail("at"), detail("note")].into_iter().flatten() {
            text.push_str(", ");
            text.push_str(extra);
        }
        text
    }
}

/// The node that the keys lead to; a status is a number in YAML.
fn get<'v>(root: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(root, |at, key| {
        at.get(*key)
            .or_else(|| at.get(key.parse::<u64>().ok().map(Value::from)?))
    })
}

/// A value on one line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}
