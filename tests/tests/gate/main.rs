//! Tests that only `.ci/run` runs: they compile the generated crate again for each set of features, and for its packages.

#![allow(clippy::panic, reason = "a failing test panics")]

#[path = "../downstream/crates.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod crates;
mod features;
mod packaged;
