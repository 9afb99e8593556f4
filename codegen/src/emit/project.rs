//! Projection of the API to the selected operations and supported releases. Nothing is left out anywhere else.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Options, Selection};
use fedispec_model::api::{Api, EntityRole, Item, Life, Program, Since};
use fedispec_model::floors::Floors;
use fedispec_model::index::Index;
use fedispec_model::rows::rows;
use fedispec_since::StableVersion;

/// The part of an API that the options ask for.
pub(crate) struct Projected<'a> {
    told: Cow<'a, Api>,
    /// The part that types are made for, where the other knows more programs.
    typed: Option<Api>,
}

impl Projected<'_> {
    /// The part that the item table tells of.
    pub(crate) fn told(&self) -> &Api {
        &self.told
    }

    /// The part that types are made for.
    pub(crate) fn typed(&self) -> &Api {
        self.typed.as_ref().unwrap_or(&self.told)
    }
}

/// The part of the API that the options ask for. Types are made for a program whose facts stand apart where it has a floor.
pub(super) fn project<'a>(api: &'a Api, options: &Options) -> Projected<'a> {
    let told = selected(api, options);
    let floors = options.supported(api);
    let supported: HashSet<&str> = floors.by_program(api).map(|(program, _)| program).collect();
    let typed = told.without_apart(|program| supported.contains(program.key.as_str()));
    Projected { told, typed }
}

fn selected<'a>(api: &'a Api, options: &Options) -> Cow<'a, Api> {
    if options.is_whole() {
        return Cow::Borrowed(api);
    }
    let limits = limits(api, options);
    let mut api = api.clone();
    select(&mut api, &options.selection);
    for limit in &limits {
        cut(&mut api, limit);
    }
    let all = options.selection == Selection::All;
    let is_root = |item: &Item| all && limits.iter().all(|limit| limit.allows(item));
    let reached = reached(&api, is_root);
    api.entities.retain(|entity| reached.contains(&entity.item.id));
    api.enums.retain(|enumeration| reached.contains(&enumeration.item.id));
    retain_features(&mut api);
    Cow::Owned(api)
}

/// Keeps the features of which every item is left: of others, nobody could tell who has them.
fn retain_features(api: &mut Api) {
    let mut features = std::mem::take(&mut api.features);
    let items: HashSet<&str> = rows(api).iter().map(|row| row.item.id.as_str()).collect();
    features.retain(|feature| feature.items().all(|id| items.contains(id)));
    api.features = features;
}

/// Why an item may be left out.
enum Limit {
    /// No program that counts has it in a release up to its ceiling. Their numbers, with the ceilings.
    Ceilings(Vec<(usize, Option<StableVersion>)>),
    /// Some supported release of a program with a floor may lack it.
    Floors(Floors),
}

fn limits(api: &Api, options: &Options) -> Vec<Limit> {
    let mut limits = Vec::new();
    if !options.ceilings.is_empty() {
        let counts = |program: &Program| {
            options.ceilings.contains_key(&program.key) || options.floors.contains_key(&program.key)
        };
        let programs = api.programs.iter().enumerate();
        let ceilings = programs.filter(|(_, program)| counts(program));
        let ceilings =
            ceilings.map(|(number, program)| (number, options.ceilings.get(&program.key).copied()));
        limits.push(Limit::Ceilings(ceilings.collect()));
    }
    if options.guaranteed_only {
        limits.push(Limit::Floors(options.supported(api)));
    }
    limits
}

impl Limit {
    fn allows(&self, item: &Item) -> bool {
        item.implied
            || match self {
                Self::Floors(floors) => floors.have(item),
                Self::Ceilings(ceilings) => ceilings.iter().any(|(program, newest)| {
                    let life = item.life.get(*program);
                    life.is_some_and(|life| known(life, *newest))
                }),
            }
    }
}

/// Whether a release up to the ceiling of a program has an item, or may have it because its Since is unknown.
fn known(life: &Life, newest: Option<StableVersion>) -> bool {
    match life.effective {
        Since::Since(since) => newest.is_none_or(|newest| since <= newest),
        Since::Unknown => true,
        Since::Never => false,
    }
}

fn select(api: &mut Api, selection: &Selection) {
    let Selection::Only { groups, operations } = selection else {
        return;
    };
    api.operations.retain(|o| groups.contains(&o.group) || operations.contains(&o.item.id));
}

fn cut(api: &mut Api, limit: &Limit) {
    api.operations.retain(|operation| limit.allows(&operation.item));
    for operation in &mut api.operations {
        operation.params.retain(|param| limit.allows(&param.item));
    }
    let operations: HashSet<String> =
        api.operations.iter().map(|operation| operation.item.id.clone()).collect();
    api.entities.retain(|entity| match &entity.role {
        EntityRole::Response(operation)
        | EntityRole::Error(operation, _)
        | EntityRole::Argument(operation) => operations.contains(operation),
        EntityRole::Named | EntityRole::Nested(_) => true,
    });
    for entity in &mut api.entities {
        entity.fields.retain(|field| limit.allows(&field.item));
    }
    for enumeration in &mut api.enums {
        enumeration.values.retain(|value| limit.allows(value));
    }
}

/// The entities and enumerations that an operation needs, or that are wanted for their own sake.
fn reached(api: &Api, is_root: impl Fn(&Item) -> bool) -> HashSet<String> {
    let index = Index::new(api);
    let mut open: Vec<&str> = Vec::new();
    for operation in &api.operations {
        operation.types().for_each(|one| one.names(&mut open));
        open.extend(operation.params.iter().filter_map(|param| param.words.as_deref()));
        let own = |role: &EntityRole| match role {
            EntityRole::Response(id) | EntityRole::Error(id, _) | EntityRole::Argument(id) => {
                *id == operation.item.id
            }
            EntityRole::Named | EntityRole::Nested(_) => false,
        };
        open.extend(
            api.entities
                .iter()
                .filter(|entity| own(&entity.role))
                .map(|entity| entity.item.id.as_str()),
        );
    }
    let named = api
        .entities
        .iter()
        .filter(|entity| entity.role == EntityRole::Named)
        .map(|entity| &entity.item)
        .chain(api.enums.iter().map(|enumeration| &enumeration.item));
    open.extend(named.filter(|item| is_root(item)).map(|item| item.id.as_str()));
    let mut reached = HashSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id.to_owned()) {
            let fields = index.entity(id).into_iter().flat_map(|entity| &entity.fields);
            fields.for_each(|field| field.r#type.names(&mut open));
            let values = index.enumeration(id).into_iter().flat_map(|one| &one.values);
            let payloads = values.filter_map(|value| value.payload.as_ref());
            payloads.for_each(|payload| payload.names(&mut open));
        }
    }
    reached
}
