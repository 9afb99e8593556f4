//! The report as a document: what stands under which heading, and the details of each finding. The formats print it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::View;
use super::words::{counted, few, owner, spans};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::{Cause, Change, Direction, Place};
use fedispec_diff::rules::{Audience, Bump, Severity};
use fedispec_since::StableVersion;

/// The shown part of a report, worst first.
pub(super) struct Document<'r> {
    pub(super) blocks: Vec<Block<'r>>,
    /// How many changes are shown.
    pub(super) shown: usize,
}

/// The findings under one heading.
pub(super) struct Block<'r> {
    /// An item's id, or how many items of what.
    pub(super) title: String,
    /// The route or the kind of a single item.
    pub(super) subtitle: String,
    pub(super) findings: Vec<Finding<'r>>,
}

/// One rule's verdict on an item, or on many items alike; there is at least one entry.
pub(super) struct Finding<'r> {
    pub(super) first: &'r Change,
    pub(super) entries: Vec<&'r Entry>,
}

/// Something that is known of a change.
pub(super) struct Detail<'r> {
    pub(super) label: &'static str,
    pub(super) value: Value<'r>,
}

/// The value of a detail.
pub(super) enum Value<'r> {
    Text(String),
    /// The places of the fact in the old and in the new state.
    Places(Option<&'r Place>, Option<&'r Place>),
}

/// More items than this with the same change are one finding.
const ALIKE: usize = 3;

/// At least this many items of one owner under the same rule are one finding.
const OF_OWNER: usize = 3;

impl<'r> Document<'r> {
    pub(super) fn new(report: &'r Report, view: &'r View) -> Self {
        let shown: Vec<&Entry> = view.changes(report).collect();
        Self { blocks: blocks(&shown), shown: shown.len() }
    }

    /// The findings of a severity, with the blocks that they stand in.
    pub(super) fn of(
        &self,
        severity: Severity,
    ) -> impl Iterator<Item = (&Block<'r>, &Finding<'r>)> {
        let all = self.blocks.iter();
        all.flat_map(|block| block.findings.iter().map(move |finding| (block, finding)))
            .filter(move |(_, finding)| finding.first.severity == severity)
    }
}

impl<'r> Finding<'r> {
    fn new(entries: Vec<&'r Entry>) -> Option<Self> {
        let first = &entries.first()?.change;
        Some(Self { first, entries })
    }

    /// The only entry, where there is one.
    pub(super) fn only(&self) -> Option<&'r Entry> {
        match self.entries.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Returns the message, if it is the same for every item.
    pub(super) fn message(&self) -> Option<Cow<'r, str>> {
        let message = self.first.sentence();
        let mut all = self.entries.iter();
        all.all(|entry| entry.change.sentence() == message).then_some(message)
    }

    /// The name of an entry's item below its owner where all have one owner, else its id.
    pub(super) fn name(&self, entry: &'r Entry) -> &'r str {
        let is_of_one = self.entries.iter().all(|other| {
            owner(&other.change.item).map(|(owner, _)| owner)
                == owner(&self.first.item).map(|(owner, _)| owner)
        });
        match owner(&entry.change.item).filter(|_| is_of_one && self.only().is_none()) {
            Some((_, name)) => name,
            None => &entry.change.item.id,
        }
    }

    /// Whether all of it is accepted.
    pub(super) fn is_accepted(&self) -> bool {
        self.entries.iter().all(|entry| entry.accepted.is_some())
    }

    /// Returns the argument of `--accept` that accepts the whole finding: fingerprints, or a rule and a glob if they match
    /// nothing else.
    pub(super) fn accept(&self, report: &Report) -> String {
        let rule = self.first.rule;
        let of = owner(&self.first.item).map(|(owner, _)| format!("{owner}."));
        if let Some(start) = of.filter(|_| self.only().is_none()) {
            let meant = report.changes.iter().filter(|entry| {
                entry.change.rule == rule && entry.change.item.id.starts_with(&start)
            });
            let has = |entry: &Entry| self.entries.iter().any(|one| one.fp == entry.fp);
            if meant.clone().count() == self.entries.len() && meant.into_iter().all(has) {
                return format!("{}:{start}*", rule.rule().id);
            }
        }
        let fps = self.entries.iter().map(|entry| entry.fp.as_str());
        fps.collect::<Vec<_>>().join(",")
    }
}

/// Returns the key by which changes of one item are grouped under a heading.
fn heading(change: &Change) -> (Severity, &str, &str, Cause) {
    let item = &change.item;
    (change.severity, &item.kind, &item.id, change.cause)
}

/// The key by which changes are grouped into one finding.
type Common<'r> = (Severity, &'r str, &'r str, Cause, &'r [Audience], Bump);

fn common(change: &Change) -> Common<'_> {
    (
        change.severity,
        change.rule.rule().id,
        &change.item.kind,
        change.cause,
        &change.breaks,
        change.bump,
    )
}

/// The words that many items share.
fn event(change: &Change) -> (Common<'_>, Cow<'_, str>) {
    (common(change), change.sentence())
}

