//! A small server on the generated traits, over a real socket, against well-behaved, careless and hostile clients.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

#[path = "../end_to_end/entities.rs"]
#[allow(dead_code, reason = "not all of them are served here")]
mod entities;

mod answers;
mod app;
mod clients;
mod door;
mod extractors;
mod hooks;
mod kept;
mod limits;
mod malformed;
mod oauth;
mod raw;
mod shared;
mod streams;
mod table;
mod trust;
