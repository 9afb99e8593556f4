//! A server that emulates registered releases: routes, parameters, answers, events and what it tells of itself.

use crate::entities;
use crate::round_trip::{made_up, received, wire};

mod answers;
mod app;
mod callers;
mod empty;
mod every;
mod filled;
mod releases;
mod walk;
