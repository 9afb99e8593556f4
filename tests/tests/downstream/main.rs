//! Crates that generate bindings of their own in build.rs, built by real cargo without a network.

#![allow(clippy::panic, reason = "a failing test panics")]

mod build_scripts;
mod crates;
mod facts;
mod mistakes;
mod replay;
mod samples;
mod types;
