//! The items that a program added, changed and removed between two of its releases.

use std::collections::BTreeSet;

use serde::Serialize;

use super::change::{ItemRef, SCHEMA};
use super::compared::Compared;
use super::in_place;
use super::index::{Class, Index, IndexedItem, ItemKey};
use super::rules::{Audience, RuleId, Severity};
use fedispec_model::api::{Api, EntityRole, Item, Program};
use fedispec_model::change::Change as InPlace;
use fedispec_since::{StableVersion, Verdict};

mod delta;
mod features;

use delta::Delta;
pub use delta::Deltas;

/// The events between two releases of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Releases {
    /// The version of the JSON form.
    pub schema: String,
    /// Always `program`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "program")))]
    pub mode: String,
    /// The program.
    pub program: String,
    /// Its name.
    pub name: String,
    /// The older release.
    pub from: At,
    /// The newer one.
    pub to: At,
    /// The events.
    pub events: Vec<Event>,
    /// Items of which nobody knows since when this program has them: they may belong here.
    pub unknown: Vec<String>,
}

/// A release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct At {
    /// Its version.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub version: StableVersion,
    /// When it came out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// The kind of event.
    pub happened: Happened,
    /// The rule that judges it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rule: RuleId,
    /// How bad it is for running calls; what breaks source code alone is compatible here.
    pub severity: Severity,
    /// The audiences that it breaks; never the source of the crate's users, because the catalogue stays the same.
    pub breaks: Vec<Audience>,
    /// The item.
    pub item: ItemRef,
    /// The operation, entity or enumeration that the item belongs to.
    pub owner: String,
    /// The item's name within its owner.
    pub name: String,
    /// The release that made the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub version: Option<StableVersion>,
    /// The fact that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The item to use instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// How many items came or went with it.
    pub with: usize,
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// The item was added.
    Added,
    /// The item changed in place.
    Changed,
    /// The item was deprecated.
    Deprecated,
    /// The item was removed.
    Removed,
}

/// Lists what a program added, changed and dropped after the release `from`, up to and including `to`. Returns `None` if
/// the API does not have the program.
pub fn releases(
    api: &Api,
    program: &str,
    from: StableVersion,
    to: StableVersion,
) -> Option<Releases> {
    Compared::new(api).releases(program, from, to)
}

impl Compared<'_> {
    /// The same as the function [`releases`].
    pub fn releases(
        &self,
        program: &str,
        from: StableVersion,
        to: StableVersion,
    ) -> Option<Releases> {
        let Self { index, features } = self;
        let at = index.api.column(program)?;
        let span = Span { index, at, deltas: Deltas::of(index, at, (from, to)) };
        let known = &index.api.programs[at];
        let mut events = span.events();
        events.extend(features::events(index.api, features, at, (from, to)));
        events.sort_by(|a, b| order(a).cmp(&order(b)));
        Some(Releases {
            schema: SCHEMA.into(),
            mode: "program".into(),
            program: program.to_owned(),
            name: known.name.clone(),
            from: released(known, from),
            to: released(known, to),
            events,
            unknown: span.unknown(),
        })
    }
}

fn order(event: &Event) -> impl Ord {
    let kinds = ["feature", "operation", "param", "entity", "field", "response", "enum", "value"];
    let kind = kinds.iter().position(|known| *known == event.item.kind).unwrap_or(kinds.len());
    (event.happened, kind, &event.owner, &event.name, &event.what)
}

pub(super) fn released(program: &Program, version: StableVersion) -> At {
    let known = program.releases.iter().find(|release| release.version == version);
    At { version, date: known.and_then(|release| release.date.clone()) }
}

struct Span<'i, 'a> {
    index: &'i Index<'a>,
    at: usize,
    deltas: Deltas<'a>,
}

