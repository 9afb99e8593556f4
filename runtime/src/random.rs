//! Random text and the digests of it, for tokens at rest and for the proof keys of a login.
//!
//! A secret is 256 bits of the operating system, so that one round of SHA-256 without a salt hides it: there is nothing to guess, and no table of
//! likely values. A password would need a slow hash.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::Secret;

/// Random bytes as Base64 for URLs without padding ([RFC 4648, 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
pub(crate) fn secret(bytes: &[u8]) -> Secret {
    URL_SAFE_NO_PAD.encode(bytes).into()
}

/// The SHA-256 digest in the same Base64, which is also the challenge of a verifier ([RFC 7636, 4.2](https://www.rfc-editor.org/rfc/rfc7636#section-4.2)).
pub(crate) fn digest(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// Whether two texts are the same. It takes as long for texts that differ at the end as for those that differ at once.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let differences =
        one.iter().zip(other).fold(0, |all, (one, other)| black_box(all | one ^ other));
    one.len() == other.len() && differences == 0
}

/// Draws random bytes of the operating system.
///
/// # Errors
///
/// Where it has none.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn draw<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_not_their_digests() {
        let [one, other] =
            [draw(), draw()].map(|bytes| secret(&bytes.expect("numbers") as &[u8; 32]));
        // RFC 7636, 4.1: from 43 to 128 characters.
        assert_eq!((one.expose().len(), digest(one.expose()).len()), (43, 43));
        assert!(one != other && digest(one.expose()) != one.expose());
    }

    #[test]
    fn a_digest_is_the_challenge_of_the_standard() {
        // RFC 7636, appendix B.
        let challenge = digest("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn texts_are_compared_whole() {
        assert!(is_same("", "") && is_same("abc", "abc"));
        for other in ["", "ab", "abcd", "abd", "xbc"] {
            assert!(!is_same("abc", other), "{other}");
        }
    }
}
