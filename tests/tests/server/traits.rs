//! A small server on the generated traits, over a real socket, against well-behaved, careless and hostile clients.

use crate::entities;

mod answers;
mod app;
mod clients;
mod door;
mod extractors;
mod hang_ups;
mod hooks;
mod kept;
mod limits;
mod malformed;
mod oauth;
pub(crate) mod raw;
mod shared;
mod streams;
mod table;
mod trust;
