//! Parameters: rows in the catalogue's order, and the fields of the request that they make.
//!
//! `source[privacy]` is a field `source_privacy`; what lies inside a list, `keywords_attributes[][keyword]`, is a field
//! of an object of its own, and the list is a field of the request, whether or not an item states it.

use super::Resolver;
use super::condition::ConditionOwner;
use super::item::Naming;
use super::life::{ContainerLives, StatedSince};
use super::members::{Branch, Branches};
use super::object::{implied_item, in_brackets, nested_id, own_wraps};
use super::operation::Owner;
use super::tree::implied_lives;
use super::types::ItemType;
use super::types::NameHints;
use crate::merge::MergedItem;
use crate::model::{FactName, Param, TypeName};
use fedispec_model::api::{self, EntityRole, Item, Life, Since, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::names;
use fedispec_model::notation::is_name;
use fedispec_model::suggest::did_you_mean;
use fedispec_model::wire::{brackets, inside};
use fedispec_since::{Location, Required};

/// Collects the parameters of an operation.
struct ParamCollector<'a, 'x> {
    nodes: &'x [MergedItem<'a, Param>],
    wires: &'x [String],
    owns: &'x [Option<StatedSince<'a>>],
    owner: &'x Owner<'x>,
    /// Rows by the index of their node.
    rows: Vec<Option<api::Param>>,
    implied: Vec<api::Param>,
}

/// The struct that a parameter becomes a field of: the request, or an object in a list.
#[derive(Clone)]
struct ParamScope {
    /// The object's id.
    parent: Option<String>,
    /// The struct that has the field.
    rust: String,
    /// The id so far.
    id: String,
    /// The name so far: `keywords_attributes[]`.
    name: String,
    /// The keys since the request or the object began: what is flattened.
    keys: Vec<String>,
    frame: ContainerLives,
}

