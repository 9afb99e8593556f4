//! The differences between two states of the catalogue: for whom they matter, why, and what follows for the crate's version.
//!
//! The engine matches both states by id. A transition claims every difference of an item and names its [rule](rules);
//! what none claims is reported as unclassified. [`compare()`] compares two states, [`releases`] two versions of one
//! program, and [`parity`] two programs; [`Compared`] serves many of the last two. `fedispec-report` makes reports of them and prints these.

mod asked;
mod at_release;
pub mod change;
pub mod changes;
mod code;
mod compare;
mod compared;
mod context;
mod crossing;
mod existence;
mod facts;
mod gate;
mod in_place;
mod index;
mod matching;
mod pair;
pub mod parity;
mod reach;
pub mod releases;
pub mod rules;
mod scopes;
mod short;
mod similar;
mod stretch;
mod transitions;
mod types;
pub mod used_by;
mod whole;

pub use compare::{Comparison, compare};
pub use compared::Compared;
pub use context::Options;
pub use short::{lines, short, short_with};
