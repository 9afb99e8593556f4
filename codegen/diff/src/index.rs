//! The index of a state: every item by its id, with its owner.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::change::ItemRef;
use fedispec_model::api::{
    Api, At, Entity, EntityRole, Enumeration, Field, Group, Item, Life, Operation, Param, Type,
};
use fedispec_model::constructors::{constructors, is_reset};
use fedispec_model::index;
use fedispec_model::names::{NameRole, QUERY, rust_name};

/// The namespace of an id: a field and the object behind it have the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Class {
    Operation,
    Param,
    Entity,
    Field,
    Enum,
    Value,
}

/// The type that makes a text with operators, where one of the parameters is such a text.
fn query(operation: &Operation, params: &[Param]) -> Option<String> {
    let has_operators = params.iter().any(|param| param.words.is_some());
    has_operators.then(|| format!("{}::{QUERY}", operation.group))
}

/// An item's key.
pub(super) type ItemKey<'a> = (Class, &'a str);

/// An item of the index, with its owner.
#[derive(Debug, Clone, Copy)]
pub(super) enum IndexedItem<'a> {
    Operation(&'a Operation),
    Param(&'a Operation, &'a Param),
    Entity(&'a Entity),
    Field(&'a Entity, &'a Field),
    Enum(&'a Enumeration),
    Value(&'a Enumeration, &'a Item),
}

impl<'a> IndexedItem<'a> {
    pub(super) fn item(self) -> &'a Item {
        match self {
            Self::Operation(operation) => &operation.item,
            Self::Param(_, param) => &param.item,
            Self::Entity(entity) => &entity.item,
            Self::Field(_, field) => &field.item,
            Self::Enum(enumeration) => &enumeration.item,
            Self::Value(_, item) => item,
        }
    }

    /// Whether two items of the same programs say the same, and their parts too.
    pub(super) fn equals(self, other: IndexedItem<'_>) -> bool {
        match (self, other) {
            (Self::Operation(a), IndexedItem::Operation(b)) => a == b,
            (Self::Entity(a), IndexedItem::Entity(b)) => a == b,
            (Self::Enum(a), IndexedItem::Enum(b)) => a == b,
            _ => self.says_the_same(other),
        }
    }

    /// Whether two items of the same programs say the same by themselves, whatever their parts say.
    pub(super) fn says_the_same(self, other: IndexedItem<'_>) -> bool {
        match (self, other) {
            (Self::Operation(a), IndexedItem::Operation(b)) => {
                let alone = |whole: &Operation| Operation { params: Vec::new(), ..whole.clone() };
                a == b || alone(a) == alone(b)
            }
            (Self::Param(_, a), IndexedItem::Param(_, b)) => a == b,
            (Self::Entity(a), IndexedItem::Entity(b)) => {
                let alone = |whole: &Entity| Entity { fields: Vec::new(), ..whole.clone() };
                a == b || alone(a) == alone(b)
            }
            (Self::Field(_, a), IndexedItem::Field(_, b)) => a == b,
            (Self::Enum(a), IndexedItem::Enum(b)) => {
                let alone =
                    |whole: &Enumeration| Enumeration { values: Vec::new(), ..whole.clone() };
                a == b || alone(a) == alone(b)
            }
            (Self::Value(_, a), IndexedItem::Value(_, b)) => a == b,
            _ => false,
        }
    }

    pub(super) fn class(self) -> Class {
        match self {
            Self::Operation(_) => Class::Operation,
            Self::Param(..) => Class::Param,
            Self::Entity(_) => Class::Entity,
            Self::Field(..) => Class::Field,
            Self::Enum(_) => Class::Enum,
            Self::Value(..) => Class::Value,
        }
    }

    pub(super) fn key(self) -> ItemKey<'a> {
        (self.class(), &self.item().id)
    }

    /// Finds the owner: the entity of a field, the item that a nested entity stands in.
    pub(super) fn owner(self) -> Option<ItemKey<'a>> {
        match self {
            Self::Operation(_) | Self::Enum(_) => None,
            Self::Param(operation, _) => Some((Class::Operation, &operation.item.id)),
            Self::Field(entity, _) => Some((Class::Entity, &entity.item.id)),
            Self::Value(enumeration, _) => Some((Class::Enum, &enumeration.item.id)),
            Self::Entity(entity) => match &entity.role {
                EntityRole::Named => None,
                EntityRole::Nested(id) => Some((Class::Entity, id)),
                EntityRole::Response(id) | EntityRole::Error(id, _) | EntityRole::Argument(id) => {
                    Some((Class::Operation, id))
                }
            },
        }
    }

    /// Finds the item that an item inherits its Since from.
    pub(super) fn container(self) -> Option<&'a [Life]> {
        match self {
            Self::Param(operation, _) => Some(&operation.item.life),
            Self::Field(entity, _) => Some(&entity.item.life),
            Self::Value(enumeration, _) => Some(&enumeration.item.life),
            Self::Operation(_) | Self::Entity(_) | Self::Enum(_) => None,
        }
    }

    /// Whether the item's Since follows from its parts when it states none of its own.
    pub(super) fn derived(self) -> bool {
        matches!(self, Self::Entity(_) | Self::Enum(_))
    }
}

