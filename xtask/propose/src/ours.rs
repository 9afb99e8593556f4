//! The catalogue's word about a program's releases, and the places where edits of it belong.

use std::collections::HashMap;

use fedispec_model::api::{Api, Entity, Field, Item, Life, Operation, Program, Since, Type};
use fedispec_model::index::{Index, Root};
use fedispec_model::registered;
use fedispec_reader::load::{Catalogue, LayerKind};
use fedispec_since::{StableVersion, Verdict};

use crate::error::Error;
use crate::row::Edit;
use crate::surface::{Place, path_key};

/// The catalogue, from the side of one program.
pub(crate) struct Ours<'a> {
    pub(crate) api: &'a Api,
    pub(crate) index: Index<'a>,
    pub(crate) program: &'a Program,
    catalogue: &'a Catalogue,
    /// The program's place among the programs.
    pub(crate) column: usize,
    /// The operations by method and path, without the names of what varies.
    routes: HashMap<(String, String), &'a Operation>,
    /// The name of the source of facts that is the program's own source, where the catalogue has one.
    source: Option<String>,
}

impl<'a> Ours<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, api: &'a Api, key: &str) -> Result<Self, Error> {
        let (column, program) = program(api, key)?;
        let mut routes = HashMap::new();
        for operation in &api.operations {
            if let Some(route) = &operation.route {
                let key = (route.method.clone(), path_key(&route.path));
                routes.entry(key).or_insert(operation);
            }
        }
        Ok(Self {
            routes,
            api,
            index: Index::new(api),
            program,
            catalogue,
            column,
            source: Some(format!("{key}-source"))
                .filter(|source| catalogue.implementations.sources.contains_key(source)),
        })
    }

    pub(crate) fn key(&self) -> &'a str {
        &self.program.key
    }

    pub(crate) fn life(&self, item: &'a Item) -> Option<&'a Life> {
        item.life.get(self.column)
    }

    /// Whether the catalogue says that a release has an item.
    pub(crate) fn says(&self, item: &Item, release: StableVersion) -> Verdict {
        self.life_says(item.life.get(self.column), release)
    }

    /// Whether a release has what has this life.
    pub(crate) fn life_says(&self, life: Option<&Life>, release: StableVersion) -> Verdict {
        life.map_or(Verdict::Unknown, |life| {
            life.presence().present(&self.program.place(release)).verdict
        })
    }

    /// The catalogue's words for the life of an item.
    pub(crate) fn words(&self, item: &Item) -> String {
        let Some(life) = item.life.get(self.column) else {
            return "unknown".to_owned();
        };
        let since = match life.effective {
            Since::Since(version) => format!("since {version}"),
            other => other.to_string(),
        };
        match life.removed {
            Some(removed) => format!("{since}, removed {removed}"),
            None => since,
        }
    }

    /// Whether a fact can be written down as news: nothing but that nobody saw it yet is written there.
    pub(crate) fn is_open(&self, item: &'a Item) -> bool {
        let open = |life: &Life| !matches!(life.since, Since::Since(_)) && life.removed.is_none();
        self.life(item).is_some_and(open)
    }

    /// The file of the supplement that speaks of an item, `section` and `id` being its keys there; else the one of the same area as
    /// the documents' that does.
    pub(crate) fn file(&self, section: &str, id: &str) -> Option<String> {
        let path = [section, id];
        let mut documents = None;
        for layer in self.catalogue.layers.iter().rev() {
            for file in &layer.files {
                if self.catalogue.sources.span(file.file, &path).is_none() {
                    continue;
                }
                let name = self.catalogue.sources.path(file.file);
                match layer.kind {
                    LayerKind::Supplement => return Some(name.to_owned()),
                    LayerKind::Documents => documents = documents.or(name.split('/').next_back()),
                    LayerKind::Program | LayerKind::Overlay => {}
                }
            }
        }
        Some(format!("supplement/{}", documents?))
    }

    /// The line of the catalogue that states what stands under these keys, as a person would name it.
    pub(crate) fn place(&self, path: &[&str]) -> Option<String> {
        let files = self.catalogue.layers.iter().rev().flat_map(|layer| &layer.files);
        let mut places = files.filter_map(|file| {
            let name = self.catalogue.sources.span(file.file, path)?.name();
            let (line, _) = self.catalogue.sources.line_col(file.file, name.start);
            Some(format!("{}:{line}", shown(self.catalogue.sources.path(file.file))))
        });
        places.next()
    }

    /// The file of a group of operations.
    pub(crate) fn file_of_group(&self, group: &str) -> String {
        let of_group = self.api.operations.iter().find(|operation| operation.group == group);
        let known = of_group.and_then(|operation| self.file("operations", &operation.item.id));
        known.unwrap_or_else(|| format!("supplement/{group}.yaml"))
    }

    /// The evidence of a Since at a place, in flow style.
    pub(crate) fn evidence(&self, at: &Place, version: StableVersion) -> String {
        let source = self.source.as_deref().unwrap_or("unknown");
        format!("{{source: {source}, at: \"{at}@{version}\"}}")
    }

    /// Whether the file says something under these keys.
    pub(crate) fn is_stated(&self, file: &str, path: &[&str]) -> bool {
        let place = self.place(path);
        place.is_some_and(|place| place.starts_with(&format!("{}:", shown(file))))
    }

    /// The Since of an item that the catalogue does not have, in flow style: a program that was looked at lacks it up to there.
    pub(crate) fn since_here(&self, version: StableVersion) -> String {
        // Where facts stand apart, nothing that is said without naming the program holds in it.
        let programs = self.api.programs.iter();
        let programs = programs.filter(|program| !program.apart || program.key == self.key());
        let each = programs.map(|program| {
            let is_here = program.key == self.key();
            let since = match program.newest_looked_at() {
                _ if is_here => format!("\"{version}\""),
                Some(_) => "never".to_owned(),
                None => "unknown".to_owned(),
            };
            format!("{}: {since}", program.key)
        });
        format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
    }

    /// The Since and the evidence of such an item, as entries of a map in flow style.
    pub(crate) fn first_seen(&self, at: &Place, version: StableVersion) -> String {
        let (since, evidence) = (self.since_here(version), self.evidence(at, version));
        format!("since: {since}, evidence: {{{}: {evidence}}}", self.key())
    }

    /// The edits that give an item its Since and its evidence.
    pub(crate) fn since(&self, path: &[&str], version: StableVersion, at: &Place) -> Vec<Edit> {
        let below = |tail| path.iter().copied().chain([tail, self.key()]);
        vec![
            Edit::new(below("since"), format!("\"{version}\"")),
            Edit::new(below("evidence"), self.evidence(at, version)),
        ]
    }

    /// The edit that says that a release no longer has an item.
    pub(crate) fn removed(&self, path: &[&str], version: StableVersion) -> Vec<Edit> {
        let tail = ["removed", self.key()];
        vec![Edit::new(path.iter().copied().chain(tail), format!("\"{version}\""))]
    }

    /// The keys of a field in a file: those of the named entity or operation that it hangs on, and its name there.
    pub(crate) fn keys_of_field(
        &self,
        entity: &'a Entity,
        name: &str,
    ) -> Option<(String, Vec<String>)> {
        let (section, id, mut keys) = match self.index.root(entity)? {
            Root::Named(named) => ("entities", &named.item.id, vec!["fields".to_owned()]),
            Root::Answer(operation, None) => {
                ("operations", &operation.item.id, vec!["response".to_owned()])
            }
            Root::Answer(operation, Some(status)) => {
                let keys = ["errors".to_owned(), status.to_string(), "fields".to_owned()];
                ("operations", &operation.item.id, keys.to_vec())
            }
            Root::Argument(_) => return None,
        };
        keys.splice(0..0, [section.to_owned(), id.clone()]);
        keys.push(name.to_owned());
        Some((self.file(section, id)?, keys))
    }

    /// The first entity that a type names, through lists and maps.
    pub(crate) fn entity_of(&self, of: &Type) -> Option<&'a Entity> {
        self.entities_of(of).first().copied()
    }

    /// All entities that a type names.
    pub(crate) fn entities_of(&self, of: &Type) -> Vec<&'a Entity> {
        let mut names = Vec::new();
        of.names(&mut names);
        names.into_iter().filter_map(|id| self.index.entity(id)).collect()
    }

    /// The entities that the events of a stream bring.
    pub(crate) fn payloads(&self, of: &Type) -> Vec<&'a Entity> {
        let Type::Events(id) = of else {
            return Vec::new();
        };
        let values = self.index.enumeration(id).into_iter().flat_map(|events| &events.values);
        values.filter_map(|value| self.entity_of(value.payload.as_ref()?)).collect()
    }

    /// The field of that key.
    pub(crate) fn field(entity: &'a Entity, key: &str) -> Option<&'a Field> {
        entity.fields.iter().find(|field| field.item.wire == key)
    }

    /// The operation with that method and path.
    pub(crate) fn operation(&self, key: &(String, String)) -> Option<&'a Operation> {
        self.routes.get(key).copied()
    }
}

/// The program of that key, with its place among the programs.
pub(crate) fn program<'a>(api: &'a Api, key: &str) -> Result<(usize, &'a Program), Error> {
    registered::program(api, key).map_err(Error)
}

/// A file as a person would name it: `spec/supplement/lists.yaml`.
pub(crate) fn shown(file: &str) -> String {
    if file.is_empty() { String::new() } else { format!("spec/{file}") }
}

/// The enumeration that a type names, through lists and maps.
pub(crate) fn enumeration_of(of: &Type) -> Option<&str> {
    match of {
        Type::Enum(id) => Some(id),
        Type::List(of) | Type::Map(of) => enumeration_of(of),
        Type::OneOf(types) => types.iter().find_map(enumeration_of),
        _ => None,
    }
}
