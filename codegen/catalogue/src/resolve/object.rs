//! Objects and their fields, at any depth.

use super::types::ItemType;

use super::Resolver;
use super::condition::ConditionOwner;
use super::item::Naming;
use super::life::{ContainerLives, StatedSince};
use super::members::{Branch, Branches};
use super::tree::implied_lives;
use super::types::NameHints;
use crate::merge::MergedItem;
use crate::model::{FactName, Field};
use fedispec_model::api::{self, EntityRole, Item};
use fedispec_model::names;
use fedispec_model::wire::{Wrap, brackets};

/// The statements about the fields of one owner, with the Since that each states.
pub(super) struct StatedFields<'a, 'x> {
    pub(super) nodes: &'x [MergedItem<'a, Field>],
    pub(super) owns: &'x [Option<StatedSince<'a>>],
}

/// An object that is being made an entity.
pub(super) struct ObjectDraft {
    /// The item; its `rust` names the struct.
    pub(super) item: Item,
    pub(super) role: EntityRole,
    pub(super) known: bool,
    /// The name of its members up to them: `configuration[polls]`; empty at the top.
    pub(super) prefix: String,
    /// The lives that its members inherit.
    pub(super) frame: ContainerLives,
}

impl<'a> Resolver<'a, '_, '_> {
    /// Makes an entity of an object, after those inside it.
    pub(super) fn object(
        &mut self,
        object: ObjectDraft,
        tree: &Branches<'_>,
        stated: &StatedFields<'a, '_>,
    ) {
        let mut fields = Vec::with_capacity(tree.len());
        for (key, branch) in tree {
            fields.push(self.field(key, branch, &object, stated));
        }
        self.entities.push(api::Entity {
            item: object.item,
            role: object.role,
            fields_known: object.known,
            includes: None,
            stands_in: None,
            fields,
        });
    }

    fn field(
        &mut self,
        key: &str,
        branch: &Branch<'_>,
        owner: &ObjectDraft,
        stated: &StatedFields<'a, '_>,
    ) -> api::Field {
        let lives = match branch.main() {
            Some(node) => self.member_lives(node, stated, &owner.frame),
            None => implied_lives(branch, stated.owns, &owner.frame),
        };
        let path = in_brackets(&owner.prefix, key);
        let nested =
            (!branch.members.is_empty()).then(|| nested_id(&owner.item.id, key, &branch.wraps));
        let frame = owner.frame.inside(lives.clone(), branch.main().is_some());
        let named = NameHints {
            wraps: &branch.wraps,
            own: own_wraps(branch),
            object: nested.as_deref(),
            param: false,
        };
        let mut field = match branch.main() {
            Some(node) => self.stated_field(&stated.nodes[node], key, named, lives),
            None => implied_field(&owner.item, key, &path, named, lives),
        };
        self.entry(branch, key, stated, &frame, &mut field);
        if let Some(id) = nested.clone() {
            let mut item = field.item.clone();
            item.id = id;
            let key = names::rust_name(key, names::NameRole::Variant).unwrap_or_default();
            item.rust = owner.item.rust.clone() + &key;
            item.implied = true;
            let object = ObjectDraft {
                item,
                role: EntityRole::Nested(owner.item.id.clone()),
                known: true,
                prefix: path + &brackets(&branch.wraps),
                frame,
            };
            self.object(object, &branch.members, stated);
        }
        field
    }

    fn member_lives(
        &mut self,
        node: usize,
        stated: &StatedFields<'a, '_>,
        frame: &ContainerLives,
    ) -> Vec<api::Life> {
        match &stated.owns[node] {
            Some(own) => self.lives(&stated.nodes[node], own, Some(frame)),
            None => frame.lives.clone(),
        }
    }

    /// The items that stand for the values of a map, or the elements of a list, beside the map itself.
    fn entry(
        &mut self,
        branch: &Branch<'_>,
        key: &str,
        stated: &StatedFields<'a, '_>,
        frame: &ContainerLives,
        field: &mut api::Field,
    ) {
        let mut at = field;
        let mut before = branch.items.first().map_or(0, |(wraps, _)| *wraps);
        for (wraps, node) in branch.items.iter().skip(1) {
            let lives = self.member_lives(*node, stated, frame);
            let inner = &branch.wraps[(*wraps).min(branch.wraps.len())..];
            let named = NameHints { wraps: inner, own: 0, object: None, param: false };
            let entry = self.stated_field(&stated.nodes[*node], key, named, lives);
            if *wraps == before {
                let node = &stated.nodes[*node];
                let message = format!("`{}` is listed twice", node.key);
                let help = "keep one of the two";
                self.facts.problems.key("duplicate-id", node.place(), message, help);
            }
            before = *wraps;
            at = at.entry.insert(Box::new(entry));
        }
    }

