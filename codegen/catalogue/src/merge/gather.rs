//! Collection of the statements about each item from all layers. Duplicates, ids with a tombstone and malformed ids are
//! reported.

use std::rc::Rc;

use super::{
    Declared, Disputes, Ids, ManyHeld, Merged, MergedError, MergedItem, MergedOperation,
    MergedType, RankedFile, Stated, Statement, listed,
};
use crate::map::{HashMap, HashSet, IndexMap};
use crate::model::{self, Dated, Group, Operation, Tombstone};
use crate::problems::{NodePath, Problems};
use fedispec_model::names::{self, NameRole};
use fedispec_model::notation;
use fedispec_model::wire::WireName;

/// The lines that speak of many items.
fn has<'a>(ranked_files: &[RankedFile<'a>]) -> Vec<ManyHeld<'a>> {
    let lines = ranked_files.iter().flat_map(|RankedFile { file, .. }| {
        let section = NodePath::root(file.file).then("has");
        let defaults = &file.content.defaults;
        file.content.has.iter().map(move |body| ManyHeld {
            body,
            place: section.then(body.number.to_string()),
            defaults,
        })
    });
    lines.collect()
}

/// Collects the statements about each item.
pub(super) struct ItemCollector<'a, 'p> {
    problems: &'p mut Problems<'a>,
    ids: Ids<'a>,
    tombstones: IndexMap<&'a str, Declared<'a, Tombstone>>,
    /// The ids with a tombstone that are used again.
    retired: HashSet<String>,
}

impl<'a, 'p> ItemCollector<'a, 'p> {
    pub(super) fn new(problems: &'p mut Problems<'a>) -> Self {
        Self {
            problems,
            ids: HashMap::default(),
            tombstones: IndexMap::default(),
            retired: HashSet::default(),
        }
    }

