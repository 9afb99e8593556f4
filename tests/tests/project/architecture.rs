//! Holds what ARCHITECTURE.md says of crates and files against the sources.

mod circles;
mod crates;
mod paths;
mod programs;
