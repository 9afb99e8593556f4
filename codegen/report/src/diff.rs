//! Reports of a comparison: [`assemble`] makes a [`report`] of it, and [`render`] prints that.

pub mod accept;
pub mod assemble;
mod attribution;
pub mod fingerprint;
pub mod locate;
pub mod render;
pub mod report;
pub mod surface;
mod written;
