//! What of an API is wanted: the one place where anything is left out.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::version::numbers;
use super::{Options, Selection};
use crate::api::{Api, EntityRole, Field, Item, Program, Since, Type};

/// The part of the API that the options ask for.
pub(super) fn project<'a>(api: &'a Api, options: &Options) -> Cow<'a, Api> {
    let limits = limits(api, options);
    if options.selection == Selection::All && limits.is_empty() {
        return Cow::Borrowed(api);
    }
    let mut api = api.clone();
    select(&mut api, &options.selection);
    for limit in &limits {
        cut(&mut api, limit);
    }
    keep_reached(&mut api, options.selection == Selection::All);
    Cow::Owned(api)
}

/// What is newer than a release of a program is left out.
struct Limit {
    /// The programs' numbers, each with the release.
    newest: BTreeMap<usize, (u16, u16, u16)>,
}

fn limits(api: &Api, options: &Options) -> Vec<Limit> {
    let of = |versions: &BTreeMap<String, String>| {
        let place = |program: &&Program| versions.get(&program.key).map(|version| numbers(version));
        let newest: BTreeMap<_, _> = api
            .programs
            .iter()
            .enumerate()
            .filter_map(|(i, program)| Some((i, place(&program)?)))
            .collect();
        (!newest.is_empty()).then_some(Limit { newest })
    };
    let floors = if options.guaranteed_only {
        of(&options.floors)
    } else {
        None
    };
    of(&options.ceilings).into_iter().chain(floors).collect()
}

impl Limit {
    /// Whether each of the programs has the item in its release.
    fn allows(&self, item: &Item) -> bool {
        item.implied
            || self.newest.iter().all(|(program, newest)| {
                match item.life.get(*program).map(|life| &life.effective) {
                    Some(Since::Version(since)) => numbers(since) <= *newest,
                    _ => false,
                }
            })
    }
}

fn select(api: &mut Api, selection: &Selection) {
    let Selection::Only { groups, operations } = selection else {
        return;
    };
    api.operations
        .retain(|o| groups.contains(&o.group) || operations.contains(&o.item.id));
}

fn cut(api: &mut Api, limit: &Limit) {
    api.operations
        .retain(|operation| limit.allows(&operation.item));
    for operation in &mut api.operations {
        operation.params.retain(|param| limit.allows(&param.item));
    }
    let operations: HashSet<String> = api
        .operations
        .iter()
        .map(|operation| operation.item.id.clone())
        .collect();
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

/// Leaves out the entities and enumerations that no operation needs; with `all`, only objects whose field is gone.
fn keep_reached(api: &mut Api, all: bool) {
    let reached = reached(api, all);
    api.entities
        .retain(|entity| reached.contains(&entity.item.id));
    api.enums
        .retain(|enumeration| reached.contains(&enumeration.item.id));
}

fn reached(api: &Api, all: bool) -> HashSet<String> {
    let fields: HashMap<&str, &[Field]> = api
        .entities
        .iter()
        .map(|entity| (entity.item.id.as_str(), entity.fields.as_slice()))
        .collect();
    let payloads: HashMap<&str, Vec<&Type>> = api
        .enums
        .iter()
        .map(|enumeration| {
            let brought = enumeration
                .values
                .iter()
                .filter_map(|value| value.payload.as_ref());
            (enumeration.item.id.as_str(), brought.collect())
        })
        .collect();
    let mut open: Vec<&str> = Vec::new();
    for operation in &api.operations {
        names(&operation.returns, &mut open);
        operation
            .params
            .iter()
            .for_each(|param| names(&param.r#type, &mut open));
        operation
            .errors
            .iter()
            .filter_map(|error| error.returns.as_ref())
            .for_each(|ty| names(ty, &mut open));
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
    if all {
        let named = api
            .entities
            .iter()
            .filter(|entity| entity.role == EntityRole::Named);
        open.extend(named.map(|entity| entity.item.id.as_str()));
        open.extend(
            api.enums
                .iter()
                .map(|enumeration| enumeration.item.id.as_str()),
        );
    }
    let mut reached = HashSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id.to_owned()) {
            for field in fields.get(id).copied().unwrap_or_default() {
                names(&field.r#type, &mut open);
            }
            for payload in payloads.get(id).into_iter().flatten() {
                names(payload, &mut open);
            }
        }
    }
    reached
}

/// The entities and enumerations that a type names.
fn names<'a>(ty: &'a Type, into: &mut Vec<&'a str>) {
    match ty {
        Type::Entity(id) | Type::Enum(id) | Type::Events(id) => into.push(id),
        Type::List(element) | Type::Map(element) => names(element, into),
        Type::OneOf(types) => types.iter().for_each(|ty| names(ty, into)),
        // An id of an entity that is not reached is an id of nothing in particular.
        _ => {}
    }
}
