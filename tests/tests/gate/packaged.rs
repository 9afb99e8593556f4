//! The packages as published: each compiles, and they build a downstream crate from vendored sources, without a registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fedispec_tests::catalogue;
use fedispec_tests::commands::{cargo, finish};
use fedispec_tests::root;
use fedispec_tests::skip::skipped;

use crate::crates::{Crate, warnings};

/// Our crates that a crate with generated bindings depends on.
const NEEDED: [&str; 7] = [
    "fedispec-catalogue",
    "fedispec-codegen",
    "fedispec-macros",
    "fedispec-model",
    "fedispec-reader",
    "fedispec-runtime",
    "fedispec-since",
];

/// The same check as `cargo package`, but with one build of the packages' common dependencies.
#[test]
fn every_package_compiles_from_its_published_files() {
    let packages = packages("every-package");
    let names = fs::read_dir(&packages).expect("the packages").flatten();
    let names = names.filter(|entry| entry.path().join("Cargo.toml").is_file());
    let names: Vec<_> = names.map(|entry| entry.file_name().display().to_string()).collect();
    assert!(NEEDED.len() < names.len(), "{names:?}");
    for name in &names {
        let package = packages.join(name);
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            let text = fs::read_to_string(package.join(file)).unwrap_or_default();
            assert!(text.len() > 200, "{name} has no {file}");
        }
        let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("a manifest");
        for line in [
            "description = ",
            "keywords = [",
            "categories = [",
            "readme = \"README.md\"",
            "[package.metadata.docs.rs]",
        ] {
            assert!(manifest.contains(line), "{name} has no {line}");
        }
    }
    // With the workspace's profile, what the packages depend on is checked already.
    let members = format!(
        "[profile.dev]\ndebug = false\n\
         [workspace]\nresolver = \"3\"\nmembers = {names:?}\n[patch.crates-io]\n"
    );
    let manifest = names.iter().fold(members, |text, folder| {
        let (name, _) = folder.rsplit_once('-').expect("a version");
        text + &format!("{name} = {{ path = {folder:?} }}\n")
    });
    catalogue::write(&packages.join("Cargo.toml"), manifest.as_bytes());
    fs::copy(root().join("Cargo.lock"), packages.join("Cargo.lock")).expect("the lock file");
    let mut check = cargo();
    check.args(["check", "--workspace", "--all-features", "--offline"]);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    check.current_dir(&packages).env("CARGO_TARGET_DIR", target);
    assert_eq!(warnings(&finish(&mut check).succeeded()), [""; 0]);
}

#[test]
fn the_packages_build_a_downstream_crate_from_vendored_sources() {
    let packages = packages("packages");
    let sample = Crate::copy("samples/server", "vendored");
    let manifest = with_versions(&sample.read("Cargo.toml"));
    let patched = NEEDED.iter().fold(manifest.clone() + "\n[patch.crates-io]\n", |text, name| {
        let path = unpacked(&packages, name).display().to_string();
        text + &format!("{name} = {{ path = \"{}\" }}\n", path.replace('\\', "/"))
    });
    sample.write("Cargo.toml", &patched);
    let vendored = sample.cargo(&["vendor", "--versioned-dirs", "vendor"]);
    if vendored.stderr.contains("--offline was specified") {
        return skipped(
            "the_packages_build_a_downstream_crate_from_vendored_sources",
            "cargo has not fetched what other systems need too; `cargo fetch` does",
        );
    }
    // `cargo vendor` prints the configuration that it needs.
    sample.write(".cargo/config.toml", &vendored.succeeded().stdout);
    sample.write("Cargo.toml", &manifest);
    for name in NEEDED {
        vendor(&unpacked(&packages, name), sample.place());
    }

    // An empty cargo home, without a registry's index or sources.
    let home = sample.place().join("cargo-home");
    fs::create_dir_all(&home).expect("a folder");
    // cargo assumes that vendored sources never change, so our crates need a new build each time.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendored-target");
    let at_home = |arguments: &[&str]| {
        let mut command = sample.command(arguments);
        command
            .env("CARGO_HOME", &home)
            .env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        finish(&mut command).succeeded()
    };
    let ours: Vec<&str> = NEEDED.iter().flat_map(|name| ["--package", name]).collect();
    at_home(&[&["clean"], ours.as_slice()].concat());
    assert_eq!(warnings(&at_home(&["check"])), [""; 0]);
    assert!(!home.join("registry/src").exists());
}

/// Packages every published crate and unpacks it; returns the folder.
fn packages(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let mut package = cargo();
    package.args(["package", "--workspace", "--offline", "--allow-dirty", "--no-verify"]);
    for unpublished in ["xtask", "fedispec-bench", "fedispec-propose", "fedispec-tests"] {
        package.args(["--exclude", unpublished]);
    }
    package.arg("--target-dir");
    finish(package.arg(&folder)).succeeded();
    let folder = folder.join("package");
    for package in fs::read_dir(&folder).expect("the packages").flatten() {
        let package = package.path();
        if package.extension().is_some_and(|extension| extension == "crate") {
            let mut tar = Command::new("tar");
            finish(tar.current_dir(&folder).arg("-xzf").arg(&package)).succeeded();
        }
    }
    folder
}

fn unpacked(packages: &Path, name: &str) -> PathBuf {
    let place = packages.join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
    assert!(place.join("Cargo.toml").is_file());
    place
}

/// The manifest with versions in the place of paths.
fn with_versions(manifest: &str) -> String {
    let mut manifest = manifest.to_owned();
    for name in ["runtime", "codegen"] {
        let (before, after) = manifest.split_once("path = \"").expect("a path");
        let (path, after) = after.split_once('"').expect("its end");
        assert!(path.ends_with(name), "{path}");
        manifest = format!("{before}version = \"0.1\"{after}");
    }
    manifest
}

/// Puts a package where `cargo vendor` would, had it come from a registry.
fn vendor(package: &Path, place: &Path) {
    let name = package.file_name().expect("a name");
    let to = place.join("vendor").join(name);
    for (path, text) in catalogue::tree(package) {
        catalogue::write(&to.join(path), &text);
    }
    let checksums = br#"{"files":{},"package":null}"#;
    catalogue::write(&to.join(".cargo-checksum.json"), checksums);
}
