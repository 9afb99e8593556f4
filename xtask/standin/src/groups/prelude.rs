//! The names that many groups use.

pub(super) use std::collections::{BTreeMap, BTreeSet};

pub(super) use fedispec::enums::{NotificationType, Visibility};
pub(super) use fedispec::runtime::{Json, List, Map, Raw};
pub(super) use fedispec::server::{
    Call, Either, Empty, Error, File, Id, Page, Reply, Result, Secret, Server, StatusCode,
};
pub(super) use fedispec::{current, entities};
pub(super) use serde_json::json;

pub(super) use super::callers::{by_user, by_viewer};
pub(super) use super::support::{
    at_most, bad_request, conflict, in_seconds, invalid, invalid_alike, malformed, malformed_alike,
    member, not_blank, not_valid, offset, refused, set, set_list, told_or,
};
pub(super) use super::table::{Table, act, handler, table};
pub(super) use crate::app::{App, Locked};
pub(super) use crate::collect::{push_new, ranked, tally};
pub(super) use crate::family::{Habit, does};
pub(super) use crate::store::clock::{DAY, Millis, WEEK, day_of, from_time, time};
pub(super) use crate::store::hub::Happening;
pub(super) use crate::store::posted::Label;
pub(super) use crate::store::statuses::Status;
pub(super) use crate::store::{Key, State};
pub(super) use crate::text::{Piece, pieces};
pub(super) use crate::views::{View, count};
