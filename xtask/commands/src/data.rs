//! `data`: the catalogue for other languages.

use std::path::PathBuf;

use clap::Args;
use fedispec_data::{Format, LIST, files};
use fedispec_model::api::Layer;

use crate::failure::Failure;
use crate::folder;
use crate::place::Source;

#[derive(Args)]
pub struct DataArgs {
    /// What to write
    #[arg(long, value_enum)]
    format: Format,
    /// The folder to write; one with anything else in it is left alone
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(source: &Source, args: &DataArgs) -> Result<(), Failure> {
    folder::holds_nothing_else(&args.out, LIST)?;
    let api = source.api(Layer::Full)?;
    folder::replace(&args.out, LIST, &files(&api, args.format))
}
