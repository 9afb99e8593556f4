//! The facts that every item has: its names, texts and evidence.

use std::rc::Rc;

use super::Resolver;
use crate::load::LayerKind;
use crate::merge::{FactKey, MergedItem, Provenance, SettledFact};
use crate::model::Fact;
use fedispec_model::api::{self, Life, Origin};
use fedispec_model::names;

/// The names of an item that is being resolved.
pub(super) struct Naming<'x> {
    /// Its name in the catalogue.
    pub(super) name: &'x str,
    /// Its spelling on the wire.
    pub(super) wire: String,
    /// The name that its Rust name is made from.
    pub(super) rust_from: String,
    /// The use of the Rust name.
    pub(super) role: names::NameRole,
}

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the facts that every item has.
    pub(super) fn item<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        naming: Naming<'_>,
        life: Vec<Life>,
    ) -> api::Item {
        let rust = self.rust(node, &naming);
        let heads = || node.statements.iter().map(|one| one.head);
        let last = |get: fn(crate::model::Head<'a>) -> Option<&'a str>| {
            heads().rev().find_map(get).map(ToOwned::to_owned)
        };
        let summary = last(|head| head.summary);
        let notes = heads().flat_map(|head| head.notes).cloned().collect();
        self.summaries(node);
        api::Item {
            id: node.id.clone(),
            name: naming.name.into(),
            wire: naming.wire,
            rust,
            documented_as: node.documented_as().map(ToOwned::to_owned),
            origin: origin(node),
            summary,
            notes,
            life,
            replacement: last(|head| head.replacement),
            renamed_from: last(|head| head.renamed_from),
            evidence: self.shape(node),
            at: self.at(node.place()),
            ..api::Item::default()
        }
    }

    /// Resolves the item of an entity or enumeration, whose id is its Rust name unless another is given.
    pub(super) fn type_item<B>(&mut self, node: &MergedItem<'a, B>, life: Vec<Life>) -> api::Item {
        let (wire, rust_from) = (node.key.to_owned(), node.key.to_owned());
        let naming = Naming { name: node.key, wire, rust_from, role: names::NameRole::Type };
        let mut item = self.item(node, naming, life);
        if node.statements.iter().all(|one| one.head.rust.is_none()) {
            item.rust = node.key.into();
        }
        item
    }

    /// Finds the Rust name: the one given with `rust`, or one made from the name on the wire.
    fn rust<B>(&mut self, node: &MergedItem<'a, B>, naming: &Naming<'_>) -> String {
        let given = node.statements.iter().rev().find_map(|one| Some((one, one.head.rust?)));
        if let Some((statement, given)) = given {
            if let Some(why) = names::misspelled(given, naming.role) {
                let place = statement.place.then("rust");
                let help = match names::rust_name(&naming.rust_from, naming.role) {
                    Some(made) => format!("leave `rust` out for `{made}`, or choose another name"),
                    None => "choose another name".into(),
                };
                let message = format!("`{given}` cannot be a Rust name here: {why}");
                self.facts.problems.value("rust-name", &place, message, help);
            }
            return given.into();
        }
        names::rust_name(&naming.rust_from, naming.role).unwrap_or_else(|| {
            let message = format!("no Rust name can be made from `{}`", naming.rust_from);
            self.facts.problems.key("rust-name", node.place(), message, "give one under `rust`");
            String::new()
        })
    }

    fn summaries<B>(&mut self, node: &MergedItem<'a, B>) {
        for statement in &node.statements {
            let head = statement.head;
            if head.summary.is_some_and(|text| text.trim().is_empty()) {
                let place = statement.place.then("summary");
                let message = "the summary is empty";
                let help = "describe the item in a line";
                self.facts.problems.value("empty-summary", &place, message, help);
            }
        }
    }

    /// Finds the spelling on the wire. Where the documents' spelling differs from the key, a dispute must declare it.
    pub(super) fn wire<B>(&mut self, node: &MergedItem<'a, B>) -> String {
        let spelled = node.documents().and_then(|first| first.head.documented_as);
        let initial = spelled.map(|text| SettledFact {
            value: Fact::Known(text.to_owned()),
            by: Provenance::Statement(Rc::clone(&node.first().stated)),
        });
        let mut said = node.heads(|head| head.wire.map(|text| Fact::Known(text.to_owned())));
        let key = FactKey::of("wire");
        let Some(settled) = self.facts.settle(&node.id, key, initial, |_, _| false, &mut said)
        else {
            return node.key.into();
        };
        if let Some(spelled) = spelled.filter(|spelled| *spelled != node.key)
            && self.layer == api::Layer::Full
            && matches!(&settled.by, Provenance::Statement(stated) if Rc::ptr_eq(stated, &node.first().stated))
        {
            let place = node.place().then("documented_as");
            let message =
                format!("the documents spell `{spelled}`, which is `{}` on the wire", node.key);
            let help = format!(
                "declare it under `disputes` of the supplement: item `{}`, fact `wire`, both spellings, evidence and verdict",
                node.id
            );
            self.facts.problems.value("undeclared-contradiction", &place, message, help);
        }
        settled.known().unwrap_or_else(|| node.key.into())
    }
}

/// Tells which layers and sources know an item.
fn origin<B>(node: &MergedItem<'_, B>) -> Origin {
    if node.first().kind == LayerKind::Documents {
        Origin::Documents
    } else if node.first().kind == LayerKind::Program {
        Origin::Program
    } else if node.statements.iter().any(|one| one.head.undocumented) {
        Origin::Undocumented
    } else {
        Origin::Beyond
    }
}
