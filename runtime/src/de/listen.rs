//! Who listens for fields that no type has.

use std::cell::{Cell, RefCell};

use super::UnknownField;

thread_local! {
    static LISTENING: Cell<bool> = const { Cell::new(false) };
    static HEARD: RefCell<Vec<UnknownField>> = const { RefCell::new(Vec::new()) };
}

/// Whether somebody listens.
pub(super) fn is_listening() -> bool {
    LISTENING.get()
}

/// Tells who listens.
pub(super) fn tell(field: UnknownField) {
    HEARD.with_borrow_mut(|heard| heard.push(field));
}

/// The fields that no type has, in what is read meanwhile.
pub(super) fn listen(read: impl FnOnce()) -> Vec<UnknownField> {
    struct Listening(bool);

    impl Drop for Listening {
        fn drop(&mut self) {
            LISTENING.set(self.0);
        }
    }

    HEARD.take();
    let listening = Listening(LISTENING.replace(true));
    read();
    drop(listening);
    HEARD.take()
}
