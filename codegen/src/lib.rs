//! From the Fedispec catalogue to Rust.
//!
//! Data flows one way: [`load`] reads the YAML layers, `merge` lays the supplement over the documents, `check`
//! names every problem, `resolve` makes the [`api::Api`], and every emitter is a function of that.
//!
//! # In a build script
//!
//! The ready-made crate `fedispec` and bindings from a build script come from the same catalogue and the same emitters.
//! They differ in what they know:
//!
//! | | ready-made | build script |
//! |---|---|---|
//! | operations | all of them | the groups and operations that are named, and what these reach |
//! | a field is plain `T` | where every release of every program sends it | where every *supported* release sends it |
//! | programs | those of the catalogue | those, and the ones that an overlay adds |
//! | types are shared with other crates | yes | no: each crate that generates has its own |
//! | built before your crate | two derives and the crate | the generator too: some 30 crates more, once |
//!
//! Take the ready-made crate for a library that hands out its types, for a tool that meets any server, or to begin with.
//! Generate when one of these is wanted; [`Config`] (feature `embedded`, on by default) does it:
//!
//! - **types that follow what you support**: what is an `Option` only for older releases is plain, and raising a floor is a
//!   compile-time diff of your own program;
//! - **only what you use**: two groups check several times faster than everything;
//! - **more than the catalogue has**: own operations, fields, and programs.
//!
//! Generating takes a build script 0.1 to 0.4 s, and 0.2 s more where an overlay lies over the catalogue. What is generated
//! links `fedispec-runtime` and nothing else:
//!
//! ```toml
//! [dependencies]
//! fedispec-runtime = { version = "0.1", features = ["reqwest"] } # or "client", "server"
//!
//! [build-dependencies]
//! fedispec-codegen = "0.1"
//! ```
//!
//! ```no_run
//! # #[cfg(feature = "embedded")]
//! fn main() -> Result<(), fedispec_codegen::config::Error> {
//!     fedispec_codegen::Config::new()
//!         .floor("mastodon", "4.2.0")
//!         .floor("gotosocial", "0.17.0")
//!         .groups(["instance", "notifications"])
//!         .client()
//!         .generate()
//! }
//! # #[cfg(not(feature = "embedded"))]
//! # fn main() {}
//! ```
//!
//! ```ignore
//! // src/main.rs: an editor reads it like any other module
//! mod fedispec {
//!     include!(concat!(env!("OUT_DIR"), "/fedispec.rs"));
//! }
//! ```
//!
//! What cargo is told: to run the script again only when the overlay (or the lock file) changes; a warning when something
//! that was asked for by name is left out, or when the locked facts are others now; each mistake as an error, with what is
//! allowed. Nothing is written outside `OUT_DIR`, and nothing at all where the text is the same.
//!
//! ## The lock file
//!
//! With `.lock("fedispec.lock")` the facts behind what is generated stand in a file beside your sources, a line an item.
//! `FEDISPEC_LOCK=update cargo build` writes it; no other build does. When an update of `fedispec-codegen` brings other
//! facts, the build still succeeds and warns with a short report of what changed for your crate; look at it, mend your code
//! where it says so, and accept it with the same command. Commit the file.

use std::path::Path;

pub mod api;
pub mod changes;
mod check;
#[cfg(feature = "embedded")]
pub mod config;
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

#[cfg(feature = "embedded")]
pub use config::Config;

/// Loads, checks and resolves the catalogue of a folder; every problem of every kind is reported at once.
pub fn open(
    folder: &Path,
    layer: api::Layer,
) -> Result<(load::Catalogue, api::Api), Box<load::Failure>> {
    open_with(folder, &[], layer)
}

/// The same with overlays on top, each lying over those before it.
pub fn open_with(
    folder: &Path,
    overlays: &[&Path],
    layer: api::Layer,
) -> Result<(load::Catalogue, api::Api), Box<load::Failure>> {
    let loaded = load::load_all(folder, overlays);
    let resolved = resolve::resolve(&loaded.catalogue, layer);
    settled(loaded, resolved)
}

/// The embedded catalogue with overlays on top. It is sound, so that it need not be parsed, nor looked at without them.
#[cfg(feature = "embedded")]
pub(crate) fn open_embedded(
    folder: &Path,
    overlays: &[&Path],
    layer: api::Layer,
) -> Result<(load::Catalogue, api::Api), Box<load::Failure>> {
    let outlines = load::Outlines::read(fedispec_catalogue::OUTLINE);
    let loaded = load::load_outlined(folder, overlays, outlines);
    let resolved = resolve::resolve_over(&loaded.catalogue, layer);
    settled(loaded, resolved)
}

/// What was read and resolved, or everything that is wrong with it.
fn settled(
    loaded: load::Loaded,
    resolved: Result<api::Api, Vec<diagnostic::Diagnostic>>,
) -> Result<(load::Catalogue, api::Api), Box<load::Failure>> {
    let load::Loaded {
        catalogue,
        mut diagnostics,
        whole,
    } = loaded;
    match resolved {
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
