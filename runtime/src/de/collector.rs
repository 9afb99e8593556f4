//! The thread's collector of unknown fields.

use std::cell::RefCell;

use super::UnknownField;

thread_local! {
    /// The fields collected so far; `None` while nobody collects.
    static FIELDS: RefCell<Option<Vec<UnknownField>>> = const { RefCell::new(None) };
}

/// Whether unknown fields are collected.
pub(super) fn is_active() -> bool {
    FIELDS.with_borrow(Option::is_some)
}

/// Adds a field, where fields are collected.
pub(super) fn add(field: UnknownField) {
    FIELDS.with_borrow_mut(|fields| fields.as_mut().map(|fields| fields.push(field)));
}

/// The unknown fields of the bodies that `read` reads. Inside of another collection they are this one's alone.
pub(super) fn collect(read: impl FnOnce()) -> Vec<UnknownField> {
    /// Puts the outer collection back, also where `read` panics.
    struct Outer(Option<Vec<UnknownField>>);

    impl Drop for Outer {
        fn drop(&mut self) {
            FIELDS.set(self.0.take());
        }
    }

    let _outer = Outer(FIELDS.replace(Some(Vec::new())));
    read();
    FIELDS.take().unwrap_or_default()
}
