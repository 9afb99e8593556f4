//! Fingerprints: a hash of what something is about, never of its message.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use fedispec_diff::change::Change;

/// How much of the hash is enough to tell the changes of a catalogue apart.
const LENGTH: usize = 12;

/// The fingerprint of a change.
pub(super) fn of(change: &Change) -> String {
    fingerprint(&[
        change.rule.rule().id,
        &change.item.kind,
        &change.item.id,
        change.implementation.as_deref().unwrap_or(""),
        change.old.as_deref().unwrap_or(""),
        change.new.as_deref().unwrap_or(""),
    ])
}

/// The fingerprint of what these parts are about, in 12 hexadecimal digits.
pub fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps `a` + `bc` and `ab` + `c` apart.
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text.truncate(LENGTH);
    text
}
