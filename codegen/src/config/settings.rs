//! Settings: turned into the emitters' options, with every mistake reported at once.

use std::collections::BTreeSet;

use super::releases;
use super::{Config, Error};
use crate::emit::{Form, Options, Selection};
use fedispec_model::api::{Api, Item, Operation, Since};
use fedispec_model::names::{is_identifier, is_path};
use fedispec_model::registered;
use fedispec_model::suggest::did_you_mean;

/// The emitters' options.
pub(super) fn options(
    config: &Config,
    api: &Api,
    own_programs: &[String],
    teaches: bool,
) -> Result<Options, Error> {
    let mut wrong = Vec::new();
    let (named, ceilings) = releases::named(config, api, &mut wrong);
    groups(config, api, &mut wrong);
    operations(config, api, &mut wrong);
    guaranteed(config, api, &mut wrong);
    current(config, api, &mut wrong);
    names(config, &mut wrong);
    if !wrong.is_empty() {
        return Err(Error::new(wrong.join("\n")));
    }
    Ok(Options {
        floors: releases::floors(&named, &ceilings, api, own_programs),
        only_named_floors: true,
        ceilings,
        current: config.current.clone(),
        guaranteed_only: config.guaranteed_only,
        selection: selection(config),
        client: config.client || !config.server,
        server: config.server,
        form: Form::Single,
        teaches,
        runtime: config.runtime.clone(),
    })
}

fn selection(config: &Config) -> Selection {
    if config.groups.is_none() && config.operations.is_none() {
        return Selection::All;
    }
    let set = |names: &Option<Vec<String>>| names.iter().flatten().cloned().collect();
    Selection::Only { groups: set(&config.groups), operations: set(&config.operations) }
}

/// Lists the operations and groups that were asked for by name and are left out, or that no supported release has.
pub(super) fn left_out(config: &Config, api: &Api, projected: &Api) -> Vec<String> {
    let left: BTreeSet<&str> = projected.operations.iter().map(id).collect();
    let named = config.operations.iter().flatten();
    let operations = named.filter_map(|id| {
        let operation = api.operations.iter().find(|o| o.item.id == *id)?;
        let what = format!("the operation `{id}`");
        if left.contains(id.as_str()) {
            never(&what, [operation], api, config)
        } else {
            Some(gone(&what, config))
        }
    });
    let groups = config.groups.iter().flatten().filter_map(|group| {
        let what = format!("the whole group `{group}`");
        let all = || api.operations.iter().filter(|o| o.group == *group);
        if all().any(|o| left.contains(id(o))) {
            never(&what, all(), api, config)
        } else {
            Some(gone(&what, config))
        }
    });
    operations.chain(groups).collect()
}

fn id(operation: &Operation) -> &str {
    &operation.item.id
}

fn gone(what: &str, config: &Config) -> String {
    if config.guaranteed_only {
        format!(
            "{what} is left out: `.guaranteed_only()` keeps what every supported release has, and some have it not"
        )
    } else {
        format!("{what} is left out: it is newer than what `.ceiling(..)` names")
    }
}

/// Reports that no program which was named has any of the operations.
fn never<'a>(
    what: &str,
    operations: impl IntoIterator<Item = &'a Operation>,
    api: &Api,
    config: &Config,
) -> Option<String> {
    let named: BTreeSet<&str> =
        config.floors.iter().chain(&config.ceilings).map(|(key, _)| key.as_str()).collect();
    if named.is_empty() {
        return None;
    }
    let counted = || {
        let programs = api.programs.iter().enumerate();
        programs.filter(|(_, program)| named.contains(program.key.as_str()))
    };
    let lacks = |item: &Item, program: usize| {
        let life = item.life.get(program);
        life.is_some_and(|life| life.effective == Since::Never)
    };
    operations.into_iter().all(|o| counted().all(|(program, _)| lacks(&o.item, program))).then(
        || {
            let programs: Vec<&str> = counted().map(|(_, p)| p.name.as_str()).collect();
            format!("{what} is of no use here: no release of {} has it", programs.join(" or "))
        },
    )
}

fn guaranteed(config: &Config, api: &Api, wrong: &mut Vec<String>) {
    if config.guaranteed_only && config.floors.is_empty() {
        let programs = list(api.programs.iter().map(|program| program.key.as_str()));
        wrong.push(format!(
            "`.guaranteed_only()` needs a `.floor(program, version)` of one of the programs {programs}"
        ));
    }
}

fn current(config: &Config, api: &Api, wrong: &mut Vec<String>) {
    let Some(key) = &config.current else { return };
    if let Err(why) = registered::program(api, key) {
        wrong.push(format!("`.current(..)`: {why}"));
    } else if !config.server {
        wrong.push("`.current(..)` is of the server half; call `.server()` too".into());
    }
}

fn names(config: &Config, wrong: &mut Vec<String>) {
    if !is_identifier(&config.module) {
        wrong.push(format!(
            "the module `{}` is no Rust identifier; `fedispec` is one",
            config.module
        ));
    }
    if !is_path(&config.runtime) {
        wrong.push(format!(
            "the runtime `{}` is no Rust path; `fedispec_runtime` is one",
            config.runtime
        ));
    }
}

fn groups(config: &Config, api: &Api, wrong: &mut Vec<String>) {
    let known = || api.groups.iter().map(|group| group.id.as_str());
    let all = || format!("the groups are {}", list(known()));
    if config.groups.as_ref().is_some_and(Vec::is_empty) {
        wrong.push(format!(
            "`.groups(..)` names none; leave it away for all of them, or name some: {}",
            all()
        ));
    }
    for group in config.groups.iter().flatten() {
        if known().any(|id| id == group) {
            continue;
        }
        let mend = if api.operations.iter().any(|o| o.item.id == *group) {
            format!("that is an operation: `.operations([\"{group}\"])`")
        } else {
            did_you_mean(group, known(), &all())
        };
        wrong.push(format!("there is no group `{group}`; {mend}"));
    }
}

fn operations(config: &Config, api: &Api, wrong: &mut Vec<String>) {
    if config.operations.as_ref().is_some_and(Vec::is_empty) {
        wrong.push(
            "`.operations(..)` names none; leave it away for all of them, or name some by id: `accounts.lookup`".into(),
        );
    }
    for operation in config.operations.iter().flatten() {
        if !api.operations.iter().any(|o| o.item.id == *operation) {
            wrong.push(format!(
                "there is no operation `{operation}`; {}",
                mend_operation(operation, api)
            ));
        }
    }
}

fn mend_operation(operation: &str, api: &Api) -> String {
    let known = || api.operations.iter().map(id);
    let group = operation.split('.').next().unwrap_or_default();
    let siblings: Vec<&str> = known().filter(|id| id.split('.').next() == Some(group)).collect();
    if group == operation && !siblings.is_empty() {
        return format!("that is a group: `.groups([\"{group}\"])`");
    }
    let all = if siblings.is_empty() {
        let groups = list(api.groups.iter().map(|group| group.id.as_str()));
        format!("an operation is `group.name`, and the groups are {groups}")
    } else {
        format!("that group has {}", list(siblings))
    };
    did_you_mean(operation, known(), &all)
}

/// Writes names as a list: `a`, `b`.
fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
