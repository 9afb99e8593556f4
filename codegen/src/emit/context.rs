//! The context of the emitters: the API with its lookup tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use proc_macro2::TokenStream;
use quote::quote;

use super::cycles::Cycles;
use super::names;
use super::project::Projected;
use super::stamp::Stamp;
use super::{Form, Options};
use crate::by_hand::{self, Helper, Shape};
use fedispec_model::api::{Api, Entity, EntityRole, Enumeration, Group, Item, Operation, Type};
use fedispec_model::features::Features;
use fedispec_model::floors::Floors;
use fedispec_model::index::{Index, Root};
use fedispec_model::newest::Newest;
use fedispec_model::reach::Reach;
use fedispec_model::rows::{self, Row};

/// The API with lookup tables.
pub(super) struct Context<'a> {
    pub(super) api: &'a Api,
    pub(super) options: &'a Options,
    /// The API of the item table, including programs that no type is made for and the items that only they have.
    pub(super) told: &'a Api,
    /// The rows of the item table, sorted by id.
    pub(super) rows: Vec<Row<'a>>,
    pub(super) floors: Floors,
    pub(super) cycles: Cycles<'a>,
    /// The groups that have operations, with these.
    pub(super) groups: Vec<EmittedGroup<'a>>,
    /// The modules below `entities`, by name.
    pub(super) entity_modules: Vec<(String, Vec<&'a Entity>)>,
    /// The modules below `enums`, by name.
    pub(super) enum_modules: Vec<(String, Vec<&'a Enumeration>)>,
    index: Index<'a>,
    /// Since when what operations answer and take can be met, be they emitted or left out.
    reach: Reach<'a>,
    entities: HashMap<&'a str, PlacedEntity<'a>>,
    /// The elements of array parameters, by operation.
    arguments: HashMap<&'a str, Vec<&'a Entity>>,
    /// The identifiers of the groups' modules, sorted.
    group_modules: Arc<[String]>,
}

/// A group and its operations.
pub(super) struct EmittedGroup<'a> {
    pub(super) group: &'a Group,
    /// Its module at the root.
    pub(super) module: String,
    pub(super) operations: Vec<&'a Operation>,
}

/// An entity and the module that it stands in.
pub(super) struct PlacedEntity<'a> {
    pub(super) entity: &'a Entity,
    pub(super) home: Home,
}

/// The module of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Home {
    /// A module below `entities`.
    Entities(String),
    /// A group's module: an element of an array parameter.
    Group(String),
}

impl<'a> Context<'a> {
    /// `whole` is what the projection is made of.
    pub(super) fn new(whole: &'a Api, projected: &'a Projected<'_>, options: &'a Options) -> Self {
        let (told, api) = (projected.told(), projected.typed());
        let mut rows = rows::rows(told);
        rows.sort_by_key(|row| row.item.id.as_str());
        let index = Index::new(api);
        let entities = homes(api, &index);
        let groups = groups(api);
        let identifier = |node: &EmittedGroup<'_>| names::ident(&node.module).to_string();
        let mut group_modules: Vec<String> = groups.iter().map(identifier).collect();
        group_modules.sort_unstable();
        Self {
            api,
            told,
            options,
            floors: options.supported(api),
            cycles: Cycles::new(api),
            groups,
            group_modules: group_modules.into(),
            arguments: arguments(api),
            entity_modules: entity_modules(api, &entities),
            enum_modules: enum_modules(api),
            index,
            reach: Reach::new(whole),
            rows,
            entities,
        }
    }

