//! Objects with every field, made from the catalogue.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fedispec::runtime::compatibility::Verdict;
use fedispec::runtime::de::{self, FromJson};
use fedispec::runtime::ser::ToJson;
use fedispec::runtime::{At, Version};
use fedispec_model::api::{Api, Entity, Field, Item, Program, Type};
use fedispec_model::reach::Reach;
use fedispec_tests::catalogue;
use serde_json::{Map, Value, json};

pub(crate) static API: LazyLock<Api> = LazyLock::new(catalogue::typed);

static REACH: LazyLock<Reach<'static>> = LazyLock::new(|| Reach::new(&API));

/// Reads an object into the entity's type.
type Read = fn(&str) -> Result<Typed, String>;

/// An entity of any type.
pub(crate) type Typed = Box<dyn ToJson + Send + Sync>;

fn restored<T: FromJson + ToJson + Send + Sync + 'static>(body: &str) -> Result<Typed, String> {
    let read = de::read::<T>(body).map_err(|error| error.to_string())?;
    match read.rejected.first() {
        Some(rejected) => Err(format!("{}: {}", rejected.path, rejected.message)),
        None => Ok(Box::new(read.value)),
    }
}

/// Reads an object into the entity's type; what has none is plain JSON.
pub(crate) fn read(id: &str, body: &str) -> Result<(), String> {
    let Some(read) = READ.get(id) else {
        return Ok(());
    };
    let read = read(body).map_err(|error| format!("{error} in {body}"));
    read.map(|_| ())
}

/// The same, as the type; `None` where it cannot be read.
pub(crate) fn typed(id: &str, body: &str) -> Option<Typed> {
    READ.get(id)?(body).ok()
}

static READ: LazyLock<BTreeMap<&'static str, Read>> = LazyLock::new(|| {
    let all: Vec<(&str, Read)> = include!(concat!(env!("OUT_DIR"), "/entities.rs"));
    all.into_iter().collect()
});

static ENTITIES: LazyLock<BTreeMap<&'static str, &'static Entity>> = LazyLock::new(|| {
    let entities = API.entities.iter();
    entities.map(|entity| (entity.item.id.as_str(), entity)).collect()
});

pub(crate) fn entity(id: &str) -> Option<&'static Entity> {
    ENTITIES.get(id).copied()
}

/// A release, and the verdict of the catalogue on what it has.
#[derive(Clone, Copy)]
pub(crate) struct Release {
    pub(crate) program: &'static Program,
    pub(crate) place: usize,
    pub(crate) at: At,
    pub(crate) version: fedispec::runtime::StableVersion,
}

impl Release {
    pub(crate) fn has(&self, item: &Item) -> Verdict {
        let Some(life) = item.life.get(self.place) else {
            return Verdict::Unknown;
        };
        // An item that no operation answers in a release is not in it.
        let mut life = life.clone();
        if let Some(since) = REACH.effective(item).get(self.place) {
            life.effective = *since;
        }
        life.presence().present(&self.at).verdict
    }

    pub(crate) fn lacks(&self, item: &Item) -> bool {
        self.has(item) == Verdict::No
    }

    /// Whether the release has a key of the entity, and a value of each of its enumerations.
    pub(crate) fn can_have(&self, entity: &Entity) -> bool {
        let mut own = entity.fields.iter().filter(|field| !self.lacks(&field.item)).peekable();
        own.peek().is_some()
            && own.all(|field| match &field.r#type {
                Type::Enum(id) => {
                    let one = API.enums.iter().find(|one| one.item.id == *id);
                    let mut values = one.into_iter().flat_map(|one| &one.values);
                    values.any(|value| !self.lacks(value))
                }
                _ => true,
            })
    }

    pub(crate) fn name(&self) -> String {
        format!("{}@{}", self.program.key, self.version)
    }

    pub(crate) fn version(&self) -> Version {
        self.version.version()
    }
}

/// Every registered release.
pub(crate) fn releases() -> impl Iterator<Item = Release> {
    let programs = API.programs.iter().enumerate();
    programs.flat_map(|(place, program)| {
        program.releases.iter().map(move |release| Release {
            program,
            place,
            at: program.place(release.version),
            version: release.version,
        })
    })
}

/// The registered releases that differ from the one before in what they have: every fourth and the newest of each program, and all of them in
/// the gate.
pub(crate) fn steps() -> Vec<Release> {
    let mut before = Vec::new();
    let mut steps: Vec<Release> = Vec::new();
    for release in releases() {
        let has: Vec<Verdict> = items().map(|item| release.has(item)).collect();
        let is_next = steps.last().is_some_and(|last| last.place == release.place);
        if !is_next || has != before {
            steps.push(release);
        }
        before = has;
    }
    let every = 4_usize.div_ceil(fedispec_tests::times());
    let newest = |at: usize| steps.get(at + 1).is_none_or(|next| next.place != steps[at].place);
    let kept = (0..steps.len()).filter(|at| at % every == 0 || newest(*at));
    kept.map(|at| steps[at]).collect()
}

