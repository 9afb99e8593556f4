//! Which entities a release answers, and which enumerations it takes or answers: a type may be declared long before.

use std::collections::BTreeSet;

use fedispec_model::api::{Entity, Field, Operation as Known, Type};
use fedispec_since::{Location, Verdict};

use super::operations::plain;
use super::{Compared, Side};
use crate::matching::Matching;
use crate::ours::enumeration_of;
use crate::surface::{Endpoint, Enumeration, Operation, Shape};

/// A release of the source: which of its shapes is which entity, and what its operations reach, by the ids of the catalogue.
pub(super) struct Reach<'a> {
    side: &'a Side<'a>,
    pub(super) matching: Matching,
    pub(super) entities: BTreeSet<String>,
    enums: BTreeSet<String>,
    /// The enumerations that some operation of the catalogue takes or answers.
    held: BTreeSet<String>,
    /// The entities that some operation of the catalogue takes, or answers where it succeeds.
    named: BTreeSet<String>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(compared: &Compared<'a>, side: &'a Side<'a>, matching: Matching) -> Self {
        let (held, named) = held(compared);
        let (entities, enums) = (BTreeSet::new(), BTreeSet::new());
        let reach = Self { side, matching, entities, enums, held, named };
        let mut walk = Walk { compared, reach };
        walk.operations();
        walk.apart();
        walk.reach
    }

    /// Whether an operation of the catalogue takes an entity, or answers it where it succeeds.
    pub(super) fn is_named(&self, id: &str) -> bool {
        self.named.contains(id)
    }

    /// Whether something that the release serves has this type. An enumeration that nothing names is there where its values are.
    pub(super) fn has_enum(&self, id: &str) -> bool {
        self.enums.contains(id) || !self.held.contains(id)
    }

    /// The shape of an entity.
    pub(super) fn shape(&self, entity: &Entity) -> Option<&'a Shape> {
        self.side.surface.shapes.get(self.matching.shapes.get(&entity.item.id)?)
    }

    /// The enumeration of the source that one of the catalogue is.
    pub(super) fn enumeration(&self, id: &str) -> Option<&'a Enumeration> {
        self.side.surface.enums.get(self.matching.enums.get(id)?)
    }
}