    fn stated_field(
        &mut self,
        node: &MergedItem<'a, Field>,
        key: &str,
        named: NameHints<'_>,
        lives: Vec<api::Life>,
    ) -> api::Field {
        self.all_stated(node, |body| {
            vec![
                (FactName::Type, body.r#type.is_some()),
                (FactName::Nullable, body.nullable.is_some()),
                (FactName::Optional, body.optional.is_some()),
            ]
        });
        let naming = Naming {
            name: node.key,
            wire: key.into(),
            rust_from: key.into(),
            role: names::NameRole::Field,
        };
        let item = self.item(node, naming, lives);
        let ItemType { ty, known: type_known, format: by_type } =
            self.item_type(node, named, |body| body.r#type.clone());
        let nullable = |body: &'a Field| body.nullable.clone();
        let nullable =
            self.fact_or_usual(node, FactName::Nullable, nullable, |usual| usual.nullable);
        let optional = |body: &'a Field| body.optional.clone();
        let optional =
            self.fact_or_usual(node, FactName::Optional, optional, |usual| usual.optional);
        let presence_known = nullable.is_some() && optional.is_some();
        let when = self.condition(node, "when", ConditionOwner::Field, |body| body.when.as_ref());
        let presence = self.presences(node);
        if let (Some(nullable), Some(optional)) = (nullable, optional) {
            let common = fedispec_since::Presence { optional, nullable };
            self.always_is_proven(node, &item.life, common, &presence);
        }
        let absent_means = self.absent_means(node);
        let format = self.known(node, "format", |body| body.format.as_ref()).or(by_type);
        let refers_to = self.refers_to(node, &ty, |body| body.refers_to.as_deref());
        api::Field {
            item,
            r#type: ty,
            type_known,
            nullable: nullable.unwrap_or(false),
            optional: !presence_known || optional == Some(true),
            presence_known,
            presence,
            absent_means,
            when,
            none_is_null: node.statements.iter().any(|one| one.body.none_is_null),
            format,
            inherited_from: None,
            refers_to,
            quirks: self.quirks(node),
            missed_apart: false,
            entry: None,
        }
    }
}

/// The name of a member in bracket notation: `configuration[polls]`.
pub(super) fn in_brackets(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}[{key}]") }
}

/// Counts the containers in the name of the member's own item.
pub(super) fn own_wraps(branch: &Branch<'_>) -> usize {
    branch.items.first().map_or(branch.wraps.len(), |(wraps, _)| *wraps)
}

/// The id of the object inside a member.
pub(super) fn nested_id(owner: &str, key: &str, wraps: &[Wrap<'_>]) -> String {
    let maps = wraps.iter().filter(|wrap| matches!(wrap, Wrap::Map(_))).count();
    format!("{owner}.{key}{}", ".*".repeat(maps))
}

/// Makes an item that no layer states, but that others stand in.
pub(super) fn implied_item(
    owner: &Item,
    id: String,
    name: String,
    rust: String,
    lives: Vec<api::Life>,
) -> Item {
    Item {
        id,
        wire: name.clone(),
        name,
        rust,
        origin: owner.origin,
        life: lives,
        implied: true,
        at: owner.at,
        ..Item::default()
    }
}

fn implied_field(
    owner: &Item,
    key: &str,
    path: &str,
    named: NameHints<'_>,
    lives: Vec<api::Life>,
) -> api::Field {
    let rust = names::rust_name(key, names::NameRole::Field).unwrap_or_default();
    let name = path.to_owned() + &brackets(named.wraps);
    let mut item = implied_item(owner, format!("{}.{key}", owner.id), name, rust, lives);
    item.wire = key.into();
    api::Field {
        item,
        r#type: named.implied(),
        type_known: true,
        optional: true,
        ..api::Field::default()
    }
}
