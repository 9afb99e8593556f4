//! From the Fedispec catalogue to Rust.
//!
//! `fedispec-reader` makes the [`Api`](fedispec_model::api::Api) from the catalogue's YAML; every emitter here is a function
//! of it and of its [options](emit::Options).
//!
//! # In a build script
//!
//! The ready-made crate `fedispec` and bindings from a build script come from the same catalogue and the same emitters.
//! They differ in what they know:
//!
//! | | ready-made | build script |
//! |---|---|---|
//! | operations | all of them | the groups and operations that are named, and what these reach |
//! | a field is plain `T` | where every release of every program sends it | where every *supported* release sends it |
//! | programs | those of the catalogue | those, and the ones that an overlay adds |
//! | types are shared with other crates | yes | no: each crate that generates has its own |
//! | built before your crate | two derives and the crate | the generator too: a dozen crates more, once |
//!
//! Take the ready-made crate for a library that hands out its types, for a tool that meets any server, or to begin with.
//! Generate when one of these is wanted; [`Config`] (feature `embedded`, on by default) does it:
//!
//! - **types that follow what you support**: what is an `Option` only for older releases is plain, and raising a floor is a
//!   compile-time diff of your own program;
//! - **only what you use**: two groups check several times faster than everything;
//! - **more than the catalogue has**: own operations, fields, and programs.
//!
//! Generating takes a build script 0.1 to 0.4 s, and about 0.4 s more where an overlay lies over the catalogue. What is generated
//! links `fedispec-runtime` and nothing else:
//!
//! ```toml
//! [dependencies]
//! fedispec-runtime = { version = "0.1", features = ["reqwest"] } # or "client", "server"
//!
//! [build-dependencies]
//! fedispec-codegen = "0.1"
//! ```
//!
//! ```no_run
//! # #[cfg(feature = "embedded")]
//! fn main() -> Result<(), fedispec_codegen::config::Error> {
//!     fedispec_codegen::Config::new()
//!         .floor("mastodon", "4.2.0")
//!         .floor("gotosocial", "0.17.0")
//!         .groups(["instance", "notifications"])
//!         .client()
//!         .generate()
//! }
//! # #[cfg(not(feature = "embedded"))]
//! # fn main() {}
//! ```
//!
//! ```ignore
//! // src/main.rs: an editor reads it like any other module
//! mod fedispec {
//!     include!(concat!(env!("OUT_DIR"), "/fedispec.rs"));
//! }
//! ```
//!
//! The script tells cargo to run it again only when the overlay (or the lock file) changes; a warning when something
//! that was asked for by name is left out, or when the locked facts are others now; each mistake as an error, with what is
//! allowed. Nothing is written outside `OUT_DIR`, and nothing at all where the text is the same.
//!
//! ## Features
//!
//! | feature | what for | packages, this one included |
//! |---|---|---|
//! | `embedded` (default) | the catalogue itself, and [`Config`] | 17 |
//! | `lock` | [`Config::lock`] | 1 more |
//! | `overlay` | [`Config::catalogue`] and [`Config::layer`]: they read YAML | 15 more |
//! | `files` | for keepers: a whole crate as formatted files | |
//!
//! ## The lock file
//!
//! With `.lock("fedispec.lock")` (feature `lock`) the facts behind what is generated stand in a file beside your sources, a line an item.
//! `FEDISPEC_LOCK=update cargo build` writes it; no other build does. When an update of `fedispec-codegen` brings other
//! facts, the build still succeeds and warns with a short report of what changed for your crate; look at it, mend your code
//! where it says so, and accept it with the same command. Commit the file.

mod by_hand;
#[cfg(feature = "embedded")]
pub mod config;
pub mod emit;
pub mod write;

#[cfg(feature = "embedded")]
pub use config::Config;
