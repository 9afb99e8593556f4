//! The manifests: the stated `rust-version` is enough for all dependencies, and every crate has what a registry asks for.

use std::collections::BTreeSet;
use std::process::Command;

use fedispec_tests::{commands, root};
use serde_json::Value;

fn metadata() -> Value {
    let mut command: Command = commands::cargo();
    let told = commands::finish(command.args(["metadata", "--format-version=1", "--all-features"]))
        .succeeded();
    serde_json::from_str(&told.stdout).expect("cargo prints JSON")
}

/// Reads a version of Rust; `1.88` means `1.88.0`.
fn version(text: &str) -> Vec<u32> {
    let mut parts: Vec<u32> = text.split('.').map(|part| part.parse().expect("a number")).collect();
    parts.resize(3, 0);
    parts
}

fn ours(metadata: &Value) -> Vec<&Value> {
    let members = metadata["workspace_members"].as_array().expect("members");
    metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .filter(|package| members.contains(&package["id"]))
        .collect()
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let metadata = metadata();
    let floor =
        version(ours(&metadata)[0]["rust_version"].as_str().expect("a stated Rust version"));
    let mut checked = 0;
    for package in metadata["packages"].as_array().expect("packages") {
        let Some(needed) = package["rust_version"].as_str() else {
            continue;
        };
        checked += 1;
        assert!(
            version(needed) <= floor,
            "{} {} needs Rust {needed}",
            package["name"],
            package["version"]
        );
    }
    assert!(checked > 30, "only {checked} packages state a version");
}

#[test]
fn every_crate_says_what_a_registry_asks_for() {
    let metadata = metadata();
    for package in ours(&metadata) {
        let name = package["name"].as_str().expect("a name");
        assert_eq!(package["edition"], "2024", "{name}");
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{name}");
        for key in ["description", "repository", "rust_version"] {
            assert!(
                package[key].as_str().is_some_and(|text| !text.is_empty()),
                "{name} has no {key}"
            );
        }
        if package["publish"].is_null() {
            assert!(
                package["keywords"]
                    .as_array()
                    .is_some_and(|words| !words.is_empty() && words.len() <= 5),
                "{name}"
            );
            assert!(
                package["categories"].as_array().is_some_and(|categories| !categories.is_empty()),
                "{name}"
            );
        }
    }
}

#[test]
fn a_dependency_on_the_repository_finds_each_package_once() {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "Cargo.toml", "*/Cargo.toml"]);
    let mut names = BTreeSet::new();
    for path in commands::finish(&mut git).succeeded().stdout.lines() {
        let text = std::fs::read_to_string(root().join(path)).expect(path);
        let name = text.lines().find(|line| line.starts_with("name = "));
        assert!(name.is_none_or(|name| names.insert(name.to_owned())), "{path}: {name:?}");
    }
    assert!(names.contains("name = \"fedispec\""), "{names:?}");
}

#[test]
fn the_licences_are_there_in_full() {
    let text =
        |name: &str| std::fs::read_to_string(root().join(name)).expect("the licence is there");
    assert!(text("LICENSE-MIT").contains("THE SOFTWARE IS PROVIDED \"AS IS\""));
    assert!(text("LICENSE-APACHE").contains("END OF TERMS AND CONDITIONS"));
}

/// The packages that a crate of ours compiles for a user, with some of its features.
fn packages(of: &str, features: &str) -> BTreeSet<String> {
    let mut command = commands::cargo();
    let told = commands::finish(command.args([
        "tree",
        "--package",
        of,
        "--no-default-features",
        "--features",
        features,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p}",
    ]))
    .succeeded();
    let names = told.stdout.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

/// Building a build script should not cost more than building what it generates.
#[test]
fn a_build_script_compiles_few_packages() {
    let packages = packages("fedispec-codegen", "embedded");
    assert!(packages.contains("fedispec-catalogue"), "{packages:?}");
    assert!(packages.len() <= 20, "{packages:?}");
    for other in ["fedispec-runtime", "fedispec-reader", "prettyplease", "serde_yaml"] {
        assert!(!packages.contains(other), "a build script compiles {other}");
    }
}

#[test]
fn a_client_without_a_transport_compiles_few_packages() {
    for (features, most) in [("client-core", 25), ("oauth", 36)] {
        let packages = packages("fedispec", features);
        assert!(packages.contains("fedispec-runtime"), "{packages:?}");
        assert!(packages.len() <= most, "{features}: {} packages, {packages:?}", packages.len());
        for other in ["tokio", "reqwest", "axum"] {
            assert!(!packages.contains(other), "{features} compiles {other}");
        }
    }
}

/// `gen` must be able to mend a broken generated/ and a broken embedded catalogue, so it must not depend on them.
#[test]
fn xtask_links_nothing_that_it_writes() {
    let mut command = commands::cargo();
    let told = commands::finish(command.args([
        "tree",
        "--package",
        "xtask",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]))
    .succeeded();
    let linked: Vec<&str> = told.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(linked.contains(&"fedispec-codegen"), "{linked:?}");
    for made in ["fedispec", "fedispec-catalogue"] {
        assert!(!linked.contains(&made), "xtask links {made}");
    }
    // Nor does a command that everybody runs need a C compiler.
    for compiled in ["tree-sitter", "cc"] {
        assert!(!linked.contains(&compiled), "xtask compiles {compiled}");
    }
}
