//! `export`: the catalogue as flat JSON for tools outside, one line an item.

use std::fmt::Display;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use fedispec_model::api::{
    Api, Feature, Field, Item, Layer, Life, Operation, Param, Since, State, Type,
};
use fedispec_model::change::ChangedFact;
use fedispec_model::features::{FeatureLife, Features};
use fedispec_model::notation::{is_name, type_text_with};
use fedispec_model::reach::Reach;
use fedispec_model::rows::{Row, RowSubject, rows};
use fedispec_model::wire::with_last_key;
use fedispec_since::{Location, Paging, Required, Verdict};

/// The version of the form.
pub const SCHEMA: &str = "fedispec-export/1";

/// The JSON text of `export`, with a line break at its end. `folder` goes before the file of each position.
pub fn export(api: &Api, folder: &str) -> serde_json::Result<String> {
    // The documents know of no program that has a folder of its own.
    let is_of_documents = api.layer == Layer::Documents;
    let documented = if is_of_documents { api.without_apart(|_| false) } else { None };
    let api = documented.as_ref().unwrap_or(api);
    let reach = Reach::new(api);
    let rows = rows(api).into_iter().filter(|row| !row.inherited());
    let mut lines =
        rows.map(|row| line(api, &reach, folder, &row)).collect::<Result<Vec<_>, _>>()?;
    for (feature, lives) in Features::over(api, &reach).all() {
        lines.push(feature_line(api, feature, &lives)?);
    }
    let layer = serde_json::to_string(&api.layer)?;
    let lines = lines.join(",\n  ");
    Ok(format!("{{\"schema\": \"{SCHEMA}\", \"layer\": {layer},\n \"items\": [\n  {lines}\n ]}}\n"))
}

/// The object of an item, column by column in the order in which they are put.
#[derive(Default)]
struct Columns(String);

impl Columns {
    fn put(&mut self, key: &str, value: impl Serialize) -> serde_json::Result<()> {
        let before = if self.0.is_empty() { '{' } else { ',' };
        self.0.extend([before.to_string(), format!("\"{key}\":"), serde_json::to_string(&value)?]);
        Ok(())
    }

    /// A column by program that an item has where some program says something.
    fn put_any<V: Serialize>(
        &mut self,
        key: &str,
        by_program: IndexMap<&str, V>,
    ) -> serde_json::Result<()> {
        if by_program.is_empty() { Ok(()) } else { self.put(key, by_program) }
    }
}

fn feature_line(api: &Api, feature: &Feature, lives: &[FeatureLife]) -> serde_json::Result<String> {
    let lives = || api.programs.iter().map(|program| program.key.as_str()).zip(lives);
    let absent = lives().filter(|(_, life)| !life.absent.is_empty()).map(|(key, life)| {
        let holes = life.absent.iter().map(|(from, until)| [from, until].map(ToString::to_string));
        (key, holes.collect::<Vec<_>>())
    });
    let removed = lives().filter_map(|(key, life)| Some((key, life.removed?.to_string())));
    let since = lives().map(|(key, life)| (key, life.since.to_string()));
    let mut columns = Columns::default();
    columns.put("kind", "feature")?;
    columns.put("id", &feature.id)?;
    columns.put("summary", &feature.summary)?;
    columns.put("synonyms", &feature.synonyms)?;
    columns.put("items", feature.items().collect::<Vec<_>>())?;
    // The items of which one is enough.
    columns.put("one_of", &feature.one_of)?;
    columns.put("since", since.collect::<IndexMap<_, _>>())?;
    columns.put_any("absent", absent.collect())?;
    columns.put_any("removed", removed.collect())?;
    Ok(columns.0 + "}")
}

fn line(api: &Api, reach: &Reach<'_>, folder: &str, row: &Row<'_>) -> serde_json::Result<String> {
    let item = row.item;
    let mut columns = Columns::default();
    columns.put("kind", row.kind().name())?;
    columns.put("owner", row.owner())?;
    columns.put("name", row.name())?;
    columns.put("id", &item.id)?;
    columns.put("since", per_program(api, item, |life| Some(life.since)))?;
    let is_full = api.layer == Layer::Full;
    match row.subject {
        RowSubject::Operation(operation) => {
            let route = operation.route.as_ref();
            columns.put("method", route.map(|route| &route.method))?;
            columns.put("path", route.map(|route| &route.path))?;
            columns.put("returns", returns(api, operation))?;
        }
        RowSubject::Param(_, param) => {
            columns.put("refers_to", &param.refers_to)?;
            if is_full {
                columns.put("left_out", left_out(api, param))?;
            }
        }
        RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => {
            columns.put("refers_to", &field.refers_to)?;
        }
        RowSubject::Enum(_) | RowSubject::Value(..) => {}
    }
    if is_full {
        merged(&mut columns, api, reach, folder, row)?;
    }
    Ok(columns.0 + "}")
}

