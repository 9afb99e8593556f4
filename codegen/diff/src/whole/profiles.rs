//! How programs are recognized, and what they do in their own way.

use std::collections::BTreeMap;

use fedispec_since::profile::{Profile, Profiles};
use serde_json::Value;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::rules::RuleId;

pub(super) fn profiles(context: &Context<'_>) -> Vec<Change> {
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
        if was != is && !is_told {
            out.extend(compare(context, &profile.key, &facts(was), &facts(is)));
        }
    }
    out
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
        let message = format!("its {key}: {is}, was {was}");
        Some(
            context
                .other(rule, cause, message, ("program", program))
                .between(format!("{key} {was}"), format!("{key} {is}"))
                .in_program(program),
        )
    });
    changes.collect()
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
fn facts(profile: Option<&Profile>) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    if let Some(Ok(value)) = profile.map(serde_json::to_value) {
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
