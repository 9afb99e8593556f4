//! Holds the dependencies between crates against the table in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_tests::{commands, root};
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

/// The dependencies of each crate of the workspace, without dev-dependencies.
fn actual() -> BTreeMap<String, BTreeSet<String>> {
    let mut command = commands::cargo();
    let printed = commands::finish(command.args(["metadata", "--format-version=1", "--no-deps"]));
    let metadata: Value = serde_json::from_str(&printed.succeeded().stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
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
