//! The memory that a body may take when it is decoded: two bytes of JSON, such as `{}`, may be some hundred of a value.

use std::cell::Cell;

/// The times that a list's elements take their size while the list grows: its room doubles, and the old one is freed after.
pub(super) const GROWTH: usize = 3;
/// The least room of a map of JSON that is not empty.
pub(super) const NODE: usize = 1024;
/// The least budget, in bytes.
const LEAST: u64 = 1024 * 1024;
/// The memory for a body, as a multiple of its greatest length.
const FACTOR: u64 = 8;

thread_local! {
    /// The greatest length of a body.
    static MAX_BYTES: Cell<u64> = const { Cell::new(32 * 1024 * 1024) };
}

/// The bytes that the values of one body may take on this thread.
pub(super) fn limit() -> u64 {
    MAX_BYTES.get().saturating_mul(FACTOR).saturating_add(LEAST)
}

/// Reads on this thread within eight times so many bytes of memory and one MiB.
#[doc(hidden)]
pub fn bounded<T>(max_bytes: u64, read: impl FnOnce() -> T) -> T {
    /// Puts the outer bound back, also where `read` panics.
    struct Outer(u64);

    impl Drop for Outer {
        fn drop(&mut self) {
            MAX_BYTES.set(self.0);
        }
    }

    let _outer = Outer(MAX_BYTES.replace(max_bytes));
    read()
}
