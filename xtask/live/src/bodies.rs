//! Bodies read by the catalogue: which entities and values a JSON value holds by the type of an answer.

use fedispec::runtime::compatibility::Verdict;
use fedispec::runtime::{At, Identity, Version};
use fedispec_model::api::{Api, Entity, Enumeration, Field, Life, Program, Quirk, Type};
use fedispec_model::index::Index;
use serde_json::{Map, Value};

/// The release in a version string: `0.19.2+git-90851fc` is 0.19.2, `4.3.0-beta.1` is a pre-release of 4.3.0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Release {
    /// The numbers of the version.
    pub(crate) version: Version,
    /// Whether it is a pre-release.
    pub(crate) prerelease: bool,
}

impl Release {
    fn read(software: &str, version: &str) -> Option<Self> {
        let identity = Identity::read(version, Some(software));
        Some(Self { version: identity.release()?, prerelease: identity.prerelease })
    }
}

/// The program and release that answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Server {
    /// The program's index in the catalogue.
    pub(crate) program: usize,
    /// The release.
    pub(crate) release: Release,
}

/// A visitor of the values in a body.
pub(crate) trait Visit<'a> {
    /// An object of an entity, before what is in it.
    fn object(&mut self, object: &Map<String, Value>, entity: &'a Entity);

    /// A value of an enumeration.
    fn value(&mut self, text: &str, listed: &'a Enumeration) {
        let _ = (text, listed);
    }
}

/// The catalogue with its index.
pub(crate) struct Catalogue<'a> {
    api: &'a Api,
    index: Index<'a>,
}

impl<'a> Catalogue<'a> {
    /// Indexes an API.
    pub(crate) fn new(api: &'a Api) -> Self {
        let index = Index::new(api);
        Self { api, index }
    }

    /// The API.
    pub(crate) fn api(&self) -> &'a Api {
        self.api
    }

    /// Finds an entity.
    pub(crate) fn entity(&self, id: &str) -> Option<&'a Entity> {
        self.index.entity(id)
    }

    /// The server of a program, by its key or its name in `NodeInfo`, with a version string. `None` where either is not known.
    pub(crate) fn server(&self, name: &str, version: &str) -> Option<Server> {
        let named = |program: &Program| {
            let mut names = program.nodeinfo.iter().chain([&program.key]);
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        let program = self.api.programs.iter().position(named)?;
        Some(Server { program, release: Release::read(name, version)? })
    }

    /// Visits a value of a type and everything in it.
    pub(crate) fn walk(&self, value: &Value, r#type: &'a Type, visit: &mut impl Visit<'a>) {
        match (r#type, value) {
            (Type::Entity(id), Value::Object(object)) => {
                let Some(entity) = self.index.entity(id) else {
                    return;
                };
                visit.object(object, entity);
                for (key, value) in object {
                    if let Some(field) = field(entity, key) {
                        self.walk(value, &field.r#type, visit);
                    }
                }
            }
            (Type::Enum(id), Value::String(text)) => {
                if let Some(listed) = self.index.enumeration(id) {
                    visit.value(text, listed);
                }
            }
            (Type::List(inner), Value::Array(elements)) => {
                for element in elements {
                    self.walk(element, inner, visit);
                }
            }
            (Type::Map(inner), Value::Object(entries)) => {
                entries.values().for_each(|entry| self.walk(entry, inner, visit));
            }
            (Type::OneOf(types), _) => {
                if let Some(nearest) =
                    types.iter().min_by_key(|candidate| self.unknown_keys(value, candidate))
                {
                    self.walk(value, nearest, visit);
                }
            }
            _ => {}
        }
    }

    /// Whether a release always sends a field, if it has it.
    pub(crate) fn always_sends(&self, server: Server, field: &Field) -> bool {
        let left_out = |quirk: &Quirk| quirk.leaves_out() && self.applies(quirk, server);
        field.presence_known
            && !field.presence_at(server.program, server.release.version).optional
            && !field.quirks.iter().any(left_out)
    }

    /// Whether a release never sends a field as null, if it has it.
    pub(crate) fn never_null(&self, server: Server, field: &Field) -> bool {
        let null = |quirk: &Quirk| {
            (quirk.presence().nullable || quirk.sends == "nothing") && self.applies(quirk, server)
        };
        field.presence_known
            && !field.presence_at(server.program, server.release.version).nullable
            && !field.quirks.iter().any(null)
    }

    fn applies(&self, quirk: &Quirk, server: Server) -> bool {
        quirk.is_of(&self.api.programs[server.program].key, server.release.version)
    }

    /// The number of keys of an object that a type does not declare; the maximum if the type is not an object.
    fn unknown_keys(&self, value: &Value, r#type: &Type) -> usize {
        match (r#type, value) {
            (Type::Empty, Value::Object(object)) if object.is_empty() => 0,
            (Type::List(inner), Value::Array(elements)) => {
                elements.first().map_or(0, |first| self.unknown_keys(first, inner))
            }
            (Type::String, Value::String(_)) => 0,
            (Type::Entity(id), Value::Object(object)) if !object.is_empty() => {
                self.index.entity(id).map_or(usize::MAX, |entity| {
                    object.keys().filter(|key| field(entity, key).is_none()).count()
                })
            }
            _ => usize::MAX,
        }
    }
}

/// The field of an entity with a key.
pub(crate) fn field<'a>(entity: &'a Entity, key: &str) -> Option<&'a Field> {
    entity.fields.iter().find(|field| field.item.wire == key)
}

/// Whether a release certainly has an item.
pub(crate) fn has(life: &Life, release: Release) -> bool {
    let at = At::new(&release.version);
    let at = if release.prerelease { at.pre_release() } else { at };
    life.presence().present(&at).verdict == Verdict::Yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_from_version_strings() {
        let told = |software: &str, text: &str| {
            let release = Release::read(software, text)?;
            Some((release.version.to_string(), release.prerelease))
        };
        for (software, text, version, prerelease) in [
            ("mastodon", "4.6.4", "4.6.4", false),
            ("gotosocial", "0.19.2+git-90851fc", "0.19.2", false),
            ("gotosocial", "0.13.3 git-fb3e3ca", "0.13.3", false),
            ("gotosocial", "0.20.0-rc1+git-8221628", "0.20.0", true),
            ("mastodon", "4.3.0-beta.1", "4.3.0", true),
            ("mastodon", "v4.2", "4.2.0", false),
        ] {
            assert_eq!(told(software, text), Some((version.to_owned(), prerelease)), "{text}");
        }
        assert_eq!(told("gotosocial", "git-1a2b3c4"), None);
        assert_eq!(told("mastodon", ""), None);
    }
}
