//! Fields that become `T` or `Option<T>` though nobody says anything else of them: by the releases that have them.

use super::change::{Cause, Change, Direction};
use super::context::Context;
use super::index::Node;
use super::rules::RuleId;
use fedispec_model::api::{Entity, Field};

/// A field in an entity, which may have taken it over from another.
pub(super) type Member<'a> = (&'a Entity, &'a Field);

/// The finding, where the field crosses; `told` is what was found of it so far.
pub(super) fn crossing<'a>(
    context: &Context<'a>,
    (old_entity, old): Member<'a>,
    (new_entity, new): Member<'a>,
    told: &[Change],
) -> Option<Change> {
    let before = context.old_floors.is_plain(old_entity, old);
    let after = context.new_floors.is_plain(new_entity, new);
    if before == after || old.is_always_there() != new.is_always_there() {
        return None;
    }
    let rule = if after {
        RuleId::SinceCrossedFloorDown
    } else {
        RuleId::SinceCrossedFloorUp
    };
    let crossed = context.programs.iter().find(|program| {
        let floors = (&context.old_floors, &context.new_floors);
        let before = program
            .old
            .is_none_or(|at| floors.0.guarantees(at, old_entity, old));
        before
            != program
                .new
                .is_none_or(|at| floors.1.guarantees(at, new_entity, new))
    });
    let nodes = (Node::Field(old_entity, old), Node::Field(new_entity, new));
    let mut change = context.change(rule, Some(nodes.0), Some(nodes.1));
    change.implementation = crossed.map(|program| program.key.to_owned());
    change.cause = cause(&change, told);
    change.direction = Some(Direction::Response);
    let (was, is) = if after {
        ("Option", "T")
    } else {
        ("T", "Option")
    };
    change.old = Some(was.into());
    change.new = Some(is.into());
    change.message = if after {
        "every supported release has it: `Option<T>` becomes `T`".into()
    } else {
        "not every supported release has it: `T` becomes `Option<T>`".into()
    };
    Some(change)
}

/// That of what moved it.
fn cause(crossing: &Change, told: &[Change]) -> Cause {
    let moved = told.iter().find(|change| {
        change.implementation == crossing.implementation && change.cause != Cause::Editorial
    });
    moved.map_or(Cause::Correction, |change| change.cause)
}
