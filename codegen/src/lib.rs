//! From the Fedispec catalogue to Rust.
//!
//! Data flows one way: [`load`] reads the YAML layers, `merge` lays the supplement over the documents, `check`
//! names every problem, `resolve` makes the [`api::Api`], and every emitter is a function of that.

use std::path::Path;

pub mod api;
pub mod changes;
mod check;
pub mod coverage;
pub mod diagnostic;
pub mod diff;
pub mod emit;
pub mod export;
pub mod load;
mod merge;
pub mod model;
mod names;
mod notation;
mod problems;
mod release;
pub mod resolve;
pub mod resolved;
pub mod rows;
#[cfg(feature = "schema")]
pub mod schema;
pub mod show;
pub mod source;
mod stand_in;
mod wire;
pub mod write;

/// Loads, checks and resolves the catalogue of a folder; every problem of every kind is reported at once.
pub fn open(
    folder: &Path,
    layer: api::Layer,
) -> Result<(load::Catalogue, api::Api), Box<load::Failure>> {
    let load::Loaded {
        catalogue,
        mut diagnostics,
        whole,
    } = load::load_all(folder, &[]);
    match resolve::resolve(&catalogue, layer) {
        Ok(api) if diagnostics.is_empty() => return Ok((catalogue, api)),
        Ok(_) => {}
        Err(problems) => {
            diagnostics.extend(
                problems
                    .into_iter()
                    .filter(|problem| whole || !may_follow(problem)),
            );
        }
    }
    Err(Box::new(load::Failure {
        sources: catalogue.sources,
        report: diagnostic::Report::new(diagnostics),
    }))
}

/// Whether a problem may only be there because something could not be read.
fn may_follow(problem: &diagnostic::Diagnostic) -> bool {
    let missing = [
        "unknown-reference",
        "unknown-program",
        "missing-fact",
        "missing-evidence",
        "stale-dispute",
        "undeclared-contradiction",
        "path-parameter",
        "needless-reason",
    ];
    missing.contains(&problem.code)
}
