//! The order in a life: an item comes, works, changes, is deprecated and goes.

use std::borrow::Cow;

use super::Checker;
use fedispec_model::api::{Life, Program, Since};
use fedispec_since::StableVersion;

impl Checker<'_, '_> {
    /// Reports facts of lives that cannot follow each other: of a fork those that it states itself.
    pub(super) fn lives_are_in_order(&mut self) {
        let items = self.items.iter().map(|(id, item)| (Cow::Borrowed(*id), &*item.life, true));
        let errors = self.api.operations.iter().flat_map(|one| {
            one.errors.iter().filter(|error| !error.life.is_empty()).map(|error| {
                (Cow::Owned(format!("{}.{}", one.item.id, error.status)), &*error.life, false)
            })
        });
        let all: Vec<_> = items.chain(errors).collect();
        self.befall_within(all.iter().map(|(id, lives, is_item)| (&**id, *lives, *is_item)));
        for (id, lives, _) in all {
            for (program, life) in self.api.programs.iter().zip(lives) {
                for wrong in out_of_order(life) {
                    self.is_out_of_order(&id, program, life, wrong);
                }
            }
        }
    }

    fn is_out_of_order(&mut self, id: &str, program: &Program, life: &Life, wrong: Wrong) {
        // A type that comes too late for any Since of the item is not wrong by the Since.
        let is_by_since = life.since == Since::Never || !after(life, None).contains(&wrong);
        let (fact, inside, why) = wrong;
        let stated = self.merged.place_in(id, fact, &program.key, self.problems);
        let stated = stated.map(|place| inside.iter().fold(place, |at, key| at.then(key.clone())));
        // What a field has of another entity's is told there.
        let is_inherited = self.field_of(id).is_some_and(|one| one.inherited_from.is_some());
        let is_own = program.based_on.is_none() && !is_inherited;
        let own = || self.merged.place(id).filter(|_| is_own).cloned();
        let Some(place) = stated.or_else(own) else { return };
        let message = format!("in {}, `{id}` {why}", program.name);
        let help = match fact {
            "deprecated" | "removed" => "an item is added, then deprecated, then removed",
            _ => "mend it, or the Since of the item",
        };
        self.problems.value("out-of-order", &place, message, help);
        if is_by_since {
            self.with_since(id, &program.key, "its Since");
        }
    }
}

/// A fact of a life that comes too early or too late, the keys that lead to it under the program, and why.
type Wrong = (&'static str, Vec<String>, String);

/// Lists the facts of a life that cannot follow each other.
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
