//! The subjects of the benchmark: for each crate to measure a package that depends on it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fedispec_model::api::{Api, Type};

use fedispec_commands::failure::Failure;

/// A package that is the crate to measure or depends on it.
pub(super) struct Subject {
    /// The title in the table.
    pub(super) title: &'static str,
    /// The name of its folder and package.
    pub(super) key: &'static str,
    /// The name of the package to measure.
    pub(super) leaf: &'static str,
    /// The content of `[dependencies]`, and further sections.
    pub(super) dependencies: String,
    pub(super) source: Source,
    /// Whether it is a third-party crate, which may have to be downloaded.
    pub(super) peer: bool,
}

pub(super) enum Source {
    /// A library with this source.
    Text(String),
    /// A copy of this folder, with the paths to the project adjusted.
    Folder(PathBuf),
}

impl Subject {
    /// Writes the package below a folder and returns its path.
    pub(super) fn write(&self, scratch: &Path, root: &Path) -> Result<PathBuf, Failure> {
        let place = scratch.join(self.key);
        match &self.source {
            Source::Text(text) => {
                let manifest = format!(
                    "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}",
                    self.key, self.dependencies
                );
                write(&place.join("Cargo.toml"), &manifest)?;
                write(&place.join("src/lib.rs"), text)?;
            }
            Source::Folder(folder) => {
                for file in ["Cargo.toml", "build.rs", "src/main.rs"] {
                    let path = folder.join(file);
                    let text = fs::read_to_string(&path)
                        .map_err(|error| Failure::file("read", &path, &error))?;
                    let outside = root.display().to_string();
                    write(&place.join(file), &text.replace("../../..", &outside))?;
                }
            }
        }
        // The same versions of dependencies as the workspace.
        let lock = root.join("Cargo.lock");
        fs::copy(&lock, place.join("Cargo.lock"))
            .map_err(|error| Failure::file("copy", &lock, &error))?;
        Ok(place)
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Failure::file("write", path, &error))
}

/// All subjects except progenitor's output, which has to be generated first.
pub(super) fn all(root: &Path, api: &Api) -> Vec<Subject> {
    let generated = root.join("generated").display().to_string();
    let ready_made = |title, key, features: &str| Subject {
        title,
        key,
        leaf: "fedispec",
        dependencies: format!("fedispec = {{ path = \"{generated}\", features = [{features}] }}\n"),
        source: Source::Text("pub use fedispec;\n".into()),
        peer: false,
    };
    vec![
        ready_made("fedispec, client without transport", "client-core", "\"client-core\""),
        ready_made("fedispec, client", "client", "\"client\""),
        ready_made("fedispec, server", "server", "\"server\""),
        ready_made("fedispec, client and server", "both", "\"client\", \"server\""),
        Subject {
            leaf: "calls",
            source: Source::Text(calls(api)),
            ..ready_made("a program that calls everything", "calls", "\"streaming\"")
        },
        Subject {
            title: "build.rs, client of two groups",
            key: "sample-client",
            leaf: "sample-client",
            dependencies: String::new(),
            source: Source::Folder(root.join("tests/samples/client")),
            peer: false,
        },
        Subject {
            title: "megalodon 1.3.0",
            key: "megalodon-user",
            leaf: "megalodon",
            dependencies: "megalodon = \"=1.3.0\"\n".into(),
            source: Source::Text("pub use megalodon;\n".into()),
            peer: true,
        },
    ]
}

/// The output of an OpenAPI generator for the same operations.
pub(super) fn progenitor(text: String) -> Subject {
    Subject {
        title: "progenitor 0.15 on the same operations",
        key: "progenitor-output",
        leaf: "progenitor-output",
        dependencies: "bytes = \"1\"\nchrono = { version = \"0.4\", default-features = false, features = [\"clock\", \"serde\"] }\nfutures-core = \"0.3\"\nprogenitor-client = \"0.15\"\nregress = \"0.11\"\n\
                       reqwest = { version = \"0.13\", default-features = false, features = [\"json\", \"stream\", \"query\", \"form\"] }\n\
                       serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nserde_urlencoded = \"0.7\"\n"
            .into(),
        source: Source::Text(text),
        peer: true,
    }
}

/// A program that calls every operation once: generic code is compiled in the crate that uses it.
fn calls(api: &Api) -> String {
    let mut text = String::from(
        "#![allow(clippy::all, missing_docs)]\nuse fedispec::runtime::client::{Client, Error};\n",
    );
    // A client does not call the socket of streams: `stream` opens it.
    let routed = api.operations.iter().filter(|o| o.route.is_some() && o.success != [101]);
    for operation in routed {
        let function = operation.item.id.replace('.', "_");
        let (group, request) = (&operation.group, &operation.item.rust);
        let call = match operation.returns {
            Type::Events(_) => "drop(client.stream(request)); Ok(())",
            _ => "client.send(request).await.map(drop)",
        };
        let _ = writeln!(
            text,
            "pub async fn {function}(client: &Client, request: fedispec::{group}::{request}) -> Result<(), Error> {{ {call} }}"
        );
    }
    text
}
