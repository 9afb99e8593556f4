//! Lays the layers over each other: every item with what each layer says of it, and one answer for every fact.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::load::{Catalogue, LayerFile, LayerKind};
use crate::model::{
    self, Dated, Entity, Enumeration, ErrorAnswer, Fact, Field, Operation, Param, Value,
};
use crate::problems::{Place, Problems};
use fedispec_model::api;

mod dispute;
mod fact;
mod gather;
mod verdict;

pub(crate) use dispute::Disputes;
pub(crate) use fact::{By, Key, Settle, Told};

/// What one file of a layer says of an item.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a, T> {
    /// The layer, from the lowest.
    pub(crate) layer: usize,
    /// Which layer that is.
    pub(crate) kind: LayerKind,
    /// Where it stands.
    pub(crate) place: Place<'a>,
    /// What is said.
    pub(crate) body: &'a T,
    /// What holds in that file besides.
    pub(crate) defaults: &'a model::Defaults,
    /// The evidence of what contains the item, from the inside out.
    pub(crate) around: Vec<&'a model::PerProgram<model::Evidence>>,
}

/// An item and what the layers say of it, from the lowest layer up. There is at least one statement.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a, T> {
    /// Its id.
    pub(crate) id: String,
    /// Its key.
    pub(crate) key: &'a str,
    /// What is said.
    pub(crate) statements: Vec<Statement<'a, T>>,
}

impl<'a, T: Dated> Node<'a, T> {
    /// The lowest layer's statement.
    pub(crate) fn first(&self) -> &Statement<'a, T> {
        &self.statements[0]
    }

    /// Where it stands, in the lowest layer that has it.
    pub(crate) fn place(&self) -> &Place<'a> {
        &self.first().place
    }

    /// What the documents say, where they know the item.
    pub(crate) fn documents(&self) -> Option<&Statement<'a, T>> {
        self.statements
            .first()
            .filter(|one| one.kind == LayerKind::Documents)
    }

    /// How the documents call it, where that differs.
    pub(crate) fn documented_as(&self) -> Option<&'a str> {
        self.statements
            .iter()
            .find_map(|one| one.body.head().documented_as)
    }
}

/// A group and who says so.
#[derive(Debug)]
pub(crate) struct GroupNode<'a> {
    /// One line about it.
    pub(crate) summary: &'a str,
    /// Where it stands.
    pub(crate) place: Place<'a>,
    /// The layer.
    pub(crate) layer: usize,
}

/// An operation and what belongs to it.
#[derive(Debug)]
pub(crate) struct OperationNode<'a> {
    /// The operation itself.
    pub(crate) node: Node<'a, Operation>,
    /// Its parameters.
    pub(crate) params: Vec<Node<'a, Param>>,
    /// The fields that it answers without a named entity.
    pub(crate) response: Vec<Node<'a, Field>>,
    /// Its other answers.
    pub(crate) errors: Vec<ErrorNode<'a>>,
}

/// An answer that is not a success, and its fields.
#[derive(Debug)]
pub(crate) struct ErrorNode<'a> {
    /// The answer.
    pub(crate) node: Node<'a, ErrorAnswer>,
    /// The fields of its body.
    pub(crate) fields: Vec<Node<'a, Field>>,
}

/// An entity and its fields.
#[derive(Debug)]
pub(crate) struct EntityNode<'a> {
    /// The entity.
    pub(crate) node: Node<'a, Entity>,
    /// Its own fields.
    pub(crate) fields: Vec<Node<'a, Field>>,
    /// Whether anybody lists them.
    pub(crate) known: bool,
}

/// An enumeration and its values.
#[derive(Debug)]
pub(crate) struct EnumNode<'a> {
    /// The enumeration.
    pub(crate) node: Node<'a, Enumeration>,
    /// Its values.
    pub(crate) values: Vec<Node<'a, Value>>,
    /// Whether anybody lists them.
    pub(crate) known: bool,
}

/// An id that is gone.
#[derive(Debug)]
pub(crate) struct TombstoneNode<'a> {
    /// Why.
    pub(crate) body: &'a model::Tombstone,
    /// Where it says so.
    pub(crate) place: Place<'a>,
    /// The layer that says so.
    pub(crate) layer: usize,
}

/// The layers laid over each other.
#[derive(Debug)]
pub(crate) struct Merged<'a> {
    /// The groups by id.
    pub(crate) groups: IndexMap<&'a str, GroupNode<'a>>,
    /// The operations in the catalogue's order.
    pub(crate) operations: Vec<OperationNode<'a>>,
    /// The entities in the catalogue's order.
    pub(crate) entities: Vec<EntityNode<'a>>,
    /// The enumerations in the catalogue's order.
    pub(crate) enums: Vec<EnumNode<'a>>,
    /// The declared contradictions.
    pub(crate) disputes: Disputes<'a>,
    /// The ids that are gone.
    pub(crate) tombstones: IndexMap<&'a str, TombstoneNode<'a>>,
    /// What holds for every item of a file, and where that stands.
    pub(crate) defaults: Vec<(Place<'a>, &'a model::Defaults)>,
    /// The files, sorted by path.
    pub(crate) files: Vec<crate::source::FileId>,
    /// The id of every item that is there, and where it stands, from the lowest layer up.
    pub(crate) ids: HashMap<String, Vec<Place<'a>>>,
}

