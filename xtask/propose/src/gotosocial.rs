//! GoToSocial: a Go program on gin, whose answers are structs with tags.

mod forms;
mod go;
mod handlers;
mod routes;
mod swagger;

use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::{Enumeration, Surface};
use crate::syntax::{File, parse};
use go::Packages;

/// The folders that are read, with their tests left out. Of others only the names of types are met, which stay opaque.
const FOLDERS: [&str; 8] = [
    "internal/api",
    "internal/oauth",
    "internal/paging",
    "internal/gtsmodel",
    "internal/router",
    "internal/stream",
    "internal/uris",
    "internal/util",
];

/// The package of what is answered.
const MODEL: &str = "internal/api/model";

/// The source does not say which release it is.
#[allow(
    clippy::unnecessary_wraps,
    reason = "other programs' sources do, and may fail to be read"
)]
pub(crate) fn version(_: &Snapshot<'_>) -> Result<Option<String>, Error> {
    Ok(None)
}

/// Reads what the program serves.
pub(crate) fn surface(snapshot: &Snapshot<'_>) -> Result<Surface, Error> {
    let manifest = snapshot.text("go.mod")?.unwrap_or_default();
    let module = manifest
        .lines()
        .find_map(|line| line.strip_prefix("module "));
    let module = module.unwrap_or_default().trim();
    let mut texts = Vec::new();
    for folder in FOLDERS {
        let wanted = |path: &str| {
            let stem = path.strip_suffix(".go");
            stem.is_some_and(|stem| !stem.ends_with("_test"))
        };
        texts.extend(snapshot.below(folder, wanted)?);
    }
    let (files, unread) = parse(&tree_sitter_go::LANGUAGE.into(), texts)?;
    Ok(Surface {
        unread,
        ..read(module, &files)
    })
}

fn read(module: &str, files: &[File]) -> Surface {
    let packages = Packages::new(module, files);
    let mut surface = Surface::default();
    for route in routes::routes(&packages) {
        for (endpoint, operation) in handlers::operations(&packages, &route) {
            surface.operations.entry(endpoint).or_insert(operation);
        }
    }
    for (folder, package) in packages.all() {
        if folder == MODEL {
            for name in package.types.keys() {
                if let Some(shape) = forms::shape(&packages, (folder, name)) {
                    surface.shapes.insert((*name).to_owned(), shape);
                }
            }
        }
    }
    for (constant, text) in packages.texts(MODEL) {
        let Some(of) = constant.r#type.filter(|of| of.kind() == "type_identifier") else {
            continue;
        };
        let declared = packages.declaration((MODEL, of.text()));
        let enumeration = surface
            .enums
            .entry(of.text().to_owned())
            .or_insert_with(|| Enumeration {
                at: declared.unwrap_or(of).place(),
                values: std::collections::BTreeMap::new(),
            });
        enumeration
            .values
            .entry(text)
            .or_insert_with(|| constant.name.place());
    }
    surface
}
