//! Proposals of small programs that are written like the real ones.

#![allow(clippy::panic, reason = "a failing test panics")]

mod decided;
mod given;
mod gotosocial;
mod mastodon;
mod objects;
mod refusals;
mod repository;
#[cfg(unix)]
mod workflow;
