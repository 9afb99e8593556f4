//! The vocabulary of the catalogue: versions of server programs, the life of an item in a program, the rule that tells whether a release
//! has the item, and the kinds that facts have, each with its name.
//!
//! Generated code, the runtime, the generator and the diff all speak with this crate, so that they cannot disagree.
//! It has no dependencies, unless the feature `serde` reads and writes its types as texts.

mod availability;
#[cfg(feature = "serde")]
mod error_text;
mod facts;
mod feature;
mod has;
#[cfg(feature = "serde")]
pub mod identify;
#[cfg(feature = "serde")]
mod left_out;
mod life;
#[cfg(feature = "serde")]
pub mod pattern;
mod place;
mod presence;
#[cfg(feature = "serde")]
pub mod profile;
#[cfg(feature = "serde")]
pub mod row;
pub mod scopes;
mod stable;
#[cfg(feature = "serde")]
pub mod text;
mod verdict;
mod version;
mod words;

pub use availability::Availability;
pub use facts::{
    Bounds, ErrorText, FixedError, LeftOut, PageSize, Refused, SafeValues, Several, Stage, Stretch,
};
pub use feature::composed;
pub use life::{Hole, Life};
pub use place::{At, Place};
pub use presence::Presence;
pub use stable::StableVersion;
pub use verdict::{Decision, Need};
pub use version::{Version, VersionError};
pub use words::*;
