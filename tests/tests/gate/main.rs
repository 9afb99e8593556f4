//! Tests that only `.ci/run` runs: they compile the generated crate again for each set of features, for its packages, and for
//! many crates that use it.

#![allow(clippy::panic, reason = "a failing test panics")]

mod build_scripts;
#[path = "../downstream/crates.rs"]
mod crates;
mod facts;
mod features;
mod mistakes;
mod packaged;
mod replay;
mod samples;
mod types;
mod whole;