fn items() -> impl Iterator<Item = &'static Item> {
    let operations = API.operations.iter().flat_map(|one| {
        std::iter::once(&one.item).chain(one.params.iter().map(|param| &param.item))
    });
    let fields = API.entities.iter().flat_map(|one| one.fields.iter().map(|field| &field.item));
    let values = API.enums.iter().flat_map(|one| &one.values);
    operations.chain(fields).chain(values)
}

/// How objects are filled.
#[derive(Clone, Copy)]
pub(crate) struct Fill {
    pub(crate) release: Release,
    /// Whether enumerations have values that the release lacks, where they can.
    pub(crate) lacking: bool,
}

impl Fill {
    /// An object of an entity with every field, but for those that contain the entity itself.
    pub(crate) fn object(self, id: &'static str) -> Value {
        self.entity(id, &mut Vec::new()).unwrap_or_else(|| json!({}))
    }

    /// The same as the generated type.
    pub(crate) fn typed(self, id: &'static str) -> Option<Typed> {
        let read = READ.get(id)?;
        let body = self.object(id).to_string();
        let read = read(&body).unwrap_or_else(|error| panic!("{error} in {body}"));
        Some(read)
    }

    /// The answer of an operation; `None` for a stream.
    pub(crate) fn answer(self, ty: &'static Type) -> Option<Typed> {
        Some(match ty {
            Type::Entity(id) => match self.typed(id) {
                Some(typed) => typed,
                None => Box::new(self.object(id)),
            },
            Type::List(ty) => Box::new(vec![self.answer(ty)?]),
            Type::OneOf(types) => self.answer(types.first()?)?,
            Type::Events(_) => return None,
            Type::String => Box::new("text".to_owned()),
            ty => Box::new(self.value(ty, None, &mut Vec::new())?),
        })
    }

    fn entity(self, id: &'static str, path: &mut Vec<&'static str>) -> Option<Value> {
        if path.contains(&id) || path.len() > 5 {
            return None;
        }
        let entity = entity(id)?;
        path.push(id);
        let fields = entity.fields.iter();
        let object: Map<_, _> = fields
            .filter_map(|field| Some((field.item.wire.clone(), self.field(field, path)?)))
            .collect();
        path.pop();
        // Without what it needs an object cannot be read.
        let is_whole = entity.fields.iter().all(|field| {
            object.contains_key(&field.item.wire)
                || field.optional
                || field.nullable
                || field.absent_means.is_some()
        });
        is_whole.then_some(Value::Object(object))
    }

    /// A value that is not the one that absence means.
    fn field(self, field: &'static Field, path: &mut Vec<&'static str>) -> Option<Value> {
        let means = field.absent_means.as_ref().map(|means| &means.value);
        if let Some(Value::Bool(value)) = means {
            return Some((!value).into());
        }
        self.value(&field.r#type, field.format.as_deref(), path)
    }

    fn value(
        self,
        ty: &'static Type,
        format: Option<&str>,
        path: &mut Vec<&'static str>,
    ) -> Option<Value> {
        Some(match ty {
            Type::Json => json!({"any": 1}),
            Type::Empty => json!({}),
            Type::String | Type::Cursor | Type::File => "text".into(),
            Type::Integer => 3.into(),
            Type::Number => 1.5.into(),
            Type::Boolean => true.into(),
            Type::Timestamp if format == Some("date") => "2024-01-02".into(),
            Type::Timestamp => "2024-01-02T03:04:05.000Z".into(),
            Type::Id(_) => "7".into(),
            Type::Entity(id) => self.entity(id, path)?,
            Type::Enum(id) => {
                let one = API.enums.iter().find(|one| one.item.id == *id)?;
                let fits = |value: &&Item| self.release.lacks(value) == self.lacking;
                let value = one.values.iter().find(fits).or(one.values.first())?;
                value.wire.clone().into()
            }
            Type::List(ty) => Value::Array(self.value(ty, format, path).into_iter().collect()),
            Type::Map(ty) => match self.value(ty, format, path) {
                Some(value) => json!({ "key": value }),
                None => json!({}),
            },
            Type::OneOf(types) => self.value(types.first()?, format, path)?,
            Type::Events(_) => return None,
        })
    }
}