/// Puts the columns that only the merged layers provide; shapes are those of the newest registered release.
fn merged(
    columns: &mut Columns,
    api: &Api,
    reach: &Reach<'_>,
    folder: &str,
    row: &Row<'_>,
) -> serde_json::Result<()> {
    let item = row.item;
    // Since when each program really has it.
    let effective = reach.effective(item);
    let programs = api.programs.iter().map(|program| program.key.as_str());
    let really = programs.zip(effective.iter().map(ToString::to_string));
    columns.put("wire", wire(row))?;
    columns.put("effective", really.collect::<IndexMap<_, _>>())?;
    match row.subject {
        RowSubject::Operation(operation) => put_operation(columns, api, operation)?,
        RowSubject::Param(_, param) => put_param(columns, api, param)?,
        RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => {
            let written = || written(&field.r#type, field.format.as_deref());
            columns.put("type", field.type_known.then(written))?;
            // Null where a program never has it, and where no source says.
            columns.put("presence", presence(api, &effective, field))?;
            // Null where it means no value.
            columns.put("absent_means", field.absent_means.as_ref().map(|means| &means.value))?;
        }
        RowSubject::Enum(_) | RowSubject::Value(..) => {}
    }
    columns.put("at", at(api, folder, item))?;
    columns.put_any("deprecated", per_program(api, item, |life| life.deprecated))?;
    columns.put_any("removed", per_program(api, item, |life| life.removed))?;
    if let RowSubject::Operation(operation) = row.subject {
        columns.put("auth", auth(api, operation))?;
    }
    Ok(())
}

/// A fact in which programs differ is a map of them; one that no source states is null.
fn put_operation(
    columns: &mut Columns,
    api: &Api,
    operation: &Operation,
) -> serde_json::Result<()> {
    let item = &operation.item;
    columns.put(
        "success",
        by_program(api, item, |place| {
            let statuses = operation.success_at(place, None);
            if statuses.is_empty() { Value::Null } else { json!(statuses) }
        }),
    )?;
    columns.put("paging", Some(operation.paging).filter(|paging| *paging != Paging::Unknown))?;
    // Where the answer is not sent as `application/json`.
    let media_type = by_program(api, item, |place| {
        operation.state(place, ChangedFact::MediaType).read().unwrap_or_default()
    });
    if !media_type.is_null() {
        columns.put("media_type", media_type)?;
    }
    columns.put(
        "errors",
        by_program(api, item, |place| {
            let newest = api.programs[place].newest_looked_at();
            let is_apart = item.life[place].apart;
            let given = operation.errors.iter().filter(|error| {
                let given = error.life.get(place);
                given.zip(newest).map_or(!is_apart, |(life, newest)| {
                    let at = api.programs[place].place(newest);
                    life.presence().present(&at).verdict == Verdict::Yes
                })
            });
            let given: Vec<_> = given.map(|error| error.status).collect();
            if is_apart && given.is_empty() { Value::Null } else { json!(given) }
        }),
    )?;
    // The first of the releases up to the newest one that answer an empty list and nothing else.
    let is_stub = |life: &&Life| life.works_since == Some(Since::Never);
    columns.put_any("stub", per_program(api, item, |life| Some(life).filter(is_stub)?.stub))?;
    columns.put("changed", changed(api, item))
}

fn put_param(columns: &mut Columns, api: &Api, param: &Param) -> serde_json::Result<()> {
    let state = |what| {
        by_program(api, &param.item, |place| param.state(place, what).read().unwrap_or_default())
    };
    columns.put("in", Some(param.location).filter(|location| *location != Location::Unknown))?;
    let written = || written(&param.r#type, param.format.as_deref());
    columns.put("type", param.type_known.then(written))?;
    // As the catalogue writes it.
    columns.put(
        "required",
        by_program(api, &param.item, |place| {
            match param.state(place, ChangedFact::Required).read::<Required>() {
                Some(Required::Always) => json!(true),
                Some(Required::Never) => json!(false),
                Some(Required::Sometimes) => json!("sometimes"),
                Some(Required::Unknown) | None => Value::Null,
            }
        }),
    )?;
    columns.put("default", state(ChangedFact::Default))?;
    columns.put("unset", state(ChangedFact::Unset))?;
    // The enumeration of the words that its text understands.
    if let Some(words) = &param.words {
        columns.put("words", words)?;
    }
    // Null where a program never has the parameter, and where nobody has looked.
    let programs = api.programs.iter().enumerate();
    let limits = programs.map(|(place, program)| (program.key.as_str(), limits(param, place)));
    columns.put("limits", limits.collect::<IndexMap<_, _>>())
}

/// A change in place of a program.
#[derive(Serialize)]
struct Changed<'a> {
    program: &'a str,
    r#in: String,
    /// Later releases that lack it: the first without it, and the first with it again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    absent: Vec<(String, String)>,
    what: ChangedFact,
    from: &'a Option<Value>,
    to: &'a Option<Value>,
}

/// The requirements of an operation on callers.
#[derive(Serialize)]
struct Requirement<'a> {
    token: &'static str,
    scopes: Vec<&'a str>,
}

