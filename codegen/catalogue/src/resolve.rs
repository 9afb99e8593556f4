//! Resolution of the merged layers into the [`Api`]: names are looked up, every Since is computed, and each nested
//! object becomes an entity.

use crate::check;
use crate::diagnostic::{Diagnostic, Report};
use crate::load::Catalogue;
use crate::load::LayerKind;
use crate::map::{HashMap, HashSet};
use crate::merge::{FactSettler, ManyHeld, Merged, MergedEntity};
use crate::model::{self, FactName};
use crate::problems::{NodePath, Problems};
use crate::source::FileId;
use fedispec_model::api::{self, Api, At};
use fedispec_model::suggest::{did_you_mean, nearest};

mod answer;
mod auth;
mod by;
mod condition;
mod entity;
mod enumeration;
mod evidence;
mod fact;
mod feature;
mod include;
mod item;
mod later;
mod life;
mod many;
mod members;
mod object;
mod operation;
mod param;
mod presence;
mod program;
mod stated;
mod tree;
mod types;

pub(crate) use types::simple;

/// Resolves a catalogue. Both the documents alone and all layers are checked, whichever of the two is asked for, and
/// every problem is reported in the order of the files.
pub fn resolve(catalogue: &Catalogue, layer: api::Layer) -> Result<Api, Vec<Diagnostic>> {
    let (documents, mut found) = view(catalogue, api::Layer::Documents);
    let (full, more) = view(catalogue, api::Layer::Full);
    found.extend(more);
    let asked = if layer == api::Layer::Full { full } else { documents };
    sound(asked, found)
}

/// Resolves a catalogue whose own layers have been checked before: only the layers asked for, and overlays, are
/// checked.
pub(crate) fn resolve_over(
    catalogue: &Catalogue,
    layer: api::Layer,
) -> Result<Api, Vec<Diagnostic>> {
    let (asked, mut found) = view(catalogue, layer);
    let mut layers = catalogue.layers.iter();
    if layer != api::Layer::Full && layers.any(|layer| layer.kind == LayerKind::Overlay) {
        found.extend(view(catalogue, api::Layer::Full).1);
    }
    sound(asked, found)
}

/// Resolves a catalogue as far as possible.
pub(crate) fn resolve_leniently(catalogue: &Catalogue, layer: api::Layer) -> Api {
    view(catalogue, layer).0
}

fn sound(api: Api, problems: Vec<Diagnostic>) -> Result<Api, Vec<Diagnostic>> {
    if problems.is_empty() { Ok(api) } else { Err(Report::new(problems).diagnostics().to_vec()) }
}

/// Resolves some layers as far as possible, and lists their problems.
fn view(catalogue: &Catalogue, layer: api::Layer) -> (Api, Vec<Diagnostic>) {
    let mut problems = Problems::new(&catalogue.sources);
    let merged = Merged::new(catalogue, layer, &mut problems);
    let mut resolver = Resolver::new(catalogue, layer, &merged, &mut problems);
    resolver.the_registry_is_sound(catalogue);
    let api = Api { features: feature::features(catalogue, layer), ..resolver.api() };
    let is_full = layer == api::Layer::Full;
    check::registry(catalogue, &api, is_full.then_some(&merged.ids), &mut problems);
    if is_full {
        check::features(catalogue, &api, &merged, &mut problems);
    }
    check::recognition(catalogue, &mut problems);
    check::check(&api, &merged, &catalogue.implementations, &mut problems);
    (api, problems.into_found())
}

/// The kind of type that a name of the catalogue refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameTarget {
    Entity,
    Enum,
}

/// Resolves merged layers into an [`Api`].
struct Resolver<'a, 'm, 'p> {
    merged: &'m Merged<'a>,
    implementations: &'a model::Implementations,
    layer: api::Layer,
    programs: Vec<&'a str>,
    /// Whether types are made for each program, which counts in what holds of all together.
    counts: Vec<bool>,
    /// The facts that the catalogue states once for all items.
    usual: Vec<FactName>,
    names: HashMap<&'a str, (NameTarget, &'m str)>,
    /// The ids of the objects that entities list the members of: `CredentialAccount.source`.
    objects: HashSet<String>,
    files: HashMap<FileId, u32>,
    /// The lines that speak of many items, by each name that they cover.
    many: HashMap<&'a str, Vec<&'m ManyHeld<'a>>>,
    facts: FactSettler<'a, 'm, 'p>,
    /// The entities made so far.
    entities: Vec<api::Entity>,
}

/// The ids of the objects that an entity lists the members of.
fn objects<'m>(entity: &'m MergedEntity<'_>) -> impl Iterator<Item = String> + 'm {
    let owners = entity.members.iter().filter_map(|field| {
        let (owner, member) = field.key.rsplit_once('[')?;
        (!member.starts_with([']', ':'])).then(|| owner.replace('[', ".").replace(']', ""))
    });
    owners.map(|owner| format!("{}.{owner}", entity.node.key))
}

