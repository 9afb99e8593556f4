//! Two spans that read as release notes, held against what was measured in the programs' own sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fedispec_diff::releases::{Event, Happened, Releases, releases};
use fedispec_since::StableVersion;
use serde_yaml::Value;

use super::support::real;

type Span = (StableVersion, StableVersion);

/// The measured facts, where they are beside the checkout.
fn facts(file: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/facts").join(file);
    let Ok(text) = fs::read_to_string(&path) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "in CI nothing is skipped, and ../shared/facts/{file} is missing"
        );
        eprintln!("skipped: ../shared/facts/{file} is missing");
        return None;
    };
    Some(serde_yaml::from_str(&text).expect("the facts are YAML"))
}

/// Facts also write `0.6`.
fn version(text: &str) -> StableVersion {
    let mut numbers = text.split('.').map(|part| part.parse().expect("a number"));
    let mut next = || numbers.next().unwrap_or_default();
    StableVersion(next(), next(), next())
}

/// Whether a fact has a version under this key after one release up to another.
fn within(fact: &Value, key: &str, (from, to): Span) -> bool {
    let stated = fact.get(key).and_then(Value::as_str);
    stated.is_some_and(|stated| from < version(stated) && version(stated) <= to)
}

fn mapping(value: Option<&Value>) -> impl Iterator<Item = (String, &Value)> {
    let mapping = value.and_then(Value::as_mapping).into_iter().flatten();
    mapping.map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), value))
}

/// `GET /api/v1/accounts/:`, whatever the arguments are called.
fn route(method: &str, path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with([':', '{']) { ":" } else { part });
    format!("{method} {}", parts.collect::<Vec<_>>().join("/"))
}

fn measured_route(key: &str) -> String {
    let (method, path) = key.split_once(' ').expect("a method and a path");
    route(method, path)
}

fn happened(found: &Releases, what: Happened, kind: &str) -> Vec<Event> {
    found
        .events
        .iter()
        .filter(|event| event.happened == what && event.item.kind == kind)
        .cloned()
        .collect()
}

fn routes(events: &[Event]) -> BTreeSet<String> {
    let route = |event: &Event| Some(route(event.item.method.as_ref()?, event.item.path.as_ref()?));
    events.iter().filter_map(route).collect()
}

fn measured_routes(operations: Option<&Value>, key: &str, span: Span) -> BTreeSet<String> {
    mapping(operations)
        .filter(|(_, fact)| within(fact, key, span))
        .map(|(key, _)| measured_route(&key))
        .collect()
}

/// Removes measured routes that have no row of their own in the catalogue. A reason that is no longer needed fails.
fn waive(measured: &mut BTreeSet<String>, waivers: &[(&str, &str)]) {
    for (route, why) in waivers {
        assert!(measured.remove(*route), "{route} ({why}): the waiver is stale");
    }
}

fn check_operations(
    found: &Releases,
    operations: Option<&Value>,
    span: Span,
    waivers: &[(&str, &str)],
) {
    for (what, key) in [(Happened::Added, "since"), (Happened::Removed, "removed")] {
        let mut measured = measured_routes(operations, key, span);
        if what == Happened::Added {
            assert!(!measured.is_empty());
            waive(&mut measured, waivers);
        }
        let told = routes(&happened(found, what, "operation"));
        assert_eq!(
            told.difference(&stubs()).cloned().collect::<BTreeSet<_>>(),
            measured,
            "{what:?} from {} to {}",
            span.0,
            span.1
        );
    }
}

/// The routes of stubs: they were there, and are told as new once they work.
fn stubs() -> BTreeSet<String> {
    let operations = real().operations.iter();
    let stubs = operations.filter(|one| one.item.life.iter().any(|life| life.stub.is_some()));
    stubs.map(|one| route_of(&one.item.id)).collect()
}

/// The routes of the catalogue's operations, by id.
fn route_of(id: &str) -> String {
    let operation = real().operations.iter().find(|one| one.item.id == id).expect("an operation");
    operation.route.as_ref().map(|known| route(&known.method, &known.path)).unwrap_or_default()
}

#[test]
fn mastodon_4_2_to_4_3() {
    let span = (StableVersion(4, 2, 0), StableVersion(4, 3, 0));
    let found = releases(real(), "mastodon", span.0, span.1).expect("registered");
    if let Some(facts) = facts("mastodon-source/operations.yaml") {
        let waivers = [
            ("GET /invite/:", "a page for people"),
            ("PUT /api/v1/notifications/policy", "the twin of PATCH, told in its notes"),
            ("PUT /api/v2/notifications/policy", "the twin of PATCH, told in its notes"),
        ];
        check_operations(&found, Some(&facts), span, &waivers);
    }
    if let Some(facts) = facts("mastodon-source/entities.yaml") {
        let names = |event: &Event| (event.owner.clone(), event.name.replace("[]", ""));
        let added: BTreeSet<_> =
            happened(&found, Happened::Added, "field").iter().map(names).collect();
        let new: BTreeSet<_> = happened(&found, Happened::Added, "entity")
            .into_iter()
            .map(|event| event.owner)
            .collect();
        for (entity, body) in mapping(facts.get("entities")) {
            let entity = match entity.as_str() {
                "Instance (v2)" => "Instance".to_owned(),
                other => other.replace(' ', ""),
            };
            let known = real().entities.iter().any(|known| known.item.id == entity);
            for (field, _) in
                mapping(body.get("fields")).filter(|(_, fact)| within(fact, "since", span))
            {
                // A part of a new item is reported with that item, not by itself.
                let told = |part: &str| added.contains(&(entity.clone(), part.to_owned()));
                let above = field.split_once('[').is_some_and(|(above, _)| told(above));
                let below = field.rsplit_once('[').is_some_and(|(above, _)| told(above));
                assert!(
                    !known || new.contains(&entity) || told(&field) || above || below,
                    "{entity}.{field} is not told"
                );
            }
        }
    }
    let changed = |id: &str, rule: &str| {
        found.events.iter().any(|event| event.item.id == id && event.rule.rule().id == rule)
    };
    assert!(changed("apps.verify_credentials", "scope-loosened"));
    assert!(changed("Application.vapid_key", "deprecated-added"));
}

#[test]
fn gotosocial_0_16_to_0_17() {
    let span = (StableVersion(0, 16, 0), StableVersion(0, 17, 0));
    let found = releases(real(), "gotosocial", span.0, span.1).expect("registered");
    let Some(facts) = facts("gotosocial/timeline.yaml") else {
        return;
    };
    let operations = facts.get("operations");
    check_operations(
        &found,
        operations,
        span,
        &[("GET /users/:/accepts/:", "between servers, no client calls it")],
    );
    let mut measured = BTreeSet::new();
    for (key, fact) in mapping(operations).filter(|(_, fact)| !within(fact, "since", span)) {
        let params =
            mapping(fact.get("parameters")).filter(|(_, fact)| within(fact, "since", span));
        let route = measured_route(&key);
        if !stubs().contains(&route) {
            measured.extend(params.map(|(name, _)| (route.clone(), name)));
        }
    }
    let told = happened(&found, Happened::Added, "param");
    let told: BTreeSet<_> =
        told.iter().map(|event| (route_of(&event.owner), event.name.clone())).collect();
    assert_eq!(told, measured);
}
