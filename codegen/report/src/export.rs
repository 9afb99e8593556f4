//! `export`: the catalogue as flat JSON for tools outside, one line an item.

use std::fmt::Display;

use indexmap::IndexMap;
use serde::Serialize;

use fedispec_model::api::{Api, Feature, Item, Layer, Life, Operation, Param, Since};
use fedispec_model::change::ChangedFact;
use fedispec_model::features::{FeatureLife, Features};
use fedispec_model::reach::Reach;
use fedispec_model::rows::{Row, RowSubject, rows};
use fedispec_model::wire::with_last_key;
use fedispec_since::Required;

mod present;

use present::Present;

/// The version of the form.
pub const SCHEMA: &str = "fedispec-export/1";

/// The JSON text of `export`, with a line break at its end. `folder` goes before the file of each position.
pub fn export(api: &Api, folder: &str) -> serde_json::Result<String> {
    // The documents know of no program that has a folder of its own.
    let is_of_documents = api.layer == Layer::Documents;
    let documented = if is_of_documents { api.without_apart(|_| false) } else { None };
    let api = documented.as_ref().unwrap_or(api);
    let mut text = format!(
        "{{\"schema\": \"{SCHEMA}\", \"layer\": {},\n \"items\": [",
        serde_json::to_string(&api.layer)?
    );
    let reach = Reach::new(api);
    let mut separator = "\n  ";
    for row in rows(api).iter().filter(|row| !row.inherited()) {
        text.push_str(separator);
        text.push_str(&serde_json::to_string(&Line::new(api, &reach, folder, row))?);
        separator = ",\n  ";
    }
    for (feature, lives) in Features::over(api, &reach).all() {
        text.push_str(separator);
        text.push_str(&serde_json::to_string(&FeatureLine::new(api, feature, &lives))?);
        separator = ",\n  ";
    }
    text.push_str("\n ]}\n");
    Ok(text)
}

/// One item.
#[derive(Serialize)]
struct Line<'a> {
    kind: &'static str,
    owner: String,
    name: &'a str,
    id: &'a str,
    since: IndexMap<&'a str, String>,
    #[serde(flatten)]
    shape: Shape<'a>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    merged: Option<Merged<'a>>,
}

/// A feature.
#[derive(Serialize)]
struct FeatureLine<'a> {
    kind: &'static str,
    id: &'a str,
    summary: &'a str,
    synonyms: &'a [String],
    items: Vec<&'a str>,
    /// Those of the items of which one is enough.
    one_of: &'a [String],
    since: IndexMap<&'a str, String>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    absent: IndexMap<&'a str, Vec<[String; 2]>>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    removed: IndexMap<&'a str, String>,
}

impl<'a> FeatureLine<'a> {
    fn new(api: &'a Api, feature: &'a Feature, lives: &[FeatureLife]) -> Self {
        let lives = || api.programs.iter().map(|program| program.key.as_str()).zip(lives);
        let removed = lives().filter_map(|(key, life)| Some((key, life.removed?.to_string())));
        Self {
            kind: "feature",
            id: &feature.id,
            summary: &feature.summary,
            synonyms: &feature.synonyms,
            items: feature.items().collect(),
            one_of: &feature.one_of,
            since: lives().map(|(key, life)| (key, life.since.to_string())).collect(),
            absent: lives()
                .filter(|(_, life)| !life.absent.is_empty())
                .map(|(key, life)| {
                    let holes = life.absent.iter();
                    (
                        key,
                        holes.map(|(from, until)| [from, until].map(ToString::to_string)).collect(),
                    )
                })
                .collect(),
            removed: removed.collect(),
        }
    }
}

/// Columns that only some kinds of items have.
#[derive(Serialize)]
#[serde(untagged)]
enum Shape<'a> {
    Operation {
        method: Option<&'a str>,
        path: Option<&'a str>,
        returns: serde_json::Value,
    },
    Param {
        refers_to: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<serde_json::Value>,
    },
    Typed {
        refers_to: Option<&'a str>,
    },
    Plain {},
}

