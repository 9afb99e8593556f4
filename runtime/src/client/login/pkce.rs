//! Proof keys ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)), and the random numbers of a login.

use crate::{Secret, random};

/// Random bytes for one login: its proof key and its state. They must come from a source that nobody can predict.
pub struct Random([u8; 64]);

impl Random {
    /// Takes bytes from elsewhere, such as `crypto.getRandomValues` of a browser.
    pub fn new(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// Asks the operating system.
    ///
    /// # Errors
    ///
    /// When it has none to give.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn from_os() -> Result<Self, super::LoginError> {
        random::draw().map(Self::new).map_err(|_| super::LoginError::Random)
    }

    /// The verifier of a proof key, and a state.
    pub(super) fn split(self) -> (Secret, Secret) {
        let (verifier, state) = self.0.split_at(32);
        (random::secret(verifier), random::secret(state))
    }
}

// Hides the bytes.
shown!(Random(..));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_login_has_numbers_of_its_own() {
        let one = Random::from_os().expect("numbers");
        assert_eq!(format!("{one:?}"), "Random(..)");
        let (verifier, state) = one.split();
        let (other_verifier, other_state) = Random::from_os().expect("numbers").split();
        assert_ne!(state, other_state);
        assert_ne!(verifier, other_verifier);
        assert_ne!(state, verifier);
        // RFC 7636, 4.1: from 43 to 128 characters.
        assert_eq!(verifier.expose().len(), 43);
    }
}
