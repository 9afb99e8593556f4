//! Crates that generate bindings of their own in build.rs, built by real cargo without a network. The gate builds more of them.

#![allow(clippy::panic, reason = "a failing test panics")]

#[allow(dead_code, reason = "not all of it is needed here")]
mod crates;
mod samples;
