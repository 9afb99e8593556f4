//! The ways in which servers build entities: `current::X`, which follows the newest release, and `X::new`, which does not.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::super::change::{Cause, Change, made_by};
use super::super::context::Context;
use super::super::index::{Index, IndexedItem};
use super::super::rules::{Bump, RuleId};
use super::Parts;
use fedispec_model::api::{Entity, Field};
use fedispec_model::floors::Floors;
use fedispec_model::names::{NameRole, rust_name};
use fedispec_model::newest::{Newest, are_clear};

/// Constructors of entities that take something else. What literals have to name is said of the fields that `said` changes.
pub(super) fn literals<'a>(
    context: &Context<'a>,
    Parts { touched, matched }: Parts<'_, 'a>,
    said: &mut [Change],
) -> Vec<Change> {
    let now: HashMap<&str, &str> = { matched.pairs.iter() }
        .filter(|(old, new)| old.key() != new.key())
        .map(|(old, new)| (old.item().id.as_str(), new.item().id.as_str()))
        .collect();
    let mut out = Vec::new();
    for (old, new) in touched {
        let (IndexedItem::Entity(before), IndexedItem::Entity(after)) = (old, new) else {
            continue;
        };
        let was = Built::of(&context.old, &context.old_floors, before);
        let is = Built::of(&context.new, &context.new_floors, after);
        let name = &after.item.rust;
        name_in_literals(name, &was, &is, said);
        let is_part = |id: &str| {
            let rest = id.strip_prefix(after.item.id.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let of_entity = || {
            let of_entity = said.iter().filter(|change| is_part(&change.item.id));
            of_entity.filter(|change| change.cause != Cause::Editorial)
        };
        let breaks = of_entity().any(|change| change.bump == Bump::Major);
        let cause = of_entity().next().map_or(Cause::Correction, |change| change.cause);
        let makers = [(&was.new, &is.new), (&was.from, &is.from)];
        for (was, is) in makers.map(|(was, is)| (was.as_ref(), is.as_ref())) {
            // Another type or name of a field is told of the field.
            let was_taken = ids(was).map(|id| now.get(id).copied().unwrap_or(id));
            let text =
                |maker: Option<&Maker<'_>>| maker.map_or("nothing".to_owned(), ToString::to_string);
            let (was_text, is_text) = (text(was), text(is));
            if was_text == is_text || breaks && was_taken.eq(ids(is)) {
                continue;
            }
            let because = of_entity().next().map(|change| change.item.id.as_str());
            let because = because.filter(|id| *id != after.item.id);
            let because = because.map(|id| format!(", because of {id}")).unwrap_or_default();
            let instead =
                if is.is_none() { format!("; build `current::{name}`") } else { String::new() };
            let message = format!("{}{because}{instead}", made_by(&was_text, &is_text));
            let maker = was.or(is).map_or("new", |maker| &maker.name);
            let change = Change {
                seen_at: vec![format!("entities::{name}::{maker}")],
                ..context.change(RuleId::ConstructorChanged, cause, message, Some(*old), Some(*new))
            }
            .between(was_text, is_text);
            out.push(match was {
                Some(_) => change,
                None => change.only_adds(),
            });
        }
    }
    out
}

/// Says of each field that only one state's literals have what a literal has to name now.
fn name_in_literals<'f>(name: &str, was: &Built<'f>, is: &Built<'f>, said: &mut [Change]) {
    let apart = |one: &Built<'f>, other: &Built<'f>| {
        let wires: Vec<_> = other.literal.iter().map(|field| &field.item.wire).collect();
        let mut fields = one.literal.clone();
        fields.retain(|field| !wires.contains(&&field.item.wire));
        fields
    };
    for (fields, words) in [(apart(is, was), "has to name"), (apart(was, is), "has no")] {
        for field in fields {
            let mut of_field = said.iter_mut().filter(|change| change.item.id == field.item.id);
            if let Some(change) = of_field.next() {
                let said = &change.message;
                change.message = format!("{said}; `current::{name}` {words} `{}`", field.item.rust);
            }
        }
    }
}

/// A constructor with its arguments, and whether each is an `Option`.
struct Maker<'a> {
    name: String,
    /// The entity that it is made of.
    of: Option<String>,
    arguments: Vec<(&'a Field, bool)>,
}

impl fmt::Display for Maker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = self.arguments.iter().map(|(field, is_option)| {
            let name = &field.item.rust;
            if *is_option { format!("{name}: Option<_>") } else { name.clone() }
        });
        let arguments: Vec<_> = self.of.iter().cloned().chain(arguments).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

/// The fields that a constructor takes.
fn ids<'m>(maker: Option<&'m Maker<'_>>) -> impl Iterator<Item = &'m str> {
    let fields = maker.into_iter().flat_map(|maker| maker.arguments.iter());
    fields.map(|(field, _)| field.item.id.as_str())
}

/// The fields that build an entity in the ready-made crate.
#[derive(Default)]
struct Built<'a> {
    literal: Vec<&'a Field>,
    new: Option<Maker<'a>>,
    /// The constructor from the entity that this one includes.
    from: Option<Maker<'a>>,
}

impl<'a> Built<'a> {
    fn of(index: &Index<'a>, floors: &Floors, entity: &'a Entity) -> Self {
        let Some(newest) = Newest::of(index.api, floors, None, &BTreeMap::new()) else {
            return Self::default();
        };
        let maker = |of: Option<String>, fields: Vec<&'a Field>| {
            let name = of.as_ref().map_or("new".to_owned(), |of| format!("from_{of}"));
            let is_option =
                |field| !floors.is_plain(entity, field) && newest.frozen().is_nullable(field);
            let arguments = fields.into_iter();
            let arguments = arguments.map(|field| (field, is_option(field)));
            Maker { name, of, arguments: arguments.collect() }
        };
        let from = entity.includes.as_deref().and_then(|base| index.entity(base)).map(|base| {
            let name = rust_name(&base.item.rust, NameRole::Param).unwrap_or_default();
            let own = entity.fields.iter().filter(|field| field.inherited_from.is_none());
            let own: Vec<_> = own.filter(|field| newest.frozen().sends(entity, field)).collect();
            are_clear(&own).then(|| maker(Some(name), own))
        });
        Self {
            literal: newest.fields(entity).collect(),
            new: newest.arguments(entity).map(|fields| maker(None, fields)),
            from: from.flatten(),
        }
    }
}
