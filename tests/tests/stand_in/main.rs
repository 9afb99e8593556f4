//! The stand-in server, as clients that others have written see it.
#![allow(clippy::panic, reason = "a failing test panics")]

mod masto;
