//! The project itself: ARCHITECTURE.md against the sources.

#![allow(clippy::panic, reason = "a failing test panics, and a handler may")]

mod architecture;
