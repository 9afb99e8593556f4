//! The commands that only read the catalogue, shared by `cargo xtask` and the program `fedispec`: arguments, files, printing.

pub mod accept;
mod args;
mod data;
mod diff;
pub mod failure;
pub mod folder;
mod manuals;
pub mod output;
pub mod place;
mod reports;
mod site;

pub use args::Reading;
pub use manuals::{command, parse};
pub use reports::Format;
