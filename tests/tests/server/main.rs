//! Servers on the generated traits, over real sockets, and entities built from another crate.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

#[path = "../common/entities.rs"]
#[allow(dead_code, reason = "not all of them are needed here")]
mod entities;

mod end_to_end;
mod hostile;
mod includes;
mod outside;
#[cfg(unix)]
mod postgres_oauth;
#[cfg(unix)]
mod postgres_relay;
mod sign_in;
mod small_server;
mod traits;
mod uploads;
