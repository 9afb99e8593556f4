//! The resolved API: the facts of the catalogue, merged, named and sorted, with every reference resolved.
//!
//! [`api::Api`] is the type that everything else meets at: `fedispec-reader` makes it from YAML, [`resolved`] keeps it
//! as one JSON file, `fedispec-codegen` turns it into Rust, and two of them can be compared.

pub mod api;
pub mod auth;
mod by_program;
pub mod change;
pub mod condition;
pub mod constructors;
pub mod features;
pub mod floors;
mod fork;
mod former;
mod held;
pub mod index;
pub mod names;
pub mod newest;
pub mod notation;
pub mod reach;
pub mod registered;
pub mod resolved;
pub mod rows;
pub mod secret;
pub mod sentences;
pub mod stand_in;
pub mod suggest;
pub mod wire;
mod without;
