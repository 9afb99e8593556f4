//! Emission of the resolved API as a Rust crate. Every emitter is a function of the API and the options.
//!
//! [`files`] gives paths and texts, and writes nothing. Equal input gives equal texts, whatever the machine and the
//! number of threads.

mod absence;
mod auth;
mod client;
mod constructor;
mod context;
mod current;
mod cycles;
mod docs;
mod entities;
mod enums;
mod events;
mod fallbacks;
mod features;
mod file;
#[cfg(feature = "files")]
mod format;
mod front;
mod includes;
mod keeping;
#[cfg(feature = "files")]
mod known;
#[cfg(feature = "files")]
mod manifest;
mod names;
mod operation;
mod options;
mod project;
mod query;
mod requests;
mod roots;
mod route;
mod server;
mod setters;
mod slot;
mod stamp;
mod table;
mod types;
mod written;

#[cfg(test)]
mod tests;

use context::Context;
use fedispec_model::api::Api;

#[cfg(feature = "files")]
pub use format::Error;
#[cfg(feature = "files")]
pub use known::known;
pub use options::{Form, Options, Selection};

/// The whole crate: paths relative to its folder and texts, sorted by path.
#[cfg(feature = "files")]
pub fn files(api: &Api, options: &Options) -> Result<Vec<(String, String)>, Error> {
    let projected = project::project(api, options);
    let context = Context::new(api, &projected, options);
    if options.form == Form::Single {
        return Ok(vec![("fedispec.rs".to_owned(), roots::single(&context))]);
    }
    let jobs = roots::jobs(&context);
    let modules = format::in_parallel(&jobs, |job| job().format(&context));
    let mut files = modules.into_iter().collect::<Result<Vec<_>, Error>>()?;
    files.extend(manifest::files(&context));
    files.sort();
    Ok(files)
}

#[cfg(feature = "embedded")]
pub(crate) use project::Projected;

/// The part of an API that the options ask for.
#[cfg(feature = "embedded")]
pub(crate) fn projected<'a>(api: &'a Api, options: &Options) -> Projected<'a> {
    project::project(api, options)
}

/// The one text of [`Form::Single`], of the [`projected`] part of an API.
#[cfg(feature = "embedded")]
pub(crate) fn text(api: &Api, projected: &Projected<'_>, options: &Options) -> String {
    roots::single(&Context::new(api, projected, options))
}
