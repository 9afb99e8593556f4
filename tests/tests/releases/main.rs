//! Every operation, entity and item of the catalogue, in every release of both programs.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

#[path = "../common/entities.rs"]
#[allow(dead_code, reason = "not all of them are needed here")]
mod entities;

mod acts;
mod allocations;
mod dated;
mod emulation;
mod gotosocial;
mod mastodon_py;
mod meaning;
mod restored;
mod round_trip;
mod signatures;
