//! Stand-ins for newer operations and entities: the parameters and fields that they mention exist.

use super::Checker;
use crate::problems::NodePath;
use fedispec_model::api::{self, Entity, Operation, Since, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::stand_in::{Field, Param};
use fedispec_model::suggest::did_you_mean;
use fedispec_model::wire::{WireName, stem};
use fedispec_since::Required;

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn stands_in_for_operation(&mut self, operation: &Operation) {
        let id = &operation.item.id;
        let Some(place) = self.place(id, "stands_in") else {
            return;
        };
        if operation.stands_in.is_empty() {
            return;
        }
        let other = operation.item.replacement.as_deref();
        if other.is_some_and(|other| other == id || !self.merged.ids.contains_key(other)) {
            return;
        }
        let Some(other) = other.and_then(|id| self.index.operation(id)) else {
            let message = format!("`{id}` stands in for nothing");
            let help = "name the operation that came after it as its `replacement`";
            self.problems.key("unknown-reference", &place, message, help);
            return;
        };
        let (own, others) = (Names::params(operation), Names::params(other));
        let is_of_it = |from: &&String| others.known.contains(&Param::read(from).name);
        let known = operation.stands_in.iter().map(|(_, from)| from).filter(is_of_it).count();
        if 2 * known < operation.stands_in.len() {
            let message =
                format!("`{}` lacks most parameters that `{id}` stands in for", other.item.id);
            let help = "name what came after it, or mend `stands_in`";
            self.value("unknown-reference", id, "replacement", message, help);
            return;
        }
        let is_demanded = |param: &&api::Param| {
            let programs = 0..param.item.life.len();
            { programs }.any(|at| {
                param.state(at, ChangedFact::Required).read() == Some(Required::Always)
                    && matches!(param.item.life[at].effective, Since::Since(_))
            })
        };
        let is_filled = |param: &api::Param| {
            let wire = param.item.wire.as_str();
            operation.stands_in.iter().any(|(to, _)| to == wire) || others.known.contains(&wire)
        };
        let mut demanded = operation.params.iter().filter(is_demanded);
        if let Some(param) = demanded.find(|param| !is_filled(param)) {
            let wire = &param.item.wire;
            let message =
                format!("`{id}` needs `{wire}`, which nothing of `{}` makes", other.item.id);
            let help = format!("name what it is made of: `stands_in: {{{wire}: ..}}`");
            self.problems.key("missing-key", &place, message, help);
        }
        for (to, from) in &operation.stands_in {
            let place = place.then(to.clone());
            self.is_named(&own, to, &place, true);
            let read = Param::read(from);
            self.is_named(&others, read.name, &place, false);
            if let Some(with) = read.with {
                self.is_named(&others, with, &place, false);
            }
            let made = other.params.iter().find(|param| param.item.wire == read.name);
            let source = operation.params.iter().find(|param| param.item.wire == *to);
            if let (Some(made), Some(source)) = (made, source) {
                let types = (&source.r#type, &made.r#type);
                self.is_made((to, read.name), types, read.value.is_some(), &place);
                self.values_are_of(&made.into(), read.value.as_slice(), Some(&place));
            }
        }
    }

    pub(super) fn stands_in_for_entity(&mut self, entity: &'n Entity) {
        let (Some(stands_in), Some(place)) =
            (&entity.stands_in, self.place(&entity.item.id, "stands_in"))
        else {
            return;
        };
        let Some(other) = self.index.entity(&stands_in.r#for) else {
            let named = Names {
                what: "an entity".to_owned(),
                of: None,
                known: self.api.entities.iter().map(|one| one.item.id.as_str()).collect(),
            };
            return self.is_named(&named, &stands_in.r#for, &place.then("for"), false);
        };
        let id = &entity.item.id;
        if other.item.id == *id {
            let message = format!("`{id}` cannot stand in for itself");
            let help = "name the entity that came after it";
            self.problems.value("unknown-reference", &place.then("for"), message, help);
            return;
        }
        let others = Names::fields(other);
        let is_of_it = |(to, _): &&(String, String)| others.known.contains(&stem(to));
        if 2 * stands_in.fields.iter().filter(is_of_it).count() < stands_in.fields.len() {
            let message =
                format!("`{}` lacks most fields that `{id}` stands in for", other.item.id);
            let help = "name what came after it, or mend `fields`";
            self.problems.value("unknown-reference", &place.then("for"), message, help);
            return;
        }
        let own = Names::fields(entity);
        let field_of =
            |of: &'n Entity, name: &str| of.fields.iter().find(|one| one.item.wire == name);
        for (to, from) in &stands_in.fields {
            let place = place.then("fields").then(to.clone());
            self.leads_somewhere(other, to, &place);
            let read = Field::read(from);
            self.is_named(&own, read.name, &place, false);
            let source = field_of(entity, read.name);
            if let Some((source, made)) = source.zip(field_of(other, to)) {
                let types = (&source.r#type, &made.r#type);
                self.is_made((read.name, to), types, read.values.is_some(), &place);
            }
            let made = other.fields.iter().find(|field| field.item.wire == stem(to));
            if let (Some((yes, no)), Some(made)) = (read.values, made) {
                self.values_are_of(&made.into(), &[yes, no], Some(&place));
            }
        }
        // What has one name in both needs no word.
        let unlike = other.fields.iter().find_map(|made| {
            let source = field_of(entity, &made.item.wire)?;
            let is_said = stands_in.fields.iter().any(|(to, _)| stem(to) == made.item.wire);
            (!is_said && is_unlike(&source.r#type, &made.r#type)).then_some((source, made))
        });
        if let Some((source, made)) = unlike {
            let (own, theirs) = (&source.item.id, &made.item.id);
            let message = format!("`{theirs}` cannot be made of `{own}`, which is of another type");
            let help = "mend one of the two, or name another field under `stands_in`";
            self.value("wrong-type", own, "type", message, help);
            self.with_fact(theirs, "type", "the other one");
        }
    }

    /// Checks each member of a name in brackets: a field of the entity that the one before it holds.
    fn leads_somewhere(&mut self, entity: &Entity, name: &str, place: &NodePath<'a>) {
        let members = WireName::parse(name).map(|name| name.members).unwrap_or_default();
        let mut around = Some(entity);
        for member in members {
            let Some(entity) = around else { return };
            self.is_named(&Names::fields(entity), member.key, place, true);
            let field = entity.fields.iter().find(|field| stem(&field.item.wire) == member.key);
            around = match field.map(|field| field.r#type.innermost()) {
                Some(Type::Entity(id)) => self.index.entity(id),
                _ => None,
            };
        }
    }

    /// Checks that one value can be made of another, or be chosen by it.
    fn is_made(
        &mut self,
        (source, made): (&str, &str),
        (of, ty): (&Type, &Type),
        is_chosen: bool,
        place: &NodePath<'a>,
    ) {
        let (message, help) = if is_chosen && *of != Type::Boolean {
            let message = format!("`{source}` is not true or false, by which a value is chosen");
            (message, "name one of that type")
        } else if !is_chosen && is_unlike(of, ty) {
            let message =
                format!("`{made}` cannot be made of `{source}`, which is of another type");
            (message, "name one of its type")
        } else {
            return;
        };
        self.problems.value("wrong-type", place, message, help);
    }

    /// Reports a name that is none of those that can stand there, in the key or the value.
    fn is_named(&mut self, names: &Names<'_>, name: &str, place: &NodePath<'a>, in_key: bool) {
        let Names { what, of, known } = names;
        if known.contains(&name) {
            return;
        }
        let id = of.map(|of| format!("{of}.{name}"));
        if id.is_some_and(|id| self.merged.is_lost(&id, place, self.problems)) {
            return;
        }
        let help = did_you_mean(name, known.iter().copied(), &format!("name {what}"));
        let message = format!("`{name}` is not {what}");
        if in_key {
            self.problems.key("unknown-reference", place, message, help);
        } else {
            self.problems.value("unknown-reference", place, message, help);
        }
    }
}

/// Whether a value of one type cannot serve as one of another: a list, a truth and anything else are unlike.
fn is_unlike(one: &Type, other: &Type) -> bool {
    let sort = |ty: &Type| match ty {
        Type::Json | Type::OneOf(_) => None,
        Type::List(_) => Some(2),
        Type::Boolean => Some(1),
        _ => Some(0),
    };
    sort(one).zip(sort(other)).is_some_and(|(one, other)| one != other)
}

/// The names that can stand somewhere.
struct Names<'n> {
    what: String,
    /// The id of the item that they are of.
    of: Option<&'n str>,
    known: Vec<&'n str>,
}

impl<'n> Names<'n> {
    fn params(of: &'n Operation) -> Self {
        let known = of.params.iter().map(|param| param.item.wire.as_str()).collect();
        let what = format!("a parameter of `{}`", of.item.id);
        Self { what, of: Some(&of.item.id), known }
    }

    fn fields(of: &'n Entity) -> Self {
        let known = of.fields.iter().map(|field| field.item.wire.as_str()).collect();
        let what = format!("a field of `{}`", of.item.id);
        Self { what, of: Some(&of.item.id), known }
    }
}
