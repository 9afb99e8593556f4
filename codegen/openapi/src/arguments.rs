//! The arguments of the commands `openapi`.

use fedispec_model::api::Api;

use crate::{Bodies, Enums, Format, OpenApi, Options, document, write};

/// The arguments of `cargo xtask openapi` and `fedispec openapi`.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// The release to describe; without it all releases, with `x-since` on each item
    #[arg(long = "as", value_name = "PROGRAM@VERSION")]
    pub release: Option<String>,
    /// Only these groups of operations
    #[arg(long, value_name = "GROUP", value_delimiter = ',')]
    pub groups: Vec<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The version of OpenAPI
    #[arg(long, value_enum, default_value_t)]
    pub openapi: OpenApi,
    /// The bodies of a request
    #[arg(long, value_enum, default_value_t)]
    pub bodies: Bodies,
    /// The values that the schema of an enumeration takes
    #[arg(long, value_enum, default_value_t)]
    pub enums: Enums,
}

impl Arguments {
    /// The text of the document.
    ///
    /// # Errors
    /// Where the catalogue does not know the release or a group; the message names the nearest ones.
    pub fn run(&self, api: &Api) -> Result<String, String> {
        let options = Options {
            release: self.release.clone(),
            groups: self.groups.clone(),
            openapi: self.openapi,
            bodies: self.bodies,
            enums: self.enums,
        };
        write(&document(api, &options)?, self.format)
    }
}
