//! What servers build entities of: `current::X`, which follows the newest release, and `X::new`, which does not.

use std::collections::BTreeMap;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::index::{Index, IndexedItem};
use super::super::rules::{Bump, RuleId};
use super::Parts;
use fedispec_model::api::{Entity, Field};
use fedispec_model::floors::Floors;
use fedispec_model::newest::Newest;

/// Constructors of entities that take something else. What literals have to name is said of the fields that `said` changes.
pub(super) fn literals<'a>(
    context: &Context<'a>,
    Parts { touched, .. }: Parts<'_, 'a>,
    said: &mut [Change],
) -> Vec<Change> {
    let mut out = Vec::new();
    for (old, new) in touched {
        let (IndexedItem::Entity(before), IndexedItem::Entity(after)) = (old, new) else {
            continue;
        };
        let was = Built::of(&context.old, &context.old_floors, before);
        let is = Built::of(&context.new, &context.new_floors, after);
        let name = &after.item.rust;
        let apart = |one: &Built<'a>, other: &Built<'a>| {
            let wires: Vec<_> = other.literal.iter().map(|field| &field.item.wire).collect();
            let mut fields = one.literal.clone();
            fields.retain(|field| !wires.contains(&&field.item.wire));
            fields
        };
        for (fields, words) in [(apart(&is, &was), "has to name"), (apart(&was, &is), "has no")] {
            for field in fields {
                let mut of_field = said.iter_mut().filter(|change| change.item.id == field.item.id);
                if let Some(change) = of_field.next() {
                    let said = &change.message;
                    change.message =
                        format!("{said}; `current::{name}` {words} `{}`", field.item.rust);
                }
            }
        }
        if was.constructor == is.constructor {
            continue;
        }
        let text = |built: &Built<'_>| {
            let arguments = built.constructor.as_ref();
            arguments.map_or("nothing".to_owned(), |names| format!("new({})", names.join(", ")))
        };
        let message = format!("is made by {}, was {}", text(&is), text(&was));
        let is_part = |id: &str| {
            let rest = id.strip_prefix(after.item.id.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut of_entity = said
            .iter()
            .filter(|change| change.cause != Cause::Editorial && is_part(&change.item.id));
        let cause = of_entity.next();
        let cause = cause.map_or(Cause::Correction, |change| change.cause);
        let rule = RuleId::ConstructorChanged;
        let change = Change {
            old: Some(text(&was)),
            new: Some(text(&is)),
            seen_at: vec![format!("entities::{name}::new")],
            ..context.change(rule, cause, message, Some(*old), Some(*new))
        };
        out.push(match was.constructor {
            Some(_) => change,
            None => Change { bump: Bump::Minor, ..change.without_code() },
        });
    }
    out
}

/// The fields that an entity is built of in the ready-made crate.
#[derive(Default)]
struct Built<'a> {
    literal: Vec<&'a Field>,
    /// The arguments of its constructor.
    constructor: Option<Vec<&'a str>>,
}

impl<'a> Built<'a> {
    fn of(index: &Index<'_>, floors: &Floors, entity: &'a Entity) -> Self {
        let Some(newest) = Newest::of(index.api, floors, None, &BTreeMap::new()) else {
            return Self::default();
        };
        let names = |fields: Vec<&'a Field>| {
            fields.into_iter().map(|field| field.item.rust.as_str()).collect()
        };
        Self {
            literal: newest.fields(entity).collect(),
            constructor: newest.arguments(entity).map(names),
        }
    }
}
