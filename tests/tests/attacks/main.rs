//! Attacks on a server that runs in a process of its own, whose memory, files and descriptors are measured.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

#[path = "../common/entities.rs"]
#[allow(dead_code, reason = "not all of them are served here")]
mod entities;

#[path = "../server/traits/app.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod app;

#[path = "../server/traits/raw.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod raw;

mod bodies;
mod connections;
mod process;
mod sockets;
