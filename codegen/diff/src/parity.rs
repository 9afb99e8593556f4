//! Comparison of two programs, each at a release: items that only one has, that are unknown, or in which they differ.
//!
//! Neither side is the old one, so that no difference is better or worse; and unknown is never taken for absent.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::at_release::AtRelease;
use super::change::{ItemRef, SCHEMA};
use super::compared::Compared;
use super::index::{Class, Index, IndexedItem};
use super::releases::{At, is_item, released};
use fedispec_model::api::Api;
use fedispec_since::{StableVersion, Verdict};

mod features;
mod relation;
mod shape;

pub use relation::Relation;

/// Two programs, each at a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parity {
    /// The version of the JSON form.
    pub schema: String,
    /// Always `parity`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "parity")))]
    pub mode: String,
    /// The first program.
    pub a: ProgramAt,
    /// The second program.
    pub b: ProgramAt,
    /// How many items each program has, both have, and neither is known to have.
    pub counts: BTreeMap<String, usize>,
    /// The same of the operations of each group, with those of both that differ.
    pub groups: BTreeMap<String, BTreeMap<String, usize>>,
    /// The differences.
    pub differences: Vec<Difference>,
    /// Operations of both, with the releases that brought them: longest lag first, then by the second's release.
    pub lag: Vec<Lag>,
}

/// A program at a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramAt {
    /// Its key.
    pub program: String,
    /// Its name.
    pub name: String,
    /// The release.
    pub at: At,
}

/// One difference between the two programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The kind of difference.
    pub relation: Relation,
    /// The item.
    pub item: ItemRef,
    /// The state of the item in the first program, in words.
    pub a: String,
    /// The state of the item in the second program, in words.
    pub b: String,
    /// How many of its parts differ along with it.
    pub with: usize,
}

/// How much later one program got an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lag {
    /// The item's id.
    pub item: String,
    /// The release of the first program that brought it.
    pub a: At,
    /// The release of the second.
    pub b: At,
    /// Days from the first to the second, negative where the second was earlier; absent where a date is not registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
}

/// Compares two programs, each at a release. Nothing where one of them is not known.
pub fn parity(api: &Api, a: (&str, StableVersion), b: (&str, StableVersion)) -> Option<Parity> {
    Compared::new(api).parity(a, b)
}

impl Compared<'_> {
    /// The same as the function [`parity`].
    pub fn parity(&self, a: (&str, StableVersion), b: (&str, StableVersion)) -> Option<Parity> {
        let Self { index, features } = self;
        let api = index.api;
        let (first, second) = (AtRelease::new(api, a)?, AtRelease::new(api, b)?);
        let mut found = Vec::new();
        let mut counts = BTreeMap::new();
        let mut groups: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let mut lag = Vec::new();
        let mut apart: HashSet<(Class, &str)> = HashSet::new();
        for node in index.nodes.iter().copied().filter(|node| is_item(*node)) {
            let has = (first.has(node), second.has(node));
            count(&mut counts, has, node);
            if let IndexedItem::Operation(operation) = node {
                count(groups.entry(operation.group.clone()).or_default(), has, node);
            }
            let relation = existence(&first, &second, node);
            if let Some(relation) = relation {
                apart.insert(node.key());
                found.push((node, relation, first.said(node), second.said(node)));
            } else if (first.has(node), second.has(node)) == (Verdict::Yes, Verdict::Yes) {
                found.extend(
                    shape::shape(&first, &second, node)
                        .into_iter()
                        .map(|(relation, a, b)| (node, relation, a, b)),
                );
                lag.extend(lagging(&first, &second, node));
            }
        }
        let mut differences = told(index, &found, &apart);
        differing(&mut groups, &differences);
        differences.extend(features::differences(api, features, &first, &second));
        differences
            .sort_by(|x, y| (x.relation, &x.item.id, &x.a).cmp(&(y.relation, &y.item.id, &y.a)));
        lag.sort_by(|x, y| {
            y.days
                .cmp(&x.days)
                .then(y.b.version.cmp(&x.b.version))
                .then_with(|| x.item.cmp(&y.item))
        });
        let side = |here: &AtRelease<'_>| ProgramAt {
            program: here.program.key.clone(),
            name: here.program.name.clone(),
            at: released(here.program, here.release),
        };
        Some(Parity {
            schema: SCHEMA.into(),
            mode: "parity".into(),
            a: side(&first),
            b: side(&second),
            counts,
            groups,
            differences,
            lag,
        })
    }
}

