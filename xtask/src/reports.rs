//! The commands that only read the catalogue.

use fedispec_model::api::Layer;
use fedispec_report::{coverage, export, show};

use crate::args::Format;
use crate::failure::Failure;
use crate::output;
use crate::place::Place;

pub(crate) fn check(place: &Place) -> Result<(), Failure> {
    let (catalogue, api) = place.open(Layer::Full)?;
    let files = catalogue.sources.files().count();
    let items = coverage::coverage(&api, false).items;
    output::stdout(&format!("{}: {files} files, {items} items, no problems\n", place.spec_name))
}

pub(crate) fn export(place: &Place, layer: Layer) -> Result<(), Failure> {
    let (_, api) = place.open(layer)?;
    output::stdout(&export::export(&api, &place.spec_name).map_err(Failure::other)?)
}

pub(crate) fn coverage(
    place: &Place,
    layer: Layer,
    format: Format,
    missing: bool,
) -> Result<(), Failure> {
    let (_, api) = place.open(layer)?;
    let coverage = coverage::coverage(&api, missing);
    output::stdout(&match format {
        Format::Text => coverage.text(),
        Format::Json => serde_json::to_string_pretty(&coverage).map_err(Failure::other)? + "\n",
    })
}

pub(crate) fn openapi(
    place: &Place,
    arguments: &fedispec_openapi::Arguments,
) -> Result<(), Failure> {
    let (_, api) = place.open(Layer::Full)?;
    output::stdout(&arguments.run(&api).map_err(Failure::Other)?)
}

pub(crate) fn show(place: &Place, item: &str) -> Result<(), Failure> {
    let (catalogue, api) = place.open(Layer::Full)?;
    output::stdout(&show::show(&catalogue, &api, item).map_err(Failure::other)?)
}
