//! The fingerprint of a change: a hash of what it is about, never of its message.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use fedispec_diff::change::Change;

/// How much of the hash is enough to tell the changes of a catalogue apart.
const LENGTH: usize = 12;

/// The fingerprint of a change.
pub(super) fn fingerprint(change: &Change) -> String {
    let mut hash = Sha256::new();
    let parts = [
        change.rule.rule().id,
        &change.item.kind,
        &change.item.id,
        change.implementation.as_deref().unwrap_or(""),
        change.old.as_deref().unwrap_or(""),
        change.new.as_deref().unwrap_or(""),
    ];
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
