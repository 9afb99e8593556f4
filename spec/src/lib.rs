//! The Fedispec catalogue in its resolved form, as one JSON text.
//!
//! It holds every operation of the Mastodon client API with its parameters, entities and enumerations, and for each
//! item the first release of each server program that has it. `fedispec-codegen` reads it in build scripts.

/// The resolved catalogue: the text of `api.json`.
pub const API_JSON: &str = include_str!("../api.json");

/// The folder of this crate's sources: the catalogue as YAML, under `documents/` and `supplement/`.
///
/// An overlay is laid over these files. They are only ever read.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_is_the_resolved_catalogue() {
        assert!(super::API_JSON.starts_with("{\n \"schema\":\"fedispec-api/"));
        assert!(super::API_JSON.ends_with("\n}\n"));
    }
}