impl<'a> Resolver<'a, '_, '_> {
    /// The parameters of an operation.
    pub(super) fn params(
        &mut self,
        nodes: &[MergedItem<'a, Param>],
        owner: &Owner<'_>,
    ) -> Vec<api::Param> {
        let wires = self.wires(nodes);
        let (tree, owns) = self.tree(nodes, &wires, owner.documented);
        let mut collect = ParamCollector {
            nodes,
            wires: &wires,
            owns: &owns,
            owner,
            rows: nodes.iter().map(|_| None).collect(),
            implied: Vec::new(),
        };
        let scope = ParamScope {
            parent: None,
            rust: owner.rust.into(),
            id: owner.id.into(),
            name: String::new(),
            keys: Vec::new(),
            frame: owner.frame.clone(),
        };
        self.members_of(&tree, &scope, &mut collect);
        let ParamCollector { rows, implied, .. } = collect;
        rows.into_iter().flatten().chain(implied).collect()
    }

    fn members_of(
        &mut self,
        tree: &Branches<'_>,
        scope: &ParamScope,
        collect: &mut ParamCollector<'a, '_>,
    ) {
        for (key, branch) in tree {
            let mut inside = scope.clone();
            inside.keys.push((*key).to_owned());
            inside.name = in_brackets(&scope.name, key);
            if branch.members.is_empty() {
                self.leaf(branch, &inside, collect);
            } else if branch.wraps.is_empty() {
                self.flattened(branch, key, inside, collect);
            } else {
                self.listed(branch, key, &inside, collect);
            }
        }
    }

    /// A parameter as such.
    fn leaf(
        &mut self,
        branch: &Branch<'_>,
        scope: &ParamScope,
        collect: &mut ParamCollector<'a, '_>,
    ) {
        for (place, (own, node)) in branch.items.iter().enumerate() {
            if place > 0 {
                // The documents' spelling is not the one that was written last.
                let both = [&collect.nodes[*node], &collect.nodes[branch.items[place - 1].1]];
                let ours = both.iter().find(|one| one.documents().is_none());
                let node = ours.unwrap_or(&both[0]);
                let message = format!("`{}` is there in two spellings", scope.name);
                let help = "keep the one that goes over the wire";
                self.facts.problems.key("two-spellings", node.place(), message, help);
            }
            let named = NameHints { wraps: &branch.wraps, own: *own, object: None, param: true };
            let row = self.row(*node, named, scope, collect);
            collect.rows[*node] = Some(row);
        }
    }

    /// An object outside every list: its members become fields of what contains it.
    fn flattened(
        &mut self,
        branch: &Branch<'_>,
        key: &str,
        mut scope: ParamScope,
        collect: &mut ParamCollector<'a, '_>,
    ) {
        for (_, node) in &branch.items {
            let node = &collect.nodes[*node];
            if self.names_no_object(node) {
                continue;
            }
            let message = format!("`{}` has members listed and is no parameter itself", node.key);
            let help = "leave it out: only its members go over the wire";
            self.facts.problems.key("wrong-object", node.place(), message, help);
        }
        scope.id = format!("{}.{key}", scope.id);
        let lives = implied_lives(branch, collect.owns, &scope.frame);
        scope.frame = scope.frame.inside(lives, false);
        self.members_of(&branch.members, &scope, collect);
    }

    /// Whether a parameter with members has a type that nothing in the catalogue has the name of; an object of the file would have taken its
    /// place. That is reported.
    fn names_no_object(&mut self, node: &MergedItem<'a, Param>) -> bool {
        let stated = self.placed(node, "type", |body| body.r#type.clone());
        let Some((TypeName(text), place)) = stated else { return false };
        let name = text.trim_end_matches("[]");
        if !is_name(name) || self.names.contains_key(name) {
            return false;
        }
        let message = format!("there is no object, entity or enumeration `{name}`");
        let help = "write the name of an object as `objects` of this file has it";
        self.facts.problems.value("unknown-object", &place, message, help);
        true
    }

    /// A list of objects: a field of what contains it, and an object for its elements.
    fn listed(
        &mut self,
        branch: &Branch<'_>,
        key: &str,
        scope: &ParamScope,
        collect: &mut ParamCollector<'a, '_>,
    ) {
        let id = nested_id(&scope.id, key, &branch.wraps);
        let named = NameHints {
            wraps: &branch.wraps,
            own: own_wraps(branch),
            object: Some(&id),
            param: true,
        };
        let list = match branch.main() {
            Some(node) => self.row(node, named, scope, collect),
            None => implied_param(branch, key, named, scope, collect),
        };
        let mut item = list.item.clone();
        item.id.clone_from(&id);
        item.implied = true;
        let rust_keys =
            names::rust_name(&scope.keys.join("_"), names::NameRole::Variant).unwrap_or_default();
        item.rust = scope.rust.clone() + &rust_keys;
        let frame = scope.frame.inside(list.item.life.clone(), branch.main().is_some());
        let inside = ParamScope {
            parent: Some(id),
            rust: item.rust.clone(),
            id: item.id.clone(),
            name: scope.name.clone() + &brackets(&branch.wraps),
            keys: Vec::new(),
            frame,
        };
        let implied = collect.implied.len();
        match branch.main() {
            Some(node) => collect.rows[node] = Some(list),
            None => collect.implied.push(list),
        }
        self.members_of(&branch.members, &inside, collect);
        if branch.main().is_none() {
            as_its_members(&mut collect.implied, implied, &collect.rows);
        }
        self.argument(item, &inside, collect);
    }

    /// The object of a list's elements, from the parameters that are its members.
    fn argument(&mut self, item: Item, inside: &ParamScope, collect: &ParamCollector<'a, '_>) {
        let members = collect.rows.iter().flatten().chain(&collect.implied);
        let fields = members
            .filter(|param| param.parent == inside.parent)
            .map(|param| as_field(param, &inside.name));
        let entity = api::Entity {
            item,
            role: EntityRole::Argument(collect.owner.id.into()),
            fields_known: true,
            includes: None,
            stands_in: None,
            fields: fields.collect(),
        };
        self.entities.push(entity);
    }

    /// The row of an item.
    fn row(
        &mut self,
        index: usize,
        named: NameHints<'_>,
        scope: &ParamScope,
        collect: &ParamCollector<'a, '_>,
    ) -> api::Param {
        let node = &collect.nodes[index];
        let wire = &collect.wires[index];
        let filled = is_placeholder(wire, collect.owner.route);
        self.all_stated(node, |body| {
            vec![
                (FactName::In, filled || body.r#in.is_some()),
                (FactName::Type, body.r#type.is_some()),
                (FactName::Required, filled || body.required.is_some()),
                (FactName::Default, body.default.is_some()),
            ]
        });
        let mut lives = match &collect.owns[index] {
            Some(own) => self.lives(node, own, Some(&scope.frame)),
            None => scope.frame.lives.clone(),
        };
        if filled {
            taken_with_the_path(&mut lives, &scope.frame.lives);
        }
        let naming = Naming {
            name: node.key,
            wire: wire.clone(),
            rust_from: scope.keys.join("_"),
            role: names::NameRole::Param,
        };
        let mut item = self.item(node, naming, lives);
        let ItemType { ty, known: type_known, format: by_type } =
            self.item_type(node, named, |body| body.r#type.clone());
        let location = self.location(node, wire, collect.owner.route);
        let lives = &mut item.life;
        let required = self.required(node, location, lives);
        let default = self.by(node, ChangedFact::Default, lives, |body| body.default.clone());
        let limits = self.limits(node, lives);
        let unset = self.by(node, ChangedFact::Unset, lives, |body| body.unset.clone()).read();
        let left_out = self.by(node, ChangedFact::LeftOut, lives, |body| body.left_out.clone());
        let refers_to = self.refers_to(node, &ty, |body| body.refers_to.as_deref());
        api::Param {
            item,
            location,
            r#type: ty,
            type_known,
            parent: scope.parent.clone(),
            required,
            required_when: self.condition(node, "required_when", ConditionOwner::Param, |body| {
                body.required_when.as_ref()
            }),
            nullable: self.fact(node, "nullable", |body| body.nullable.clone()).unwrap_or(false),
            format: self.known(node, "format", |body| body.format.as_ref()).or(by_type),
            default: default.read(),
            limits,
            only: self
                .known(node, "only", |body| Some(&body.only).filter(|only| !only.is_empty()))
                .unwrap_or_default(),
            words: self.known(node, "words", |body| body.words.as_ref()),
            refers_to,
            left_out: left_out.read(),
            left_out_evidence: self.own_evidence(node, "left_out", None),
            unset,
            refused: self.by_program(
                node,
                "refused",
                |body| &body.refused,
                |said| {
                    vec![
                        (vec!["since".into()], Some(said.since)),
                        (vec!["until".into()], said.until),
                    ]
                },
            ),
            missing: self.by_program(
                node,
                "missing",
                |body| &body.missing,
                |said| {
                    let one = said.0.len() == 1;
                    let limits = said.0.iter().enumerate().flat_map(|(number, answer)| {
                        [(number, "since", answer.since), (number, "until", answer.until)]
                    });
                    let place = |number: usize, key| {
                        if one { vec![key] } else { vec![number.to_string(), key] }
                    };
                    limits.map(|(number, key, at)| (place(number, key.into()), at)).collect()
                },
            ),
            unlisted_values: self.by_program(
                node,
                "unlisted_values",
                |body| &body.unlisted_values,
                |_| Vec::new(),
            ),
            several: self.by_program(
                node,
                "several",
                |body| &body.several,
                |said| vec![(vec!["lines".into()], said.lines), (vec!["list".into()], said.list)],
            ),
        }
    }

    fn limits(&mut self, node: &MergedItem<'a, Param>, lives: &mut [Life]) -> api::Limits {
        use ChangedFact as F;
        api::Limits {
            min: self.by(node, F::Min, lives, |body| body.min.clone()).read(),
            max: self.by(node, F::Max, lives, |body| body.max.clone()).read(),
            max_length: self.by(node, F::MaxLength, lives, |body| body.max_length.clone()).read(),
            min_items: self.by(node, F::MinItems, lives, |body| body.min_items.clone()).read(),
            max_items: self.by(node, F::MaxItems, lives, |body| body.max_items.clone()).read(),
            limit_from: self.known(node, "limit_from", |body| body.limit_from.as_ref()),
        }
    }

    /// Resolves the location of a parameter: the stated one, or the path where that has a placeholder of its name.
    fn location(
        &mut self,
        node: &MergedItem<'a, Param>,
        wire: &str,
        route: Option<&api::Route>,
    ) -> Location {
        let stated = self.placed(node, "in", |body| body.r#in.clone());
        let Some((text, place)) = stated else {
            return if is_placeholder(wire, route) { Location::Path } else { Location::Unknown };
        };
        if let Some(location) = Location::named(&text) {
            return location;
        }
        let help = match text.as_str() {
            "body" | "formData" | "json" | "multipart" => {
                let has_no_body = route.is_some_and(|route| route.method == "GET");
                let meant = if has_no_body { "query" } else { "form" };
                format!("did you mean `{meant}`?")
            }
            _ => did_you_mean(
                &text,
                Location::NAMES.iter().copied(),
                &format!("a parameter stands in one of {}", Location::NAMES.join(", ")),
            ),
        };
        let message = format!("there is no place `{text}` for a parameter");
        self.facts.problems.value("unknown-location", &place, message, help);
        Location::Unknown
    }

    /// Resolves whether a parameter must be sent; one of the path must.
    fn required(
        &mut self,
        node: &MergedItem<'a, Param>,
        location: Location,
        lives: &mut [Life],
    ) -> Required {
        let stated = self.by(node, ChangedFact::Required, lives, |body| body.required.clone());
        let required = stated.read().unwrap_or(Required::Unknown);
        if location != Location::Path {
            return required;
        }
        let own = lives.iter_mut().filter_map(|life| life.facts.remove(&ChangedFact::Required));
        let own = own.filter_map(|held| held.state.read::<Required>());
        if own.chain([required]).any(|one| !matches!(one, Required::Always | Required::Unknown)) {
            let message = format!("`{}` is part of the path and cannot be left out", node.id);
            let mut place = None;
            let get = |body: &'a Param| body.required.as_ref();
            self.each_stated(node, "required", get, |_, own, stated| {
                if own.0 != Required::Always {
                    place = Some(stated);
                }
            });
            let place = place.unwrap_or_else(|| node.place().clone());
            let help = "write `required: true`";
            self.facts.problems.value("contradictory-required", &place, message, help);
        }
        Required::Always
    }
}

/// Whether the path has a placeholder of that name, which says where the parameter stands and that it must be sent.
fn is_placeholder(wire: &str, route: Option<&api::Route>) -> bool {
    let mut parts = route.into_iter().flat_map(|route| route.path.split('/'));
    parts.any(|one| one.strip_prefix(':') == Some(wire))
}

/// Gives a parameter of the path the operation's Since in a program that says nothing of it: no release can serve the path without it.
fn taken_with_the_path(lives: &mut [Life], operation: &[Life]) {
    for (life, operation) in lives.iter_mut().zip(operation) {
        if life.apart && life.since == Since::Unknown && life.at.is_none() {
            life.since = operation.since;
            life.effective = operation.effective;
            life.evidence.clone_from(&operation.evidence);
        }
    }
}

/// An implied list stands where its elements' members do, and is never required.
fn as_its_members(implied: &mut [api::Param], at: usize, rows: &[Option<api::Param>]) {
    let Type::List(element) = &implied[at].r#type else {
        return;
    };
    let Type::Entity(id) = element.as_ref() else {
        return;
    };
    let Some(member) = rows.iter().flatten().find(|row| row.parent.as_ref() == Some(id)) else {
        return;
    };
    implied[at].location = member.location;
    if member.required != Required::Unknown {
        implied[at].required = Required::Never;
    }
}

/// Makes a list that is known only from its elements' members.
fn implied_param(
    branch: &Branch<'_>,
    key: &str,
    named: NameHints<'_>,
    scope: &ParamScope,
    collect: &ParamCollector<'_, '_>,
) -> api::Param {
    let lives = implied_lives(branch, collect.owns, &scope.frame);
    let rust = names::rust_name(&scope.keys.join("_"), names::NameRole::Param).unwrap_or_default();
    let name = scope.name.clone() + &brackets(&branch.wraps);
    api::Param {
        item: implied_item(collect.owner.item, format!("{}.{key}", scope.id), name, rust, lives),
        location: Location::Unknown,
        r#type: named.implied(),
        type_known: true,
        parent: scope.parent.clone(),
        required: Required::Unknown,
        required_when: None,
        nullable: false,
        format: None,
        default: None,
        limits: api::Limits::default(),
        only: Vec::new(),
        words: None,
        refers_to: None,
        left_out: None,
        left_out_evidence: None,
        unset: None,
        refused: Vec::new(),
        missing: Vec::new(),
        unlisted_values: Vec::new(),
        several: Vec::new(),
    }
}

/// A member of an object in a list, as a field of that.
fn as_field(param: &api::Param, prefix: &str) -> api::Field {
    let mut item = param.item.clone();
    item.wire = inside(&param.item.wire, prefix);
    api::Field {
        item,
        r#type: param.r#type.clone(),
        type_known: param.type_known,
        nullable: param.nullable,
        optional: param.required != Required::Always,
        presence_known: param.required != Required::Unknown,
        when: param.required_when.clone(),
        format: param.format.clone(),
        refers_to: param.refers_to.clone(),
        ..api::Field::default()
    }
}
