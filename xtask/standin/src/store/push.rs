//! Web Push subscriptions, one for each token.

use std::collections::{BTreeMap, BTreeSet};

use fedispec::enums::PushPolicy;
use serde::{Deserialize, Serialize};

use super::Key;

/// A public key on P-256, whose private key was thrown away: nothing is ever sent.
pub(crate) const SERVER_KEY: &str =
    "BNc-lo-as3-yBfGJZXW7YkUzMqznE4B6Hq4RadeWjRM32_xrvUv5ypjpArzyAEh2o07ZM2P4PkLXfu0QtiQIEac=";

/// A subscription. Nothing is ever sent to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Subscription {
    pub(crate) id: Key,
    pub(crate) endpoint: String,
    pub(crate) p256dh: String,
    pub(crate) auth: String,
    pub(crate) standard: bool,
    pub(crate) policy: PushPolicy,
    /// The names of the alerts that are on.
    pub(crate) alerts: BTreeSet<String>,
}

/// The subscriptions by the ids of tokens.
pub(crate) type Subscriptions = BTreeMap<Key, Subscription>;
