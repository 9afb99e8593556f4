//! Secrets of a server.

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
