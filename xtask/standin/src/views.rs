//! Entities, made of the state's records as a viewer sees them.

pub(crate) mod account;
mod application;
pub(crate) mod card;
mod emoji;
mod filter;

mod edit;
pub(crate) mod instance;
mod media;
mod moderation;
mod nodeinfo;
mod notification;
mod poll;
mod prelude;
mod quote;
mod relationship;
mod scheduled;
mod status;
mod tag;
mod token;

use fedispec::server::{Error, Id, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::{Key, State};

/// A public key on P-256 for Web Push, whose private key was thrown away: nothing is ever sent.
pub(crate) const SERVER_KEY: &str =
    "BNc-lo-as3-yBfGJZXW7YkUzMqznE4B6Hq4RadeWjRM32_xrvUv5ypjpArzyAEh2o07ZM2P4PkLXfu0QtiQIEac=";

/// The state as an account sees it, or nobody in particular.
#[derive(Clone, Copy)]
pub(crate) struct View<'s> {
    pub(crate) state: &'s State,
    pub(crate) me: Option<Key>,
}

impl State {
    /// The state as a viewer sees it.
    pub(crate) fn view(&self, me: impl Into<Option<Key>>) -> View<'_> {
        View { state: self, me: me.into() }
    }
}

impl View<'_> {
    /// An id as clients see it.
    pub(crate) fn id<T: ?Sized>(&self, key: Key) -> Id<T> {
        self.state.id(key)
    }
}

/// An entity as another one that has some of its keys, such as that of an older document.
pub(crate) fn reshaped<T: DeserializeOwned>(entity: impl Serialize) -> Result<T> {
    let json = serde_json::to_value(entity).and_then(serde_json::from_value);
    json.map_err(|error| Error::internal().with_source(error))
}

/// A count as entities have it.
pub(crate) fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