    /// The lives of the features in each program.
    pub(super) fn feature_lives(&self) -> Features<'a> {
        Features::over(self.told, &self.reach)
    }

    pub(super) fn entity(&self, id: &str) -> Option<&PlacedEntity<'a>> {
        self.entities.get(id)
    }

    pub(super) fn enumeration(&self, id: &str) -> Option<&'a Enumeration> {
        self.index.enumeration(id)
    }

    /// The code written by hand that stands beside an entity, an enumeration or a request.
    pub(super) fn by_hand(&self, id: &str) -> Option<&'static Helper> {
        let shape = |id: &str| {
            let mut entities = self.api.entities.iter();
            entities.find_map(|entity| {
                let field = entity.fields.iter().find(|field| field.item.id == id)?;
                Some(if self.floors.is_plain(entity, field) {
                    Shape::Plain
                } else {
                    Shape::Optional
                })
            })
        };
        let is_there = |id: &str| {
            let mut values = self.api.enums.iter().flat_map(|one| &one.values);
            let mut params = self.api.operations.iter().flat_map(|one| &one.params);
            values.any(|value| value.id == id) || params.any(|param| param.item.id == id)
        };
        by_hand::helper(id, shape, is_there)
    }

    /// The mounting of OAuth, written by hand.
    pub(super) fn oauth(&self) -> Option<TokenStream> {
        let newest = self.newest()?;
        let is_there = |id: &str| {
            let mut operations = self.api.operations.iter();
            operations
                .any(|one| one.item.id == id || one.params.iter().any(|param| param.item.id == id))
        };
        let sent =
            |id: &str| self.entity(id).map_or(0, |placed| newest.fields(placed.entity).count());
        by_hand::oauth(is_there, sent)
    }

    /// The elements of array parameters that stand in a group's module, for one operation.
    pub(super) fn arguments(&self, operation: &Operation) -> Vec<&'a Entity> {
        self.arguments.get(operation.item.id.as_str()).cloned().unwrap_or_default()
    }

    /// The identifiers of the groups' modules, sorted.
    pub(super) fn group_modules(&self) -> Arc<[String]> {
        Arc::clone(&self.group_modules)
    }

    /// The stamp of a row, which knows all programs.
    pub(super) fn row_stamp(&self, item: &'a Item) -> Stamp<'a> {
        Stamp::new(&self.told.programs, item, self.reach.effective(item))
    }

    pub(super) fn stamp(&self, item: &'a Item) -> Stamp<'a> {
        Stamp::new(&self.api.programs, item, self.reach.effective(item))
    }

    /// The operations that have a route, with the module of each.
    pub(super) fn routed(&self) -> impl Iterator<Item = (&str, &'a Operation)> {
        self.groups.iter().flat_map(|node| {
            let routed = node.operations.iter().filter(|operation| operation.route.is_some());
            routed.map(|operation| (node.module.as_str(), *operation))
        })
    }

    /// The enumerations whose values are events that an operation answers.
    pub(super) fn events(&self) -> impl Iterator<Item = &'a Enumeration> {
        let ids: BTreeSet<&str> = { self.routed() }
            .filter_map(|(_, operation)| match &operation.returns {
                Type::Events(id) => Some(id.as_str()),
                _ => None,
            })
            .collect();
        ids.into_iter().filter_map(|id| self.enumeration(id))
    }

    /// Whether an operation answers events.
    pub(super) fn has_events(&self) -> bool {
        self.routed().any(|(_, operation)| matches!(operation.returns, Type::Events(_)))
    }

    /// The path of the root from a module that lies so deep.
    pub(super) fn root(&self, depth: usize) -> String {
        match self.options.form {
            Form::Crate => "crate".into(),
            Form::Single if depth == 0 => "self".into(),
            Form::Single => vec!["super"; depth].join("::"),
        }
    }

    /// The release that `current` follows; `None` where no program counts.
    pub(super) fn newest(&self) -> Option<Newest<'_>> {
        let Options { current, ceilings, .. } = self.options;
        Newest::of(self.api, &self.floors, current.as_deref(), ceilings)
    }

    /// Attributes that hold only with a half: a `cfg_attr` in a crate, whose halves are features.
    pub(super) fn only_server(&self, attributes: &TokenStream) -> TokenStream {
        match self.options.form {
            _ if !self.options.server => TokenStream::new(),
            Form::Crate => quote!(#[cfg_attr(feature = "server", #attributes)]),
            Form::Single => quote!(#[#attributes]),
        }
    }

    /// Returns the attribute that limits an item to the server's half, where the half is a feature.
    pub(super) fn only_server_item(&self) -> TokenStream {
        match self.options.form {
            Form::Crate => quote!(#[cfg(feature = "server")]),
            Form::Single => TokenStream::new(),
        }
    }

    /// The path of `Future`, which is in the prelude since edition 2024; the crate that includes a text may use an
    /// older one.
    pub(super) fn future(&self) -> TokenStream {
        match self.options.form {
            Form::Crate => quote!(Future),
            Form::Single => quote!(::core::future::Future),
        }
    }
}

fn arguments(api: &Api) -> HashMap<&str, Vec<&Entity>> {
    let mut arguments: HashMap<&str, Vec<&Entity>> = HashMap::new();
    for entity in &api.entities {
        if let EntityRole::Argument(operation) = &entity.role {
            arguments.entry(operation).or_default().push(entity);
        }
    }
    arguments
}

fn groups(api: &Api) -> Vec<EmittedGroup<'_>> {
    let mut by_group: HashMap<&str, Vec<&Operation>> = HashMap::new();
    for operation in &api.operations {
        by_group.entry(&operation.group).or_default().push(operation);
    }
    let mut groups: Vec<EmittedGroup<'_>> = api
        .groups
        .iter()
        .map(|group| EmittedGroup {
            group,
            module: names::group_module(&group.id),
            operations: by_group.remove(group.id.as_str()).unwrap_or_default(),
        })
        .filter(|node| !node.operations.is_empty())
        .collect();
    groups.sort_by(|a, b| a.module.cmp(&b.module));
    groups
}

fn homes<'a>(api: &'a Api, index: &Index<'a>) -> HashMap<&'a str, PlacedEntity<'a>> {
    let placed = api.entities.iter().map(|entity| {
        let home = home(entity, index);
        (entity.item.id.as_str(), PlacedEntity { entity, home })
    });
    placed.collect()
}

fn home<'a>(entity: &'a Entity, index: &Index<'a>) -> Home {
    let module = |name: &str| Home::Entities(heck::AsSnakeCase(name).to_string());
    match index.root(entity) {
        Some(Root::Named(named)) => module(&named.item.rust),
        Some(Root::Answer(operation, _)) => module(&operation.item.id.replace('.', "_")),
        Some(Root::Argument(operation)) => Home::Group(names::group_module(&operation.group)),
        None => module(&entity.item.rust),
    }
}

fn entity_modules<'a>(
    api: &'a Api,
    nodes: &HashMap<&str, PlacedEntity<'a>>,
) -> Vec<(String, Vec<&'a Entity>)> {
    let mut modules: BTreeMap<String, Vec<&Entity>> = BTreeMap::new();
    for entity in &api.entities {
        if let Some(PlacedEntity { home: Home::Entities(module), .. }) =
            nodes.get(entity.item.id.as_str())
        {
            modules.entry(module.clone()).or_default().push(entity);
        }
    }
    modules.into_iter().collect()
}

fn enum_modules(api: &Api) -> Vec<(String, Vec<&Enumeration>)> {
    let mut modules: BTreeMap<String, Vec<&Enumeration>> = BTreeMap::new();
    for enumeration in &api.enums {
        let module = heck::AsSnakeCase(&enumeration.item.rust).to_string();
        modules.entry(module).or_default().push(enumeration);
    }
    modules.into_iter().collect()
}
