//! Whether a difference can be seen in generated Rust, as far as the facts tell without generating it.

use super::context::Context;
use super::index::{Index, IndexedItem};
use super::rules::RuleId;
use fedispec_model::api::{Entity, EntityRole, Field, Operation, Type};
use fedispec_model::constructors::{is_always_argument, is_resetting};
use fedispec_model::floors::Floors;
use fedispec_model::secret::is_secret;

/// Whether the Rust of an item is known to be the same in both states, whatever a rule found.
pub(super) fn is_same<'a>(
    context: &Context<'a>,
    rule: RuleId,
    old: IndexedItem<'a>,
    new: IndexedItem<'a>,
) -> bool {
    let secret = |ty: &Type, node: IndexedItem<'_>, format: Option<&String>| {
        is_secret(ty, &node.item().wire, format.map(String::as_str))
    };
    if old.item().rust != new.item().rust {
        return false;
    }
    match (old, new) {
        (IndexedItem::Param(before, _), IndexedItem::Param(after, _))
            if rule == RuleId::UnsetChanged =>
        {
            is_resetting(before) == is_resetting(after)
        }
        (IndexedItem::Param(_, before), IndexedItem::Param(_, after)) => {
            context.translated(&before.r#type) == after.r#type
                && before.words == after.words
                && is_always_argument(before) == is_always_argument(after)
                && secret(&before.r#type, old, before.format.as_ref())
                    == secret(&after.r#type, new, after.format.as_ref())
        }
        (IndexedItem::Field(old_entity, before), IndexedItem::Field(new_entity, after)) => {
            context.translated(&before.r#type) == after.r#type
                && plain(&context.old, &context.old_floors, old_entity, before)
                    == plain(&context.new, &context.new_floors, new_entity, after)
                && secret(&before.r#type, old, before.format.as_ref())
                    == secret(&after.r#type, new, after.format.as_ref())
        }
        (IndexedItem::Operation(before), IndexedItem::Operation(after)) => match rule {
            // Both are a `Page`, or neither has pages.
            RuleId::PaginationCursorChanged => true,
            RuleId::PaginationAdded | RuleId::PaginationRemoved => {
                !matches!(after.returns, Type::List(_))
            }
            RuleId::ErrorEntityChanged => {
                !has_own_errors(context, false, before) && !has_own_errors(context, true, after)
            }
            _ => false,
        },
        _ => false,
    }
}

/// The entities in which a field is no `Option`, of its own and those that take it over.
fn plain<'a>(
    index: &Index<'a>,
    floors: &Floors,
    entity: &'a Entity,
    field: &'a Field,
) -> Vec<&'a str> {
    let members = std::iter::once((entity, field)).chain(index.takers(entity, field));
    let plain = members.filter(|(entity, field)| floors.is_plain(entity, field));
    plain.map(|(entity, _)| entity.item.id.as_str()).collect()
}

/// Whether an entity is generated for an error of the operation alone; named entities are generated in any case.
fn has_own_errors(context: &Context<'_>, newer: bool, operation: &Operation) -> bool {
    let index = if newer { &context.new } else { &context.old };
    index
        .api
        .entities
        .iter()
        .any(|entity| matches!(&entity.role, EntityRole::Error(id, _) if *id == operation.item.id))
}
