//! How programs are recognized, and what they do in their own way.

use std::collections::BTreeMap;

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

/// The facts under the names that operations have now.
fn renamed(mut facts: BTreeMap<String, String>, matched: &Matched<'_>) -> BTreeMap<String, String> {
    let renamed = matched.renamed.iter().map(|(old, new)| [old, new].map(|node| &node.item().id));
    for [was, is] in renamed {
        let keys = facts.keys().filter_map(|key| key.strip_suffix(was.as_str())?.strip_suffix('.'));
        for start in keys.map(str::to_owned).collect::<Vec<_>>() {
            let fact = facts.remove(&format!("{start}.{was}"));
            facts.extend(fact.map(|fact| (format!("{start}.{is}"), fact)));
        }
    }
    facts
}

fn find<'p>(profiles: &'p Profiles, profile: &Profile) -> Option<&'p Profile> {
    profiles.programs.iter().find(|one| one.key == profile.key)
}

/// Compares the facts of a profile one by one.
fn compare(
    context: &Context<'_>,
    program: &str,
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> Vec<Change> {
    let is_registered = context.programs.iter().any(|pair| pair.key == program);
    let mut keys: Vec<_> = old.keys().chain(new.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let differing = keys.into_iter().filter(|key| old.get(*key) != new.get(*key));
    let changes = differing.filter_map(|key| {
        let [was, is] =
            [old, new].map(|facts| facts.get(key).map_or("nothing", String::as_str).to_owned());
        let (rule, cause) = rule(key, is_registered)?;
        let message = match limit(key) {
            Some((name, since)) => {
                let [was, is] = [old, new].map(|facts| limit_at(facts, name, since));
                format!("its limit `{name}` since {since} is {is}, was {was}")
            }
            None => format!("its {key}: {is}, was {was}"),
        };
        Some(
            context
                .other(rule, cause, message, ("program", program))
                .between(format!("{key} {was}"), format!("{key} {is}"))
                .in_program(program),
        )
    });
    changes.collect()
}

/// What the keys of limits begin with.
const LIMITS: &str = "ways.limits.values.";

/// The limit and the release of `ways.limits.values.characters.0.1.0`.
fn limit(key: &str) -> Option<(&str, StableVersion)> {
    let (name, since) = key.strip_prefix(LIMITS)?.split_once('.')?;
    Some((name, since.parse().ok()?))
}

/// What a limit is in a release: the value of the last one before it that has another.
fn limit_at<'f>(facts: &'f BTreeMap<String, String>, name: &str, at: StableVersion) -> &'f str {
    let stated = facts.iter().filter_map(|(key, value)| {
        let (of, since) = limit(key)?;
        (of == name && since <= at).then_some((since, value.as_str()))
    });
    stated.max().map_or("nothing", |(_, value)| value)
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

/// The facts by their keys: `ways.limits.values.characters.0.1.0`.
fn facts(profile: &Profile) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    if let Ok(value) = serde_json::to_value(profile) {
        flatten(String::new(), &value, &mut facts);
    }
    facts
}

fn flatten(key: String, value: &Value, to: &mut BTreeMap<String, String>) {
    let Value::Object(object) = value else {
        to.insert(key, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        return;
    };
    for (name, value) in object {
        let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
        flatten(key, value, to);
    }
}
