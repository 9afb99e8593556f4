//! The life of an item after its Since, by program: stubs, deprecation, removal, gaps and changes, and their order.

use super::Resolver;
use super::life::{fact, since};
use crate::merge::{FactKey, MergedItem, Stated};
use crate::model::{Change, Head};
use crate::problems::NodePath;
use fedispec_model::api::{Life, Since};
use fedispec_model::change::{self, ChangedFact};
use fedispec_since::{Required, StableVersion};
use serde_json::{Value, json};

impl<'a> Resolver<'a, '_, '_> {
    /// Adds to a life everything that follows the Since.
    pub(super) fn what_follows<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        program: &'a str,
        life: &mut Life,
    ) {
        let speaks = node.statements.iter().any(|one| goes_on(one.head));
        if !speaks && !self.merged.disputes.about(&node.id) {
            return;
        }
        let key = FactKey::in_program("works_since", program);
        let mut said = node.heads(|head| head.works_since.get(program).copied().map(fact));
        let works = self.facts.settle(&node.id, key, None, |_, _| false, &mut said);
        life.works_since = works.map(|settled| since(&settled.value));
        life.deprecated = self.in_program(node, "deprecated", program, |one| one.deprecated);
        life.removed = self.in_program(node, "removed", program, |one| one.removed);
        life.absent =
            self.in_program(node, "absent", program, |one| one.absent).unwrap_or_default();
        let changed = self.in_program(node, "changed", program, |one| one.changed);
        life.changed = changed.unwrap_or_default().into_iter().map(change).collect();
        self.order(node, program, life);
    }

    /// Reports facts of a life that cannot follow each other.
    fn order<B>(&mut self, node: &MergedItem<'a, B>, program: &'a str, life: &Life) {
        for wrong in out_of_order(life) {
            // A type that comes too late for any Since of the item is not wrong by the Since.
            let is_by_since = life.since == Since::Never || !after(life, None).contains(&wrong);
            let (fact, inside, why) = wrong;
            let stated = node.statements.iter().rev();
            let place_in = |one: &Stated<'a>| {
                let fact = one.place.under(&[fact, program]);
                inside.iter().fold(fact, |place, key| place.then(key.clone()))
            };
            let mut places = stated.map(|one| place_in(one));
            let place = places.find(|place| self.facts.problems.stands(place));
            let place = place.unwrap_or_else(|| node.place().clone());
            let message = format!("in {}, `{}` {why}", self.program_name(program), node.id);
            let help = match fact {
                "deprecated" | "removed" => "an item is added, then deprecated, then removed",
                _ => "mend it, or the Since of the item",
            };
            self.facts.problems.value("out-of-order", &place, message, help);
            if let Some(since) = self.since_of(&node.id, program).filter(|_| is_by_since) {
                self.facts.problems.with_value(&since, "its Since");
            }
        }
        for statement in &node.statements {
            let proof = statement.proof(program);
            for (place, version) in followed(statement, program) {
                self.released(version, program, proof, &place);
            }
        }
    }

    /// Finds the Since that an item has in a program: its own, or that of what is around it.
    pub(super) fn since_of(&self, id: &str, program: &str) -> Option<NodePath<'a>> {
        self.merged.since_of(id, program, self.facts.problems)
    }
}