impl<'a> Span<'_, 'a> {
    fn delta(&self, node: IndexedItem<'a>) -> Option<&Delta> {
        self.deltas.0.get(&node.key())
    }

    fn events(&self) -> Vec<Event> {
        let is_out = |has| matches!(has, Verdict::No | Verdict::Stub);
        let came = self.moved(|delta| is_out(delta.before.has) && delta.after.has == Verdict::Yes);
        let gone = self.moved(|delta| !is_out(delta.before.has) && delta.after.has == Verdict::No);
        let mut events = Vec::new();
        for node in self.index.nodes.iter().filter(|node| is_item(**node)) {
            let Some(delta) = self.delta(*node) else {
                continue;
            };
            if came.contains(&node.key()) {
                if !self.goes_along(*node, &came) {
                    events.push(self.event(*node, Happened::Added, RuleId::ItemAdded, &came));
                }
            } else if gone.contains(&node.key()) {
                if !self.goes_along(*node, &gone) {
                    let rule = if self.deprecated(node.item()) {
                        RuleId::RemovedAdded
                    } else {
                        RuleId::RemovedAddedUndeprecated
                    };
                    events.push(self.event(*node, Happened::Removed, rule, &gone));
                }
            } else if let Some(version) = self.stub_of(*node)
                && (delta.before.has, delta.after.has) == (Verdict::No, Verdict::Stub)
            {
                let event = self.event(*node, Happened::Added, RuleId::ItemAdded, &came);
                let version = Some(version);
                let what = Some("answers nothing yet".to_owned());
                events.push(Event { version, what, ..event });
            } else if !is_out(delta.after.has) {
                events.extend(self.in_place(*node, delta));
            }
        }
        events
    }

    fn moved(&self, test: impl Fn(&Delta) -> bool) -> BTreeSet<ItemKey<'a>> {
        self.deltas.0.iter().filter(|(_, delta)| test(delta)).map(|(key, _)| *key).collect()
    }

    /// Whether an item around it changes too.
    fn goes_along(&self, node: IndexedItem<'a>, all: &BTreeSet<ItemKey<'a>>) -> bool {
        let mut id = node.item().id.as_str();
        while let (IndexedItem::Field(..), Some((above, _))) = (node, id.rsplit_once('.')) {
            if all.contains(&(Class::Field, above)) {
                return true;
            }
            id = above;
        }
        self.index.holder(node).is_some_and(|owner| all.contains(&owner))
    }

    /// The first release that answers an operation with an empty list.
    fn stub_of(&self, node: IndexedItem<'a>) -> Option<StableVersion> {
        let is_operation = matches!(node, IndexedItem::Operation(_));
        node.item().life.get(self.at).filter(|_| is_operation)?.stub
    }

    fn deprecated(&self, item: &Item) -> bool {
        item.life.get(self.at).is_some_and(|life| life.deprecated.is_some())
    }

    fn event(
        &self,
        node: IndexedItem<'a>,
        happened: Happened,
        rule: RuleId,
        along: &BTreeSet<ItemKey<'a>>,
    ) -> Event {
        let item = node.item();
        let life = item.life.get(self.at);
        let version = match happened {
            Happened::Removed => life.and_then(|life| life.removed),
            _ => life.and_then(|life| match (life.stub, life.works_since) {
                (Some(_), Some(works)) => works.version(),
                _ => life.effective.version(),
            }),
        };
        let with = match node {
            IndexedItem::Operation(_) | IndexedItem::Entity(_) | IndexedItem::Enum(_) => {
                let below = format!("{}.", item.id);
                along.iter().filter(|(_, id)| id.starts_with(&below)).count()
            }
            _ => 0,
        };
        let (owner, name) = self.names(node);
        Event {
            happened,
            rule,
            severity: on_the_wire(rule),
            breaks: breaks(rule),
            item: self.index.reference(node),
            owner,
            name,
            version,
            what: None,
            old: None,
            new: None,
            replacement: item.replacement.clone(),
            with,
        }
    }

    fn names(&self, node: IndexedItem<'a>) -> (String, String) {
        let item = node.item();
        let name = match node {
            IndexedItem::Param(..) | IndexedItem::Value(..) => &item.wire,
            IndexedItem::Field(..) => &item.name,
            _ => return (item.id.clone(), String::new()),
        };
        let owner = self.index.holder(node).map_or(item.id.as_str(), |(_, id)| id);
        (owner.to_owned(), name.clone())
    }

    fn in_place(&self, node: IndexedItem<'a>, delta: &Delta) -> Vec<Event> {
        let nothing = BTreeSet::new();
        let mut events = Vec::new();
        for change in joined(&delta.changed) {
            let rule = in_place::rule(node, &change);
            events.push(Event {
                version: Some(change.r#in),
                what: Some(change.what.to_string()),
                old: change.from_text(),
                new: change.to_text(),
                ..self.event(node, Happened::Changed, rule, &nothing)
            });
        }
        for (rule, what, old, new) in otherwise(delta) {
            let event = self.event(node, Happened::Changed, rule, &nothing);
            let what = Some(what.to_owned());
            events.push(Event { version: None, what, old, new, ..event });
        }
        if let Some(version) = delta.deprecated {
            let rule = RuleId::DeprecatedAdded;
            let event = self.event(node, Happened::Deprecated, rule, &nothing);
            events.push(Event { version: Some(version), ..event });
        }
        events
    }

    fn unknown(&self) -> Vec<String> {
        let rows = self
            .index
            .nodes
            .iter()
            .filter(|node| is_item(**node) && !matches!(node, IndexedItem::Entity(_)));
        rows.filter(|node| {
            self.delta(**node).is_some_and(|delta| delta.after.has == Verdict::Unknown)
        })
        .map(|node| node.item().id.clone())
        .collect()
    }
}

