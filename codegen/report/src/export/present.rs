//! The shape of an item in `export`: one value for all programs, that of the newest registered release.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use fedispec_model::api::{Api, Field, Item, Operation, Param, Since, State, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::notation::{is_name, type_text};
use fedispec_model::rows::RowSubject;
use fedispec_since::{Location, Paging, Required, Verdict};

/// Columns that only some kinds of items have.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Present<'a> {
    Operation {
        /// Null where no source says; a map of programs where they differ.
        success: Value,
        paging: Option<Paging>,
        /// Where the answer is not sent as `application/json`.
        #[serde(skip_serializing_if = "Option::is_none")]
        media_type: Option<Value>,
        /// Statuses; a map of programs where they differ.
        errors: Value,
        /// By program, the first of the releases up to the newest one that answer an empty list and nothing else.
        #[serde(skip_serializing_if = "IndexMap::is_empty")]
        stub: IndexMap<&'a str, String>,
        changed: Vec<Changed<'a>>,
    },
    Param {
        r#in: Option<Location>,
        r#type: Option<String>,
        /// `true`, `false` or `sometimes`, as the catalogue writes it; a map of programs where they differ.
        required: Value,
        /// Null where there is none; a map of programs where they differ.
        default: Value,
        /// `keep` or `reset`, and null where nobody says; a map of programs where they differ.
        unset: Value,
        /// The enumeration of the words that its text understands.
        #[serde(skip_serializing_if = "Option::is_none")]
        words: Option<&'a str>,
        /// By program; null where a program never has the parameter, and where nobody has looked.
        limits: IndexMap<&'a str, Option<IndexMap<&'static str, Value>>>,
    },
    Field {
        r#type: Option<String>,
        /// Null where a program never has it, and where no source says.
        presence: IndexMap<&'a str, Option<&'static str>>,
        /// Null where it means no value.
        absent_means: Option<&'a Value>,
    },
    Other {},
}

/// A change in place of a program.
#[derive(Serialize)]
pub(super) struct Changed<'a> {
    program: &'a str,
    r#in: String,
    /// Later releases that lack it: the first without it, and the first with it again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    absent: Vec<(String, String)>,
    what: ChangedFact,
    from: &'a Option<Value>,
    to: &'a Option<Value>,
}

