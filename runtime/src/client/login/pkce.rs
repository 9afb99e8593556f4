//! Proof keys ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)), and the random numbers of a login.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::Secret;

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
        let mut bytes = [0; 64];
        getrandom::fill(&mut bytes).map_err(|_| super::LoginError::Random)?;
        Ok(Self(bytes))
    }

    /// The verifier of a proof key, and a state.
    pub(super) fn split(self) -> (Secret, Secret) {
        let (verifier, state) = self.0.split_at(32);
        (base64url(verifier).into(), base64url(state).into())
    }
}

/// Hides the bytes.
impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Random(..)")
    }
}

/// The challenge of a verifier, by the method `S256`.
pub(super) fn challenge(verifier: &Secret) -> String {
    base64url(&Sha256::digest(verifier.expose()))
}

/// Base64 for URLs without padding ([RFC 4648, 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            let sextet = bits >> (18 - 6 * place) & 63;
            text.push(char::from(ALPHABET[sextet as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = Secret::from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge(&verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        // RFC 4648, 10, without the padding.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64url(bytes.as_bytes()), text);
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }

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
