//! The catalogue as OpenAPI: one release of a program as it is, or all releases with `x-since` on each item.
//!
//! ```
//! # let text = include_str!("../../model/tests/fedispec-api-2.json");
//! use fedispec_openapi::{Format, Options, document, write};
//!
//! let api = fedispec_model::resolved::from_json(text)?;
//! let document = document(&api, &Options::default())?;
//! let yaml = write(&document, Format::Yaml)?;
//! assert!(yaml.starts_with("openapi: 3.1."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Parameters have the names that servers read, in brackets: `types[]` in a query or a form, and in JSON the lists and objects that these
//! stand for. What OpenAPI cannot say stands under extensions, each on its type in [`mod@document`].

use std::collections::{BTreeSet, HashMap};

use fedispec_model::api::{Api, Entity, Enumeration, Item};
use fedispec_model::registered::{self, Registered};
use fedispec_model::suggest::did_you_mean;

pub mod document;
mod example;
mod operation;
pub mod read;
mod request;
mod schema;
mod security;
#[cfg(feature = "served")]
mod served;
mod shared;
mod texts;
mod view;

use document::{
    Components, Document, Info, License, Map, Parameter, Part, Response, Schema, Server, Tag,
    Variable,
};
pub use example::Examples;
use example::Maker;
use schema::{Schemas, component};
#[cfg(feature = "served")]
pub use served::served;
use view::View;

/// The scope and the form of a document: the arguments of the commands `openapi`.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// The release to describe; without it all releases, with `x-since` on each item
    #[cfg_attr(feature = "clap", arg(long = "as", value_name = "PROGRAM@VERSION"))]
    pub release: Option<String>,
    /// Only these groups of operations
    #[cfg_attr(feature = "clap", arg(long, value_name = "GROUP", value_delimiter = ','))]
    pub groups: Vec<String>,
    /// The ids of the operations; all where there is no list. One that the release lacks is described as all releases have it, and one that
    /// the catalogue lacks is named under `x-left-out`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub operations: Option<BTreeSet<String>>,
    /// The output format
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub format: Format,
    /// The version of OpenAPI
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub openapi: OpenApi,
    /// The bodies of a request
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub bodies: Bodies,
    /// The values that the schema of an enumeration takes
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub enums: Enums,
}

/// A version of OpenAPI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum OpenApi {
    /// 3.1, whose schemas are JSON Schema
    #[default]
    #[cfg_attr(feature = "clap", value(name = "3.1"))]
    V3_1,
    /// 3.0, for tools that know no other
    #[cfg_attr(feature = "clap", value(name = "3.0"))]
    V3_0,
}

/// The bodies that a request can have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Bodies {
    /// JSON, form and multipart
    #[default]
    All,
    /// JSON alone: files, and operations that need one, are left out and named under `x-left-out`
    One,
}

/// The values that the schema of an enumeration takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Enums {
    /// The listed values and any other text, as a newer server may send
    #[default]
    Open,
    /// The listed values alone
    Closed,
}

/// The notation of the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// JSON
    #[default]
    Json,
    /// YAML
    Yaml,
}