impl<'a> Present<'a> {
    pub(super) fn of(api: &'a Api, effective: &[Since], subject: RowSubject<'a>) -> Self {
        match subject {
            RowSubject::Operation(operation) => Self::operation(api, operation),
            RowSubject::Param(_, param) => Self::param(api, param),
            RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => Self::Field {
                r#type: { field.type_known }
                    .then(|| written(&field.r#type, field.format.as_deref())),
                presence: presence(api, effective, field),
                absent_means: field.absent_means.as_ref().map(|means| &means.value),
            },
            RowSubject::Enum(_) | RowSubject::Value(..) => Self::Other {},
        }
    }

    fn operation(api: &'a Api, operation: &'a Operation) -> Self {
        let success = by_program(api, &operation.item, |place| {
            let statuses = operation.success_at(place, None);
            if statuses.is_empty() { Value::Null } else { json!(statuses) }
        });
        Self::Operation {
            success,
            paging: Some(operation.paging).filter(|paging| *paging != Paging::Unknown),
            media_type: Some(by_program(api, &operation.item, |place| {
                operation.state(place, ChangedFact::MediaType).read().unwrap_or_default()
            }))
            .filter(|media_type| !media_type.is_null()),
            errors: by_program(api, &operation.item, |place| {
                let newest = api.programs[place].newest_looked_at();
                let is_apart = operation.item.life[place].apart;
                let given = operation.errors.iter().filter(|error| {
                    let life = error.life.get(place);
                    life.zip(newest).map_or(!is_apart, |(life, newest)| {
                        let at = api.programs[place].place(newest);
                        life.presence().present(&at).verdict == Verdict::Yes
                    })
                });
                let given: Vec<_> = given.map(|error| error.status).collect();
                if is_apart && given.is_empty() { Value::Null } else { json!(given) }
            }),
            stub: { api.programs.iter().zip(&operation.item.life) }
                .filter(|(_, life)| life.works_since == Some(Since::Never))
                .filter_map(|(program, life)| Some((program.key.as_str(), life.stub?.to_string())))
                .collect(),
            changed: changed(api, &operation.item),
        }
    }

    fn param(api: &'a Api, param: &'a Param) -> Self {
        Self::Param {
            r#in: Some(param.location).filter(|location| *location != Location::Unknown),
            r#type: { param.type_known }.then(|| written(&param.r#type, param.format.as_deref())),
            required: by_program(api, &param.item, |place| {
                match param.state(place, ChangedFact::Required).read::<Required>() {
                    Some(Required::Always) => json!(true),
                    Some(Required::Never) => json!(false),
                    Some(Required::Sometimes) => json!("sometimes"),
                    Some(Required::Unknown) | None => Value::Null,
                }
            }),
            default: by_program(api, &param.item, |place| {
                param.state(place, ChangedFact::Default).read().unwrap_or_default()
            }),
            unset: by_program(api, &param.item, |place| {
                param.state(place, ChangedFact::Unset).read().unwrap_or_default()
            }),
            words: param.words.as_deref(),
            limits: { api.programs.iter().enumerate() }
                .map(|(place, program)| (program.key.as_str(), limits(param, place)))
                .collect(),
        }
    }
}

/// A value of each program that has an item: the value where all have the same, and else a map. A program whose facts stand apart counts
/// where it says something.
pub(super) fn by_program(api: &Api, item: &Item, of: impl Fn(usize) -> Value) -> Value {
    let has =
        |place: &usize| item.life.get(*place).is_some_and(|life| life.effective != Since::Never);
    let places = || 0..api.programs.len();
    let any = places().any(|place| has(&place));
    let values = places().filter(|place| !any || has(place));
    let values = values.map(|place| (api.programs[place].key.as_str(), of(place), place));
    let says = |value: &Value, place: usize| !item.life[place].apart || !value.is_null();
    let values: Vec<_> = values
        .filter(|(_, value, place)| says(value, *place))
        .map(|(program, value, _)| (program, value))
        .collect();
    match values.split_first() {
        Some(((_, first), others)) if others.iter().all(|(_, other)| other == first) => {
            first.clone()
        }
        None => Value::Null,
        _ => json!(values.into_iter().collect::<IndexMap<_, _>>()),
    }
}

/// The limits of a parameter in a program.
fn limits(param: &Param, place: usize) -> Option<IndexMap<&'static str, Value>> {
    let life = param.item.life.get(place).filter(|life| life.effective != Since::Never)?;
    let bounds = ChangedFact::BY_PROGRAM.into_iter().filter(|what| what.is_limit());
    let known: IndexMap<_, _> = bounds
        .clone()
        .filter_map(|what| Some((what.name(), param.state(place, what).read()?)))
        .collect();
    let is_unknown =
        |what: ChangedFact| life.facts.get(&what).is_some_and(|held| held.state == State::Unknown);
    let is_open = life.apart || bounds.clone().any(is_unknown);
    (!known.is_empty() || !is_open).then_some(known)
}

/// Whether each program's newest answers have a field.
fn presence<'a>(
    api: &'a Api,
    effective: &[Since],
    field: &Field,
) -> IndexMap<&'a str, Option<&'static str>> {
    let programs = api.programs.iter().zip(effective).enumerate();
    let presences = programs.map(|(place, (program, effective))| {
        let life = &field.item.life[place];
        let is_stated = field.own_presence(place).is_some()
            || life.changed.iter().any(|change| change.what == ChangedFact::Presence);
        let has = field.presence_known && *effective != Since::Never && (!life.apart || is_stated);
        let name = has.then(|| field.presence_in(place).name());
        (program.key.as_str(), name)
    });
    presences.collect()
}

fn changed<'a>(api: &'a Api, item: &'a Item) -> Vec<Changed<'a>> {
    let lives = api.programs.iter().zip(&item.life);
    let changes = lives.flat_map(|(program, life)| {
        let changes = life.changed.iter();
        changes.map(|change| Changed {
            program: &program.key,
            r#in: change.r#in.to_string(),
            absent: { change.absent.iter() }
                .map(|(from, until)| (from.to_string(), until.to_string()))
                .collect(),
            what: change.what,
            from: &change.from,
            to: &change.to,
        })
    });
    changes.collect()
}

/// A type as the catalogue writes it: an object whose members are listed is `object`, and a point in time that is a day `date`.
fn written(ty: &Type, format: Option<&str>) -> String {
    match ty {
        Type::Entity(id) if !is_name(id) => "object".into(),
        Type::Timestamp if format == Some("date") => "date".into(),
        Type::List(element) if matches!(**element, Type::OneOf(_)) => {
            format!("({})[]", written(element, format))
        }
        Type::List(element) => format!("{}[]", written(element, format)),
        Type::Map(value) => format!("map<{}>", written(value, format)),
        Type::OneOf(types) => {
            let types = types.iter().map(|ty| written(ty, format));
            types.collect::<Vec<_>>().join("|")
        }
        other => type_text(other),
    }
}
