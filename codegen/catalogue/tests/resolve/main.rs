//! Catalogues resolved: what a keeper reads of a wrong one, and what a right one becomes.

#![allow(
    missing_docs,
    clippy::needless_raw_string_hashes,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does not hold panics"
)]

mod api;
mod auth;
mod by_program;
mod changes;
mod conditions;
#[path = "../cpu_time/mod.rs"]
mod cpu_time;
mod dates;
mod features;
mod folders;
mod items;
mod layers;
mod left_out;
mod meaning;
mod objects;
mod once;
mod programs;
mod properties;
mod recognition;
mod references;
mod said;
mod shapes;
mod since;
mod slips;
mod support;
mod usual;
