//! Enumerations, their values, and whether these are sent or received.

use super::Resolver;
use super::item::Naming;
use super::life::{ContainerLives, StatedSince, UseDefaults};
use crate::map::HashSet;
use crate::merge::{MergedEnum, MergedItem};
use crate::model::{Fact, FactName, TypeName, Value};
use fedispec_model::api::{self, Api, EntityRole, Life, Since};
use fedispec_model::names;

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves an enumeration. Unless it states a Since, it has the earliest of its values'.
    pub(super) fn enumeration(&mut self, one: &MergedEnum<'a>) -> api::Enumeration {
        let node = &one.node;
        let own = self.own(node, &[], UseDefaults::Yes);
        let owns: Vec<_> = one
            .members
            .iter()
            .map(|value| self.own(value, &own.documented, UseDefaults::Yes))
            .collect();
        let (lives, item_lives) = self.enum_lives(one, &own, &owns);
        let item = self.type_item(node, item_lives);
        self.all_stated(node, |body| vec![(FactName::Values, body.values.is_some())]);
        if one.known && one.members.is_empty() {
            let place = node.statements.last().map_or(node.place(), |last| &last.place);
            let place = place.then("values");
            let message = format!("`{}` has no value", node.id);
            let help = "list its values, or write `values: unknown`";
            self.facts.problems.key("empty-enum", &place, message, help);
        }
        let inherit = (0..self.programs.len()).map(|at| own.stated(at)).collect();
        let frame = ContainerLives { lives, inherit };
        let values = one.members.iter().zip(&owns);
        let values = values.map(|(value, own)| self.value(value, own, &frame));
        let values = values.collect();
        api::Enumeration { item, values_known: one.known, sent: false, received: false, values }
    }

    /// Computes the lives that the values are contained in, and the lives of the enumeration itself.
    fn enum_lives(
        &mut self,
        one: &MergedEnum<'a>,
        own: &StatedSince<'a>,
        owns: &[StatedSince<'a>],
    ) -> (Vec<Life>, Vec<Life>) {
        let lives: Vec<_> = (0..self.programs.len())
            .map(|at| {
                let first = owns
                    .iter()
                    .filter_map(|own| own.stated(at))
                    .min()
                    .filter(|since| matches!(since, Since::Since(_)));
                let since = match own.stated(at) {
                    Some(stated @ (Since::Since(_) | Since::Never)) => stated,
                    stated => first.or(stated).unwrap_or(Since::Unknown),
                };
                Life::new(since, since)
            })
            .collect();
        let mut settled = self.lives(&one.node, own, Some(&ContainerLives::of(&lives)));
        for (made, derived) in settled.iter_mut().zip(&lives) {
            if made.since != derived.since {
                (made.at, made.evidence) = (None, None);
            }
            (made.since, made.effective) = (derived.since, derived.effective);
        }
        (lives, settled)
    }

    fn value(
        &mut self,
        node: &MergedItem<'a, Value>,
        own: &StatedSince<'a>,
        frame: &ContainerLives,
    ) -> api::Item {
        let lives = self.lives(node, own, Some(frame));
        let wire = self.wire(node);
        let naming = Naming {
            name: node.key,
            rust_from: wire.clone(),
            wire,
            role: names::NameRole::Variant,
        };
        let on_older = self.known(node, "on_older", |body| body.on_older.as_ref());
        let payload = self.placed(node, "payload", |body| body.payload.clone().map(Fact::Known));
        let payload =
            payload.map(|(TypeName(text), place)| self.answer_type(&text, place, &node.id));
        api::Item { on_older, payload, ..self.item(node, naming, lives) }
    }
}

/// Sets for every enumeration whether it is sent, and whether it is received.
pub(super) fn directions(api: &mut Api) {
    let mut sent = HashSet::default();
    let mut received = HashSet::default();
    for operation in &api.operations {
        let params = operation.params.iter();
        params.for_each(|param| param.r#type.names(&mut sent));
        operation.answers().for_each(|one| one.names(&mut received));
    }
    for entity in &api.entities {
        if !matches!(entity.role, EntityRole::Argument(_)) {
            entity.fields.iter().for_each(|field| field.r#type.names(&mut received));
        }
    }
    for one in &mut api.enums {
        one.sent = sent.contains(one.item.id.as_str());
        one.received = received.contains(one.item.id.as_str());
    }
}
