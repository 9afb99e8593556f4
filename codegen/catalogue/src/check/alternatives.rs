//! Constructors: the ways of calling an operation mention its parameters and do not contradict each other, and the order of the
//! arguments names each of them.

use std::collections::{HashMap, HashSet};

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{
    Alternative, Api, Enumeration, Location, Operation, Param, Required, Type,
};
use fedispec_model::constructors::{ValueSource, constructors};
use fedispec_model::suggest::did_you_mean;

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let enums = api.enums.iter();
    let enums: HashMap<&str, &Enumeration> = enums.map(|one| (one.item.id.as_str(), one)).collect();
    for operation in &api.operations {
        let params: HashMap<&str, &Param> =
            operation.params.iter().map(|param| (param.item.wire.as_str(), param)).collect();
        for one in &operation.alternatives {
            alternative(operation, one, &params, merged, problems);
            sets(operation, one, &params, &enums, merged, problems);
        }
        sometimes(operation, merged, problems);
        if !operation.arguments.is_empty() {
            arguments(operation, &params, merged, problems);
        }
    }
}

/// Checks that the order of the arguments names what constructors take, once, and the path's parameters first.
fn arguments<'a>(
    operation: &Operation,
    params: &HashMap<&str, &Param>,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    let id = &operation.item.id;
    let Some(place) = merged.place_of(id, &["arguments"], problems) else {
        return;
    };
    let constructors = constructors(operation);
    let taken: Vec<&str> = { operation.params.iter() }
        .filter(|param| param.parent.is_none())
        .filter(|param| {
            let mut sources = constructors.iter().map(|one| one.source(param));
            sources.any(|source| source == ValueSource::Argument)
        })
        .map(|param| param.item.wire.as_str())
        .collect();
    let mut wrong = Vec::new();
    let mut seen = HashSet::new();
    for (number, wire) in operation.arguments.iter().enumerate() {
        let (message, help) = if !params.contains_key(wire.as_str()) {
            let known = taken.iter().copied();
            (
                format!("`{id}` has no parameter `{wire}`"),
                did_you_mean(wire, known, "name parameters as they go over the wire"),
            )
        } else if !taken.contains(&wire.as_str()) {
            let message = format!("no constructor of `{id}` takes `{wire}`, which is not required");
            (message, "leave it out: it has a setter".into())
        } else {
            seen.insert(wire);
            continue;
        };
        wrong.push((place.then(number.to_string()), message, help));
    }
    let in_path = |wire: &&String| {
        let param = params.get(wire.as_str());
        param.is_some_and(|param| param.location == Location::Path)
    };
    let mut after_the_path = operation.arguments.iter().skip_while(in_path);
    if let Some(late) = after_the_path.find(in_path) {
        let message = format!("`{late}` is part of the path and does not stand first");
        let help = "list the parameters of the path before the others".into();
        wrong.push((place.clone(), message, help));
    }
    for wire in taken {
        if !seen.iter().any(|one| *one == wire) {
            let message = format!("`{id}` requires `{wire}`, which its `arguments` leave out");
            wrong.push((place.clone(), message, format!("put `{wire}` in its place")));
        }
    }
    for (place, message, help) in wrong {
        let problem = problems.value("wrong-arguments", &place, message);
        problems.push(problem.help(help));
    }
}

fn alternative<'a>(
    operation: &Operation,
    one: &Alternative,
    params: &HashMap<&str, &Param>,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    let Some(place) = merged.place_of(&operation.item.id, &["alternatives"], problems) else {
        return;
    };
    let place = place.then(one.rust.clone());
    let sets = one.sets.iter().map(|(name, _)| name);
    for name in sets.clone().chain(&one.requires).chain(&one.excludes) {
        if !params.contains_key(name.as_str()) {
            let message = format!("`{}` has no parameter `{name}`", operation.item.id);
            let help = did_you_mean(
                name,
                params.keys().copied(),
                "an alternative names parameters of its operation",
            );
            let problem = problems.key("unknown-reference", &place, message);
            problems.push(problem.help(help));
        }
    }
    let needed: HashSet<_> = one.requires.iter().collect();
    let excluded: HashSet<_> = one.excludes.iter().collect();
    let mut wrong = Vec::new();
    for name in sets {
        if needed.contains(name) {
            wrong.push(format!("sets `{name}` and asks for it too"));
        }
        if excluded.contains(name) {
            wrong.push(format!("sets `{name}` and excludes it"));
        }
    }
    for name in &one.excludes {
        if needed.contains(name) {
            wrong.push(format!("requires `{name}` and excludes it"));
        }
        if params.get(name.as_str()).is_some_and(|param| param.required == Required::Always) {
            wrong.push(format!("excludes `{name}`, which is always required"));
        }
    }
    for why in wrong {
        let message = format!("the alternative `{}` of `{}` {why}", one.rust, operation.item.id);
        let problem = problems.key("contradictory-required", &place, message);
        problems.push(problem.help("name each parameter once"));
    }
}

/// Checks that what an alternative sets are values of the parameters' enumerations.
fn sets<'a>(
    operation: &Operation,
    one: &Alternative,
    params: &HashMap<&str, &Param>,
    enums: &HashMap<&str, &Enumeration>,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    for (name, value) in &one.sets {
        let Some(Type::Enum(id)) = params.get(name.as_str()).map(|param| &param.r#type) else {
            continue;
        };
        let Some(list) = enums.get(id.as_str()).filter(|list| list.values_known) else {
            continue;
        };
        let known = list.values.iter().map(|one| one.wire.as_str());
        let place = merged.place_of(&operation.item.id, &["alternatives"], problems);
        if let (false, Some(place)) = (known.clone().any(|one| one == value), place) {
            let place = place.then(one.rust.clone()).then("sets").then(name.clone());
            let help = did_you_mean(value, known, "name a value of the enumeration");
            let message = format!("`{id}` has no value `{value}`");
            let problem = problems.value("unknown-value", &place, message);
            problems.push(problem.help(help));
        }
    }
}

/// Checks that a parameter which is sometimes required says when: in words, or by an alternative.
fn sometimes<'a>(operation: &Operation, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let settled: HashSet<&String> = operation
        .alternatives
        .iter()
        .flat_map(|one| one.requires.iter().chain(one.sets.iter().map(|(name, _)| name)))
        .collect();
    for param in &operation.params {
        let silent = param.required_when.is_none() && !settled.contains(&param.item.wire);
        if param.required == Required::Sometimes && silent {
            let Some(place) = merged.place_of(&param.item.id, &["required"], problems) else {
                continue;
            };
            let message = format!("nobody says when `{}` is required", param.item.id);
            let problem = problems.value("contradictory-required", &place, message);
            problems.push(
                problem.help(
                    "say so under `required_when`, or list the `alternatives` of the operation",
                ),
            );
        }
        if param.required != Required::Sometimes
            && param.required_when.is_some()
            && param.required != Required::Unknown
        {
            let Some(place) = merged.place_of(&param.item.id, &["required_when"], problems) else {
                continue;
            };
            let message =
                format!("`{}` is not required sometimes, but always or never", param.item.id);
            let problem = problems.key("contradictory-required", &place, message);
            problems
                .push(problem.help("write `required: sometimes`, or take `required_when` away"));
        }
    }
}
