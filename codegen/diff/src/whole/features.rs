//! Features: what they are made up of, and since when each program has them.

use std::collections::{BTreeMap, HashMap};

use super::super::change::{Cause, Change, ItemRef};
use super::super::context::Context;
use super::super::rules::{Fact, RuleId};
use super::Parts;
use fedispec_model::api::{Feature, Since};
use fedispec_model::features::Features;

pub(super) fn features(
    context: &Context<'_>,
    Parts { matched, .. }: Parts<'_, '_>,
    said: &[Change],
) -> Vec<Change> {
    let (old, new) = (context.old.api, context.new.api);
    let by_id = |features: &'_ [Feature]| -> BTreeMap<String, Feature> {
        features.iter().map(|feature| (feature.id.clone(), feature.clone())).collect()
    };
    let (before, after) = (by_id(&old.features), by_id(&new.features));
    let renamed = matched.pairs.iter().filter(|(old, new)| old.key() != new.key());
    let renamed: HashMap<&str, &str> =
        renamed.map(|(old, new)| (old.item().id.as_str(), new.item().id.as_str())).collect();
    let both = after.iter().filter_map(|(id, after)| Some((before.get(id)?, after)));
    let both: Vec<_> = both.collect();
    let mut out = Vec::new();
    for feature in after.values().filter(|feature| !before.contains_key(&feature.id)) {
        let message = format!("a new feature: {}", feature.summary.trim_end_matches('.'));
        let change = change(context, RuleId::FeatureAdded, Cause::Coverage, message, feature);
        out.push(Change { new: Some(items(feature, &HashMap::new())), ..change });
    }
    for feature in before.values().filter(|feature| !after.contains_key(&feature.id)) {
        let message = "its constant, its page and its badge are gone".into();
        let change = change(context, RuleId::FeatureRemoved, Cause::Correction, message, feature);
        out.push(Change { old: Some(items(feature, &HashMap::new())), ..change });
    }
    if both.is_empty() {
        return out;
    }
    let lives = (Features::new(old), Features::new(new));
    for (before, after) in both {
        out.extend(words(context, before, after));
        let (was, is) = (items(before, &renamed), items(after, &HashMap::new()));
        if was != is {
            let message = format!("needs {is}, needed {was}");
            let (rule, cause) = (RuleId::FeatureItemsChanged, Cause::Correction);
            let change = change(context, rule, cause, message, after);
            out.push(change.between(was, is));
        }
        out.extend(moved(context, &lives, (before, after), said));
    }
    out
}

/// The programs that have a feature since another release than before.
fn moved(
    context: &Context<'_>,
    (old, new): &(Features<'_>, Features<'_>),
    (before, after): (&Feature, &Feature),
    said: &[Change],
) -> Vec<Change> {
    let items: Vec<_> = after.all.iter().chain(&after.one_of).collect();
    let programs = context.programs.iter();
    let moved = programs.filter_map(|pair| {
        let (was, is) = (old.life(before, pair.old?), new.life(after, pair.new?));
        if was == is {
            return None;
        }
        // It moves for the reason for which its items do.
        let of_item = said.iter().find(|change| {
            change.implementation.as_deref() == Some(pair.key)
                && matches!(change.rule.fact(), Fact::Since | Fact::Removed | Fact::Absence)
                && items.contains(&&change.item.id)
        });
        let cause = match (of_item, was.since, is.since) {
            (Some(change), ..) => change.cause,
            (_, _, Since::Since(release)) if release > pair.newest => Cause::Evolution,
            (_, Since::Unknown, _) => Cause::Coverage,
            _ => Cause::Correction,
        };
        let (was, is) = (was.text(), is.text());
        let message = format!("{}: {is}, was {was}", pair.key);
        let change = change(context, RuleId::FeatureSinceChanged, cause, message, after);
        Some(change.between(was, is).in_program(pair.key))
    });
    moved.collect()
}

/// Reports a summary or synonyms that differ.
fn words(context: &Context<'_>, before: &Feature, after: &Feature) -> Option<Change> {
    let text = |feature: &Feature| {
        let synonyms = feature.synonyms.iter().map(|synonym| format!("; {synonym}"));
        std::iter::once(feature.summary.clone()).chain(synonyms).collect::<String>()
    };
    let (was, is) = (text(before), text(after));
    let what = if before.summary == after.summary { "synonyms differ" } else { "summary differs" };
    let (rule, cause) = (RuleId::DocsOnlyChanged, Cause::Editorial);
    let change = |was, is| change(context, rule, cause, what.into(), after).between(was, is);
    (was != is).then(|| change(was, is))
}

fn change(
    context: &Context<'_>,
    rule: RuleId,
    cause: Cause,
    message: String,
    feature: &Feature,
) -> Change {
    context.change_of(rule, cause, message, ItemRef::feature(feature))
}

/// The items under the names that they have now: `a and b and one of (c, d)`.
fn items(feature: &Feature, renamed: &HashMap<&str, &str>) -> String {
    let now = |ids: &[String]| -> Vec<String> {
        let now = ids.iter().map(String::as_str);
        let mut now: Vec<_> =
            now.map(|id| renamed.get(id).copied().unwrap_or(id).to_owned()).collect();
        now.sort_unstable();
        now
    };
    let mut parts = now(&feature.all);
    if !feature.one_of.is_empty() {
        parts.push(format!("one of ({})", now(&feature.one_of).join(", ")));
    }
    parts.join(" and ")
}
