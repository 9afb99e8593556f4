//! The commands of the binary `fedispec`, against running servers and recorded answers.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

mod actions;
mod alone;
mod conformance;
mod data;
mod has;
mod readme;
mod recordings;
mod stand_in;
