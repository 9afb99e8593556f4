//! A small crate of the shape that the generator writes, by hand: two groups, two entities, an enumeration.
#![allow(
    clippy::pedantic,
    missing_docs,
    dead_code,
    unreachable_pub,
    reason = "a sample; each test uses a part"
)]

pub mod accounts;
pub mod entities;
pub mod items;
pub mod oauth;
pub mod server;