/// The versions after the Since that a statement mentions, with the node of each.
fn followed<'a>(statement: &Stated<'a>, program: &'a str) -> Vec<(NodePath<'a>, StableVersion)> {
    let (head, at) = (statement.head, |fact| statement.place.under(&[fact, program]));
    let mut found = Vec::new();
    if let Some(Since::Since(version)) = head.works_since.get(program) {
        found.push((at("works_since"), *version));
    }
    for (fact, list) in [("deprecated", head.deprecated), ("removed", head.removed)] {
        found.extend(list.get(program).map(|version| (at(fact), *version)));
    }
    found.extend(ends(head.absent.get(program), &at("absent")));
    for (index, change) in head.changed.get(program).into_iter().flatten().enumerate() {
        let place = at("changed").then(index.to_string());
        found.push((place.then("in"), change.r#in));
        found.extend(ends(Some(&change.absent), &place.then("absent")));
    }
    found
}

/// The ends of gaps, with the node of each.
fn ends<'a>(
    gaps: Option<&Vec<(StableVersion, StableVersion)>>,
    place: &NodePath<'a>,
) -> impl Iterator<Item = (NodePath<'a>, StableVersion)> {
    gaps.into_iter().flatten().enumerate().flat_map(|(gap, (from, until))| {
        let place = place.then(gap.to_string());
        [(place.then("0"), *from), (place.then("1"), *until)]
    })
}

/// A fact of a life that comes too early or too late, the keys that lead to it under the program, and why.
type Wrong = (&'static str, Vec<String>, String);

/// Whether a statement has any fact that follows the Since.
fn goes_on(head: Head<'_>) -> bool {
    !(head.works_since.is_empty()
        && head.deprecated.is_empty()
        && head.removed.is_empty()
        && head.absent.is_empty()
        && head.changed.is_empty())
}

fn change(change: Change) -> change::Change {
    // A parameter is required as its own key says it, or in the words that hold of more than one release.
    let state = |value: Option<Value>| match value {
        Some(Value::Bool(required)) if change.what == ChangedFact::Required => {
            Some(json!(if required { Required::Always } else { Required::Never }))
        }
        value => value,
    };
    change::Change {
        r#in: change.r#in,
        absent: change.absent,
        what: change.what,
        from: state(change.from),
        to: state(change.to),
        all: false,
    }
}

fn out_of_order(life: &Life) -> Vec<Wrong> {
    match life.since {
        Since::Never => after_never(life),
        Since::Since(since) => after(life, Some(since)),
        Since::Unknown => after(life, None),
    }
}

/// Lists the facts that an item cannot have because no release has it.
fn after_never(life: &Life) -> Vec<Wrong> {
    [
        ("deprecated", life.deprecated.is_some()),
        ("removed", life.removed.is_some()),
        ("absent", !life.absent.is_empty()),
        ("changed", !life.changed.is_empty()),
        ("works_since", life.works_since.is_some()),
    ]
    .into_iter()
    .filter(|(_, stated)| *stated)
    .map(|(fact, _)| (fact, Vec::new(), format!("is in no release and cannot have `{fact}`")))
    .collect()
}

fn after(life: &Life, since: Option<StableVersion>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut say = |fact, inside: Vec<String>, message: String| wrong.push((fact, inside, message));
    let too_early = |version: StableVersion| since.filter(|since| version <= *since);
    for message in works_wrongly(life, since) {
        say("works_since", Vec::new(), message);
    }
    if let Some(deprecated) = life.deprecated
        && let Some(since) = since.filter(|since| deprecated < *since)
    {
        say(
            "deprecated",
            Vec::new(),
            format!("is deprecated in {deprecated}, before its Since, {since}"),
        );
    }
    if let Some(removed) = life.removed {
        if let Some(since) = too_early(removed) {
            let message =
                format!("is removed in {removed}, which is no later than its Since, {since}");
            say("removed", Vec::new(), message);
        }
        if let Some(deprecated) = life.deprecated.filter(|deprecated| removed < *deprecated) {
            let message =
                format!("is removed in {removed}, before it is deprecated in {deprecated}");
            say("removed", Vec::new(), message);
        }
    }
    let mut end = since;
    for (number, &(from, to)) in life.absent.iter().enumerate() {
        if end.is_some_and(|end| from <= end) || to <= from {
            let why = match end {
                _ if to < from => ", which comes before".to_owned(),
                _ if to == from => ", as nothing lies between".to_owned(),
                Some(end) if number > 0 => format!(", as the stretch before it ends in {end}"),
                Some(since) => format!(", as it is there since {since}"),
                None => String::new(),
            };
            let message = format!("cannot be absent from {from} until {to}{why}");
            say("absent", vec![number.to_string()], message);
        } else if let Some(removed) = life.removed.filter(|removed| *removed <= to) {
            let message = format!("is removed in {removed}, and is absent from {from} until {to}");
            say("removed", Vec::new(), message);
        }
        end = Some(to);
    }
    for (number, change) in life.changed.iter().enumerate() {
        let at = change.r#in;
        if let Some(since) = too_early(at) {
            let message = format!("changes in {at}, which is no later than its Since, {since}");
            say("changed", vec![number.to_string(), "in".into()], message);
        }
    }
    wrong
}

/// Lists what the release from which on an item works contradicts.
fn works_wrongly(life: &Life, since: Option<StableVersion>) -> Vec<String> {
    let Some(Since::Since(works)) = life.works_since else {
        return Vec::new();
    };
    let why = [
        since
            .filter(|since| works <= *since)
            .map(|since| format!("which is no later than its Since, {since}")),
        life.removed
            .filter(|removed| *removed <= works)
            .map(|removed| format!("and is removed in {removed}")),
        life.absent_at(works)
            .map(|(from, until)| format!("and is absent from {from} until {until}")),
    ];
    why.into_iter().flatten().map(|why| format!("works since {works}, {why}")).collect()
}