/// A rule, its subject, the old state and the new one.
type Otherwise<'w> = (RuleId, &'w str, Option<String>, Option<String>);

/// Compares the remaining facts: errors, quirks, and items that begin to work.
fn otherwise(delta: &Delta) -> Vec<Otherwise<'static>> {
    let (before, after) = (&delta.before, &delta.after);
    if before.has != Verdict::Yes || after.has != Verdict::Yes {
        return Vec::new();
    }
    let mut out: Vec<Otherwise<'static>> = Vec::new();
    for status in after.errors.difference(&before.errors) {
        out.push((RuleId::ErrorStatusAdded, "status", None, Some(status.to_string())));
    }
    for status in before.errors.difference(&after.errors) {
        out.push((RuleId::ErrorStatusRemoved, "status", Some(status.to_string()), None));
    }
    for sent in after.sends.difference(&before.sends) {
        let [begins, _] = sending(sent);
        out.push((begins, "sends", Some("as promised".into()), Some(sent.clone())));
    }
    for sent in before.sends.difference(&after.sends) {
        let [_, ends] = sending(sent);
        out.push((ends, "sends", Some(sent.clone()), Some("as promised".into())));
    }
    if before.works != after.works {
        let text = |works: bool| Some(if works { "works" } else { "does nothing" }.to_owned());
        out.push((RuleId::WorksSinceChanged, "effect", text(before.works), text(after.works)));
    }
    out
}

/// The rules for something else that begins to be sent, and that ends.
fn sending(sent: &str) -> [RuleId; 2] {
    match sent {
        "null" => [RuleId::FieldBecameNullable, RuleId::FieldBecameNotNullable],
        "absent" | "absent_if_empty" | "nothing" => {
            [RuleId::FieldBecameOptional, RuleId::FieldBecameRequired]
        }
        _ => [RuleId::FieldTypeChanged, RuleId::FieldTypeChanged],
    }
}

fn breaks(rule: RuleId) -> Vec<Audience> {
    let all = rule.rule().breaks.iter().copied();
    all.filter(|who| *who != Audience::Source).collect()
}

/// A rule's severity, leaving its effect on source code aside.
fn on_the_wire(rule: RuleId) -> Severity {
    let rule = rule.rule();
    let only_source = rule.breaks.contains(&Audience::Source)
        && !rule.breaks.iter().any(|who| matches!(who, Audience::Wire | Audience::Server));
    if only_source { rule.severity.min(Severity::Compatible) } else { rule.severity }
}

/// Objects behind fields, answers and arguments are no items.
pub(super) fn is_item(node: IndexedItem<'_>) -> bool {
    !node.item().implied
        && !matches!(node, IndexedItem::Entity(entity) if entity.role != EntityRole::Named)
}

/// Joins several changes of one fact into one, from the first to the last state; a change that was undone is dropped.
fn joined(changes: &[InPlace]) -> Vec<InPlace> {
    let mut joined: Vec<InPlace> = Vec::new();
    for change in changes {
        match joined
            .iter_mut()
            .find(|before| before.what == change.what && before.to == change.from)
        {
            Some(before) => {
                before.to.clone_from(&change.to);
                before.r#in = change.r#in;
            }
            None => joined.push(change.clone()),
        }
    }
    joined.retain(|change| change.from.is_none() || change.from != change.to);
    joined
}