/// Makes the document.
///
/// # Errors
/// Where the catalogue does not know the release or a group; the message names the nearest ones.
pub fn document(api: &Api, options: &Options) -> Result<Document, String> {
    let release = options.release.as_deref();
    let release = { release.map(|text| registered::named(api, text)) }.transpose()?;
    for group in &options.groups {
        known_group(api, group)?;
    }
    let view = View::new(api, release);
    let named = options.operations.as_ref();
    let all = named.map(|_| View::new(api, None));
    let schemas =
        Schemas { view: &view, all: all.as_ref(), openapi: options.openapi, enums: options.enums };
    let in_group = |group: &String| options.groups.is_empty() || options.groups.contains(group);
    let wanted = |item: &Item| named.map_or_else(|| view.shows(item), |ids| ids.contains(&item.id));
    let shown = { api.operations.iter() }
        .filter(|operation| in_group(&operation.group) && wanted(&operation.item));
    let mut paths = Map::<Map<_>>::new();
    let is_unknown = |id: &&String| api.operations.iter().all(|known| known.item.id != **id);
    let mut left_out: Vec<_> = named.into_iter().flatten().filter(is_unknown).cloned().collect();
    let mut twins = Vec::new();
    for operation in shown {
        let schemas = schemas.that_show(&operation.item);
        let Some((method, path)) = operation::route(schemas, operation) else {
            continue;
        };
        if options.bodies == Bodies::One && request::needs_a_file(operation) {
            left_out.push(operation.item.id.clone());
            continue;
        }
        let described = schemas.operation(operation, options.bodies);
        let others = schemas.twins(operation, &described);
        twins.extend(others.into_iter().map(|twin| (path.clone(), twin)));
        paths.entry(path).or_default().insert(method, described);
    }
    // A method that is an operation of its own is nobody's twin.
    for (path, (method, described)) in twins {
        let methods = paths.entry(path).or_default();
        methods.entry(method).or_insert(described);
    }
    let used: BTreeSet<&str> = { paths.values().flat_map(Map::values) }
        .flat_map(|operation: &document::Operation| &operation.tags)
        .map(String::as_str)
        .collect();
    let tags = { api.groups.iter() }
        .filter(|group| used.contains(group.id.as_str()))
        .map(|group| Tag {
            name: group.id.clone(),
            description: view.text(&group.summary).unwrap_or_default(),
        })
        .collect();
    let bodies = shared::bodies(&mut paths);
    let responses = shared_responses(schemas, &paths);
    let responses = shared::answers(&mut paths, responses, operation::answer_name);
    let parameters = shared::parameters(&mut paths);
    let answers = paths.values().flat_map(Map::values).flat_map(|one| one.responses.values());
    let has_pages = { answers.filter_map(Part::own) }.any(|answer| !answer.headers.is_empty());
    let asked = paths.values().flat_map(Map::values);
    let components = Components {
        schemas: components(schemas, &paths, (&parameters, &responses), bodies),
        parameters,
        responses,
        headers: has_pages
            .then(|| (operation::LINK.to_owned(), operation::link_header()))
            .into_iter()
            .collect(),
        security_schemes: security::schemes(&view, asked.map(|operation| &operation.security)),
    };
    let operations = paths.values_mut().flat_map(Map::values_mut);
    let maker = Maker { known: &components.schemas, is_whole: false, has_dates: false };
    for body in operations.filter_map(|operation| operation.request_body.as_mut()) {
        // The first kind of body shows what the others hold too.
        if let Some(media) = body.content.values_mut().next() {
            media.example = maker.of("", &media.schema, 0);
        }
    }
    Ok(Document {
        openapi: match options.openapi {
            OpenApi::V3_1 => "3.1.1",
            OpenApi::V3_0 => "3.0.4",
        },
        info: info(api, release, options.openapi, left_out),
        servers: vec![server()],
        tags,
        paths,
        components,
    })
}

fn known_group(api: &Api, group: &str) -> Result<(), String> {
    let all = || api.groups.iter().map(|group| group.id.as_str());
    if all().any(|known| known == group) {
        return Ok(());
    }
    let known = all().collect::<Vec<_>>().join(", ");
    let meant = did_you_mean(group, all(), "");
    Err(format!(
        "there is no group `{group}`; {meant}{}there are {known}",
        if meant.is_empty() { "" } else { " " }
    ))
}

fn info(
    api: &Api,
    release: Option<Registered<'_>>,
    openapi: OpenApi,
    left_out: Vec<String>,
) -> Info {
    let (title, version, program, of) = match release {
        Some(found) => {
            let name = &found.program.name;
            let shown = found.asked.unwrap_or(found.version);
            let other = found.stands_for().map_or_else(String::new, |other| format!(" {other}."));
            (
                format!("{name} {shown}, client API"),
                shown.to_string(),
                Some(found.program.key.clone()),
                format!("The client API as {name} {shown} has it.{other}"),
            )
        }
        None => (
            api.title(),
            env!("CARGO_PKG_VERSION").to_owned(),
            None,
            "The client API of all releases that the catalogue knows. `x-since` tells by program the first release that has an item; \
             `never` is absent up to the newest release looked at, and `unknown` is what no source says."
                .to_owned(),
        ),
    };
    let is_new = openapi == OpenApi::V3_1;
    Info {
        title,
        summary: is_new.then(|| "What servers of the fediverse offer to clients.".to_owned()),
        description: format!("{of} Made from the Fedispec catalogue."),
        license: License {
            name: "MIT OR Apache-2.0",
            identifier: is_new.then_some("MIT OR Apache-2.0"),
            url: (!is_new).then_some("https://spdx.org/licenses/MIT.html"),
        },
        version,
        program,
        left_out,
    }
}

