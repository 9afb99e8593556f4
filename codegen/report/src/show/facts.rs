//! Every statement about an item, layer by layer.

use fedispec_model::api::{Api, Dispute, Since, State};
use fedispec_model::change::plain;
use fedispec_model::reach::Reach;
use fedispec_reader::load::Catalogue;
use fedispec_reader::model::Evidence;
use fedispec_reader::statements;

use super::subject::Subject;

const UNKNOWN: &str = "unknown";

/// A fact and the statements about it; the first one holds.
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) statements: Vec<Statement>,
}

/// One statement of a layer, with its line.
pub(super) struct Statement {
    pub(super) value: String,
    pub(super) place: String,
    pub(super) evidence: String,
}

/// Lists every fact about the subject: Since first, then the others in the order of the layers.
pub(super) fn facts(
    catalogue: &Catalogue,
    api: &Api,
    reach: &Reach<'_>,
    subject: &Subject<'_>,
) -> Vec<Fact> {
    let mut facts = Facts::default();
    let effective = reach.effective(subject.item);
    let lives = subject.item.life.iter().zip(effective);
    for (program, (life, effective)) in api.programs.iter().zip(lives) {
        let name = format!("since.{}", program.key);
        facts.of(&name);
        if life.at.is_none() && life.since != Since::Unknown {
            let from =
                subject.item.id.rsplit_once('.').map_or("its parts", |(container, _)| container);
            facts.add(
                &name,
                life.since.to_string(),
                format!("inherited from {from}"),
                String::new(),
            );
        }
        if effective != life.since {
            facts.add(
                &format!("effective.{}", program.key),
                effective.to_string(),
                "what contains it, and what answers or takes that".into(),
                String::new(),
            );
        }
    }
    let path = subject.path();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    for said in statements(catalogue, &path) {
        let place = format!("{}:{}", catalogue.sources.display_path(said.file), said.line);
        let evidence = if said.by_default {
            "(of the whole file)".to_owned()
        } else {
            said.evidence.map_or_else(String::new, |evidence| evidence_text(catalogue, evidence))
        };
        let has_table = said.fact == "alternatives" || said.fact.starts_with("changed.");
        let value = if has_table { "see below".into() } else { said.value };
        facts.add(&said.fact, value, place, evidence);
    }
    for (program, life) in api.programs.iter().zip(&subject.item.life) {
        for (what, held) in &life.facts {
            if held.state == State::Unknown {
                let place = format!("nobody says it of {}", program.name);
                facts.add(&format!("{what}.{}", program.key), UNKNOWN.into(), place, String::new());
            }
        }
    }
    for dispute in api.disputes.iter().filter(|dispute| dispute.item == subject.item.id) {
        facts.settle(catalogue, api, dispute);
    }
    // An entity that is newer than the one it takes a field over from has the field no earlier, whatever a layer says of that.
    for (program, life) in api.programs.iter().zip(&subject.item.life) {
        let since = life.since.to_string();
        let said = &mut facts.of(&format!("since.{}", program.key)).statements;
        said.sort_by_key(|one| one.value != since);
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
        let at = self.list.iter().position(|fact| fact.name == name).unwrap_or_else(|| {
            self.list.push(Fact { name: name.to_owned(), statements: Vec::new() });
            self.list.len() - 1
        });
        &mut self.list[at]
    }

    /// Adds a statement: a known value before the earlier ones, an unknown one after them.
    fn add(&mut self, name: &str, value: String, place: String, evidence: String) {
        let statements = &mut self.of(name).statements;
        let at = if value == UNKNOWN { statements.len() } else { 0 };
        statements.insert(at, Statement { value, place, evidence });
    }

    fn settle(&mut self, catalogue: &Catalogue, api: &Api, dispute: &Dispute) {
        let value = if dispute.supplement_holds { &dispute.supplement } else { &dispute.documents };
        let value = plain(value);
        let file = api.files.get(dispute.at.0 as usize).map_or("", String::as_str);
        let shown = catalogue.sources.files().find(|id| catalogue.sources.path(*id) == file);
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
        self.of(&dispute.fact).statements.insert(0, Statement { value, place, evidence });
    }
}

/// Formats evidence: class and name of the source, and the place in it.
fn evidence_text(catalogue: &Catalogue, evidence: &Evidence) -> String {
    let name = &evidence.source;
    let source = catalogue.implementations.sources.get(name);
    let class = evidence.class.or(source.map(|source| source.class));
    let class = class.map_or_else(String::new, |class| format!("{class:?}"));
    let mut text = format!("{class} {name}");
    for extra in [&evidence.at, &evidence.note].into_iter().flatten() {
        text.push_str(", ");
        text.push_str(extra);
    }
    text
}
