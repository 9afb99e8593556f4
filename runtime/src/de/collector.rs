//! The thread's collectors of unknown and of absent fields.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::UnknownField;
use super::input::Collects;

/// The fields collected so far; `None` while nobody collects.
type Collector<T> = RefCell<Option<Vec<T>>>;

thread_local! {
    static UNKNOWN: Collector<UnknownField> = const { RefCell::new(None) };
    /// Their JSON paths.
    static ABSENT: Collector<String> = const { RefCell::new(None) };
}

/// The problems that are collected on this thread.
pub(super) fn wanted() -> Collects {
    Collects {
        unknown: UNKNOWN.with_borrow(Option::is_some),
        absent: ABSENT.with_borrow(Option::is_some),
    }
}

/// Adds an unknown field, where these are collected.
pub(super) fn add_unknown(field: UnknownField) {
    UNKNOWN.with_borrow_mut(|fields| fields.as_mut().map(|fields| fields.push(field)));
}

/// Adds the path of an absent field, where these are collected.
pub(super) fn add_absent(path: String) {
    ABSENT.with_borrow_mut(|paths| paths.as_mut().map(|paths| paths.push(path)));
}

/// The unknown fields of the bodies that `read` reads. Inside of another collection they are this one's alone.
pub(super) fn unknown(read: impl FnOnce()) -> Vec<UnknownField> {
    collect(&UNKNOWN, read)
}

/// The paths of the absent fields of the bodies that `read` reads. Inside of another collection they are this one's alone.
pub(super) fn absent(read: impl FnOnce()) -> Vec<String> {
    collect(&ABSENT, read)
}

fn collect<T: 'static>(fields: &'static LocalKey<Collector<T>>, read: impl FnOnce()) -> Vec<T> {
    /// Puts the outer collection back, also where `read` panics.
    struct Outer<T: 'static>(&'static LocalKey<Collector<T>>, Option<Vec<T>>);

    impl<T> Drop for Outer<T> {
        fn drop(&mut self) {
            self.0.set(self.1.take());
        }
    }

    let _outer = Outer(fields, fields.replace(Some(Vec::new())));
    read();
    fields.take().unwrap_or_default()
}