/// Returns the requirements by program; `None` where a program never has the operation, or no source says.
fn auth<'a>(api: &'a Api, operation: &'a Operation) -> IndexMap<&'a str, Option<Requirement<'a>>> {
    let programs = api.programs.iter().zip(&operation.item.life).enumerate();
    programs
        .map(|(place, (program, life))| {
            let auth = operation.auth.as_ref().and_then(|auths| auths.of(place));
            let auth = auth.filter(|_| life.effective != Since::Never);
            let asked = auth.map(|auth| Requirement {
                token: auth.token.name(),
                scopes: auth.scope_names().collect(),
            });
            (program.key.as_str(), asked)
        })
        .collect()
}

/// A value of each program that has an item: the value where all have the same, and else a map. A program whose facts stand apart counts
/// where it says something.
fn by_program(api: &Api, item: &Item, of: impl Fn(usize) -> Value) -> Value {
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
    type_text_with(ty, &|one| match one {
        Type::Entity(id) if !is_name(id) => Some("object".into()),
        Type::Timestamp if format == Some("date") => Some("date".into()),
        _ => None,
    })
}

/// Returns what an operation answers, as the documents call it; a map of programs where they differ.
fn returns(api: &Api, operation: &Operation) -> Value {
    if operation.item.life.iter().any(|life| life.facts.contains_key(&ChangedFact::Returns)) {
        return by_program(api, &operation.item, |place| {
            operation.state(place, ChangedFact::Returns).read().unwrap_or_default()
        });
    }
    operation.returns_documented.as_deref().into()
}

/// Returns the effect of leaving a parameter out, `required` where that is refused; null if it is not classified. A map of programs where they
/// differ.
fn left_out(api: &Api, param: &Param) -> Value {
    by_program(api, &param.item, |place| {
        let param = param.at(place, None);
        match (param.required, param.left_out) {
            (Required::Always, _) => "required".into(),
            (_, Some(left_out)) => left_out.effect.name().into(),
            (_, None) => Value::Null,
        }
    })
}

fn per_program<'a, V: Display>(
    api: &'a Api,
    item: &Item,
    of: impl Fn(&Life) -> Option<V>,
) -> IndexMap<&'a str, String> {
    let programs = api.programs.iter().map(|program| program.key.as_str());
    programs
        .zip(&item.life)
        .filter_map(|(program, life)| Some((program, of(life)?.to_string())))
        .collect()
}

/// Where the Since of the first program stands that has a say; nowhere where that is inherited.
fn at(api: &Api, folder: &str, item: &Item) -> Option<(String, u32)> {
    let known = item.life.iter().find(|life| life.since != Since::Unknown);
    let at = known.or(item.life.first())?.at?;
    let file = api.files.get(at.0 as usize)?;
    Some((format!("{folder}/{file}"), at.1))
}

/// The whole spelling on the wire. A field knows only its own key in its object, so that the way there comes from its
/// name.
fn wire(row: &Row<'_>) -> String {
    let item = row.item;
    match row.subject {
        RowSubject::Operation(_) => String::new(),
        RowSubject::Field(..) | RowSubject::Response(..) => with_last_key(&item.name, &item.wire),
        RowSubject::Param(..) | RowSubject::Enum(_) | RowSubject::Value(..) => item.wire.clone(),
    }
}
