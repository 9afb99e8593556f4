//! The profiles of programs, which are known before any table of items. `cargo xtask gen` writes the files below from the catalogue.

#[cfg(feature = "oauth")]
mod redirect_uris;

use std::sync::OnceLock;

use fedispec_since::profile::{Profile, Profiles};

#[cfg(feature = "oauth")]
pub(crate) use redirect_uris::REDIRECT_URIS;

/// The profiles of the programs that the catalogue knows: how each is recognized, and what it does in its own way.
///
/// ```
/// let pleroma = fedispec_runtime::profiles().find("rebased").and_then(|fork| fork.based_on.as_deref());
/// assert_eq!(pleroma, Some("pleroma"));
/// ```
pub fn profiles() -> &'static Profiles {
    static PROFILES: OnceLock<Profiles> = OnceLock::new();
    // A test reads the file, which comes with the crate.
    PROFILES.get_or_init(|| read().unwrap_or_default())
}

fn read() -> serde_json::Result<Profiles> {
    serde_json::from_str(include_str!("known/profiles.json"))
}

/// The key of the program whose API this is.
pub(crate) fn reference() -> &'static str {
    &profiles().reference
}

/// The profile of a program, by the name that it goes by.
pub(crate) fn profile(program: Option<&str>) -> Option<&'static Profile> {
    profiles().find(program?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_can_be_read() {
        let profiles = read().expect("profiles");
        assert!(profiles.reference().is_some(), "{}", profiles.reference);
    }
}
