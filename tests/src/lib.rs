//! Helpers that the end-to-end tests share: the commands, scratch copies, Python, and skipping with a message.

#![allow(clippy::panic, reason = "a failing test panics")]

pub mod catalogue;
pub mod commands;
pub mod node;
pub mod python;
pub mod raw;
pub mod readme;
pub mod repository;
mod setup;
pub mod skip;
pub mod timeline;

use std::path::{Path, PathBuf};

/// The project's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// The folder beside the project with recordings and audit tools; it is not part of the repository.
pub fn shared() -> PathBuf {
    root().join("../shared")
}

/// How many times as much a slow test does as outside the gate, which sets `FEDISPEC_CASES`.
///
/// # Panics
/// When it is no number.
pub fn times() -> usize {
    std::env::var("FEDISPEC_CASES").map_or(1, |times| times.parse().expect("a number"))
}

// The build scripts in the README name it, and no other source here does.
#[cfg(doctest)]
use fedispec_codegen as _;

/// The samples of the README: compiled, and run where they need no server.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/build-script.md")]
#[doc = include_str!("../../docs/catalogue.md")]
#[doc = include_str!("../../docs/client.md")]
#[doc = include_str!("../../docs/server.md")]
#[doc = include_str!("../../docs/stand-in.md")]
#[doc = include_str!("../../docs/versions.md")]
#[doc = include_str!("../../codegen/README.md")]
pub struct Readme;
