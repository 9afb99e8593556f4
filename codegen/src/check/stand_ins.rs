//! What stands in for something newer names parameters and fields that are there.

use std::collections::HashMap;

use crate::api::{Api, Entity, Operation};
use crate::merge::Merged;
use crate::problems::{Place, Problems, did_you_mean};
use crate::stand_in::{Field, Param};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let operations: HashMap<&str, &Operation> = api
        .operations
        .iter()
        .map(|one| (one.item.id.as_str(), one))
        .collect();
    for operation in api
        .operations
        .iter()
        .filter(|one| !one.stands_in.is_empty())
    {
        let other = operation.item.replacement.as_deref();
        let other = other.and_then(|id| operations.get(id).copied());
        let place = merged.place_of(&operation.item.id, &["stands_in"], problems);
        if let Some(place) = place {
            params(operation, other, &place, problems);
        }
    }
    let entities: HashMap<&str, &Entity> = api
        .entities
        .iter()
        .map(|one| (one.item.id.as_str(), one))
        .collect();
    for entity in &api.entities {
        let stands_in = entity.stands_in.as_ref();
        let place = merged.place_of(&entity.item.id, &["stands_in"], problems);
        if let (Some(stands_in), Some(place)) = (stands_in, place) {
            let Some(other) = entities.get(stands_in.r#for.as_str()) else {
                let known = entities.keys().copied();
                unknown(
                    &stands_in.r#for,
                    "an entity",
                    known,
                    &place.then("for"),
                    problems,
                );
                continue;
            };
            fields(
                entity,
                other,
                &stands_in.fields,
                &place.then("fields"),
                problems,
            );
        }
    }
}

fn params<'a>(
    operation: &Operation,
    other: Option<&Operation>,
    place: &Place<'a>,
    problems: &mut Problems<'a>,
) {
    let Some(other) = other else {
        let message = format!("`{}` stands in for nothing", operation.item.id);
        let problem = problems.key("unknown-reference", place, message);
        problems.push(problem.help("name the operation that came after it as its `replacement`"));
        return;
    };
    let names = |one: &Operation| -> Vec<String> {
        one.params
            .iter()
            .map(|param| param.item.wire.clone())
            .collect()
    };
    for (to, from) in &operation.stands_in {
        for (name, of) in [(to.as_str(), operation), (Param::read(from).name, other)] {
            let known = names(of);
            if !known.iter().any(|one| one == name) {
                let what = format!("a parameter of `{}`", of.item.id);
                unknown(
                    name,
                    &what,
                    known.iter().map(String::as_str),
                    &place.then(to.clone()),
                    problems,
                );
            }
        }
    }
}

fn fields<'a>(
    entity: &Entity,
    other: &Entity,
    pairs: &[(String, String)],
    place: &Place<'a>,
    problems: &mut Problems<'a>,
) {
    for (to, from) in pairs {
        let first = to.split('[').next().unwrap_or_default();
        for (name, of) in [(first, other), (Field::read(from).name, entity)] {
            let mut known = of.fields.iter().map(|field| field.item.wire.as_str());
            if !known.clone().any(|one| one == name) {
                let what = format!("a field of `{}`", of.item.id);
                unknown(name, &what, &mut known, &place.then(to.clone()), problems);
            }
        }
    }
}

fn unknown<'a, 'n>(
    name: &str,
    what: &str,
    known: impl IntoIterator<Item = &'n str>,
    place: &Place<'a>,
    problems: &mut Problems<'a>,
) {
    let help = did_you_mean(name, known, &format!("name {what}"));
    let problem = problems.value(
        "unknown-reference",
        place,
        format!("`{name}` is not {what}"),
    );
    problems.push(problem.help(help));
}
