//! Versions of server programs, the life of an item in a program, and the rule that tells whether a release has the item.
//!
//! Generated code, the runtime, the generator and the diff all answer that question with this crate, so that they cannot disagree.
//! It has no dependencies: a build script that generates code links it and nothing else of the runtime.

mod availability;
mod has;
mod life;
mod place;
mod stable;
mod verdict;
mod version;

pub use availability::Availability;
pub use life::{Hole, Life};
pub use place::{At, Place};
pub use stable::StableVersion;
pub use verdict::{Decision, Need, Verdict};
pub use version::{Version, VersionError};
