//! The sockets of each user.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many sockets each account holds.
#[derive(Debug, Default)]
pub(super) struct Seats(Mutex<HashMap<Box<str>, usize>>);

/// One of them. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    seats: Arc<Seats>,
    account: Box<str>,
}

impl Seats {
    /// One more for an account; `None` where it has all that it may have.
    pub(super) fn take(self: &Arc<Self>, account: &str, most: usize) -> Option<Seat> {
        let mut taken = self.taken();
        let count = taken.get(account).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        taken.insert(account.into(), count + 1);
        Some(Seat {
            seats: Arc::clone(self),
            account: account.into(),
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Box<str>, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        match taken.get_mut(&self.account) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(taken.remove(&self.account)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_given_back() {
        let seats = Arc::new(Seats::default());
        let first = seats.take("7", 2).expect("a seat");
        let second = seats.take("7", 2).expect("a seat");
        assert!(seats.take("7", 2).is_none());
        let other = seats.take("8", 2).expect("a seat");
        drop(first);
        let third = seats.take("7", 2).expect("a seat");
        drop((second, third, other));
        assert!(seats.taken().is_empty());
    }
}
