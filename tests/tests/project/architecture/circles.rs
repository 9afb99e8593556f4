//! No two files import from each other, directly or through others.
//!
//! A file and the files below it count as one module here, so imports between them are allowed in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fedispec_tests::root;

use super::paths::{Module, Sources};

/// The source folders that are written by hand.
const WRITTEN: &[&str] = &[
    "codegen/src",
    "codegen/catalogue/src",
    "codegen/diff/src",
    "codegen/model/src",
    "codegen/openapi/src",
    "codegen/report/src",
    "codegen/site/src",
    "runtime/src",
    "runtime/macros/src",
    "runtime/since/src",
    "xtask/src",
    "xtask/bench/src",
    "xtask/commands/src",
    "xtask/git/src",
    "xtask/live/src",
    "xtask/propose/src",
    "xtask/standin/src",
];

/// The modules that each module imports from, without those above it.
fn needs(sources: &Sources) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let needed = sources.files.iter().map(|(module, file)| {
        let homes = file.names.iter().filter_map(|name| sources.home(name));
        let others = homes.filter(|home| !module.starts_with(home));
        (module, others.collect())
    });
    needed.collect()
}

/// The shortest circle of imports through a module.
fn circle<'s>(
    start: &'s Module,
    needs: &BTreeMap<&'s Module, BTreeSet<&'s Module>>,
) -> Option<Vec<&'s Module>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut further = Vec::new();
        for way in &ways {
            for &next in needs.get(way[way.len() - 1]).into_iter().flatten() {
                if next == start {
                    return Some(way.clone());
                }
                if seen.insert(next) {
                    further.push([way.as_slice(), &[next]].concat());
                }
            }
        }
        ways = further;
    }
    None
}

fn circles(folder: &Path) -> Vec<String> {
    let sources = Sources::read(folder);
    let needs = needs(&sources);
    let mut found = BTreeSet::new();
    for module in sources.files.keys() {
        if let Some(mut way) = circle(module, &needs) {
            way.sort();
            let files = way.iter().map(|module| {
                let path = sources.files[*module].path.strip_prefix(folder);
                path.expect("below the folder").display().to_string()
            });
            found.insert(files.collect::<Vec<_>>().join(" <-> "));
        }
    }
    found.into_iter().collect()
}

#[test]
fn no_file_needs_what_needs_it() {
    let mut found = Vec::new();
    for folder in WRITTEN {
        let circles = circles(&root().join(folder));
        found.extend(circles.into_iter().map(|circle| format!("{folder}: {circle}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("lib.rs", "mod a; mod b; mod c; pub use c::Third;"),
        ("a.rs", "use crate::{b::second, Third}; pub fn first() { second() }"),
        ("b.rs", "pub fn second() { super::c::third() }"),
        ("c.rs", "pub struct Third; pub fn third() {}"),
    ] {
        std::fs::write(folder.path().join(path), text).expect("writable");
    }
    assert_eq!(circles(folder.path()), [""; 0]);
    let back = "use crate::a; pub struct Third; pub fn third() { a::first() }";
    std::fs::write(folder.path().join("c.rs"), back).expect("writable");
    assert_eq!(circles(folder.path()), ["a.rs <-> b.rs <-> c.rs", "a.rs <-> c.rs"]);
}
