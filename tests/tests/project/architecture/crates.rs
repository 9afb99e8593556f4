//! Holds the dependencies between crates against the table in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fedispec_tests::{commands, root};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

/// The table `May depend on` of ARCHITECTURE.md: crate and crates.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let table = text
        .split("may depend on |")
        .nth(1)
        .expect("the table of crates")
        .split("\n\n")
        .next()
        .expect("its end");
    let code = |cell: &str| -> BTreeSet<String> {
        let pieces = cell.split('`').skip(1).step_by(2);
        pieces.map(str::to_owned).collect()
    };
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let name = code(cells[1]).pop_first().expect("a crate");
        (name, code(cells[cells.len() - 1]))
    })
    .collect()
}

/// The packages of the workspace, as cargo describes them.
fn packages() -> Vec<Value> {
    let mut command = commands::cargo();
    let printed = commands::finish(command.args(["metadata", "--format-version=1", "--no-deps"]));
    let metadata: Value = serde_json::from_str(&printed.succeeded().stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

/// The dependencies of each crate of the workspace, without dev-dependencies.
fn actual() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("a list");
            let linked = dependencies
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .map(name)
                .filter(|dependency| ours.contains(dependency));
            (name(package), linked.collect())
        })
        .collect()
}

#[test]
fn every_crate_depends_on_what_the_table_allows() {
    let mut actual = actual();
    actual.remove("fedispec-tests");
    assert_eq!(actual, allowed());
}

/// The Rust files below a folder, without those of the folders of other packages and of samples.
fn files(folder: &Path, others: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let is_apart = |path: &PathBuf| {
        others.contains(path)
            || ["target", "fixtures", "samples"].iter().any(|name| path.ends_with(name))
    };
    let found = entries
        .filter(|path| !is_apart(path))
        .flat_map(|path| if path.is_dir() { files(&path, others) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// The names that paths and imports begin with.
fn begins(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(one)) if one.as_char() == ':');
    let is_use = |at: usize| matches!(tokens.get(at), Some(TokenTree::Ident(one)) if one == "use");
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => begins(group.stream(), found),
            TokenTree::Ident(name)
                if is_colon(at + 1) && is_colon(at + 2) || at > 0 && is_use(at - 1) =>
            {
                found.insert(name.to_string());
            }
            _ => {}
        }
    }
}

#[test]
fn every_dependency_is_used_by_a_source() {
    let packages = packages();
    let folder = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        manifest.parent().expect("a folder").to_owned()
    };
    let folders: BTreeSet<PathBuf> = packages.iter().map(folder).collect();
    let mut unused = Vec::new();
    for package in &packages {
        let home = folder(package);
        let mut named = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
        for file in files(&home, &folders) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let mut found = BTreeSet::new();
            begins(text.parse().expect("Rust"), &mut found);
            let inner = file.strip_prefix(&home).expect("below it");
            let place =
                usize::from(!inner.starts_with("src")) + usize::from(inner.ends_with("build.rs"));
            named[place.min(2)].append(&mut found);
        }
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = dependency["rename"].as_str().or(dependency["name"].as_str());
            let name = name.expect("a name").replace('-', "_");
            let is_used = match dependency["kind"].as_str() {
                None => named[0].contains(&name),
                Some("build") => named[2].contains(&name),
                Some(_) => named[..2].iter().any(|named| named.contains(&name)),
            };
            if !is_used {
                unused.push(format!("{}: {name}", package["name"]));
            }
        }
    }
    assert!(unused.is_empty(), "no source uses {unused:?}");
}
