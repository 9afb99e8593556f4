//! Stand-ins for newer operations and entities: the parameters and fields that they mention exist.

use crate::diagnostic::Diagnostic;
use crate::merge::Merged;
use crate::problems::{NodePath, Problems};
use fedispec_model::api::{Api, Entity, Operation, StandsIn, Type};
use fedispec_model::index::Index;
use fedispec_model::stand_in::{Field, Param};
use fedispec_model::suggest::did_you_mean;
use fedispec_model::wire::stem;

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let index = Index::new(api);
    for operation in &api.operations {
        let place = merged.place_of(&operation.item.id, &["stands_in"], problems);
        if let (Some(place), false) = (place, operation.stands_in.is_empty()) {
            let other = operation.item.replacement.as_deref();
            let other = other.and_then(|id| index.operation(id));
            params(operation, other, &index, &place, problems);
        }
    }
    for entity in &api.entities {
        let place = merged.place_of(&entity.item.id, &["stands_in"], problems);
        if let (Some(stands_in), Some(place)) = (&entity.stands_in, place) {
            let other = index.entity(&stands_in.r#for);
            fields(entity, stands_in, (api, &index, other), &place, problems);
        }
    }
}

fn params<'a>(
    operation: &Operation,
    other: Option<&Operation>,
    index: &Index<'_>,
    place: &NodePath<'a>,
    problems: &mut Problems<'a>,
) {
    let Some(other) = other else {
        let message = format!("`{}` stands in for nothing", operation.item.id);
        let problem = problems.key("unknown-reference", place, message);
        problems.push(problem.help("name the operation that came after it as its `replacement`"));
        return;
    };
    let (own, others) = (Names::params(operation), Names::params(other));
    for (to, from) in &operation.stands_in {
        let place = place.then(to.clone());
        own.key(to, &place, problems);
        let read = Param::read(from);
        others.value(read.name, &place, problems);
        if let Some(with) = read.with {
            others.value(with, &place, problems);
        }
        let mut params = other.params.iter();
        let made = params.find(|param| param.item.wire == read.name);
        if let (Some(value), Some(param)) = (read.value, made) {
            listed(&param.r#type, index, value, &place, problems);
        }
    }
}

fn fields<'a>(
    entity: &Entity,
    stands_in: &StandsIn,
    (api, index, other): (&Api, &Index<'_>, Option<&Entity>),
    place: &NodePath<'a>,
    problems: &mut Problems<'a>,
) {
    let Some(other) = other else {
        let named = Names {
            what: "an entity".to_owned(),
            known: { api.entities.iter() }.map(|one| one.item.id.as_str()).collect(),
        };
        named.value(&stands_in.r#for, &place.then("for"), problems);
        return;
    };
    let (own, others) = (Names::fields(entity), Names::fields(other));
    for (to, from) in &stands_in.fields {
        let place = place.then("fields").then(to.clone());
        others.key(stem(to), &place, problems);
        let read = Field::read(from);
        own.value(read.name, &place, problems);
        let mut fields = other.fields.iter();
        let made = fields.find(|field| field.item.wire == stem(to));
        if let (Some((yes, no)), Some(made)) = (read.values, made) {
            for value in [yes, no] {
                listed(&made.r#type, index, value, &place, problems);
            }
        }
    }
}

/// Checks that an enumeration has the value that true or false becomes.
fn listed<'a>(
    ty: &Type,
    index: &Index<'_>,
    value: &str,
    place: &NodePath<'a>,
    problems: &mut Problems<'a>,
) {
    let Type::Enum(id) = ty else { return };
    let Some(list) = index.enumeration(id).filter(|list| list.values_known) else {
        return;
    };
    let known = list.values.iter().map(|one| one.wire.as_str());
    if known.clone().any(|one| one == value) {
        return;
    }
    let help = did_you_mean(value, known, "name a value of the enumeration");
    let message = format!("`{id}` has no value `{value}`");
    let problem = problems.value("unknown-value", place, message);
    problems.push(problem.help(help));
}

/// The names that can stand somewhere.
struct Names<'n> {
    what: String,
    known: Vec<&'n str>,
}

impl<'n> Names<'n> {
    fn params(of: &'n Operation) -> Self {
        let params = of.params.iter();
        Self {
            what: format!("a parameter of `{}`", of.item.id),
            known: params.map(|param| param.item.wire.as_str()).collect(),
        }
    }

    fn fields(of: &'n Entity) -> Self {
        let fields = of.fields.iter();
        Self {
            what: format!("a field of `{}`", of.item.id),
            known: fields.map(|field| field.item.wire.as_str()).collect(),
        }
    }

    fn key<'a>(&self, name: &str, place: &NodePath<'a>, problems: &mut Problems<'a>) {
        self.hold(name, problems, |problems, message| {
            problems.key("unknown-reference", place, message)
        });
    }

    fn value<'a>(&self, name: &str, place: &NodePath<'a>, problems: &mut Problems<'a>) {
        self.hold(name, problems, |problems, message| {
            problems.value("unknown-reference", place, message)
        });
    }

    fn hold<'a>(
        &self,
        name: &str,
        problems: &mut Problems<'a>,
        problem: impl FnOnce(&Problems<'a>, String) -> Diagnostic,
    ) {
        if !self.known.contains(&name) {
            let known = self.known.iter().copied();
            let help = did_you_mean(name, known, &format!("name {}", self.what));
            let problem = problem(problems, format!("`{name}` is not {}", self.what));
            problems.push(problem.help(help));
        }
    }
}
