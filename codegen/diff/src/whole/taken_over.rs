//! Fields that an entity takes over from another: others than before, or otherwise there than in their own entity.

use std::collections::HashSet;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::crossing::crossing;
use super::super::index::Node;
use super::super::rules::RuleId;
use super::said;
use fedispec_model::api::{Entity, Field};

pub(super) fn taken_over(context: &Context<'_>, out: &mut Vec<Change>) {
    let crossed: HashSet<String> = out
        .iter()
        .filter(|change| {
            matches!(
                change.rule,
                RuleId::SinceCrossedFloorDown | RuleId::SinceCrossedFloorUp
            )
        })
        .map(|change| change.item.id.clone())
        .collect();
    for node in &context.new.nodes {
        let Node::Entity(entity) = node else { continue };
        let Some(before) = context.old.entities.get(entity.item.id.as_str()) else {
            continue;
        };
        if before.includes == entity.includes {
            crossings(context, before, entity, &crossed, out);
        } else {
            others(context, before, entity, out);
        }
    }
}

/// What an entity has from another is guaranteed by the releases that have the entity, which may be fewer.
fn crossings<'a>(
    context: &Context<'a>,
    before: &'a Entity,
    after: &'a Entity,
    crossed: &HashSet<String>,
    out: &mut Vec<Change>,
) {
    for new in &after.fields {
        // Where it crosses in its own entity too, that is told.
        let own = new
            .inherited_from
            .as_ref()
            .map(|from| format!("{from}.{}", new.item.wire));
        if own.is_none_or(|own| crossed.contains(&own)) {
            continue;
        }
        let Some(old) = before
            .fields
            .iter()
            .find(|field| field.item.id == new.item.id)
        else {
            continue;
        };
        if let Some(mut change) = crossing(context, (before, old), (after, new), &[]) {
            change.item.id = format!("{}.{}", after.item.id, new.item.wire);
            out.push(change);
        }
    }
}

fn others(context: &Context<'_>, before: &Entity, after: &Entity, out: &mut Vec<Change>) {
    let taken = |entity: &'_ Entity| {
        let fields = entity
            .fields
            .iter()
            .filter(|field| field.inherited_from.is_some());
        fields.cloned().collect::<Vec<Field>>()
    };
    let has =
        |entity: &Entity, wire: &str| entity.fields.iter().any(|field| field.item.wire == wire);
    let mut say = |rule, field: &Field, came: bool, message: &str| {
        let wire = Some(field.item.wire.clone());
        let (old, new) = if came { (None, wire) } else { (wire, None) };
        let id = format!("{}.{}", after.item.id, field.item.wire);
        let mut change = said(rule, "field", &id, old, new, message.into());
        change.cause = if came {
            Cause::Coverage
        } else {
            Cause::Correction
        };
        change.item.rust = Some(format!(
            "entities::{}::{}",
            after.item.rust, field.item.rust
        ));
        out.push(change);
    };
    for field in taken(before)
        .iter()
        .filter(|field| !has(after, &field.item.wire))
    {
        say(RuleId::ItemDeleted, field, false, "is no longer taken over");
    }
    for field in taken(after)
        .iter()
        .filter(|field| !has(before, &field.item.wire))
    {
        say(RuleId::ItemAddedBackdated, field, true, "is taken over now");
        if context.new_floors.is_plain(after, field) {
            say(
                RuleId::FieldAddedGuaranteed,
                field,
                true,
                "is taken over, and always there",
            );
        }
    }
}
