//! Fields that become `T` or `Option<T>` because other releases have them, although nothing else about them changes.

use super::change::{Cause, Change, Direction, ItemRef};
use super::context::{Context, proof};
use super::rules::{Audience, Fact, RuleId};
use fedispec_model::api::{Entity, Field, Quirk};

/// A field in an entity, which may have taken it over from another.
pub(super) type Member<'a> = (&'a Entity, &'a Field);

/// The change of a field that becomes a `T` or an `Option<T>`, if it does. What was said of it so far tells the cause.
pub(super) fn crossing<'a>(
    context: &Context<'a>,
    item: ItemRef,
    (old_entity, old): Member<'a>,
    (new_entity, new): Member<'a>,
    said: &[Change],
) -> Option<Change> {
    let before = context.old_floors.is_plain(old_entity, old);
    let after = context.new_floors.is_plain(new_entity, new);
    let is_told = said.iter().any(|change| {
        change.rule.fact() == Fact::Presence && change.breaks.contains(&Audience::Source)
    });
    if is_told || before == after {
        return None;
    }
    // A presence of today has a row of its own; one of earlier releases makes an `Option` too.
    let stated = |field: &Field, programs: Vec<usize>| {
        let known = (field.type_known, field.presence_known, field.absent_means.is_some());
        let quirks: Vec<_> = field.quirks.iter().map(Quirk::presence).collect();
        let presence: Vec<_> = programs.into_iter().map(|at| field.presence_in(at)).collect();
        (known, field.common_presence(), presence, quirks)
    };
    let both = context.programs.iter().filter_map(|program| Some((program.old?, program.new?)));
    let (was, is) = both.unzip();
    if stated(old, was) != stated(new, is) {
        return None;
    }
    let rule = if after { RuleId::SinceCrossedFloorDown } else { RuleId::SinceCrossedFloorUp };
    let crossed = context.programs.iter().find(|program| {
        let floors = (&context.old_floors, &context.new_floors);
        let before =
            program.old.is_none_or(|at| floors.0.guarantee_in(at, &old.item, &old_entity.item));
        before
            != program.new.is_none_or(|at| floors.1.guarantee_in(at, &new.item, &new_entity.item))
    });
    // A field of an object crosses with the floor that moved.
    let mut moved = context.programs.iter().filter(|program| context.floor_moved(program));
    let only = moved.next().filter(|_| moved.next().is_none());
    let implementation = crossed.or(only).map(|program| program.key.to_owned());
    let message = if after {
        "every supported release has it: `Option<T>` becomes `T`"
    } else {
        "not every supported release has it: `T` becomes `Option<T>`"
    };
    let (was, is) = if after { ("Option", "T") } else { ("T", "Option") };
    let cause = cause(context, implementation.as_deref(), said);
    let evidence = new.item.evidence.as_ref().map(proof);
    Some(Change {
        direction: Some(Direction::Response),
        implementation,
        old: Some(was.into()),
        new: Some(is.into()),
        evidence: evidence.into_iter().collect(),
        base_at: context.old_place(Some(old.item.at)),
        head_at: context.new_place(Some(new.item.at)),
        ..context.change_of(rule, cause, message.into(), item)
    })
}

/// The cause of what moved the field across the floor of a program.
fn cause(context: &Context<'_>, program: Option<&str>, said: &[Change]) -> Cause {
    let moved = said.iter().find(|change| {
        change.implementation.as_deref() == program && change.cause != Cause::Editorial
    });
    moved.map_or_else(|| context.crossing_cause(program), |change| change.cause)
}
