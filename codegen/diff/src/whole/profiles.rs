//! How programs are recognized, and what they do in their own way.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::change::plain;
use fedispec_since::StableVersion;
use fedispec_since::profile::{Profile, Profiles};
use serde_json::Value;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::matching::Matched;
use super::super::rules::RuleId;

pub(super) fn profiles(context: &Context<'_>, matched: &Matched<'_>) -> Vec<Change> {
    let [old, new] = [&context.old.api.profiles, &context.new.api.profiles];
    let mut out = Vec::new();
    if old.reference != new.reference {
        let message =
            format!("the versions of {} are claimed, were {}'s", new.reference, old.reference);
        let rule = RuleId::RecognitionChanged;
        out.push(
            context
                .other(rule, Cause::Correction, message, ("program", &new.reference))
                .between(&old.reference, &new.reference),
        );
    }
    let both =
        old.programs.iter().chain(new.programs.iter().filter(|one| find(old, one).is_none()));
    for profile in both {
        let [was, is] = [find(old, profile), find(new, profile)];
        // A program that is registered, or no longer, says so itself.
        let is_told = context
            .programs
            .iter()
            .any(|pair| pair.key == profile.key && (pair.old.is_some() != pair.new.is_some()));
        let name = profile.name.as_deref().unwrap_or(&profile.key);
        match [was, is] {
            _ if is_told || was == is => {}
            [Some(was), Some(is)] => {
                out.extend(compare(
                    context,
                    &profile.key,
                    &renamed(facts(was), matched),
                    &facts(is),
                ));
            }
            [None, _] => out.push(came_or_went(context, profile, ["nobody", name])),
            [_, None] => out.push(came_or_went(context, profile, [name, "nobody"])),
        }
    }
    out
}

/// A program that is recognized now, or no longer.
fn came_or_went(context: &Context<'_>, profile: &Profile, [was, is]: [&str; 2]) -> Change {
    let key = profile.key.as_str();
    let message = format!("its servers are taken for {is}, were for {was}");
    let (rule, cause) = (RuleId::RecognitionChanged, Cause::Correction);
    context.other(rule, cause, message, ("program", key)).between(was, is).in_program(key)
}

/// The facts of a profile by the keys that lead to them.
type Facts = BTreeMap<Vec<String>, String>;

/// The facts under the names that operations have now.
fn renamed(facts: Facts, matched: &Matched<'_>) -> Facts {
    let renamed = matched.renamed.iter().map(|(old, new)| [old, new].map(|node| &node.item().id));
    let now: BTreeMap<_, _> = renamed.map(|[was, is]| (was, is)).collect();
    let facts = facts.into_iter().map(|(mut keys, value)| {
        if let Some(last) = keys.last_mut()
            && let Some(is) = now.get(last)
        {
            last.clone_from(is);
        }
        (keys, value)
    });
    facts.collect()
}

fn find<'p>(profiles: &'p Profiles, profile: &Profile) -> Option<&'p Profile> {
    profiles.programs.iter().find(|one| one.key == profile.key)
}

/// Compares the facts of a profile one by one.
fn compare(context: &Context<'_>, program: &str, old: &Facts, new: &Facts) -> Vec<Change> {
    let registered = context.programs.iter().find(|pair| pair.key == program);
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let changes = keys.into_iter().filter_map(|keys| {
        let [was, is] = [old, new].map(|facts| in_effect(facts, keys).unwrap_or("nothing"));
        let key = keys.join(".");
        let (rule, cause) = rule(&key, registered.is_some()).filter(|_| was != is)?;
        let dated = dated(keys);
        let is_newer = registered
            .zip(dated)
            .is_some_and(|(registered, (_, release, _))| release > registered.newest);
        let cause = if is_newer { Cause::Evolution } else { cause };
        let message = match dated {
            Some((table, since, [])) => {
                let next = |facts| releases(facts, table).filter(|one| *one > since).min();
                let until = [old, new].into_iter().filter_map(next).min();
                let when = until.map_or_else(
                    || format!("since {since}"),
                    |until| format!("from {since} until {until}"),
                );
                let table = match table {
                    [.., kind, values, name] if kind == "limits" && values == "values" => {
                        format!("limit `{name}`")
                    }
                    _ => table.join("."),
                };
                format!("its {table} {when} is {is}, was {was}")
            }
            _ => format!("its {key}: {is}, was {was}"),
        };
        let change = context.other(rule, cause, message, ("program", program));
        let change = change.between(format!("{key} {was}"), format!("{key} {is}"));
        Some(Change { keys: keys.clone(), ..change.in_program(program) })
    });
    changes.collect()
}

/// The keys that lead to the fact of a release: those of its table, the release, and those after it.
fn dated(keys: &[String]) -> Option<(&[String], StableVersion, &[String])> {
    let mut keys_of = keys.iter().enumerate();
    let (at, release) = keys_of.find_map(|(at, key)| Some((at, key.parse().ok()?)))?;
    Some((&keys[..at], release, &keys[at + 1..]))
}

/// The releases of which a table has a fact.
fn releases(facts: &Facts, table: &[String]) -> impl Iterator<Item = StableVersion> {
    facts.keys().filter_map(|keys| keys.strip_prefix(table)?.first()?.parse().ok())
}

/// The value of a fact. One of a release is that of the last release before it which has another.
fn in_effect<'f>(facts: &'f Facts, keys: &[String]) -> Option<&'f str> {
    let Some((table, wanted, rest)) = dated(keys) else {
        return facts.get(keys).map(String::as_str);
    };
    let last = releases(facts, table).filter(|one| *one <= wanted).max()?;
    facts.get(&[table, &[last.to_string()], rest].concat()).map(String::as_str)
}

/// The rule for a fact of a profile; none where the registry of programs tells it.
fn rule(key: &str, is_registered: bool) -> Option<(RuleId, Cause)> {
    let correction = |rule| Some((rule, Cause::Correction));
    match key {
        "key" => None,
        "name" | "nodeinfo" if is_registered => None,
        "name" => Some((RuleId::DocsOnlyChanged, Cause::Editorial)),
        _ if key.starts_with("ways.server.") => correction(RuleId::EmulationChanged),
        _ if key.starts_with("ways.betrayed_by.") => correction(RuleId::RecognitionChanged),
        _ if key.starts_with("ways.") => correction(RuleId::WaysChanged),
        _ => correction(RuleId::RecognitionChanged),
    }
}

fn facts(profile: &Profile) -> Facts {
    let mut facts = BTreeMap::new();
    if let Ok(value) = serde_json::to_value(profile) {
        flatten(Vec::new(), &value, &mut facts);
    }
    facts
}

fn flatten(keys: Vec<String>, value: &Value, to: &mut Facts) {
    let Value::Object(object) = value else {
        to.insert(keys, plain(value));
        return;
    };
    for (name, value) in object {
        flatten([&keys[..], std::slice::from_ref(name)].concat(), value, to);
    }
}
