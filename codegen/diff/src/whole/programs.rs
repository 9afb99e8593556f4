//! Programs, their releases, and the oldest supported one of each.

use std::collections::{BTreeMap, HashMap};

use super::super::change::{Cause, Change};
use super::super::context::{Context, Options};
use super::super::floors::floor_texts;
use super::super::rules::RuleId;
use super::said;
use fedispec_model::api::{Program, Release};
use fedispec_model::release;

pub(super) fn programs(context: &Context<'_>, out: &mut Vec<Change>) {
    let (old, new) = (&context.old.api.programs, &context.new.api.programs);
    let find = |all: &'_ [Program], key: &str| all.iter().position(|program| program.key == key);
    for pair in &context.programs {
        let key = pair.key;
        let one = |rule, message: String, cause| {
            let mut change = said(rule, "program", key, None, Some(key.to_owned()), message);
            change.implementation = Some(key.to_owned());
            change.cause = cause;
            change
        };
        match (find(old, key), find(new, key)) {
            (None, Some(at)) => {
                let releases = new[at].releases.len();
                out.push(one(
                    RuleId::ImplementationAdded,
                    format!("{} with {releases} releases", new[at].name),
                    Cause::Coverage,
                ));
            }
            (Some(_), None) => out.push(one(
                RuleId::ImplementationRemoved,
                "its column is gone".into(),
                Cause::Correction,
            )),
            (Some(before), Some(after)) => program(&old[before], &new[after], out),
            (None, None) => {}
        }
    }
}

fn program(old: &Program, new: &Program, out: &mut Vec<Change>) {
    releases(old, new, out);
    if old.nodeinfo != new.nodeinfo {
        let (was, is) = (old.nodeinfo.join(", "), new.nodeinfo.join(", "));
        let message = format!("calls itself {is} in node info, was {was}");
        out.push(of(
            new,
            (RuleId::ImplementationChanged, Cause::Correction),
            Some(was),
            Some(is),
            message,
        ));
    }
    if (&old.name, &old.letter) != (&new.name, &new.letter) {
        let text = |program: &Program| {
            format!(
                "{} {}",
                program.name,
                program.letter.as_deref().unwrap_or("-")
            )
        };
        let (was, is) = (text(old), text(new));
        let message = format!("is written {is}");
        out.push(of(
            new,
            (RuleId::DocsOnlyChanged, Cause::Editorial),
            Some(was),
            Some(is),
            message,
        ));
    }
}

fn of(
    program: &Program,
    (rule, cause): (RuleId, Cause),
    old: Option<String>,
    new: Option<String>,
    message: String,
) -> Change {
    let mut change = said(rule, "program", &program.key, old, new, message);
    change.implementation = Some(program.key.clone());
    change.cause = cause;
    change
}

fn releases(old: &Program, new: &Program, out: &mut Vec<Change>) {
    let (before, after) = (by_version(old), by_version(new));
    let newest = old
        .releases
        .last()
        .and_then(|release| release::parse(&release.version));
    for (version, release) in &after {
        match before.get(version) {
            None => {
                let cause = if release::parse(version) > newest {
                    Cause::Evolution
                } else {
                    Cause::Coverage
                };
                let message = format!("{} {version} is registered", new.name);
                out.push(of(
                    new,
                    (RuleId::ReleaseRegistered, cause),
                    None,
                    Some((*version).to_owned()),
                    message,
                ));
            }
            Some(earlier) if earlier != release => out.push(otherwise(new, earlier, release)),
            Some(_) => {}
        }
    }
    for version in before
        .keys()
        .filter(|version| !after.contains_key(*version))
    {
        let message = format!("{} {version} is no longer registered", new.name);
        out.push(of(
            new,
            (RuleId::ReleaseUnregistered, Cause::Correction),
            Some((*version).to_owned()),
            None,
            message,
        ));
    }
}

/// Clients recognise a release by the number that it publishes; its date is text.
fn otherwise(program: &Program, old: &Release, new: &Release) -> Change {
    let judged = if old.api == new.api {
        (RuleId::DocsOnlyChanged, Cause::Editorial)
    } else {
        (RuleId::ImplementationChanged, Cause::Correction)
    };
    let text = |release: &Release| {
        let api = release
            .api
            .map(|number| format!(" api {number}"))
            .unwrap_or_default();
        format!(
            "{} {}{api}",
            release.version,
            release.date.as_deref().unwrap_or("without a date")
        )
    };
    let message = format!("what is said of {} {} differs", program.name, new.version);
    of(program, judged, Some(text(old)), Some(text(new)), message)
}

fn by_version(program: &Program) -> BTreeMap<&str, &Release> {
    program
        .releases
        .iter()
        .map(|release| (release.version.as_str(), release))
        .collect()
}

pub(super) fn floors(context: &Context<'_>, options: &Options, out: &mut Vec<Change>) {
    let old: HashMap<&str, String> = floor_texts(context.old.api, &options.old_floors).collect();
    for (key, floor) in floor_texts(context.new.api, &options.new_floors) {
        let Some(before) = old.get(key).filter(|before| **before != floor) else {
            continue;
        };
        let rule = if release::parse(&floor) > release::parse(before) {
            RuleId::FloorRaised
        } else {
            RuleId::FloorLowered
        };
        let message = format!("the oldest supported release is {floor}, was {before}");
        let mut change = said(
            rule,
            "program",
            key,
            Some(before.clone()),
            Some(floor),
            message,
        );
        change.implementation = Some(key.to_owned());
        change.cause = Cause::Correction;
        out.push(change);
    }
}
