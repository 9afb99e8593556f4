//! The names that many files of the state use. `clock`, `hub`, `ids` and `chance`, which some of them come from, import by name, since no
//! two files may need each other. `Result` is not here: some files mean that of the server, others that of Rust.

pub(super) use std::collections::{BTreeMap, BTreeSet};

pub(super) use fedispec::enums::{NotificationType, QuotePolicy, Visibility};
pub(super) use serde::{Deserialize, Serialize};

pub(super) use super::clock::{DAY, Millis, day_of};
pub(super) use super::hub::Happening;
pub(super) use super::{Key, State};
pub(super) use crate::family::Habit;
