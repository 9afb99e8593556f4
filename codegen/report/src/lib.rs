//! Reports for maintainers of the catalogue: comparisons, one item with its evidence, and coverage.
//!
//! Everything here is a function of the resolved API, of the layers that it was made from, or of a comparison of
//! `fedispec-diff`; nothing is read or written besides.

pub mod coverage;
pub mod diff;
pub mod export;
pub mod show;

/// The catalogue as OpenAPI.
pub use fedispec_openapi as openapi;
