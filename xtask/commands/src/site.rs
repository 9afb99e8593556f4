//! `site`: the pages of the catalogue.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use fedispec_model::api::Layer;
use fedispec_reader::load::Catalogue;
use fedispec_reader::source::FileId;
use fedispec_site::{LIST, Options, Source, files};

use crate::failure::Failure;
use crate::folder;
use crate::place::Source as From;

#[derive(Args)]
pub struct SiteArgs {
    /// The folder to write; one with anything else in it is left alone
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The address that it is published at, for canonical links, the feed and the sitemap
    #[arg(long, value_name = "URL")]
    base: Option<String>,
}

pub(crate) fn run(from: &From, args: &SiteArgs) -> Result<(), Failure> {
    if let Some(base) = &args.base
        && !["https://", "http://"].iter().any(|scheme| base.starts_with(scheme))
    {
        return Err(Failure::Other(format!(
            "`{base}` is no address; write it whole, such as `https://fedispec.example/`"
        )));
    }
    folder::holds_nothing_else(&args.out, LIST)?;
    let (catalogue, api) = from.open(Layer::Full)?;
    let sources = catalogue.implementations.sources.values().map(|source| Source {
        class: source.class,
        title: source.full_title(),
        url: source.url.clone(),
    });
    let options = Options {
        base: args.base.clone(),
        lines: Some(format!("{}/blob/main/spec", env!("CARGO_PKG_REPOSITORY"))),
        pages: pages(&catalogue),
        sources: sources.collect(),
    };
    let made = files(&api, &options).map_err(Failure::Other)?;
    folder::replace(&args.out, LIST, &made)
}

/// The lines behind the pages of releases, of groups, of features and of the sources.
fn pages(catalogue: &Catalogue) -> BTreeMap<String, (String, usize)> {
    let sources = &catalogue.sources;
    let line = |file: FileId, path: &[&str]| {
        let span = sources.span(file, path)?;
        let (line, _) = sources.line_col(file, span.name().start);
        Some((sources.path(file).to_owned(), line))
    };
    let programs = &catalogue.implementations.programs;
    let releases = programs.iter().flat_map(|(key, program)| {
        let registry = catalogue.registry(program.file);
        let versions = program.releases.keys().map(|version| version.0.to_string());
        versions.filter_map(move |version| {
            let at = line(registry, &["programs", key, "releases", &version])?;
            Some((format!("releases/{key}/{version}/"), at))
        })
    });
    let files = catalogue.layers.iter().flat_map(|layer| &layer.files);
    let groups = files.flat_map(|one| {
        let ids = one.content.groups.keys();
        ids.filter_map(move |id| Some((format!("groups/{id}/"), line(one.file, &["groups", id])?)))
    });
    let evidence =
        line(catalogue.implementations_file, &["sources"]).map(|at| ("sources/".to_owned(), at));
    let features = catalogue.features.iter().flat_map(|one| {
        let ids = one.content.features.keys();
        ids.filter_map(move |id| {
            Some((format!("features/{id}/"), line(one.file, &["features", id])?))
        })
    });
    releases.chain(groups).chain(features).chain(evidence).collect()
}