    /// Collects the items of all files.
    pub(super) fn all(mut self, ranked_files: &[RankedFile<'a>]) -> Merged<'a> {
        self.tombstones(ranked_files);
        let operations =
            self.top(ranked_files, "operations", |file| &file.operations, Self::operation_id);
        let entities = self.top(ranked_files, "entities", |file| &file.entities, Self::type_id);
        let enums = self.top(ranked_files, "enums", |file| &file.enums, Self::type_id);
        let operations: Vec<_> = operations.into_iter().map(|node| self.operation(node)).collect();
        let entities = entities
            .into_iter()
            .map(|node| self.with_members(node, "fields", |body| listed(body.fields.as_ref())));
        let entities = entities.collect();
        let enums = enums
            .into_iter()
            .map(|node| self.with_members(node, "values", |body| listed(body.values.as_ref())));
        let enums = enums.collect();
        Merged {
            groups: self.groups(ranked_files),
            operations,
            entities,
            enums,
            disputes: Disputes::new(ranked_files),
            has: has(ranked_files),
            tombstones: self.tombstones,
            defaults: ranked_files
                .iter()
                .map(|RankedFile { file, .. }| {
                    (NodePath::root(file.file).then("defaults"), &file.content.defaults)
                })
                .collect(),
            files: ranked_files.iter().map(|ranked| ranked.file.file).collect(),
            former: None,
            is_full: false,
            ids: self.ids,
        }
    }

    fn tombstones(&mut self, ranked_files: &[RankedFile<'a>]) {
        for ranked in ranked_files {
            for (id, body) in &ranked.file.content.tombstones {
                let place = NodePath::root(ranked.file.file).under(&["tombstones", id]);
                let stone = Declared { body, place: place.clone(), layer: ranked.layer };
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

    fn groups(
        &mut self,
        ranked_files: &[RankedFile<'a>],
    ) -> IndexMap<&'a str, Declared<'a, Group>> {
        let mut groups: IndexMap<&'a str, Declared<'a, Group>> = IndexMap::default();
        for ranked in ranked_files {
            for (id, body) in &ranked.file.content.groups {
                let place = NodePath::root(ranked.file.file).under(&["groups", id]);
                let Some(before) = groups.get(id.as_str()) else {
                    self.group_id(id, &place);
                    groups.insert(id, Declared { body, place, layer: ranked.layer });
                    continue;
                };
                if before.layer == ranked.layer {
                    let message = format!("the group `{id}` is introduced twice");
                    self.twice("duplicate-id", &place, &before.place, &message);
                } else if before.body.summary != body.summary {
                    let message = format!("the group `{id}` is described twice, and differently");
                    self.twice("undeclared-contradiction", &place, &before.place, &message);
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
        map: impl Fn(&'a model::File) -> &'a IndexMap<String, T>,
        spelled: impl Fn(&mut Self, &'a str, &NodePath<'a>) -> bool,
    ) -> Vec<MergedItem<'a, T>> {
        let mut nodes = IndexMap::default();
        for RankedFile { layer, kind, file } in ranked_files.iter().copied() {
            for (key, body) in map(&file.content) {
                let place = NodePath::root(file.file).under(&[section, key]);
                let (head, defaults) = (body.head(), &file.content.defaults);
                let stated = Stated { layer, kind, place, head, defaults, around: Vec::new() };
                let is_known =
                    nodes.contains_key(key.as_str()) || self.tombstones.contains_key(key.as_str());
                if is_known || spelled(self, key, &stated.place) {
                    self.add(&mut nodes, key.clone(), key, stated, body);
                }
            }
        }
        self.all_documented_once(nodes)
    }

    /// Adds a statement to the item under its key, which may be a new one. Statements about ids with a tombstone are left out.
    fn add<T>(
        &mut self,
        nodes: &mut IndexMap<&'a str, MergedItem<'a, T>>,
        id: String,
        key: &'a str,
        stated: Stated<'a>,
        body: &'a T,
    ) {
        if self.is_tombstoned(&id, &stated) {
            return;
        }
        let statement = Statement { stated: Rc::new(stated), body };
        let places = self.ids.entry(id.clone()).or_default();
        let Some(node) = nodes.get_mut(key) else {
            places.push(Rc::clone(&statement.stated));
            if let [before, _, ..] = places.as_slice() {
                let before = Rc::clone(before);
                let message = match before.place.path.last() {
                    Some(other) if *other != key => {
                        format!("`{key}` is `{other}` elsewhere, and both are `{id}`")
                    }
                    _ => format!("there is another item with the id of `{key}`, `{id}`"),
                };
                self.twice("duplicate-id", &statement.place, &before.place, &message);
            }
            nodes.insert(key, MergedItem { id, key, statements: vec![statement] });
            return;
        };
        match node.statements.last() {
            Some(before) if before.layer == statement.layer => {
                let message = format!("`{key}` stands twice in this layer");
                self.twice("duplicate-id", &statement.place, &before.place, &message);
            }
            _ => {
                places.push(Rc::clone(&statement.stated));
                node.statements.push(statement);
            }
        }
    }

    fn operation_id(&mut self, id: &'a str, place: &NodePath<'a>) -> bool {
        let sound = id
            .split_once('.')
            .is_some_and(|(group, name)| names::is_snake(group) && names::is_snake(name));
        if !sound {
            let message = format!("`{id}` is no id of an operation");
            let help = "write group and name, as in `accounts.lookup`, and indent what belongs to an operation below its id";
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

    /// Whether the id has a tombstone, so that the statement is ignored.
    fn is_tombstoned(&mut self, id: &str, statement: &Stated<'a>) -> bool {
        let Some(stone) = self.tombstones.get(id) else {
            return false;
        };
        if stone.layer <= statement.layer && self.retired.insert(id.to_owned()) {
            let message = format!("`{id}` is used again, but has a tombstone");
            let help = "choose another id, or remove the tombstone";
            self.problems
                .key("tombstoned-id", &statement.place, message, help)
                .with_key(&stone.place, "the tombstone");
        }
        true
    }

    fn operation(&mut self, node: MergedItem<'a, Operation>) -> MergedOperation<'a> {
        let params = self.under(&node, "params", |body| Some(&body.params));
        let response = self.under(&node, "response", |body| Some(&body.response));
        let errors = self.under(&node, "errors", |body| listed(body.errors.as_ref()));
        let errors = errors.into_iter().map(|node| {
            let fields = self.under(&node, "fields", |body| Some(&body.fields));
            MergedError { node, fields }
        });
        let errors = errors.collect();
        MergedOperation { node, params, response, errors }
    }

    fn with_members<T: Dated, M: Dated>(
        &mut self,
        node: MergedItem<'a, T>,
        section: &'static str,
        list: impl Fn(&'a T) -> Option<&'a IndexMap<String, M>>,
    ) -> MergedType<'a, T, M> {
        let members = self.under(&node, section, &list);
        let known = node.statements.iter().any(|one| list(one.body).is_some());
        MergedType { node, members, known }
    }

    /// Collects the items inside another one, with the statement of each layer.
    fn under<P: Dated, C: Dated>(
        &mut self,
        owner: &MergedItem<'a, P>,
        section: &'static str,
        map: impl Fn(&'a P) -> Option<&'a IndexMap<String, C>>,
    ) -> Vec<MergedItem<'a, C>> {
        let mut nodes = IndexMap::default();
        let infix = if section == "response" { "response." } else { "" };
        let is_wire = !matches!(section, "errors" | "values");
        for outer in &owner.statements {
            for (key, body) in map(outer.body).into_iter().flatten() {
                let place = outer.place.under(&[section, key]);
                let Some(id) = self.id_of(key, &place, is_wire) else {
                    continue;
                };
                let id = format!("{}.{infix}{id}", owner.id);
                let around = [&[outer.head.evidence], outer.around.as_slice()].concat();
                let Stated { layer, kind, defaults, .. } = **outer;
                let head = body.head();
                let stated = Stated { layer, kind, place, head, defaults, around };
                self.add(&mut nodes, id, key, stated, body);
            }
        }
        self.all_documented_once(nodes)
    }

    /// Makes the id of an item from its key: a name in bracket notation, or any text.
    fn id_of(&mut self, key: &str, place: &NodePath<'a>, is_wire: bool) -> Option<String> {
        let is_odd = |letter: &char| !letter.is_ascii() && (is_wire || letter.is_alphabetic());
        let is_mixed = is_wire || key.contains(|letter: char| letter.is_ascii_alphabetic());
        if let Some(odd) = key.chars().find(is_odd).filter(|_| is_mixed) {
            let message =
                format!("`{key}` holds `{odd}`, which looks like another letter or is none");
            let help = "names on the wire are ASCII: write it with the keyboard's own letters";
            self.problems.key("malformed-name", place, message, help);
            return None;
        }
        if !is_wire {
            if key.trim() != key || key.is_empty() {
                let message = format!("`{key}` begins or ends with white space, or is empty");
                let help = "write the key as it stands on the wire, without white space";
                self.problems.key("malformed-name", place, message, help);
            }
            return Some(key.into());
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

    /// Lists the items of a section, and reports a name in the documents that two of them have.
    fn all_documented_once<T>(
        &mut self,
        nodes: IndexMap<&'a str, MergedItem<'a, T>>,
    ) -> Vec<MergedItem<'a, T>> {
        let mut seen: HashMap<&str, NodePath<'a>> = HashMap::default();
        for node in nodes.values() {
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
        nodes.into_values().collect()
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
