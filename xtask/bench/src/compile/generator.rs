//! The client that progenitor generates for the same operations.

use std::fs;
use std::path::Path;

use fedispec_model::api::Api;
use fedispec_openapi::{Bodies, Format, OpenApi, Options};

use super::measure::{cargo, finish};
use super::subject::write;
use fedispec_commands::failure::Failure;

const MANIFEST: &str = "\
[package]
name = \"generator\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[dependencies]
openapiv3 = \"2\"
progenitor-impl = \"0.15\"
serde_json = \"1\"
";

const MAIN: &str = "\
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let document: openapiv3::OpenAPI = serde_json::from_str(&std::fs::read_to_string(\"openapi.json\")?)?;
    let tokens = progenitor_impl::Generator::default().generate_tokens(&document)?;
    std::fs::write(\"made.rs\", tokens.to_string())?;
    Ok(())
}
";

/// The catalogue as this generator takes it.
fn openapi(api: &Api) -> Result<String, Failure> {
    let options = Options { openapi: OpenApi::V3_0, bodies: Bodies::One, ..Options::default() };
    let document = fedispec_openapi::document(api, &options).map_err(Failure::Other)?;
    fedispec_openapi::write(&document, Format::Json).map_err(Failure::Other)
}

/// The source of the generated client.
pub(super) fn output(api: &Api, scratch: &Path) -> Result<String, Failure> {
    let place = scratch.join("generator");
    write(&place.join("Cargo.toml"), MANIFEST)?;
    write(&place.join("src/main.rs"), MAIN)?;
    write(&place.join("openapi.json"), &openapi(api)?)?;
    let target = scratch.join("generator-target");
    finish(cargo(&place, &target).args(["run", "--quiet"]))?;
    let made = place.join("made.rs");
    // Formatted, because its lines are counted.
    let _ = finish(std::process::Command::new("rustfmt").args(["--edition", "2024"]).arg(&made));
    let text = fs::read_to_string(&made).map_err(|error| Failure::file("read", &made, &error))?;
    let _ = fs::remove_dir_all(target);
    Ok(text)
}
