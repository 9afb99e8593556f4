//! Programs, their releases, and the oldest supported one of each.

use std::collections::{BTreeMap, HashMap};

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::rules::RuleId;
use fedispec_model::api::{Program, Release};
use fedispec_since::StableVersion;

pub(super) fn programs(context: &Context<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for pair in &context.programs {
        let of = Of { context, key: pair.key };
        let is = Some(pair.key.to_owned());
        match pair.programs {
            [None, Some(new)] => {
                let message = format!("{} with {} releases", new.name, new.releases.len());
                let judged = (RuleId::ImplementationAdded, Cause::Coverage);
                out.push(of.change(judged, None, is, message));
            }
            [Some(_), None] => {
                let judged = (RuleId::ImplementationRemoved, Cause::Correction);
                out.push(of.change(judged, is, None, "its column is gone".into()));
            }
            [Some(old), Some(new)] => out.extend(program(&of, old, new)),
            [None, None] => {}
        }
    }
    out
}

/// A program that changes are about.
struct Of<'c, 'a> {
    context: &'c Context<'a>,
    key: &'c str,
}

impl Of<'_, '_> {
    fn change(
        &self,
        (rule, cause): (RuleId, Cause),
        old: Option<String>,
        new: Option<String>,
        message: String,
    ) -> Change {
        let about = ("program", self.key);
        Change {
            implementation: Some(self.key.to_owned()),
            old,
            new,
            ..self.context.other(rule, cause, message, about)
        }
    }
}

fn program(of: &Of<'_, '_>, old: &Program, new: &Program) -> Vec<Change> {
    let mut out = releases(of, old, new);
    out.extend(looked_at(of, old, new));
    if old.nodeinfo != new.nodeinfo {
        let (was, is) = (old.nodeinfo.join(", "), new.nodeinfo.join(", "));
        let message = format!("calls itself {is} in node info, was {was}");
        let judged = (RuleId::ImplementationChanged, Cause::Correction);
        out.push(of.change(judged, Some(was), Some(is), message));
    }
    if old.constructors != new.constructors {
        let text = |program: &Program| {
            let frozen = program.constructors.map(|version| version.to_string());
            frozen.unwrap_or_else(|| "the newest release".into())
        };
        let (was, is) = (text(old), text(new));
        let message =
            format!("the constructors of entities are those of {is}, were those of {was}");
        // Its effect on an entity has a row of that entity.
        let judged = (RuleId::DocsOnlyChanged, Cause::Editorial);
        let keys = vec!["constructors".to_owned()];
        out.push(Change { keys, ..of.change(judged, Some(was), Some(is), message) });
    }
    if (&old.name, &old.letter) != (&new.name, &new.letter) {
        let text = |program: &Program| match &program.letter {
            Some(letter) => format!("{}, letter {letter}", program.name),
            None => program.name.clone(),
        };
        let (was, is) = (text(old), text(new));
        let message = format!("is written {is}; was {was}");
        let judged = (RuleId::DocsOnlyChanged, Cause::Editorial);
        out.push(of.change(judged, Some(was), Some(is), message));
    }
    out
}

/// Compares up to which release a program was looked at, unless both states looked at every registered release.
fn looked_at(of: &Of<'_, '_>, old: &Program, new: &Program) -> Option<Change> {
    let all_of = |program: &Program| program.not_looked_at().next().is_none();
    let (was, is) = (old.newest_looked_at(), new.newest_looked_at());
    if was == is || all_of(old) && all_of(new) {
        return None;
    }
    let judged = if is > was {
        (RuleId::LookedAtRaised, Cause::Coverage)
    } else {
        (RuleId::LookedAtLowered, Cause::Correction)
    };
    let text = |version: Option<StableVersion>| version.map(|version| version.to_string());
    let (was, is) = (text(was), text(is));
    let none = || "none".to_owned();
    let message = format!(
        "{} was looked at up to {}, before up to {}",
        new.name,
        is.clone().unwrap_or_else(none),
        was.clone().unwrap_or_else(none)
    );
    Some(Change { keys: vec!["looked_at".to_owned()], ..of.change(judged, was, is, message) })
}

fn releases(of: &Of<'_, '_>, old: &Program, new: &Program) -> Vec<Change> {
    let (before, after) = (by_version(old), by_version(new));
    let newest = old.releases.last().map(|release| release.version);
    let mut out = Vec::new();
    for (version, release) in &after {
        match before.get(version) {
            None => {
                let cause =
                    if Some(*version) > newest { Cause::Evolution } else { Cause::Coverage };
                let is_open = new.newest_looked_at().is_some_and(|newest| newest < *version);
                let open = if is_open { ", and was not looked at" } else { "" };
                let message = format!("{} {version} is registered{open}", new.name);
                let judged = (RuleId::ReleaseRegistered, cause);
                out.push(of.change(judged, None, Some(version.to_string()), message));
            }
            Some(earlier) if earlier != release => {
                out.push(otherwise(of, &new.name, earlier, release));
            }
            Some(_) => {}
        }
    }
    for version in before.keys().filter(|version| !after.contains_key(*version)) {
        let message = format!("{} {version} is no longer registered", new.name);
        let judged = (RuleId::ReleaseUnregistered, Cause::Correction);
        out.push(of.change(judged, Some(version.to_string()), None, message));
    }
    out
}

/// Clients recognise a release by the number that it publishes; its date is text.
fn otherwise(of: &Of<'_, '_>, name: &str, old: &Release, new: &Release) -> Change {
    let judged = if old.api == new.api {
        (RuleId::DocsOnlyChanged, Cause::Editorial)
    } else {
        (RuleId::ImplementationChanged, Cause::Correction)
    };
    let text = |release: &Release| {
        let api = release.api.map(|number| format!(" api {number}")).unwrap_or_default();
        format!("{} {}{api}", release.version, release.date.as_deref().unwrap_or("without a date"))
    };
    let (was, is) = (text(old), text(new));
    let message = format!("{name} is registered as {is}, was {was}");
    let keys = vec!["releases".to_owned(), new.version.to_string()];
    Change { keys, ..of.change(judged, Some(was), Some(is), message) }
}

fn by_version(program: &Program) -> BTreeMap<StableVersion, &Release> {
    program.releases.iter().map(|release| (release.version, release)).collect()
}

pub(super) fn floors(context: &Context<'_>) -> Vec<Change> {
    let old: HashMap<&str, StableVersion> =
        context.old_floors.by_program(context.old.api).collect();
    let mut out = Vec::new();
    for (key, floor) in context.new_floors.by_program(context.new.api) {
        let Some(before) = old.get(key).copied().filter(|before| *before != floor) else {
            continue;
        };
        let rule = if floor > before { RuleId::FloorRaised } else { RuleId::FloorLowered };
        let message = format!("the oldest supported release is {floor}, was {before}");
        let judged = (rule, context.floor_cause(key));
        out.push(Of { context, key }.change(
            judged,
            Some(before.to_string()),
            Some(floor.to_string()),
            message,
        ));
    }
    out
}
