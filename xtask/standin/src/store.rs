//! The state: plain records, in a file for each idea. One lock guards all of it.
//!
//! A record has the program's data and no entity: [`views`](crate::views) make entities of records, as a viewer sees them.

pub(crate) mod accounts;
pub(crate) mod clock;
pub(crate) mod domain_blocks;
pub(crate) mod file;
pub(crate) mod files;
pub(crate) mod hub;
mod ids;
pub(crate) mod media;
pub(crate) mod notifications;
pub(crate) mod oauth;
pub(crate) mod polls;
pub(crate) mod scheduled;
pub(crate) mod statuses;
pub(crate) mod ties;

use fedispec::server::Id;
use serde::{Deserialize, Serialize};

use accounts::Accounts;
use clock::{Clock, Millis};
use domain_blocks::DomainBlocks;
use files::Files;
use hub::Hub;
pub(crate) use ids::{Key, Notation};
use media::Media;
use notifications::Notifications;
use oauth::Oauth;
use polls::Polls;
use scheduled::ScheduledStatuses;
use statuses::Statuses;
use ties::Ties;

/// All that the server knows. What a data file lacks is empty, so that an older file is read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct State {
    last_key: u64,
    pub(crate) clock: Clock,
    pub(crate) accounts: Accounts,
    pub(crate) domain_blocks: DomainBlocks,
    pub(crate) files: Files,
    pub(crate) media: Media,
    pub(crate) notifications: Notifications,
    pub(crate) oauth: Oauth,
    pub(crate) polls: Polls,
    pub(crate) scheduled: ScheduledStatuses,
    pub(crate) statuses: Statuses,
    pub(crate) ties: Ties,
    #[serde(skip)]
    hub: Hub,
    #[serde(skip)]
    place: Place,
}

/// What the state is presented as, which no file keeps: the same data can be served as any release, at any address.
#[derive(Debug, Clone, Default)]
struct Place {
    notation: Notation,
    origin: String,
}

impl State {
    /// Sets how ids are written and the origin of links.
    pub(crate) fn place(&mut self, notation: Notation, origin: String) {
        self.place = Place { notation, origin };
    }

    /// The origin of links: `http://127.0.0.1:3000`.
    pub(crate) fn origin(&self) -> &str {
        &self.place.origin
    }

    /// The server's domain, with the port: `127.0.0.1:3000`.
    pub(crate) fn domain(&self) -> &str {
        let origin = self.origin();
        origin
            .split_once("://")
            .map_or(origin, |(_, domain)| domain)
    }

    /// The time.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// The key of a new record, greater than all before.
    pub(crate) fn next_key(&mut self) -> Key {
        let key = Key::at(self.now()).0.max(self.last_key + 1);
        self.last_key = key;
        Key(key)
    }

    /// A key as clients see it.
    pub(crate) fn id<T: ?Sized>(&self, key: Key) -> Id<T> {
        Id::new(key.text(self.place.notation))
    }

    /// The key of an id that a client sent; none where it is no id of this server.
    pub(crate) fn key(&self, id: &Id<impl Sized>) -> Option<Key> {
        Key::parse(id.as_str(), self.place.notation)
    }

    /// Whether something should have happened by now.
    pub(crate) fn is_behind(&self) -> bool {
        self.is_something_due()
    }

    /// Makes happen what is due.
    pub(crate) fn catch_up(&mut self) {
        self.post_what_is_due();
    }

    /// Takes over another state, such as an empty one; whoever listens goes on to.
    pub(crate) fn replace(&mut self, other: Self) {
        let (hub, place) = (std::mem::take(&mut self.hub), self.place.clone());
        *self = Self {
            hub,
            place,
            ..other
        };
    }
}
