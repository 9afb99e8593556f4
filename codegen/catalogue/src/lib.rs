//! Reads the layers of the catalogue: YAML in, the resolved API or every mistake out.
//!
//! Data flows one way: [`load`] reads the files, `merge` lays the supplement over the documents, [`resolve`] makes the
//! [`Api`](fedispec_model::api::Api), and `check` looks for what no single file can show to be wrong. [`open()`] does all of it.

pub mod calendar;
mod causes;
mod check;
pub mod diagnostic;
pub mod layout;
pub mod load;
mod map;
mod merge;
pub mod model;
mod open;
mod problems;
pub mod registry;
pub mod resolve;
mod route;
#[cfg(feature = "schema")]
pub mod schema;
pub mod source;
mod statements;

pub use open::{open, open_leniently, open_published, open_with};
pub use statements::{Statement, statements};
