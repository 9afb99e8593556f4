//! Files into the model, each item on its own, so that one bad item does not hide the next.

use indexmap::IndexMap;
use serde_yaml::{Mapping, Value};

use super::item::Decoder;
use crate::model::{
    Entity, Enumeration, ErrorAnswer, Fact, Field, File, Implementations, Operation, Program,
    Release, VersionText,
};

/// A map of items, taken out of what contains them.
type Items<T> = Option<IndexMap<String, T>>;

/// A file of a layer.
pub(super) fn file(decoder: &mut Decoder<'_>, root: Value) -> Option<File> {
    decoder.file(root)
}

/// The registry of programs and sources.
pub(super) fn implementations(decoder: &mut Decoder<'_>, root: Value) -> Option<Implementations> {
    decoder.implementations(root)
}

impl Decoder<'_> {
    fn file(&mut self, root: Value) -> Option<File> {
        let mut root = self.map(root)?;
        let groups = self.each(&mut root, "groups", Self::item);
        let operations = self.each(&mut root, "operations", Self::operation);
        let entities = self.each(&mut root, "entities", Self::entity);
        let enums = self.each(&mut root, "enums", Self::enumeration);
        let tombstones = self.each(&mut root, "tombstones", Self::item);
        let disputes = self.list(&mut root, "disputes", Self::item);
        let rest: Option<File> = self.item(Value::Mapping(root));
        Some(File {
            groups: groups.unwrap_or_default(),
            operations: operations.unwrap_or_default(),
            entities: entities.unwrap_or_default(),
            enums: enums.unwrap_or_default(),
            tombstones: tombstones.unwrap_or_default(),
            disputes: disputes.unwrap_or_default(),
            // Only `area` can be missing; what stands in the file is worth looking at without it.
            ..rest.unwrap_or_default()
        })
    }

    fn implementations(&mut self, root: Value) -> Option<Implementations> {
        let mut root = self.map(root)?;
        let programs = self.each(&mut root, "programs", Self::program);
        let sources = self.each(&mut root, "sources", Self::item);
        for (section, there) in [
            ("programs", programs.is_some()),
            ("sources", sources.is_some()),
        ] {
            if there {
                root.insert(section.into(), Value::Mapping(Mapping::new()));
            }
        }
        self.item::<Implementations>(Value::Mapping(root));
        Some(Implementations {
            programs: programs.unwrap_or_default(),
            sources: sources.unwrap_or_default(),
        })
    }

    fn program(&mut self, value: Value) -> Option<Program> {
        let mut map = self.map(value)?;
        let releases: Items<Release> = self.each(&mut map, "releases", Self::item);
        if releases.is_some() {
            map.insert("releases".into(), Value::Mapping(Mapping::new()));
        }
        let program: Option<Program> = self.item(Value::Mapping(map));
        let mut checked = IndexMap::new();
        for (version, release) in releases.unwrap_or_default() {
            match VersionText::parse(&version) {
                Ok(version) => {
                    checked.insert(version, release);
                }
                Err(mistake) => self.refuse_key(&["releases", &version], mistake),
            }
        }
        Some(Program {
            releases: checked,
            ..program?
        })
    }

    fn operation(&mut self, value: Value) -> Option<Operation> {
        let mut map = self.map(value)?;
        let params = self.each(&mut map, "params", Self::item);
        let alternatives = self.each(&mut map, "alternatives", Self::item);
        let response: Items<Field> = self.each(&mut map, "response", Self::item);
        let errors = self.each(&mut map, "errors", Self::error_answer);
        let rest: Operation = self.item(Value::Mapping(map))?;
        Some(Operation {
            params: params.unwrap_or_default(),
            alternatives: alternatives.unwrap_or_default(),
            response: response.unwrap_or_default(),
            errors: errors.map(Fact::Known).or(rest.errors),
            ..rest
        })
    }

    fn error_answer(&mut self, value: Value) -> Option<ErrorAnswer> {
        let mut map = self.map(value)?;
        let fields: Items<Field> = self.each(&mut map, "fields", Self::item);
        let rest: ErrorAnswer = self.item(Value::Mapping(map))?;
        Some(ErrorAnswer {
            fields: fields.unwrap_or_default(),
            ..rest
        })
    }

    fn entity(&mut self, value: Value) -> Option<Entity> {
        let mut map = self.map(value)?;
        let fields = self.each(&mut map, "fields", Self::item);
        let rest: Entity = self.item(Value::Mapping(map))?;
        Some(Entity {
            fields: fields.map(Fact::Known).or(rest.fields),
            ..rest
        })
    }

    fn enumeration(&mut self, value: Value) -> Option<Enumeration> {
        let mut map = self.map(value)?;
        let values = self.each(&mut map, "values", Self::item);
        let rest: Enumeration = self.item(Value::Mapping(map))?;
        Some(Enumeration {
            values: values.map(Fact::Known).or(rest.values),
            ..rest
        })
    }
}
