//! The document that a running server answers of itself.

use fedispec_catalogue::API_JSON;
use fedispec_model::resolved::from_json;

use crate::{Format, Options, document, write};

/// Writes the document of a server as JSON, for `Server::openapi` of the crate `fedispec`: the operations that it answers, by their ids, as the
/// release that it emulates has them, or else the newest one of the reference program.
///
/// It takes the whole catalogue, some 7 MB that are built in, and reads it once.
///
/// # Errors
/// Where the catalogue does not know the release.
pub fn served(operations: &[&str], release: Option<&str>) -> Result<String, String> {
    let api = from_json(API_JSON).map_err(|error| error.to_string())?;
    let reference = api.profiles.reference();
    let newest = || {
        let key = reference?.key.as_str();
        let newest = api.programs.get(api.column(key)?)?.releases.last()?;
        Some(format!("{key}@{}", newest.version))
    };
    let options = Options {
        release: release.map(str::to_owned).or_else(newest),
        operations: Some(operations.iter().map(|id| (*id).to_owned()).collect()),
        ..Options::default()
    };
    write(&document(&api, &options)?, Format::Json)
}
