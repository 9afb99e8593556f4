//! The commands that only read the catalogue.

use clap::ValueEnum;
use fedispec_model::api::Layer;
use fedispec_report::{coverage, export, show};

use crate::failure::Failure;
use crate::output;
use crate::place::Source;

/// The format of an output.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// Tables for people
    Text,
    /// JSON for programs
    Json,
}

pub(crate) fn export(source: &Source, layer: Layer) -> Result<(), Failure> {
    let api = source.api(layer)?;
    output::stdout(&export::export(&api, source.name()).map_err(Failure::other)?)
}

pub(crate) fn coverage(
    source: &Source,
    layer: Layer,
    format: Format,
    missing: bool,
) -> Result<(), Failure> {
    let api = source.api(layer)?;
    let coverage = coverage::coverage(&api, missing);
    output::stdout(&match format {
        Format::Text => coverage.text(),
        Format::Json => serde_json::to_string_pretty(&coverage).map_err(Failure::other)? + "\n",
    })
}

pub(crate) fn openapi(source: &Source, options: &fedispec_openapi::Options) -> Result<(), Failure> {
    let api = source.api(Layer::Full)?;
    let document = fedispec_openapi::document(&api, options).map_err(Failure::Other)?;
    output::stdout(&fedispec_openapi::write(&document, options.format).map_err(Failure::Other)?)
}

pub(crate) fn show(source: &Source, item: &str) -> Result<(), Failure> {
    let (catalogue, api) = source.open(Layer::Full)?;
    output::stdout(&show::show(&catalogue, &api, item).map_err(Failure::other)?)
}
