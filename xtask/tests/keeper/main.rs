//! The keeper's commands, run as a keeper, CI or a careless user would.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

mod backports;
mod commands;
mod diff;
mod generation;
mod interrupted;
mod manifests;
mod openapi;
mod readme;
mod registered;
mod schema;
mod site;
mod transcription;
