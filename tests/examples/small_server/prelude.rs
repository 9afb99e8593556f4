//! The names that most files use.

pub use std::collections::{BTreeMap, BTreeSet};

pub use fedispec::entities::{self, Account, MediaAttachment, Relationship, Status};
pub use fedispec::enums::{NotificationType, Visibility};
pub use fedispec::runtime::Map;
pub use fedispec::server::{
    Call, Either, Empty, Error, File, Id, List, Page, Result, Server, Timestamp,
};
pub use fedispec::statuses;

pub use super::store::*;
pub use super::{App, Mount};
pub(super) use super::{blank, text};