/// The items of a state.
pub(super) struct Index<'a> {
    pub(super) api: &'a Api,
    pub(super) nodes: Vec<IndexedItem<'a>>,
    /// The position of each item, made when it is first asked for: equal states never do.
    by_key: OnceCell<HashMap<ItemKey<'a>, usize>>,
    by_id: OnceCell<index::Index<'a>>,
    /// The entities that take their fields over from another, by the entity that each field comes from.
    takers: OnceCell<HashMap<&'a str, Vec<&'a Entity>>>,
    groups: HashMap<&'a str, &'a Group>,
}

impl<'a> Index<'a> {
    pub(super) fn new(api: &'a Api) -> Self {
        let mut nodes = Vec::new();
        for operation in &api.operations {
            nodes.push(IndexedItem::Operation(operation));
            nodes.extend(operation.params.iter().map(|param| IndexedItem::Param(operation, param)));
        }
        for entity in &api.entities {
            nodes.push(IndexedItem::Entity(entity));
            // The members of an argument are the operation's parameters, and a field that is taken over is compared in
            // the
            // entity that it comes from.
            if !matches!(entity.role, EntityRole::Argument(_)) {
                let own = own_fields(entity).map(|field| IndexedItem::Field(entity, field));
                nodes.extend(own);
            }
        }
        for enumeration in &api.enums {
            nodes.push(IndexedItem::Enum(enumeration));
            nodes.extend(
                enumeration.values.iter().map(|value| IndexedItem::Value(enumeration, value)),
            );
        }
        Self {
            api,
            nodes,
            by_key: OnceCell::new(),
            by_id: OnceCell::new(),
            takers: OnceCell::new(),
            groups: api.groups.iter().map(|group| (group.id.as_str(), group)).collect(),
        }
    }

