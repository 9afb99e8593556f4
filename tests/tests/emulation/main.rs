//! A server that emulates registered releases: routes, parameters, answers, events and what it tells of itself.

#![allow(clippy::panic, reason = "a failing test panics")]

#[path = "../end_to_end/entities.rs"]
#[allow(dead_code, reason = "not all of them are served here")]
mod entities;
#[path = "../round_trip/made_up.rs"]
#[allow(dead_code, reason = "requests need not be compared here")]
mod made_up;
#[path = "../round_trip/received.rs"]
#[allow(dead_code, reason = "requests need not be compared here")]
mod received;
#[path = "../round_trip/wire.rs"]
mod wire;

mod answers;
mod app;
mod callers;
mod empty;
mod every;
mod filled;
mod releases;
mod walk;
