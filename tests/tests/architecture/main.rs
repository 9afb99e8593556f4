//! What ARCHITECTURE.md says of the crates and files, held against them.

mod circles;
mod crates;
mod paths;