/// An item, the relation of the programs in it, and the text about each.
type Found<'a> = (IndexedItem<'a>, Relation, String, String);

/// Selects the reported items: parts go with their owner, except that an unknown part of a known owner is reported.
fn told<'a>(
    index: &Index<'a>,
    found: &[Found<'a>],
    apart: &HashSet<(Class, &str)>,
) -> Vec<Difference> {
    let parts: Vec<Option<(Class, &str)>> =
        found.iter().map(|(node, ..)| index.holder(*node)).collect();
    let mut differences = Vec::new();
    for ((node, relation, a, b), part_of) in found.iter().zip(&parts) {
        if part_of.is_some_and(|holder| apart.contains(&holder)) {
            continue;
        }
        let key = node.key();
        let with = parts.iter().flatten().filter(|holder| **holder == key).count();
        differences.push(Difference {
            relation: *relation,
            item: index.reference(*node),
            a: a.clone(),
            b: b.clone(),
            with,
        });
    }
    differences
}

/// Counts the operations of each group that both have and that differ, by themselves or in a parameter.
fn differing(groups: &mut BTreeMap<String, BTreeMap<String, usize>>, found: &[Difference]) {
    let both = |relation| {
        matches!(
            relation,
            Relation::DiffersRequest | Relation::DiffersResponse | Relation::DiffersAuth
        )
    };
    let of_operations = found.iter().filter(|difference| {
        let kind = difference.item.kind.as_str();
        let is_known = !matches!(difference.relation, Relation::UnknownInA | Relation::UnknownInB);
        let is_apart = both(difference.relation) || (kind != "operation" && is_known);
        is_apart && matches!(kind, "operation" | "param" | "response")
    });
    let operations: HashSet<(&str, &str)> = of_operations
        .filter_map(|difference| {
            let mut parts = difference.item.id.splitn(3, '.');
            Some((parts.next()?, parts.next()?))
        })
        .collect();
    for (group, _) in operations {
        let counts = groups.entry(group.to_owned()).or_default();
        *counts.entry("differ".to_owned()).or_default() += 1;
    }
}

fn count(counts: &mut BTreeMap<String, usize>, has: (Verdict, Verdict), node: IndexedItem<'_>) {
    if matches!(node, IndexedItem::Entity(_)) {
        return;
    }
    let name = match has {
        (Verdict::Yes, Verdict::Yes) => "both",
        (Verdict::Yes, Verdict::No) => "only_a",
        (Verdict::No, Verdict::Yes) => "only_b",
        (Verdict::Yes, Verdict::Unknown) => "unknown_in_b",
        (Verdict::Unknown, Verdict::Yes) => "unknown_in_a",
        (Verdict::No, Verdict::No) => "neither",
        _ => "unknown",
    };
    *counts.entry(name.to_owned()).or_default() += 1;
}

fn existence<'a>(a: &AtRelease<'a>, b: &AtRelease<'a>, node: IndexedItem<'a>) -> Option<Relation> {
    Relation::of((a.has(node), b.has(node)), || a.later(node), || b.later(node))
}

/// Only operations, and only where both Sinces are known.
fn lagging(a: &AtRelease<'_>, b: &AtRelease<'_>, node: IndexedItem<'_>) -> Option<Lag> {
    let IndexedItem::Operation(operation) = node else {
        return None;
    };
    let brought = |here: &AtRelease<'_>| {
        let effective = operation.item.life.get(here.at)?.effective;
        Some(released(here.program, effective.version()?))
    };
    let (a, b) = (brought(a)?, brought(b)?);
    let days = |at: &At| at.date.as_deref().and_then(day);
    let days = days(&b).zip(days(&a)).map(|(b, a)| b - a);
    Some(Lag { item: operation.item.id.clone(), a, b, days })
}

/// Days since some day, of a date in the common calendar.
fn day(date: &str) -> Option<i64> {
    let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // March is the first month here, so that the odd day of a leap year is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(
        365 * year + year.div_euclid(4) - year.div_euclid(100)
            + year.div_euclid(400)
            + (153 * month + 2) / 5
            + day
            - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_between_dates() {
        for (from, to, days) in [
            ("2024-02-28", "2024-03-01", 2),
            ("2023-02-28", "2023-03-01", 1),
            ("2022-12-31", "2023-01-01", 1),
            ("2020-01-01", "2024-01-01", 1461),
        ] {
            assert_eq!(
                day(to).zip(day(from)).map(|(to, from)| to - from),
                Some(days),
                "{from} {to}"
            );
        }
        assert_eq!(day("soon"), None);
    }
}
