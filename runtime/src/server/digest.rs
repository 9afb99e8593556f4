//! Random secrets, and the digests that stand for them at rest.
//!
//! A secret is 256 bits of the operating system, so that one round of SHA-256 without a salt hides it: there is nothing to guess, and no table of
//! likely values. A password would need a slow hash.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::{OrInternal as _, Result};
use crate::Secret;

/// The length of a secret and of a digest as text.
pub(super) const LENGTH: usize = 43;

/// Draws a secret.
///
/// # Errors
///
/// 500 where the system has no random numbers.
pub(super) fn random() -> Result<Secret> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).or_internal()?;
    Ok(URL_SAFE_NO_PAD.encode(bytes).into())
}

/// The SHA-256 digest as unpadded URL-safe Base64, which is also how PKCE makes a challenge of a verifier.
pub(super) fn digest(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// Whether two texts are the same. It takes as long for texts that differ at the end as for those that differ at once.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let differences =
        one.iter().zip(other).fold(0, |all, (one, other)| black_box(all | one ^ other));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_not_their_digests() {
        let (one, other) = (random().expect("a secret"), random().expect("a secret"));
        assert_eq!((one.expose().len(), digest(one.expose()).len()), (LENGTH, LENGTH));
        assert!(one != other && digest(one.expose()) != one.expose());
    }

    #[test]
    fn texts_are_compared_whole() {
        assert!(is_same("", "") && is_same("abc", "abc"));
        for other in ["", "ab", "abcd", "abd", "xbc"] {
            assert!(!is_same("abc", other), "{other}");
        }
    }
}