/// A file of a layer, and which layer that is.
#[derive(Debug, Clone, Copy)]
struct Sheet<'a> {
    layer: usize,
    kind: LayerKind,
    file: &'a LayerFile,
}

impl<'a> Merged<'a> {
    /// Lays the catalogue's layers over each other, or takes the documents alone.
    pub(crate) fn new(
        catalogue: &'a Catalogue,
        layer: api::Layer,
        problems: &mut Problems<'a>,
    ) -> Self {
        let mut sheets: Vec<_> = catalogue
            .layers
            .iter()
            .enumerate()
            .filter(|(_, one)| layer == api::Layer::Full || one.kind == LayerKind::Documents)
            .flat_map(|(layer, one)| {
                one.files.iter().map(move |file| Sheet {
                    layer,
                    kind: one.kind,
                    file,
                })
            })
            .collect();
        sheets.sort_by_key(|sheet| (sheet.layer, catalogue.sources.path(sheet.file.file)));
        gather::Gather::new(problems).all(&sheets)
    }

    /// Where an item says something, in the highest layer that does; or else where the item stands.
    pub(crate) fn place_of(
        &self,
        id: &str,
        keys: &[&'a str],
        problems: &Problems<'a>,
    ) -> Option<Place<'a>> {
        let places = self.ids.get(id)?;
        let said = places
            .iter()
            .rev()
            .map(|place| place.under(keys))
            .find(|place| problems.stands(place));
        said.or_else(|| places.first().cloned())
    }
}

/// What one file of a layer says of an item, whatever kind of item that is.
pub(crate) trait Said<'a> {
    /// Where it stands.
    fn place(&self) -> &Place<'a>;
    /// What proves what it says of a program, or of the item's `shape`.
    fn proof(&self, of: &str) -> Option<&'a model::Evidence>;
    /// What holds in that file besides.
    fn defaults(&self) -> &'a model::Defaults;
}

impl<'a, T: Dated> Said<'a> for Statement<'a, T> {
    fn place(&self) -> &Place<'a> {
        &self.place
    }

    fn proof(&self, of: &str) -> Option<&'a model::Evidence> {
        Statement::proof(self, of)
    }

    fn defaults(&self) -> &'a model::Defaults {
        self.defaults
    }
}

impl<'a> Merged<'a> {
    /// What the layers say of the item under that path, from the lowest layer up.
    pub(crate) fn said(&self, path: &[&str]) -> Vec<&dyn Said<'a>> {
        match path {
            ["operations", id, inside @ ..] => {
                let operation = self.operations.iter().find(|one| one.node.key == *id);
                operation.map_or_else(Vec::new, |operation| operation.said(inside))
            }
            ["entities", id, inside @ ..] => {
                let entity = self.entities.iter().find(|one| one.node.key == *id);
                entity.map_or_else(Vec::new, |entity| match inside {
                    [] => entity.node.said(),
                    [_, name] => said_of(&entity.fields, name),
                    _ => Vec::new(),
                })
            }
            ["enums", id, inside @ ..] => {
                let enumeration = self.enums.iter().find(|one| one.node.key == *id);
                enumeration.map_or_else(Vec::new, |enumeration| match inside {
                    [] => enumeration.node.said(),
                    [_, name] => said_of(&enumeration.values, name),
                    _ => Vec::new(),
                })
            }
            _ => Vec::new(),
        }
    }
}

impl<'a> OperationNode<'a> {
    fn said(&self, path: &[&str]) -> Vec<&dyn Said<'a>> {
        match path {
            [] => self.node.said(),
            ["params", name] => said_of(&self.params, name),
            ["response", name] => said_of(&self.response, name),
            ["errors", status, "fields", name] => {
                let answer = self.errors.iter().find(|one| one.node.key == *status);
                answer.map_or_else(Vec::new, |answer| said_of(&answer.fields, name))
            }
            _ => Vec::new(),
        }
    }
}

impl<'a, T: Dated> Node<'a, T> {
    fn said(&self) -> Vec<&dyn Said<'a>> {
        let statements = self.statements.iter();
        statements.map(|one| one as &dyn Said<'a>).collect()
    }
}

fn said_of<'m, 'a, T: Dated>(nodes: &'m [Node<'a, T>], key: &str) -> Vec<&'m dyn Said<'a>> {
    let node = nodes.iter().find(|node| node.key == key);
    node.map_or_else(Vec::new, Node::said)
}

/// What is listed, where anybody lists it.
fn listed<T>(fact: Option<&Fact<T>>) -> Option<&T> {
    match fact {
        Some(Fact::Known(list)) => Some(list),
        _ => None,
    }
}
