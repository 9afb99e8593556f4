//! What a registry would hold builds a downstream crate.

use std::fs;
use std::path::Path;
use std::process::Command;

use fedispec_tests::commands::{cargo, finish};

use crate::crates::Crate;

/// Everything that is published.
const PUBLISHED: [&str; 6] = [
    "fedispec",
    "fedispec-catalogue",
    "fedispec-cli",
    "fedispec-codegen",
    "fedispec-macros",
    "fedispec-runtime",
];

#[test]
fn the_packages_build_a_downstream_crate() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let _ = fs::remove_dir_all(&folder);
    let mut package = cargo();
    package.args([
        "package",
        "--workspace",
        "--offline",
        "--allow-dirty",
        "--no-verify",
    ]);
    // Not published.
    package.args([
        "--exclude",
        "xtask",
        "--exclude",
        "fedispec-tests",
        "--target-dir",
    ]);
    finish(package.arg(&folder)).succeeded();

    let sample = Crate::copy("samples/server", "from-packages");
    let mut manifest = sample.read("Cargo.toml");
    for name in ["runtime", "codegen"] {
        let (before, after) = manifest.split_once("path = \"").expect("a path");
        let (path, after) = after.split_once('"').expect("its end");
        assert!(path.ends_with(name), "{path}");
        manifest = format!("{before}version = \"0.1\"{after}");
    }
    manifest += "\n[patch.crates-io]\n";
    for name in PUBLISHED {
        let unpacked = unpack(&folder.join("package"), name);
        if !matches!(name, "fedispec" | "fedispec-cli") {
            let path = unpacked.replace('\\', "/");
            manifest.extend([name, " = { path = \"", &path, "\" }\n"]);
        }
    }
    sample.write("Cargo.toml", &manifest);
    sample.compiles();
}

/// Unpacks a package; tells where.
fn unpack(folder: &Path, name: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut tar = Command::new("tar");
    let package = format!("{name}-{version}.crate");
    finish(tar.current_dir(folder).args(["-xzf", &package])).succeeded();
    let unpacked = folder.join(format!("{name}-{version}"));
    assert!(unpacked.join("Cargo.toml").is_file());
    unpacked.display().to_string()
}
