//! A feature in `show`: since when each program has it, and the items that make it up.

use std::fmt::Write as _;

use fedispec_model::api::{Api, Feature, Item};
use fedispec_model::features::Features;
use fedispec_model::reach::Reach;
use fedispec_model::rows::rows;
use fedispec_reader::load::Catalogue;

use super::{history, write_section};

/// The feature that a query names: by its id, its name or a synonym.
pub(super) fn find<'a>(api: &'a Api, query: &str) -> Option<&'a Feature> {
    api.features.iter().find(|feature| feature.is_called(query))
}

/// The text about a feature.
pub(super) fn text(
    catalogue: &Catalogue,
    api: &Api,
    reach: &Reach<'_>,
    feature: &Feature,
) -> String {
    let mut text = format!("{}\nfeature · {}", feature.id, feature.name());
    if !feature.synonyms.is_empty() {
        let _ = write!(text, " · also called {}", feature.synonyms.join(", "));
    }
    let _ = writeln!(text, "\n\n  {}\n", feature.summary);
    let lives = Features::over(api, reach).lives(feature);
    let lives = api.programs.iter().zip(&lives);
    let lives = lives.map(|(program, life)| format!("{} {}", program.name, life.text()));
    let _ = writeln!(text, "  since  {}", lives.collect::<Vec<_>>().join(" · "));
    if let Some(place) = place(catalogue, feature) {
        let _ = writeln!(text, "  at     {place}");
    }
    let _ = writeln!(text, "\n  Rust name: features::{}", feature.constant());
    let items = rows(api);
    let item = |id: &String| items.iter().find(|row| row.item.id == *id).map(|row| row.item);
    let row = |item: &Item| [item.id.clone(), history::lives(api, reach, item)];
    for (title, ids) in [("Needs", &feature.all), ("Needs one of", &feature.one_of)] {
        let rows: Vec<_> = ids.iter().filter_map(item).map(row).collect();
        write_section(&mut text, title, &rows);
    }
    text
}

/// The file and line of a feature.
fn place(catalogue: &Catalogue, feature: &Feature) -> Option<String> {
    let sources = &catalogue.sources;
    catalogue.features.iter().find_map(|features| {
        let span = sources.span(features.file, &["features", &feature.id])?;
        let (line, _) = sources.line_col(features.file, span.name().start);
        Some(format!("{}:{line}", sources.display_path(features.file)))
    })
}
