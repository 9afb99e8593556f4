//! A server that emulates registered releases: routes, parameters, answers, events and what it tells of itself.

#[path = "../end_to_end/entities.rs"]
#[allow(dead_code, reason = "not all of them are served here")]
mod entities;

mod app;
mod releases;
