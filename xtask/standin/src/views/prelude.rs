//! The names that nearly every view uses.

pub(super) use fedispec::{current, entities};

pub(super) use super::{SERVER_KEY, View, count, reshaped};
pub(super) use crate::family::Habit;
pub(super) use crate::store::Key;
pub(super) use crate::store::clock::{DAY, Millis, day_of, time};