impl<'a, 'm, 'p> Resolver<'a, 'm, 'p> {
    fn new(
        catalogue: &'a Catalogue,
        layer: api::Layer,
        merged: &'m Merged<'a>,
        problems: &'p mut Problems<'a>,
    ) -> Self {
        let implementations = &catalogue.implementations;
        let entities = merged.entities.iter();
        let entities =
            entities.map(|one| (one.node.key, NameTarget::Entity, one.node.documented_as()));
        let enums = merged.enums.iter();
        let enums = enums.map(|one| (one.node.key, NameTarget::Enum, one.node.documented_as()));
        let names = entities.chain(enums);
        let names = names.map(|(key, target, named)| (key, (target, named.unwrap_or(key))));
        let files = merged.files.iter().zip(0..).map(|(file, index)| (*file, index)).collect();
        let programs = &implementations.programs;
        // A floor that the loader has refused is one, and told there.
        let has_floor = |(key, one): (&String, &model::Program)| {
            let place = NodePath::root(catalogue.registry(one.file));
            problems.stands(&place.under(&["programs", key, "floor"]))
        };
        let any_floor = programs.iter().any(has_floor);
        let counts = programs.iter();
        let counts = counts.map(|one| has_floor(one) || !any_floor && !one.1.is_apart()).collect();
        // So is a value for all items.
        let defaults = NodePath::root(catalogue.implementations_file).then("defaults");
        let usual = [FactName::Success, FactName::Paging, FactName::Nullable, FactName::Optional];
        let usual = usual.into_iter();
        let usual = usual.filter(|fact| problems.stands(&defaults.then(fact.key()))).collect();
        let mut many: HashMap<_, Vec<_>> = HashMap::default();
        for line in &merged.has {
            line.body.of.iter().for_each(|name| many.entry(name.as_str()).or_default().push(line));
        }
        Self {
            merged,
            implementations,
            layer,
            programs: programs.keys().map(String::as_str).collect(),
            counts,
            usual,
            names: names.collect(),
            objects: merged.entities.iter().flat_map(objects).collect(),
            files,
            many,
            facts: FactSettler {
                disputes: &merged.disputes,
                sources: &implementations.sources,
                problems,
            },
            entities: Vec::new(),
        }
    }

    fn api(&mut self) -> Api {
        self.programs_are_known();
        self.references_to_sources();
        self.many_are_sound();
        let mut operations: Vec<_> =
            self.merged.operations.iter().map(|node| self.operation(node)).collect();
        operations.sort_by(|a, b| a.group.cmp(&b.group));
        self.all_entities();
        let mut enums: Vec<_> =
            self.merged.enums.iter().map(|node| self.enumeration(node)).collect();
        enums.sort_by(|a, b| a.item.id.cmp(&b.item.id));
        let mut entities = std::mem::take(&mut self.entities);
        entities.sort_by(|a, b| a.item.id.cmp(&b.item.id));
        let disputes = self.disputes();
        let sources = self.facts.problems.sources();
        let mut api = Api {
            schema: api::SCHEMA.into(),
            layer: self.layer,
            programs: self.program_list(),
            profiles: self.implementations.profiles(),
            groups: self.groups(&operations),
            operations,
            entities,
            enums,
            features: Vec::new(),
            tombstones: self.tombstones(),
            disputes,
            files: self.merged.files.iter().map(|file| sources.path(*file).into()).collect(),
        };
        enumeration::directions(&mut api);
        api.complete_lives();
        api
    }

    /// Converts a node's place into the form of the API.
    fn at(&self, place: &NodePath<'a>) -> At {
        At(
            self.files.get(&place.file).copied().unwrap_or_default(),
            self.facts.problems.line(place),
        )
    }

    fn groups(&mut self, operations: &[api::Operation]) -> Vec<api::Group> {
        let mut groups: Vec<api::Group> = Vec::new();
        for operation in operations {
            if groups.last().is_some_and(|last| last.id == operation.group) {
                continue;
            }
            let Some(node) = self.merged.groups.get(operation.group.as_str()) else {
                let Some(place) = self.merged.place(&operation.item.id) else {
                    continue;
                };
                // A group that no operation is in has a wrong name itself, where several name another or the operation is no new one.
                let is_old = |former: &HashSet<String>| former.contains(&operation.item.id);
                let is_unused = |group: &&str| operations.iter().all(|one| one.group != **group);
                let unused = self.merged.groups.keys().copied().filter(is_unused);
                let named = operations.iter().filter(|one| one.group == operation.group).count();
                if let Some(group) = nearest(&operation.group, unused)
                    .filter(|_| named > 1 || self.merged.former.is_some_and(is_old))
                {
                    let place = &self.merged.groups[group].place;
                    let message = format!("no operation is in the group `{group}`");
                    let help = format!("did you mean `{}`?", operation.group);
                    self.facts.problems.key("unknown-group", place, message, help);
                    continue;
                }
                let message = format!("there is no group `{}`", operation.group);
                let help = did_you_mean(
                    &operation.group,
                    self.merged.groups.keys().copied(),
                    "introduce it under `groups`, with a summary",
                );
                self.facts.problems.key("unknown-group", place, message, help);
                continue;
            };
            groups.push(api::Group {
                id: operation.group.clone(),
                rust: fedispec_model::names::rust_name(
                    &operation.group,
                    fedispec_model::names::NameRole::Type,
                )
                .unwrap_or_default(),
                summary: node.body.summary.clone(),
            });
        }
        groups
    }

    fn tombstones(&self) -> Vec<api::Tombstone> {
        let tombstones = self.merged.tombstones.iter().map(|(id, node)| api::Tombstone {
            id: (*id).into(),
            why: node.body.why.clone(),
            never_existed: node.body.never_existed,
        });
        let mut tombstones: Vec<_> = tombstones.collect();
        tombstones.sort_by(|a, b| a.id.cmp(&b.id));
        tombstones
    }
}
