//! Collection of the statements about each item from all layers. Duplicates, ids with a tombstone and malformed ids are
//! reported.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::{
    Disputes, Ids, Merged, MergedEntity, MergedEnum, MergedError, MergedGroup, MergedItem,
    MergedOperation, MergedTombstone, RankedFile, Stated, Statement, listed,
};
use crate::model::{Dated, Entity, Enumeration, Field, Operation};
use crate::problems::{NodePath, Problems};
use fedispec_model::names::{self, NameRole};
use fedispec_model::notation;
use fedispec_model::wire::WireName;

/// Collects the statements about each item.
pub(super) struct ItemCollector<'a, 'p> {
    problems: &'p mut Problems<'a>,
    ids: Ids<'a>,
    tombstones: IndexMap<&'a str, MergedTombstone<'a>>,
}

impl<'a, 'p> ItemCollector<'a, 'p> {
    pub(super) fn new(problems: &'p mut Problems<'a>) -> Self {
        Self { problems, ids: HashMap::new(), tombstones: IndexMap::new() }
    }

    /// Collects the items of all files.
    pub(super) fn all(mut self, ranked_files: &[RankedFile<'a>]) -> Merged<'a> {
        self.tombstones(ranked_files);
        let operations =
            self.top(ranked_files, "operations", |file| &file.operations, Self::operation_id);
        let entities = self.top(ranked_files, "entities", |file| &file.entities, Self::type_id);
        let enums = self.top(ranked_files, "enums", |file| &file.enums, Self::type_id);
        let operations: Vec<_> = operations.into_iter().map(|node| self.operation(node)).collect();
        let entities: Vec<_> = entities.into_iter().map(|node| self.entity(node)).collect();
        let enums: Vec<_> = enums.into_iter().map(|node| self.enumeration(node)).collect();
        self.documented_twice(operations.iter().map(|one| &one.node));
        self.documented_twice(entities.iter().map(|one| &one.node));
        self.documented_twice(enums.iter().map(|one| &one.node));
        Merged {
            groups: self.groups(ranked_files),
            operations,
            entities,
            enums,
            disputes: Disputes::new(ranked_files),
            tombstones: self.tombstones,
            defaults: ranked_files
                .iter()
                .map(|ranked| {
                    (
                        NodePath::root(ranked.file.file).then("defaults"),
                        &ranked.file.content.defaults,
                    )
                })
                .collect(),
            files: ranked_files.iter().map(|ranked| ranked.file.file).collect(),
            former: None,
            ids: self.ids,
        }
    }

    fn tombstones(&mut self, ranked_files: &[RankedFile<'a>]) {
        for ranked in ranked_files {
            for (id, body) in &ranked.file.content.tombstones {
                let place = NodePath::root(ranked.file.file).under(&["tombstones", id]);
                let stone = MergedTombstone { body, place: place.clone(), layer: ranked.layer };
                if let Some(before) = self.tombstones.insert(id, stone) {
                    self.twice(
                        "duplicate-id",
                        &place,
                        &before.place,
                        &format!("the tombstone of `{id}` stands twice"),
                    );
                }
            }
        }
    }

    fn groups(&mut self, ranked_files: &[RankedFile<'a>]) -> IndexMap<&'a str, MergedGroup<'a>> {
        let mut groups: IndexMap<&'a str, MergedGroup<'a>> = IndexMap::new();
        for ranked in ranked_files {
            for (id, body) in &ranked.file.content.groups {
                let place = NodePath::root(ranked.file.file).under(&["groups", id]);
                let summary = body.summary.as_str();
                match groups.get(id.as_str()) {
                    Some(before) if before.layer == ranked.layer => {
                        let before = before.place.clone();
                        self.twice(
                            "duplicate-id",
                            &place,
                            &before,
                            &format!("the group `{id}` is introduced twice"),
                        );
                    }
                    Some(before) if before.summary != summary => {
                        let before = before.place.clone();
                        let message =
                            format!("the group `{id}` is described twice, and differently");
                        self.twice("undeclared-contradiction", &place, &before, &message);
                    }
                    Some(_) => {}
                    None => {
                        self.group_id(id, &place);
                        groups.insert(id, MergedGroup { summary, place, layer: ranked.layer });
                    }
                }
            }
        }
        groups
    }

    fn group_id(&mut self, id: &str, place: &NodePath<'a>) {
        let help = if names::is_keyword(id) {
            "Rust keeps that word for itself; give the group another name".to_owned()
        } else if let Some(why) = names::reserved(id, NameRole::Group) {
            format!("{why}; give the group another name")
        } else if !names::is_snake(id) {
            "a group becomes a Rust module: write it like `domain_blocks`".to_owned()
        } else {
            return;
        };
        self.problems.key("group-name", place, format!("`{id}` cannot be a group"), help);
    }

    /// Collects the items of a top-level section, with the statement of each layer.
    fn top<T: Dated>(
        &mut self,
        ranked_files: &[RankedFile<'a>],
        section: &'static str,
        map: impl Fn(&'a crate::model::File) -> &'a IndexMap<String, T>,
        spelled: impl Fn(&mut Self, &'a str, &NodePath<'a>) -> bool,
    ) -> Vec<MergedItem<'a, T>> {
        let mut nodes: IndexMap<&'a str, MergedItem<'a, T>> = IndexMap::new();
        for ranked in ranked_files {
            for (key, body) in map(&ranked.file.content) {
                let place = NodePath::root(ranked.file.file).under(&[section, key]);
                let statement = Statement {
                    stated: Rc::new(Stated {
                        layer: ranked.layer,
                        kind: ranked.kind,
                        place,
                        head: body.head(),
                        defaults: &ranked.file.content.defaults,
                        around: Vec::new(),
                    }),
                    body,
                };
                if self.is_tombstoned(key, &statement) {
                    continue;
                }
                match nodes.get_mut(key.as_str()) {
                    Some(node) if node.statements.iter().any(|one| one.layer == ranked.layer) => {
                        let before = node.statements.last().map(|one| one.place.clone());
                        let message = format!("`{key}` stands twice in this layer");
                        self.twice(
                            "duplicate-id",
                            &statement.place,
                            before.as_ref().unwrap_or(&statement.place),
                            &message,
                        );
                    }
                    Some(node) => {
                        self.again(&node.id, &statement);
                        node.statements.push(statement);
                    }
                    None => {
                        if spelled(self, key, &statement.place) {
                            let node =
                                MergedItem { id: key.clone(), key, statements: vec![statement] };
                            self.claim(&node);
                            nodes.insert(key, node);
                        }
                    }
                }
            }
        }
        nodes.into_values().collect()
    }

    fn operation_id(&mut self, id: &'a str, place: &NodePath<'a>) -> bool {
        let sound = id
            .split_once('.')
            .is_some_and(|(group, name)| names::is_snake(group) && names::is_snake(name));
        if !sound {
            let message = format!("`{id}` is no id of an operation");
            let help = "write group and name, as in `accounts.lookup`";
            self.problems.key("malformed-id", place, message, help);
        }
        sound
    }

    fn type_id(&mut self, id: &'a str, place: &NodePath<'a>) -> bool {
        let sound = notation::is_name(id);
        if !sound {
            let message = format!("`{id}` is no id of an entity or enumeration");
            let help = "write it UpperCamelCase, as in `CredentialAccount`";
            self.problems.key("malformed-id", place, message, help);
        }
        sound
    }

    /// Records the id of an item, and reports it where another item has it.
    fn claim<T>(&mut self, node: &MergedItem<'a, T>) {
        let stated = &node.first().stated;
        let before = self.ids.entry(node.id.clone()).or_default();
        before.push(Rc::clone(stated));
        if before.len() > 1 {
            let before = Rc::clone(&before[0]);
            let message =
                format!("there is another item with the id of `{}`, `{}`", node.key, node.id);
            self.twice("duplicate-id", &stated.place, &before.place, &message);
        }
    }

    /// Records that another layer states the item too.
    fn again<T>(&mut self, id: &str, statement: &Statement<'a, T>) {
        if let Some(stated) = self.ids.get_mut(id) {
            stated.push(Rc::clone(&statement.stated));
        }
    }

    /// Whether the id has a tombstone, so that the statement is ignored.
    fn is_tombstoned(&mut self, id: &str, statement: &Stated<'a>) -> bool {
        let Some(stone) = self.tombstones.get(id) else {
            return false;
        };
        if stone.layer <= statement.layer {
            let message = format!("`{id}` is used again, but has a tombstone");
            let help = "choose another id, or remove the tombstone";
            self.problems
                .key("tombstoned-id", &statement.place, message, help)
                .with_key(&stone.place, "the tombstone");
        }
        true
    }

    fn operation(&mut self, node: MergedItem<'a, Operation>) -> MergedOperation<'a> {
        let params = self.children(&node, &["params"], |body| Some(&body.params), Spelling::Wire);
        let response = self.under(
            &node,
            "response",
            &["response"],
            |body| Some(&body.response),
            Spelling::Wire,
        );
        let answers =
            self.children(&node, &["errors"], |body| listed(body.errors.as_ref()), Spelling::Any);
        let errors = answers
            .into_iter()
            .map(|node| {
                let fields: Vec<MergedItem<'a, Field>> =
                    self.children(&node, &["fields"], |body| Some(&body.fields), Spelling::Wire);
                MergedError { node, fields }
            })
            .collect();
        MergedOperation { node, params, response, errors }
    }

    fn entity(&mut self, node: MergedItem<'a, Entity>) -> MergedEntity<'a> {
        let list = |body: &'a Entity| listed(body.fields.as_ref());
        let fields = self.children(&node, &["fields"], list, Spelling::Wire);
        let known = node.statements.iter().any(|one| list(one.body).is_some());
        MergedEntity { node, fields, known }
    }

    fn enumeration(&mut self, node: MergedItem<'a, Enumeration>) -> MergedEnum<'a> {
        let list = |body: &'a Enumeration| listed(body.values.as_ref());
        let values = self.children(&node, &["values"], list, Spelling::Any);
        let known = node.statements.iter().any(|one| list(one.body).is_some());
        MergedEnum { node, values, known }
    }

    fn children<P: Dated, C: Dated>(
        &mut self,
        owner: &MergedItem<'a, P>,
        section: &[&'static str],
        map: impl Fn(&'a P) -> Option<&'a IndexMap<String, C>>,
        spelling: Spelling,
    ) -> Vec<MergedItem<'a, C>> {
        self.under(owner, "", section, map, spelling)
    }

    /// Collects the items inside another one, with the statement of each layer.
    fn under<P: Dated, C: Dated>(
        &mut self,
        owner: &MergedItem<'a, P>,
        infix: &str,
        section: &[&'static str],
        map: impl Fn(&'a P) -> Option<&'a IndexMap<String, C>>,
        spelling: Spelling,
    ) -> Vec<MergedItem<'a, C>> {
        let mut nodes: IndexMap<&'a str, MergedItem<'a, C>> = IndexMap::new();
        let prefix =
            if infix.is_empty() { owner.id.clone() } else { format!("{}.{infix}", owner.id) };
        for outer in &owner.statements {
            let Some(list) = map(outer.body) else {
                continue;
            };
            for (key, body) in list {
                let place = outer.place.under(section).then(key.as_str());
                let Some(id) = self.id_of(key, &place, spelling) else {
                    continue;
                };
                let id = format!("{prefix}.{id}");
                let around = [&[outer.head.evidence], outer.around.as_slice()].concat();
                let Stated { layer, kind, defaults, .. } = **outer;
                let head = body.head();
                let stated = Stated { layer, kind, place, head, defaults, around };
                let statement = Statement { stated: Rc::new(stated), body };
                if self.is_tombstoned(&id, &statement) {
                    continue;
                }
                if let Some(node) = nodes.get_mut(key.as_str()) {
                    self.again(&node.id, &statement);
                    node.statements.push(statement);
                } else {
                    let node = MergedItem { id, key, statements: vec![statement] };
                    self.claim(&node);
                    nodes.insert(key, node);
                }
            }
        }
        let nodes: Vec<_> = nodes.into_values().collect();
        self.documented_twice(nodes.iter());
        nodes
    }

    fn id_of(&mut self, key: &str, place: &NodePath<'a>, spelling: Spelling) -> Option<String> {
        if spelling == Spelling::Any {
            if key.trim() != key || key.is_empty() {
                let message = format!("`{key}` begins or ends with white space, or is empty");
                let help = "write the key as it stands on the wire, without white space";
                self.problems.key("malformed-name", place, message, help);
            }
            return Some(key.into());
        }
        if let Some(odd) = key.chars().find(|letter| !letter.is_ascii()) {
            let message =
                format!("`{key}` holds `{odd}`, which looks like another letter or is none");
            let help = "names on the wire are ASCII: write it with the keyboard's own letters";
            self.problems.key("malformed-name", place, message, help);
            return None;
        }
        match WireName::parse(key) {
            Ok(name) => Some(name.id()),
            Err(malformed) => {
                let message = format!("`{key}` is no name in bracket notation: {malformed}");
                self.problems.key("malformed-name", place, message, malformed.help());
                None
            }
        }
    }

    fn documented_twice<'n, T: Dated + 'n>(
        &mut self,
        nodes: impl Iterator<Item = &'n MergedItem<'a, T>>,
    ) where
        'a: 'n,
    {
        let mut seen: HashMap<&str, NodePath<'a>> = HashMap::new();
        for node in nodes {
            let mut named =
                node.statements.iter().filter_map(|one| Some((one, one.head.documented_as?)));
            let Some((statement, name)) = named.next() else {
                continue;
            };
            let place = statement.place.then("documented_as");
            if let Some(before) = seen.get(name) {
                let message = format!("`{name}` already stands for another item");
                let help = "each item of the documents has one place in the catalogue";
                self.problems
                    .value("duplicate-ordinal", &place, message, help)
                    .with_value(before, "it stands here first");
            } else {
                seen.insert(name, place);
            }
        }
    }

    fn twice(
        &mut self,
        code: &'static str,
        place: &NodePath<'a>,
        before: &NodePath<'a>,
        message: &str,
    ) {
        self.problems
            .key(code, place, message, "keep one of the two")
            .with_key(before, "it stands here first");
    }
}

/// How the keys of a map are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// In bracket notation.
    Wire,
    /// As they are.
    Any,
}
