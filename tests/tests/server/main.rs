//! A small server on the generated traits, over a real socket: against everybody and everything that talks to it.

#[path = "../end_to_end/entities.rs"]
mod entities;

mod app;
mod clients;
mod door;
mod extractors;
mod limits;
mod malformed;
mod raw;
mod streams;
