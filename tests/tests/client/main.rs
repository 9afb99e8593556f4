//! The generated client against servers of all kinds: well-behaved, broken, hostile and absent.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

#[path = "../common/entities.rs"]
#[allow(dead_code, reason = "not all of them are needed here")]
mod entities;

mod examples;
mod faults;
mod known_servers;
mod login;
mod other_programs;
mod pacing;
mod streaming;
mod without_a_socket;
