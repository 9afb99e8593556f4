//! Go with gin, as in GoToSocial: handlers are attached to a router, and answers are structs with tags.

mod answers;
mod forms;
mod given;
mod go;
mod handlers;
mod swagger;
mod values;
mod walk;

use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::Surface;
use crate::syntax::{File, parse};
use go::{MODEL, Packages};

/// The folders that are read, with their tests left out. Of others only the names of types are met, which stay opaque.
const FOLDERS: [&str; 13] = [
    "internal/api",
    "internal/filter",
    "internal/media",
    "internal/processing",
    "internal/typeutils",
    "internal/validate",
    "internal/oauth",
    "internal/paging",
    "internal/gtsmodel",
    "internal/router",
    "internal/stream",
    "internal/uris",
    "internal/util",
];

/// Reads what the program serves.
pub(crate) fn surface(snapshot: &Snapshot<'_>) -> Result<Surface, Error> {
    let manifest = snapshot.text("go.mod")?.unwrap_or_default();
    let module = manifest.lines().find_map(|line| line.strip_prefix("module "));
    let module = module.unwrap_or_default().trim();
    let mut found = snapshot.sources(&FOLDERS, &[], |path| {
        path.strip_suffix(".go").is_some_and(|stem| !stem.ends_with("_test"))
    })?;
    found.texts.extend(of_library(snapshot, &found.texts)?);
    let (files, mut unread) = parse(&tree_sitter_go::LANGUAGE.into(), found.texts)?;
    unread.extend(found.left_out);
    Ok(Surface { unread, ..read(module, &files) })
}

fn read(module: &str, files: &[File]) -> Surface {
    let packages = Packages::new(module, files);
    let mut surface = Surface::default();
    for route in handlers::routes(&packages) {
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
    surface.enums = values::enums(&packages);
    given::tell(&packages, &mut surface);
    surface
}

/// The constants of the library behind the sign-in, which stand in a file beside the program: the kinds of grants and responses.
fn of_library(
    snapshot: &Snapshot<'_>,
    texts: &[(String, String)],
) -> Result<Option<(String, String)>, Error> {
    let file = texts.iter().find(|(path, _)| path == "internal/oauth/server.go");
    let mut lines = file.into_iter().flat_map(|(_, text)| text.lines());
    let imported = lines.find_map(|line| {
        let path = line.trim().strip_prefix('"')?.strip_suffix('"')?;
        (go::package_name(path) == "oauth2").then_some(path)
    });
    let Some(imported) = imported else {
        return Ok(None);
    };
    let path = format!("vendor/{imported}/const.go");
    Ok(snapshot.text(&path)?.map(|text| (path, text)))
}
