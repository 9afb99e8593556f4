//! Every change of a subject has its opposite, and its counterpart in the other direction: every
//! combination has a rule, or a reason why not. A reason that is no longer needed fails.

use std::collections::BTreeSet;

use fedispec_diff::rules::{IMPOSSIBLE, RULES};

/// Opposite actions: the end of a rule's id, and the ends of which one must exist.
const OPPOSITES: &[(&str, &[&str])] = &[
    ("-added", &["-removed", "-deleted", "-dropped", "-withdrawn"]),
    ("-removed", &["-added"]),
    ("-deleted", &["-added"]),
    ("-dropped", &["-added"]),
    ("-withdrawn", &["-added", "-recorded"]),
    ("-recorded", &["-withdrawn"]),
    ("-added-request", &["-removed-request"]),
    ("-removed-request", &["-added-request"]),
    ("-added-response", &["-removed-response"]),
    ("-removed-response", &["-added-response"]),
    ("-became-required", &["-became-optional"]),
    ("-became-optional", &["-became-required"]),
    ("-became-nullable", &["-became-not-nullable"]),
    ("-became-not-nullable", &["-became-nullable"]),
    ("-became-known", &["-became-unknown", "-became-opaque"]),
    ("-became-unknown", &["-became-known"]),
    ("-became-opaque", &["-became-known"]),
    ("-became-supported", &["-became-unsupported"]),
    ("-became-unsupported", &["-became-supported"]),
    ("-became-enum", &["enum-became-string"]),
    ("-became-string", &["string-became-enum"]),
    ("-widened", &["-narrowed"]),
    ("-narrowed", &["-widened"]),
    ("-tightened", &["-loosened"]),
    ("-loosened", &["-tightened"]),
    ("-earlier", &["-later"]),
    ("-later", &["-earlier"]),
    ("-raised", &["-lowered"]),
    ("-lowered", &["-raised"]),
    ("-floor-down", &["-floor-up"]),
    ("-floor-up", &["-floor-down"]),
    ("-registered", &["-unregistered"]),
    ("-unregistered", &["-registered"]),
    ("-weakened", &["-strengthened"]),
    ("-extended", &["-restricted"]),
    ("-supersetted", &["-subsetted"]),
];

/// Actions without an opposite.
const WAIVED: &[(&str, &str)] = &[
    ("provenance-weakened", "stronger proof is provenance-only-changed"),
    (
        "enum-direction-extended",
        "a direction that is lost is told by the types that no longer name it",
    ),
    (
        "response-entity-supersetted",
        "less than the entity is another entity: response-entity-changed",
    ),
    ("param-added-required", "what goes is item-deleted, required or not"),
    (
        "removed-added-undeprecated",
        "what is withdrawn is removed-withdrawn, whatever notice was given",
    ),
];

/// Rules for parameters without a counterpart for fields, or the reverse, each with the reason.
const ONE_DIRECTION: &[(&str, &str)] = &[
    ("param-default-changed", "an answer has no default"),
    ("param-limit-tightened", "the catalogue bounds no fields"),
    ("param-limit-loosened", "the catalogue bounds no fields"),
    ("param-combination-tightened", "fields are not chosen by anybody"),
    ("param-combination-loosened", "fields are not chosen by anybody"),
    ("param-condition-changed", "the counterpart is field-presence-note-changed"),
    ("param-location-changed", "an answer is one body"),
    ("param-added-required", "the counterpart is field-added-guaranteed"),
    ("field-added-guaranteed", "the counterpart is param-added-required"),
    ("field-moved-entity", "a parameter that goes to another operation is another parameter"),
    ("field-presence-note-changed", "the counterpart is param-condition-changed"),
];

fn ids() -> BTreeSet<&'static str> {
    RULES.iter().map(|rule| rule.id).chain(IMPOSSIBLE.iter().map(|(id, _)| *id)).collect()
}

#[test]
fn every_action_has_an_opposite() {
    let ids = ids();
    let mut wanting = Vec::new();
    for id in &ids {
        let waived = WAIVED.iter().any(|(waived, _)| waived == id);
        let actions: Vec<_> = OPPOSITES.iter().filter(|(end, _)| id.ends_with(end)).collect();
        // The longest end is the action: `-became-not-nullable` is no `-nullable`.
        let Some((end, opposites)) = actions.into_iter().max_by_key(|(end, _)| end.len()) else {
            continue;
        };
        let subject = id.strip_suffix(end).unwrap_or_default();
        let found = opposites.iter().any(|opposite| {
            ids.contains(format!("{subject}{opposite}").as_str()) || ids.contains(opposite)
        });
        if found == waived {
            wanting.push(if found {
                format!("{id}: the waiver is stale")
            } else {
                format!("{id}: nothing undoes it")
            });
        }
    }
    assert!(wanting.is_empty(), "{wanting:#?}");
}

#[test]
fn every_rule_of_one_direction_has_its_counterpart() {
    let ids = ids();
    let mut wanting = Vec::new();
    for (mine, theirs) in [
        ("param-", "field-"),
        ("field-", "param-"),
        ("enum-value-added-request", "enum-value-added-response"),
        ("enum-value-removed-request", "enum-value-removed-response"),
    ] {
        for id in ids.iter().filter(|id| id.starts_with(mine)) {
            let found = ids.contains(id.replacen(mine, theirs, 1).as_str());
            let waived = ONE_DIRECTION.iter().any(|(waived, _)| waived == id);
            if found == waived {
                wanting.push(if found {
                    format!("{id}: the waiver is stale")
                } else {
                    format!("{id}: the other direction has nothing of the kind")
                });
            }
        }
    }
    assert!(wanting.is_empty(), "{wanting:#?}");
}

#[test]
fn waivers_name_rules_and_say_why() {
    let ids = ids();
    for (id, why) in WAIVED.iter().chain(ONE_DIRECTION) {
        assert!(ids.contains(id), "{id} is no rule: the waiver is stale");
        assert!(why.len() > 15, "{id}");
    }
    let acts =
        |id: &str| OPPOSITES.iter().any(|(end, _)| id.ends_with(end)) || id.contains("-added-");
    assert!(WAIVED.iter().all(|(id, _)| acts(id)), "a waiver for what has no action");
}