/// Columns that only the merged layers provide.
#[derive(Serialize)]
struct Merged<'a> {
    wire: String,
    /// Since when each program really has it.
    effective: IndexMap<&'a str, String>,
    #[serde(flatten)]
    present: Present<'a>,
    at: Option<(String, u32)>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    deprecated: IndexMap<&'a str, String>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    removed: IndexMap<&'a str, String>,
    /// Of operations: what each program asks of callers at its newest release.
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<IndexMap<&'a str, Option<Requirement<'a>>>>,
}

/// The requirements of an operation on callers.
#[derive(Serialize)]
struct Requirement<'a> {
    token: &'static str,
    scopes: &'a [String],
}

/// Returns the requirements by program; `None` where a program never has the operation, or no source says.
fn auth<'a>(api: &'a Api, operation: &'a Operation) -> IndexMap<&'a str, Option<Requirement<'a>>> {
    let programs = api.programs.iter().zip(&operation.item.life).enumerate();
    programs
        .map(|(place, (program, life))| {
            let auth = operation.auth.as_ref().and_then(|auths| auths.of(place));
            let auth = auth.filter(|_| life.effective != Since::Never);
            let asked =
                auth.map(|auth| Requirement { token: auth.token.name(), scopes: &auth.scopes });
            (program.key.as_str(), asked)
        })
        .collect()
}

impl<'a> Line<'a> {
    fn new(api: &'a Api, reach: &Reach<'_>, folder: &str, row: &Row<'a>) -> Self {
        let item = row.item;
        let effective = reach.effective(item);
        Self {
            kind: row.kind().name(),
            owner: row.owner().into_owned(),
            name: row.name(),
            id: &item.id,
            since: per_program(api, item, |life| Some(life.since)),
            shape: Shape::of(row, api),
            merged: (api.layer == Layer::Full).then(|| Merged {
                wire: wire(row),
                effective: {
                    let programs = api.programs.iter().map(|program| program.key.as_str());
                    let effective = effective.iter();
                    programs.zip(effective.map(ToString::to_string)).collect()
                },
                present: Present::of(api, &effective, row.subject),
                at: at(api, folder, item),
                deprecated: per_program(api, item, |life| life.deprecated),
                removed: per_program(api, item, |life| life.removed),
                auth: match row.subject {
                    RowSubject::Operation(operation) => Some(auth(api, operation)),
                    _ => None,
                },
            }),
        }
    }
}

impl<'a> Shape<'a> {
    fn of(row: &Row<'a>, api: &Api) -> Self {
        match row.subject {
            RowSubject::Operation(operation) => Self::Operation {
                method: operation.route.as_ref().map(|route| route.method.as_str()),
                path: operation.route.as_ref().map(|route| route.path.as_str()),
                returns: returns(api, operation),
            },
            RowSubject::Param(_, param) => Self::Param {
                refers_to: param.refers_to.as_deref(),
                left_out: (api.layer == Layer::Full).then(|| left_out(api, param)),
            },
            RowSubject::Field(_, field) | RowSubject::Response(_, _, field) => {
                Self::Typed { refers_to: field.refers_to.as_deref() }
            }
            RowSubject::Enum(_) | RowSubject::Value(..) => Self::Plain {},
        }
    }
}

/// Returns what an operation answers, as the documents call it; a map of programs where they differ.
fn returns(api: &Api, operation: &Operation) -> serde_json::Value {
    if operation.item.life.iter().any(|life| life.facts.contains_key(&ChangedFact::Returns)) {
        return present::by_program(api, &operation.item, |place| {
            operation.state(place, ChangedFact::Returns).read().unwrap_or_default()
        });
    }
    operation.returns_documented.as_deref().into()
}

/// Returns the effect of leaving a parameter out, `required` where that is refused; null if it is not classified. A map of programs where they
/// differ.
fn left_out(api: &Api, param: &Param) -> serde_json::Value {
    present::by_program(api, &param.item, |place| {
        let param = param.at(place, None);
        match (param.required, param.left_out) {
            (Required::Always, _) => "required".into(),
            (_, Some(left_out)) => left_out.effect.name().into(),
            (_, None) => serde_json::Value::Null,
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
