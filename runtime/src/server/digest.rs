//! Secrets of a server, and the comparison of their digests.

use std::hint::black_box;

use super::{OrInternal as _, Result};
use crate::{Secret, random};

/// The length of a secret and of a digest as text.
pub(super) const LENGTH: usize = 43;

/// Draws a secret.
///
/// # Errors
///
/// 500 where the system has no random numbers.
pub(super) fn draw() -> Result<Secret> {
    let bytes: [u8; 32] = random::draw().or_internal()?;
    Ok(random::secret(&bytes))
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
    use super::is_same;

    #[test]
    fn texts_are_compared_whole() {
        assert!(is_same("", "") && is_same("abc", "abc"));
        for other in ["", "ab", "abcd", "abd", "xbc"] {
            assert!(!is_same("abc", other), "{other}");
        }
    }
}