fn server() -> Server {
    let host = Variable { default: "social.invalid", description: "The server's name." };
    Server {
        url: "https://{host}",
        description: "Any server of the program.",
        variables: Map::from([("host".to_owned(), host)]),
    }
}

/// The answers that the operations refer to.
fn shared_responses(
    schemas: Schemas<'_, '_>,
    paths: &Map<Map<document::Operation>>,
) -> Map<Response> {
    let operations = paths.values().flat_map(Map::values);
    let responses = operations.flat_map(|operation| operation.responses.values());
    let used: BTreeSet<&str> = responses
        .filter_map(|part| match part {
            Part::Shared { reference } => reference.rsplit('/').next(),
            Part::Own(_) => None,
        })
        .collect();
    let mut shared = schemas.shared_responses();
    shared.retain(|name, _| used.contains(name.as_str()));
    shared
}

/// The item that a component is generated from.
enum Named<'a> {
    Entity(&'a Entity),
    Enum(&'a Enumeration),
}

/// The entities and enumerations that the operations name, directly or through others, by name.
fn components(
    schemas: Schemas<'_, '_>,
    paths: &Map<Map<document::Operation>>,
    (parameters, responses): (&Map<Parameter>, &Map<Response>),
    bodies: Map<Schema>,
) -> Map<Schema> {
    let api = schemas.view.api;
    let entities = { api.entities.iter() }.map(|one| (&one.item.id, Named::Entity(one)));
    let enums = { api.enums.iter() }.map(|one| (&one.item.id, Named::Enum(one)));
    let known: HashMap<String, Named<'_>> =
        { enums.chain(entities) }.map(|(id, named)| (component(id), named)).collect();
    let mut next: Vec<String> = Vec::new();
    let media = responses.values().flat_map(|answer| answer.content.values());
    media.for_each(|media| references(&media.schema, &mut next));
    parameters.values().for_each(|one| references(&one.schema, &mut next));
    bodies.values().for_each(|schema| references(schema, &mut next));
    let mut found = bodies;
    for operation in paths.values().flat_map(Map::values) {
        let parameters = operation.parameters.iter().filter_map(Part::own).map(|own| &own.schema);
        let bodies = operation.request_body.iter().flat_map(|body| body.content.values());
        let answers = operation.responses.values().filter_map(Part::own);
        let answers = answers.flat_map(|answer| answer.content.values());
        let bodies = bodies.chain(answers).map(|media| &media.schema);
        parameters.chain(bodies).for_each(|schema| references(schema, &mut next));
    }
    while let Some(name) = next.pop() {
        if found.contains_key(&name) {
            continue;
        }
        let schema = match known.get(name.as_str()) {
            Some(Named::Entity(entity)) => schemas.that_show(&entity.item).entity(entity),
            Some(Named::Enum(one)) => schemas.that_show(&one.item).enumeration(one),
            None => continue,
        };
        references(&schema, &mut next);
        found.insert(name, schema);
    }
    shared::members(api, &mut found);
    found.sort_keys();
    found
}

/// The names of the components that a schema refers to.
fn references(schema: &Schema, to: &mut Vec<String>) {
    let name = { schema.reference.as_deref() }.and_then(|path| path.rsplit('/').next());
    to.extend(name.map(str::to_owned));
    let boxed = schema.items.iter().chain(&schema.additional_properties).chain(&schema.events);
    let members = schema
        .properties
        .values()
        .chain(schema.pattern_properties.values())
        .chain(schema.payloads.values());
    let parts = schema.all_of.iter().chain(&schema.any_of).chain(members);
    parts.for_each(|schema| references(schema, to));
    boxed.for_each(|schema| references(schema, to));
}

/// Writes the document as text, with a line break at its end.
///
/// # Errors
/// None that is known: every document can be written.
pub fn write(document: &Document, format: Format) -> Result<String, String> {
    match format {
        Format::Json => serde_json::to_string_pretty(document)
            .map(|text| text + "\n")
            .map_err(|error| error.to_string()),
        Format::Yaml => serde_yaml::to_string(document).map_err(|error| error.to_string()),
    }
}
