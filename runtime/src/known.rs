//! The profiles of programs, which are known before any table of items. `cargo xtask gen` writes the files below from the catalogue.

#[cfg(feature = "oauth")]
mod redirect_uris;

use std::sync::{PoisonError, RwLock};

use fedispec_since::profile::{Profile, Profiles};

#[cfg(feature = "oauth")]
pub(crate) use redirect_uris::REDIRECT_URIS;

static PROFILES: RwLock<Option<&'static Profiles>> = RwLock::new(None);

/// The profiles of the programs that the catalogue knows: how each is recognized, and what it does in its own way. Those of a catalogue of
/// one's own are among them once its generated code has been asked for its items, which connecting a client does first.
///
/// ```
/// let pleroma = fedispec_runtime::profiles().find("rebased").and_then(|fork| fork.based_on.as_deref());
/// assert_eq!(pleroma, Some("pleroma"));
/// ```
pub fn profiles() -> &'static Profiles {
    let known = *PROFILES.read().unwrap_or_else(PoisonError::into_inner);
    known.unwrap_or_else(|| {
        let mut known = PROFILES.write().unwrap_or_else(PoisonError::into_inner);
        // A test reads the file, which comes with the crate.
        known.get_or_insert_with(|| Box::leak(Box::new(read().unwrap_or_default())))
    })
}

fn read() -> serde_json::Result<Profiles> {
    serde_json::from_str(include_str!("known/profiles.json"))
}

/// Takes the profiles of a catalogue of one's own in place of those of the same programs. Generated code calls it once.
pub fn learn(text: &str) {
    // It was written as this type, by the generator of the same version.
    let Ok(mut learned) = serde_json::from_str::<Profiles>(text) else { return };
    let others = profiles().programs.iter();
    let others = others.filter(|one| learned.programs.iter().all(|own| own.key != one.key));
    let others: Vec<_> = others.cloned().collect();
    learned.programs.extend(others);
    *PROFILES.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::leak(Box::new(learned)));
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