/// The enumerations that a parameter, a stream or what some operation answers has, and the entities that operations take or answer
/// where they succeed.
fn held(compared: &Compared<'_>) -> (BTreeSet<String>, BTreeSet<String>) {
    let ours = compared.ours;
    let mut held = BTreeSet::new();
    let mut next: Vec<&Entity> = Vec::new();
    for operation in &ours.api.operations {
        let params = operation.params.iter();
        held.extend(params.filter_map(|param| enumeration_of(&param.r#type)));
        if let Type::Events(id) = &operation.returns {
            held.insert(id);
        }
        next.extend(ours.entities_of(&operation.returns));
        next.extend(ours.payloads(&operation.returns));
        let params = operation.params.iter();
        next.extend(params.flat_map(|param| ours.entities_of(&param.r#type)));
    }
    let mut seen = BTreeSet::new();
    while let Some(entity) = next.pop() {
        if !seen.insert(entity.item.id.as_str()) {
            continue;
        }
        next.extend(entity.includes.as_ref().and_then(|id| ours.index.entity(id)));
        let fields = entity.fields.iter();
        held.extend(fields.filter_map(|field| enumeration_of(&field.r#type)));
        let fields = entity.fields.iter();
        next.extend(fields.flat_map(|field| ours.entities_of(&field.r#type)));
    }
    let owned = |ids: BTreeSet<&str>| ids.into_iter().map(str::to_owned).collect();
    (owned(held), owned(seen))
}

struct Walk<'c, 'a> {
    compared: &'c Compared<'a>,
    reach: Reach<'a>,
}

impl<'a> Walk<'_, 'a> {
    fn operations(&mut self) {
        let ours = self.compared.ours;
        let operations = self.reach.side.surface.operations.iter();
        let before = self.compared.old.surface.operations.keys();
        let before: BTreeSet<_> = before.map(Endpoint::key).collect();
        let known = operations.filter_map(|(endpoint, operation)| {
            let key = endpoint.key();
            Some((ours.operation(&key)?, operation, !before.contains(&key)))
        });
        let known: Vec<(&Known, &Operation, bool)> = known.collect();
        for (known, operation, is_fresh) in known {
            self.params(known, operation);
            if operation.stub {
                continue;
            }
            let mut next: Vec<&Entity> = Vec::new();
            match &known.returns {
                // The source does not tell which of several it answers: those that the catalogue had the older release answer,
                // and those whose shape is new.
                Type::OneOf(types) => next.extend(
                    { types.iter() }
                        .filter_map(|of| ours.entity_of(of))
                        .filter(|entity| self.may_be_answered(entity)),
                ),
                Type::Events(id) => {
                    self.reach.enums.insert(id.clone());
                }
                returns => next.extend(ours.entity_of(returns)),
            }
            next.extend(ours.payloads(&known.returns));
            let errors = known.errors.iter();
            let errors = errors.filter_map(|error| error.returns.as_ref());
            next.extend(errors.filter_map(|of| ours.entity_of(of)));
            self.entities(next, is_fresh);
        }
    }

    /// Adds entities that no operation of the catalogue takes or answers where it succeeds, such as bodies of errors and of push messages: they are sent
    /// where the source has them.
    fn apart(&mut self) {
        let entities = self.compared.ours.api.entities.iter();
        let apart = entities.filter(|entity| {
            !self.reach.is_named(&entity.item.id) && self.reach.shape(entity).is_some()
        });
        self.entities(apart.collect(), false);
    }

    fn may_be_answered(&self, entity: &Entity) -> bool {
        let old = self.compared.old.version;
        self.is_news(entity) || self.compared.ours.says(&entity.item, old) != Verdict::No
    }

    /// Whether the shape of an entity is one that the older release lacks.
    fn is_news(&self, entity: &Entity) -> bool {
        let shape = self.reach.matching.shapes.get(&entity.item.id);
        let old = &self.compared.old.surface.shapes;
        shape.is_some_and(|shape| !old.contains_key(shape))
    }

    /// The enumerations that an operation takes.
    fn params(&mut self, known: &Known, operation: &Operation) {
        let read: BTreeSet<String> = operation.params.keys().map(|name| plain(name)).collect();
        for param in &known.params {
            let is_read = !operation.unfollowed.is_empty()
                || matches!(param.location, Location::Path | Location::Header)
                || read.contains(&plain(&param.item.wire));
            if !is_read {
                continue;
            }
            // With the elements of a list of objects.
            let element = self.compared.ours.entity_of(&param.r#type);
            let fields = element.into_iter().flat_map(|element| &element.fields);
            let types = fields.map(|field| &field.r#type).chain([&param.r#type]);
            self.reach.enums.extend(types.filter_map(enumeration_of).map(str::to_owned));
        }
    }

    fn entities(&mut self, mut next: Vec<&'a Entity>, is_fresh: bool) {
        let ours = self.compared.ours;
        let answered: BTreeSet<&str> = next.iter().map(|entity| entity.item.id.as_str()).collect();
        while let Some(entity) = next.pop() {
            let shape = self.reach.shape(entity);
            if (shape.is_none() && self.is_denied(entity))
                || !self.reach.entities.insert(entity.item.id.clone())
            {
                continue;
            }
            next.extend({ entity.includes.as_ref() }.and_then(|id| ours.index.entity(id)));
            // Of what no shape is known, a release has what the older one had, and a new operation answers all of it.
            let old = &self.compared.old;
            let is_fresh = is_fresh && answered.contains(entity.item.id.as_str());
            let is_there = |field: &&Field| {
                if let Some(shape) = shape {
                    return shape.fields.contains_key(&field.item.wire);
                }
                let inner = ours.entity_of(&field.r#type);
                is_fresh
                    || ours.says(&field.item, old.version) != Verdict::No
                    || inner.is_some_and(|inner| self.is_news(inner))
            };
            let fields: Vec<&Field> = entity.fields.iter().filter(is_there).collect();
            for field in fields {
                next.extend(ours.entity_of(&field.r#type));
                self.reach.enums.extend(enumeration_of(&field.r#type).map(str::to_owned));
            }
        }
    }

    /// Whether the catalogue says that the release has nothing of an entity.
    fn is_denied(&self, entity: &Entity) -> bool {
        let ours = self.compared.ours;
        let mut fields = entity.fields.iter();
        !entity.fields.is_empty()
            && fields.all(|field| ours.says(&field.item, self.reach.side.version) == Verdict::No)
    }
}