/// The owner that many items share, and the program that they are about.
fn family(change: &Change) -> Option<(Common<'_>, &str, Option<&str>)> {
    let (owner, _) = owner(&change.item)?;
    Some((common(change), owner, change.implementation.as_deref()))
}

fn blocks<'r>(shown: &[&'r Entry]) -> Vec<Block<'r>> {
    let mut events: HashMap<_, Vec<&'r Entry>> = HashMap::new();
    for entry in shown {
        events.entry(event(&entry.change)).or_default().push(entry);
    }
    events.retain(|_, entries| entries.len() > ALIKE);
    let mut families: HashMap<_, Vec<&'r Entry>> = HashMap::new();
    for entry in shown.iter().filter(|entry| !events.contains_key(&event(&entry.change))) {
        if let Some(family) = family(&entry.change) {
            families.entry(family).or_default().push(entry);
        }
    }
    families.retain(|_, entries| entries.len() >= OF_OWNER);
    let mut blocks: Vec<Block<'r>> = Vec::new();
    let mut told = HashSet::new();
    let mut last = None;
    for entry in shown {
        let change = &entry.change;
        let many = events.get(&event(change)).or_else(|| families.get(&family(change)?));
        if let Some(entries) = many {
            let fps = entries.first().map(|entry| (&entry.fp, &entry.change.item.id));
            if told.insert(fps) {
                blocks.extend(several(entries));
            }
            last = None;
            continue;
        }
        let Some(finding) = Finding::new(vec![entry]) else {
            continue;
        };
        match blocks.last_mut().filter(|_| last == Some(heading(change))) {
            Some(block) => block.findings.push(finding),
            None => blocks.push(Block {
                title: change.item.id.clone(),
                subtitle: what(change),
                findings: vec![finding],
            }),
        }
        last = Some(heading(change));
    }
    blocks
}

/// The block of many items: `30 fields of V1Instance`.
fn several<'r>(entries: &[&'r Entry]) -> Option<Block<'r>> {
    let finding = Finding::new(entries.to_vec())?;
    let owners: HashSet<_> =
        entries.iter().map(|entry| owner(&entry.change.item).map(|(owner, _)| owner)).collect();
    let of = match owners.iter().next() {
        Some(Some(owner)) if owners.len() == 1 => format!(" of {owner}"),
        _ => String::new(),
    };
    Some(Block {
        title: format!("{} {}{of}", entries.len(), plural(&finding.first.item.kind)),
        subtitle: String::new(),
        findings: vec![finding],
    })
}

fn plural(kind: &str) -> String {
    match kind {
        "param" => "parameters".into(),
        "response" => "fields of answers".into(),
        "entity" => "entities".into(),
        "enum" => "enumerations".into(),
        kind => format!("{kind}s"),
    }
}

/// The route of an operation, the kind of any other item.
fn what(change: &Change) -> String {
    match (&change.item.method, &change.item.path) {
        (Some(method), Some(path)) => format!("{method} {path}"),
        _ => change.item.kind.clone(),
    }
}

/// `request`, where the direction of a value is what matters.
pub(super) fn direction(change: &Change) -> Option<&'static str> {
    change.direction.map(|direction| match direction {
        Direction::Request => "request",
        Direction::Response => "response",
    })
}

/// `C your code, W running calls`, of what is no mere addition.
pub(super) fn hit(change: &Change) -> Option<String> {
    let who = change.breaks.iter();
    let who: Vec<_> =
        who.map(|audience| format!("{} {}", audience.letter(), audience.who())).collect();
    (change.severity >= Severity::Risky && !who.is_empty()).then(|| who.join(", "))
}

/// Lists the details of a change that its message does not tell.
pub(super) fn details(change: &Change) -> Vec<Detail<'_>> {
    let mut details = Vec::new();
    let mut tell = |label, value| {
        details.push(Detail { label, value: Value::Text(value) });
    };
    if change.with > 0 {
        tell("along", counted(change.with, "part"));
    }
    for (what, releases) in moves(change) {
        let program = change.implementation.as_deref().unwrap_or_default();
        tell("gate", format!("{what} {program} {}", spans(releases)));
    }
    if !change.reach.is_empty() && change.severity > Severity::Docs {
        tell("reach", few(&change.reach, 5));
    }
    let places = (change.base_at.as_ref(), change.head_at.as_ref());
    if places != (None, None) {
        details.push(Detail { label: "at", value: Value::Places(places.0, places.1) });
    }
    details.extend(change.evidence.iter().take(2).map(|proof| Detail {
        label: "evidence",
        value: Value::Text(format!("{} {}", proof.class, proof.r#ref)),
    }));
    details
}

/// Returns the releases on which the gate opens and closes, each with its label.
pub(super) fn moves(change: &Change) -> impl Iterator<Item = (&'static str, &[StableVersion])> {
    let gate = change.gate.iter();
    gate.flat_map(|gate| {
        [("opens on", gate.opens.as_slice()), ("closes on", gate.closes.as_slice())]
    })
    .filter(|(_, releases)| !releases.is_empty())
}
