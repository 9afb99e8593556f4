//! Tests that only `.ci/run` runs: they compile the generated crate again for each set of features, for its packages, and for
//! many crates that use it, or write all of the catalogue many times.

#![allow(clippy::panic, reason = "a failing test panics")]

mod additions;
mod build_scripts;
mod compiles;
#[path = "../downstream/crates.rs"]
mod crates;
mod facts;
mod features;
mod mistakes;
mod openapi;
mod packaged;
mod replay;
mod samples;
mod site;
mod types;