    fn by_id(&self) -> &index::Index<'a> {
        self.by_id.get_or_init(|| index::Index::new(self.api))
    }

    pub(super) fn operation(&self, id: &str) -> Option<&'a Operation> {
        self.by_id().operation(id)
    }

    pub(super) fn entity(&self, id: &str) -> Option<&'a Entity> {
        self.by_id().entity(id)
    }

    pub(super) fn get(&self, key: ItemKey<'_>) -> Option<IndexedItem<'a>> {
        self.position(key).map(|number| self.nodes[number])
    }

    /// The position of an item among the nodes.
    pub(super) fn position(&self, key: ItemKey<'_>) -> Option<usize> {
        let by_key = self.by_key.get_or_init(|| {
            let mut by_key = HashMap::with_capacity(self.nodes.len());
            for (number, node) in self.nodes.iter().enumerate() {
                by_key.entry(node.key()).or_insert(number);
            }
            by_key
        });
        by_key.get(&key).copied()
    }

    /// The same, where it is probably found: two states have most items in the same order.
    pub(super) fn position_near(&self, probably: usize, key: ItemKey<'_>) -> Option<usize> {
        let is_there = self.nodes.get(probably).is_some_and(|node| node.key() == key);
        if is_there { Some(probably) } else { self.position(key) }
    }

    /// The named entity or the operation at the root of a field or object.
    pub(super) fn root(&self, entity: &'a Entity) -> ItemKey<'a> {
        match self.by_id().root(entity) {
            Some(index::Root::Answer(operation, _) | index::Root::Argument(operation)) => {
                (Class::Operation, &operation.item.id)
            }
            Some(index::Root::Named(entity)) => (Class::Entity, &entity.item.id),
            None => (Class::Entity, &entity.item.id),
        }
    }

    /// The item that a part is reported with: for a field, the root of its object.
    pub(super) fn holder(&self, node: IndexedItem<'a>) -> Option<ItemKey<'a>> {
        match node {
            IndexedItem::Field(entity, _) => Some(self.root(entity)),
            node => node.owner(),
        }
    }

    /// Returns the item that this one inherits its Since and its evidence from. A nested object inherits from the field
    /// that holds it, and so does a field of such an object.
    pub(super) fn above(&self, node: IndexedItem<'a>) -> Option<IndexedItem<'a>> {
        let operation = |id: &str| self.operation(id).map(IndexedItem::Operation);
        let (entity, part) = match node {
            IndexedItem::Operation(_) | IndexedItem::Enum(_) => return None,
            IndexedItem::Param(operation, _) => return Some(IndexedItem::Operation(operation)),
            IndexedItem::Value(enumeration, _) => return Some(IndexedItem::Enum(enumeration)),
            IndexedItem::Field(entity, _) => (entity, true),
            IndexedItem::Entity(entity) => (entity, false),
        };
        match &entity.role {
            EntityRole::Named => part.then_some(IndexedItem::Entity(entity)),
            // Nobody states anything of the elements of a list or a map.
            EntityRole::Nested(_) => {
                self.get((Class::Field, entity.item.id.trim_end_matches(".*")))
            }
            EntityRole::Response(id) | EntityRole::Error(id, _) | EntityRole::Argument(id) => {
                operation(id)
            }
        }
    }

    pub(super) fn reference(&self, node: IndexedItem<'a>) -> ItemRef {
        let kind = match node {
            IndexedItem::Operation(_) => "operation",
            IndexedItem::Param(..) => "param",
            IndexedItem::Entity(_) => "entity",
            IndexedItem::Field(entity, _) => match self.root(entity) {
                (Class::Operation, _) => "response",
                _ => "field",
            },
            IndexedItem::Enum(_) => "enum",
            IndexedItem::Value(..) => "value",
        };
        let route = match node {
            IndexedItem::Operation(operation) => operation.route.as_ref(),
            _ => None,
        };
        ItemRef {
            id: node.item().id.clone(),
            kind: kind.into(),
            method: route.map(|route| route.method.clone()),
            path: route.map(|route| route.path.clone()),
            rust: Some(self.rust_path(node)),
            rust_was: None,
        }
    }

    /// Where generated Rust has it: `accounts::Lookup::acct`.
    pub(super) fn rust_path(&self, node: IndexedItem<'a>) -> String {
        match node {
            IndexedItem::Operation(operation) => {
                format!("{}::{}", operation.group, operation.item.rust)
            }
            IndexedItem::Param(operation, param) => {
                let parent = param.parent.as_deref().and_then(|id| self.entity(id));
                let owner = parent.map_or(&operation.item.rust, |entity| &entity.item.rust);
                format!("{}::{owner}::{}", operation.group, param.item.rust)
            }
            IndexedItem::Entity(entity) => match &entity.role {
                EntityRole::Argument(id) => {
                    let group = self.operation(id).map_or("", |operation| operation.group.as_str());
                    format!("{group}::{}", entity.item.rust)
                }
                _ => format!("entities::{}", entity.item.rust),
            },
            IndexedItem::Field(entity, field) => {
                format!("entities::{}::{}", entity.item.rust, field.item.rust)
            }
            IndexedItem::Enum(enumeration) => format!("enums::{}", enumeration.item.rust),
            IndexedItem::Value(enumeration, item) => {
                format!("enums::{}::{}", enumeration.item.rust, item.rust)
            }
        }
    }

    /// The methods that write an operator into the texts of operations.
    fn operators(&self, node: IndexedItem<'a>) -> Vec<String> {
        let IndexedItem::Value(enumeration, value) = node else {
            return Vec::new();
        };
        let texts = self.api.operations.iter().filter(|operation| {
            let mut words = operation.params.iter().filter_map(|param| param.words.as_ref());
            words.any(|words| *words == enumeration.item.id)
        });
        let method = rust_name(&value.rust, NameRole::Param).unwrap_or_default();
        texts.map(|operation| format!("{}::{QUERY}::{method}", operation.group)).collect()
    }

    /// Every path at which generated Rust shows it: a field also in the literals of servers, in the entities that take
    /// it over and with the object in it, an operation also as a server's method and with its group.
    pub(super) fn rust_paths(&self, node: IndexedItem<'a>) -> Vec<String> {
        let path = self.rust_path(node);
        match node {
            IndexedItem::Field(entity, field) => {
                let takers = self.takers(entity, field).map(|(taker, _)| taker);
                let entities = std::iter::once(entity).chain(takers);
                let member = |entity: &Entity| format!("{}::{}", entity.item.rust, field.item.rust);
                let members = entities.map(member).flat_map(|member| {
                    [format!("entities::{member}"), format!("current::{member}")]
                });
                members.chain(self.objects(&field.item.id)).collect()
            }
            IndexedItem::Param(operation, param) => {
                let Some(owner) = path.strip_suffix(&param.item.rust) else {
                    return vec![path];
                };
                let setter = format!("{owner}with_{}", param.item.rust);
                // A parameter that is reset decides which constructors an update has.
                let makers: &[&str] =
                    if is_reset(param) { &["new", "keeping", "replacing"] } else { &[] };
                let makers = makers.iter().map(|maker| format!("{owner}{maker}"));
                let query = query(operation, std::slice::from_ref(param));
                let named = named(operation).map(|named| format!("{named}::{}", param.item.rust));
                makers.chain(query).chain(named).chain([setter, path.clone()]).collect()
            }
            IndexedItem::Operation(operation) => {
                let group = self.groups.get(operation.group.as_str());
                let of_group = group.map(|group| {
                    let method = format!("server::{}::{}", group.rust, operation.rust_fn);
                    let mount = format!("server::Server<S>::{}", operation.group);
                    // The group of OAuth is also mounted with a page of its own.
                    [method, format!("{mount}_with"), mount]
                });
                // The events are there where an operation streams them.
                let events = match &operation.returns {
                    Type::Events(id) => self.get((Class::Enum, id)),
                    _ => None,
                };
                let events = events.map(|one| format!("events::{}", one.item().rust));
                let events = events.into_iter().chain(query(operation, &operation.params));
                let module = path.rsplit_once("::").map_or("", |(module, _)| module);
                let requests = operation.requests.iter();
                let requests = requests.map(|one| format!("{module}::{}", one.rust));
                let own = of_group.into_iter().flatten().chain(events).chain(requests);
                let own = own.chain(named(operation));
                own.chain([path.clone()]).collect()
            }
            IndexedItem::Entity(entity) => {
                let fields = own_fields(entity);
                let objects = fields.flat_map(|field| self.objects(&field.item.id));
                objects.chain([format!("current::{}", entity.item.rust), path]).collect()
            }
            // The values of an enumeration of events are variants of the events too, and operators of texts methods.
            IndexedItem::Enum(_) | IndexedItem::Value(..) => {
                let event = path.strip_prefix("enums::").map(|rest| format!("events::{rest}"));
                let methods = self.operators(node);
                event.into_iter().chain(methods).chain([path]).collect()
            }
        }
    }

    /// The structs of the object in a field, and of those in it.
    fn objects(&self, field: &str) -> Vec<String> {
        let Some(object) = self.entity(field) else {
            return Vec::new();
        };
        let fields = own_fields(object).flat_map(|field| self.objects(&field.item.id));
        let own = format!("entities::{}", object.item.rust);
        fields.chain([own]).collect()
    }

    /// The entities that take a field over from another, each with its own copy.
    pub(super) fn takers(
        &self,
        entity: &Entity,
        field: &Field,
    ) -> impl Iterator<Item = (&'a Entity, &'a Field)> {
        let from = entity.item.id.as_str();
        let wire = field.item.wire.clone();
        let takers = self.takers.get_or_init(|| takers(self.api)).get(from);
        let takers = takers.into_iter().flatten();
        takers.filter_map(move |taker| {
            let is_copy = |copy: &&Field| copy.inherited_from.is_some() && copy.item.wire == wire;
            Some((*taker, taker.fields.iter().find(is_copy)?))
        })
    }

    /// Finds the place of an item, or else that of its owner.
    pub(super) fn file(&self, at: At) -> Option<&'a str> {
        usize::try_from(at.0).ok().and_then(|file| self.api.files.get(file)).map(String::as_str)
    }
}

fn takers(api: &Api) -> HashMap<&str, Vec<&Entity>> {
    let mut takers: HashMap<&str, Vec<&Entity>> = HashMap::new();
    for entity in &api.entities {
        for from in entity.fields.iter().filter_map(|field| field.inherited_from.as_deref()) {
            let of = takers.entry(from).or_default();
            if of.last().is_none_or(|last| !std::ptr::eq(*last, entity)) {
                of.push(entity);
            }
        }
    }
    takers
}

/// The structs of an operation's constructors that take their arguments by name.
fn named(operation: &Operation) -> impl Iterator<Item = String> {
    constructors(operation).into_iter().filter_map(|one| {
        let name = one.named(&operation.item.rust, one.arguments(operation).len())?;
        Some(format!("{}::{name}", operation.group))
    })
}

/// The fields of an entity that it did not take over, each map followed by the item that stands for its values.
pub(super) fn own_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    let own = entity.fields.iter().filter(|field| field.inherited_from.is_none());
    own.flat_map(Field::with_entries)
}
