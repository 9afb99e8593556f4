//! The answers of operations: an entity, fields without a named entity, and errors.

use super::Resolver;
use super::fact::fact_place;
use super::life::{ContainerLives, UseDefaults};
use super::object::{ObjectDraft, StatedFields, implied_item};
use super::operation::Owner;
use super::tree::earliest;
use crate::merge::{FactKey, MergedError, MergedItem, MergedOperation, SettledFact};
use crate::model::{Fact, FactName, Field, TypeName};
use fedispec_model::api::{self, EntityRole, Type};

/// The answer of an operation.
pub(super) struct Answer {
    pub(super) ty: Type,
    pub(super) known: bool,
    pub(super) documented: Option<String>,
}

/// A body whose fields belong to no named entity.
struct Body {
    id: String,
    rust: String,
    role: EntityRole,
}

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the answer of an operation that succeeds.
    pub(super) fn answer(&mut self, one: &MergedOperation<'a>, owner: &Owner<'_>) -> Answer {
        let node = &one.node;
        let settled = self
            .facts
            .refined(node, FactKey::of("returns"), lists_something, |body| body.returns.clone());
        let place = settled.as_ref().map(|settled| fact_place(node, "returns", &settled.by));
        let stated = settled.and_then(SettledFact::known).zip(place);
        if !one.response.is_empty() {
            if let Some((_, place)) = stated {
                let message = format!("`{}` answers `returns` and `response` at once", node.id);
                let help = "name the entity under `returns`, or list the fields under `response`";
                self.facts.problems.key("two-answers", &place, message, help);
            }
            let id = format!("{}.response", node.id);
            let body = Body {
                id: id.clone(),
                rust: format!("{}Response", owner.rust),
                role: EntityRole::Response(node.id.clone()),
            };
            self.nameless(&one.response, body, owner);
            return Answer { ty: Type::Entity(id), known: true, documented: None };
        }
        match stated {
            Some((TypeName(text), place)) => {
                let ty = self.answer_type(&text, place, &node.id);
                let documented = self.answer_documented(&ty);
                Answer { ty, known: true, documented }
            }
            None => Answer { ty: Type::Json, known: false, documented: None },
        }
    }

    /// Makes an entity of a body that has no name.
    fn nameless(&mut self, nodes: &[MergedItem<'a, Field>], body: Body, owner: &Owner<'_>) {
        let wires = self.wires(nodes);
        let (tree, owns) = self.tree(nodes, &wires, owner.documented);
        let outer = &owner.frame.lives;
        let lives = outer.iter().enumerate().map(|(at, outer)| {
            let since = earliest(&tree, &owns, at, Some(outer.since)).max(outer.since);
            api::Life::new(since, since.max(outer.effective))
        });
        let mut item = implied_item(owner.item, body.id, String::new(), body.rust, lives.collect());
        item.at = nodes.first().map_or(item.at, |node| self.at(node.place()));
        let object = ObjectDraft {
            item,
            role: body.role,
            known: true,
            prefix: String::new(),
            frame: owner.frame.clone(),
        };
        self.object(object, &tree, &StatedFields { nodes, owns: &owns });
    }

    /// The other answers, by status.
    pub(super) fn errors(
        &mut self,
        one: &MergedOperation<'a>,
        owner: &Owner<'_>,
    ) -> Vec<api::ErrorAnswer> {
        let mut errors = Vec::new();
        for error in &one.errors {
            let Some(status) = self.status(&error.node) else {
                continue;
            };
            let own = self.own(&error.node, owner.documented, UseDefaults::No);
            let lives = self.lives(&error.node, &own, Some(owner.frame));
            let frame = ContainerLives::of(&lives);
            let inside = Owner { frame: &frame, documented: &own.documented, ..*owner };
            let returns = self.error_body(error, status, &inside);
            let dated = own.settled.iter().any(Option::is_some)
                || lives.iter().any(|life| life.removed.is_some());
            let when =
                self.facts.fact(&error.node, "when", |body| body.when.clone().map(Fact::Known));
            let when = match when {
                Some(settled) => settled.known(),
                None => self.usual(&error.node, FactName::Errors, |usual| {
                    usual.errors.get(error.node.key).cloned()
                }),
            };
            errors.push(api::ErrorAnswer {
                status,
                when,
                returns,
                life: if dated { lives } else { Vec::new() },
            });
        }
        errors.sort_by_key(|error| error.status);
        errors
    }

    fn error_body(
        &mut self,
        error: &MergedError<'a>,
        status: u16,
        owner: &Owner<'_>,
    ) -> Option<Type> {
        let node = &error.node;
        if !error.fields.is_empty() {
            let body = Body {
                id: node.id.clone(),
                rust: format!("{}Error{status}", owner.rust),
                role: EntityRole::Error(owner.id.into(), status),
            };
            self.nameless(&error.fields, body, owner);
            return Some(Type::Entity(node.id.clone()));
        }
        let stated = self.placed(node, "returns", |body| body.returns.clone().map(Fact::Known));
        let (TypeName(text), place) = stated?;
        Some(self.answer_type(&text, place, &node.id))
    }

    fn status<B>(&mut self, node: &MergedItem<'a, B>) -> Option<u16> {
        let status = node.key.parse().ok().filter(|status| (400..600).contains(status));
        if status.is_none() {
            let message = format!("`{}` is not a status of an error", node.key);
            let help = "errors have a status from 400 to 599; others belong to `success`";
            self.facts.problems.key("error-status", node.place(), message, help);
        }
        status
    }
}

/// The documents' `array (elements unlisted)` may become a list of anything.
fn lists_something(below: &TypeName, above: &TypeName) -> bool {
    below.0 == "json[]" && above.0.ends_with("[]")
}
