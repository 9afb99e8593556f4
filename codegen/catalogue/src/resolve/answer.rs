//! The answers of operations: an entity, fields without a named entity, and errors.

use super::Resolver;
use super::by::speaks_of;
use super::life::{ContainerLives, StatedSince, UseDefaults};
use super::object::{ObjectDraft, StatedFields, implied_item};
use super::operation::Owner;
use super::program::unless_empty;
use super::tree::earliest;
use crate::load::LayerKind;
use crate::merge::{MergedError, MergedItem, MergedOperation, Provenance};
use crate::model::{By, ErrorAnswer, Fact, FactName, Field, Operation, Program, TypeName, Usual};
use crate::problems::NodePath;
use crate::route::ERRORS;
use fedispec_model::api::{self, EntityRole, Life, Since, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::suggest::did_you_mean;

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
    pub(super) fn answer(
        &mut self,
        one: &MergedOperation<'a>,
        owner: &Owner<'_>,
        returns: Option<String>,
    ) -> Answer {
        let node = &one.node;
        let place = node.highest(|body| body.returns.as_ref());
        let stated = returns.zip(place.map(|(stated, _)| stated.place.then("returns")));
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
        // A wrong type is told where it is stated, of whichever program.
        let found = self.facts.problems.count();
        let get = |body: &'a Operation| body.returns.as_ref();
        self.each_stated(node, "returns", get, |resolver, text, place| {
            resolver.answer_type(&text.0, place, &node.id);
        });
        self.disputed_types(&node.id);
        match stated.filter(|_| self.facts.problems.count() == found) {
            Some((text, place)) => {
                let ty = self.answer_type(&text, place, &node.id);
                let documented = self.answer_documented(&ty);
                Answer { ty, known: true, documented }
            }
            None => Answer { ty: Type::Json, known: false, documented: None },
        }
    }

    /// Looks up the names in both sides of a dispute about an answer.
    fn disputed_types(&mut self, id: &str) {
        let disputes = &self.merged.disputes;
        if !disputes.about(id) {
            return;
        }
        let about = disputes.all().iter().filter(|one| one.body.item == id);
        for dispute in about.filter(|one| one.body.fact == "returns") {
            for (side, said) in
                [("documents", &dispute.body.documents), ("supplement", &dispute.body.supplement)]
            {
                if let Some(text) = said.as_str() {
                    self.answer_type(text, dispute.place.then(side), id);
                }
            }
        }
    }

    /// The type of the answer as text.
    pub(super) fn returned(
        &mut self,
        node: &MergedItem<'a, Operation>,
        lives: &mut [Life],
    ) -> Option<String> {
        let returns = |body: &'a Operation| body.returns.clone();
        self.refined_by(node, ChangedFact::Returns, lives, lists_something, returns).read()
    }

    /// Makes an entity of a body that has no name.
    fn nameless(&mut self, nodes: &[MergedItem<'a, Field>], body: Body, owner: &Owner<'_>) {
        let wires = self.wires(nodes);
        let (tree, owns) = self.tree(nodes, &wires, owner.documented);
        let outer = &owner.frame.lives;
        let lives = outer.iter().enumerate().map(|(at, outer)| {
            let since = earliest(&tree, &owns, at, Some(outer.since)).max(outer.since);
            Life::new(since, since.max(outer.effective))
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
            let Some(status) = self.error_status(error.node.key, error.node.place()) else {
                continue;
            };
            let mut own = self.own(&error.node, owner.documented, UseDefaults::No);
            // A line for many says that a program has an operation, and not what it answers.
            for settled in &mut own.settled {
                settled.take_if(|settled| {
                    matches!(settled.by, Provenance::Many(..))
                        && matches!(settled.value, Fact::Known(Since::Since(_)))
                });
            }
            let mut lives = self.lives(&error.node, &own, Some(owner.frame));
            let is_open = self.unproven(&error.node, &own, &mut lives);
            let frame = ContainerLives::of(&lives);
            let inside = Owner { frame: &frame, documented: &own.documented, ..*owner };
            let returns = self.error_body(error, status, &inside);
            let dated = is_open
                || own.settled.iter().any(Option::is_some)
                || lives.iter().any(|life| life.removed.is_some() || !life.absent.is_empty());
            let (when, own_when) = self.when(&error.node);
            errors.push(api::ErrorAnswer {
                status,
                when,
                own_when,
                text: self.by_program(
                    &error.node,
                    "text",
                    |body| &body.text,
                    |said| vec![(vec!["since".into()], said.since)],
                ),
                returns,
                life: if dated { lives } else { Vec::new() },
            });
        }
        errors.sort_by_key(|error| error.status);
        errors
    }

    /// Makes the answer unknown in programs that nothing said of it is proven by: no source that speaks of the program, no Since and no
    /// evidence of its own. Tells whether there is one.
    fn unproven(
        &self,
        node: &MergedItem<'a, ErrorAnswer>,
        own: &StatedSince<'a>,
        lives: &mut [Life],
    ) -> bool {
        let mut any = false;
        for (place, (program, life)) in self.programs.iter().zip(lives).enumerate() {
            let mut statements = node.statements.iter();
            let is_proven = own.stated(place).is_some()
                || statements.any(|one| {
                    one.head.evidence.contains_key(*program)
                        || speaks_of(self.implementations, one.stated.proof("shape"), program)
                });
            if !is_proven && life.apart {
                (life.since, life.effective) = (Since::Unknown, Since::Unknown);
            } else if !is_proven && matches!(life.effective, Since::Since(_)) {
                (life.since, life.effective) = (Since::Unknown, Since::Unknown);
                any = true;
            }
        }
        any
    }

    /// When an error is given: in all programs, and by program where they differ.
    fn when(
        &mut self,
        node: &MergedItem<'a, ErrorAnswer>,
    ) -> (Option<String>, Vec<Option<String>>) {
        for statement in &node.statements {
            if let Some(By::Each(each)) = &statement.body.when {
                self.keys_are_programs(each.keys(), &statement.place.then("when"));
            }
        }
        let own = self.in_programs(node, "when", |body, program| match body.when.as_ref()? {
            By::Same(_) => None,
            By::Each(each) => each.get(program).cloned(),
        });
        let own = unless_empty(own);
        let of_all = self.fact(node, "when", |body| match body.when.as_ref()? {
            By::Same(when) => Some(Fact::Known(when.clone())),
            By::Each(_) => None,
        });
        // The folder of a program that stands apart says nothing of the others.
        let mut said = self.programs.iter().zip(&own).filter(|(_, own)| own.is_some());
        let is_open = said.all(|(program, _)| {
            self.implementations.programs.get(*program).is_some_and(Program::is_apart)
        });
        let usual = || {
            self.usual(node, FactName::Errors, |usual: &'a Usual| {
                usual.errors.get(node.key).cloned()
            })
        };
        let when = of_all.or_else(|| is_open.then(usual).flatten());
        if when.is_none() && own.is_empty() {
            self.wordless(node);
        }
        (when, own)
    }

    /// Reports a status of the supplement that neither the operation nor the registry has words for.
    fn wordless(&mut self, node: &MergedItem<'a, ErrorAnswer>) {
        let known = &self.implementations.defaults.errors;
        let is_ours = node.first().kind == LayerKind::Supplement;
        if !is_ours || self.implementations.reference.is_none() || known.contains_key(node.key) {
            return;
        }
        let message = format!("nobody says when {} is answered", node.key);
        let help = "say it in a sentence under `when`";
        self.facts.problems.key("missing-words", node.place(), message, help);
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

    /// The status of an error; a key that is none is reported.
    pub(super) fn error_status(&mut self, key: &str, place: &NodePath<'a>) -> Option<u16> {
        let status = key.parse().ok().filter(|status| ERRORS.contains(status));
        if status.is_none() {
            let message = format!("`{key}` is not a status of an error");
            let or_else = "errors have a status from 400 to 599; others belong to `success`";
            let all: Vec<_> = ERRORS.map(|status| status.to_string()).collect();
            // Of a shorter one nobody knows which digit is lost.
            let meant = all.iter().map(String::as_str).filter(|_| key.len() > 3);
            let help = did_you_mean(key, meant, or_else);
            self.facts.problems.key("error-status", place, message, help);
        }
        status
    }
}

/// The documents' `array (elements unlisted)` may become a list of anything.
fn lists_something(below: &TypeName, above: &TypeName) -> bool {
    below.0 == "json[]" && above.0.ends_with("[]")
}
