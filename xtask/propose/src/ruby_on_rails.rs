//! Ruby on Rails, as in Mastodon: answers are written by serializers.

mod controllers;
mod enums;
mod evaluate;
mod routes;
mod ruby;
mod schema;
mod serializers;
mod streaming;
mod value;

use std::collections::BTreeMap;

use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::{Field, Param, SourceType, Surface};
use crate::syntax::{File, Spot, parse};
use ruby::Classes;

/// The folders that are read.
const FOLDERS: [&str; 10] = [
    "app/controllers",
    "app/lib",
    "app/models",
    "app/policies",
    "app/presenters",
    "app/serializers",
    "app/services",
    "app/validators",
    "app/workers",
    "config/routes",
];

/// Single files.
const FILES: [&str; 3] = ["config/routes.rb", "config/initializers/doorkeeper.rb", "db/schema.rb"];

/// The file with the program's own version, in a folder of the program's name below `lib`.
fn is_version(path: &str) -> bool {
    let inside = path.strip_prefix("lib/").and_then(|path| path.strip_suffix("/version.rb"));
    inside.is_some_and(|folder| !folder.contains('/'))
}

/// Reads what the program serves.
pub(crate) fn surface(snapshot: &Snapshot<'_>, api: &str) -> Result<Surface, Error> {
    let versions = snapshot.below("lib", is_version)?.texts;
    let own = versions.iter().filter_map(|(path, _)| path.strip_suffix("/version.rb"));
    let folders: Vec<&str> = FOLDERS.into_iter().chain(own).collect();
    let found = snapshot.sources(&folders, &FILES, |path| path.strip_suffix(".rb").is_some())?;
    let (files, mut unread) = parse(&tree_sitter_ruby::LANGUAGE.into(), found.texts)?;
    unread.extend(found.left_out);
    let mut surface = read(&files, api);
    surface.unread = unread;
    streaming::add(snapshot, &mut surface)?;
    Ok(surface)
}

fn read(files: &[File], api: &str) -> Surface {
    let classes = Classes::new(files);
    let tables = schema::tables(files);
    let evaluator = evaluate::Evaluator::new(&classes);
    let mut surface = Surface {
        shapes: serializers::shapes(&classes, &evaluator, &tables),
        ..Surface::default()
    };
    for route in routes::routes(files) {
        // The first route that fits is taken.
        if surface.operations.contains_key(&route.endpoint) {
            continue;
        }
        if let Some(operation) =
            controllers::operation(&classes, &evaluator, &route, &mut surface.shapes)
        {
            surface.operations.insert(route.endpoint, operation);
        }
    }
    stored(&mut surface);
    surface.enums = enums::enums(&classes, files);
    streaming::events(files, &mut surface.enums);
    surface.api = api_number(files, api);
    surface
}

/// Gives objects that callers had the program store the keys that the operations which answer them take: what may be sent comes back.
fn stored(surface: &mut Surface) {
    let shapes = surface.shapes.iter();
    let stored = shapes.filter_map(|(name, shape)| Some((name.clone(), shape.stored.clone()?)));
    for (name, sent) in stored.collect::<Vec<_>>() {
        let Some((whole, key)) = name.rsplit_once('.') else {
            continue;
        };
        let operations = surface.operations.values();
        let answers = operations
            .filter(|one| one.answer.as_ref().is_some_and(|answer| answer.shape == whole));
        let taken = answers.map(|operation| members(&operation.params, &sent));
        let taken = taken.filter(|fields| !fields.is_empty());
        // A key that only one of several ways lets through may be missing.
        let fields = taken.reduce(|mut fields, other| {
            fields.retain(|key, _| other.contains_key(key));
            fields
        });
        let fields = fields.unwrap_or_default();
        if fields.is_empty() {
            surface.shapes.remove(&name);
            let around = surface.shapes.get_mut(whole);
            if let Some(field) = around.and_then(|around| around.fields.get_mut(key)) {
                field.r#type = SourceType::Unknown;
            }
        } else if let Some(shape) = surface.shapes.get_mut(&name) {
            shape.fields = fields;
        }
    }
}

/// The fields of what is stored of a parameter: `mention` of `data[alerts][mention]`.
fn members(params: &BTreeMap<String, Param>, sent: &str) -> BTreeMap<String, Field> {
    let members = params.iter().filter_map(|(name, param)| {
        let key = name.strip_prefix(sent)?.strip_prefix('[')?.strip_suffix(']')?;
        let field = Field::at(param.at.clone());
        (!key.contains('[')).then(|| (key.to_owned(), field))
    });
    members.collect()
}

/// The release that the source calls itself, a pre-release by that of the release that it precedes.
pub(crate) fn version(snapshot: &Snapshot<'_>) -> Result<Option<String>, Error> {
    let found = snapshot.below("lib", is_version)?;
    let (files, _) = parse(&tree_sitter_ruby::LANGUAGE.into(), found.texts)?;
    let number = |part| {
        let mut methods = files.iter().flat_map(|file| file.root().of_kind("method"));
        let method = methods.find(|method| method.is("name", part))?;
        Some(ruby::statements(method).last()?.text())
    };
    let parts: Option<Vec<_>> = ["major", "minor", "patch"].into_iter().map(number).collect();
    Ok(parts.map(|parts| parts.join(".")))
}

/// The number of an API under `api_versions`.
fn api_number(files: &[File], api: &str) -> Option<u32> {
    let file = files.iter().find(|file| is_version(&file.path))?;
    let methods = file.root().of_kind("method").filter(|at| at.is("name", "api_versions"));
    let mut pairs = methods.flat_map(|method| method.of_kind("pair"));
    let is_it = |pair: &Spot<'_>| pair.field("key").and_then(ruby::name).as_deref() == Some(api);
    pairs.find(is_it)?.word("value").parse().ok()
}
