//! The state: plain records, in a file for each idea. One lock guards all of it.
//!
//! A record has the program's data and no entity: [`views`](crate::views) make entities of records, as a viewer sees them.

pub(crate) mod accounts;
pub(crate) mod announcements;
mod blocking;
mod bounds;
pub(crate) mod chance;
pub(crate) mod clock;
pub(crate) mod collections;
pub(crate) mod conversations;
pub(crate) mod described;
mod domains;
pub(crate) mod emojis;
pub(crate) mod file;
pub(crate) mod files;
pub(crate) mod film;
pub(crate) mod filters;
mod home;
pub(crate) mod hub;
mod ids;
pub(crate) mod interactions;
pub(crate) mod lists;
mod markers;
pub(crate) mod media;
pub(crate) mod moderation;
pub(crate) mod notifications;
pub(crate) mod oauth;
pub(crate) mod polls;
pub(crate) mod posted;
mod prelude;
mod removal;
pub(crate) mod rules;
pub(crate) mod scheduled;
pub(crate) mod statuses;
pub(crate) mod tags;
mod threads;
pub(crate) mod ties;
pub(crate) mod two_factor;

use std::collections::{BTreeMap, BTreeSet};

use fedispec::entities::{InteractionPolicy, Marker, WebPushSubscription};
use fedispec::server::{Error, Id};
use serde::{Deserialize, Serialize};

use crate::family::Habit;
use clock::Millis;
pub(crate) use ids::{Key, Notation};

use crate::release::Release;
use crate::text::Form;

/// All that the server knows. What a data file lacks is empty, so that an older file is read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct State {
    last_key: Key,
    pub(crate) clock: clock::Clock,
    pub(crate) chance: chance::Chance,
    pub(crate) accounts: BTreeMap<Key, accounts::Account>,
    pub(crate) announcements: BTreeMap<Key, announcements::Announcement>,
    /// The years that each account has looked back at, and whether it has read that.
    pub(crate) annual_reports: BTreeMap<Key, BTreeMap<i64, bool>>,
    pub(crate) collections: BTreeMap<Key, collections::Collection>,
    pub(crate) conversations: BTreeMap<Key, conversations::Conversation>,
    pub(crate) described: described::Described,
    /// The domains that each account blocks, with the keys by which they are cut into pages.
    pub(crate) domain_blocks: BTreeMap<Key, BTreeMap<String, Key>>,
    pub(crate) emojis: BTreeMap<Key, emojis::Emoji>,
    pub(crate) files: BTreeMap<Key, files::Stored>,
    pub(crate) filters: BTreeMap<Key, filters::Filter>,
    /// The policies of each account that has set some, by visibility.
    pub(crate) interaction_policies: BTreeMap<Key, BTreeMap<String, InteractionPolicy>>,
    pub(crate) lists: BTreeMap<Key, lists::List>,
    /// The markers of how far timelines were read, by the name of the timeline.
    pub(crate) markers: BTreeMap<Key, BTreeMap<String, Marker>>,
    pub(crate) media: BTreeMap<Key, media::Medium>,
    pub(crate) moderated: moderation::Moderated,
    pub(crate) notifications: BTreeMap<Key, notifications::Notification>,
    pub(crate) oauth: oauth::Oauth,
    /// The notification policies; the default of accounts that have none.
    pub(crate) policies: BTreeMap<Key, notifications::Policy>,
    pub(crate) polls: BTreeMap<Key, polls::Poll>,
    pub(crate) promoted: Promoted,
    /// Web Push subscriptions by the ids of tokens. Nothing is ever sent to them.
    pub(crate) push: BTreeMap<Key, WebPushSubscription>,
    pub(crate) requests: BTreeMap<Key, notifications::Request>,
    pub(crate) rules: rules::Rules,
    pub(crate) scheduled: BTreeMap<Key, scheduled::Scheduled>,
    /// A file has them beside the rest, as there may be many.
    #[serde(skip_serializing)]
    pub(crate) statuses: posted::Statuses,
    pub(crate) tags: BTreeMap<String, tags::Tag>,
    pub(crate) ties: BTreeMap<Key, BTreeMap<Key, ties::Tie>>,
    /// Accounts that each does not want to be suggested.
    pub(crate) unsuggested: BTreeMap<Key, BTreeSet<Key>>,
    /// The statuses, links and publishers that moderators have kept out of the trends.
    pub(crate) untrended: Untrended,
    #[serde(skip)]
    hub: hub::Hub,
    #[serde(skip)]
    place: Place,
}

/// Promoted trends, which go before those that people have made, the first first.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Promoted {
    pub(crate) tags: Vec<String>,
    pub(crate) statuses: Vec<Key>,
    pub(crate) links: Vec<String>,
}

/// The statuses, links and publishers that moderators have kept out of the trends.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Untrended {
    pub(crate) statuses: BTreeSet<Key>,
    pub(crate) links: BTreeSet<String>,
    /// Domains of publishers.
    pub(crate) publishers: BTreeSet<String>,
}

/// Settings by the release that is presented, and the address of the server. No file keeps them: the same data can be served as any
/// release, anywhere.
#[derive(Debug, Clone)]
struct Place {
    release: Release,
    notation: Notation,
    bounds: bounds::Bounds,
    origin: String,
}

impl Place {
    fn new(release: &Release, origin: String) -> Self {
        let notation = if release.has_ulids() { Notation::Ulid } else { Notation::Number };
        Self { release: release.clone(), notation, bounds: bounds::Bounds::of(release), origin }
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::new(&Release::default(), String::new())
    }
}

/// Where the clock of a seeded state stands: 2026-01-01.
const SEEDED_AT: Millis = 1_767_225_600_000;

impl State {
    /// An empty state, whose ids, tokens and times follow from the seed: its clock stands still until somebody moves it.
    pub(crate) fn seeded(seed: u64) -> Self {
        let mut state = Self { chance: chance::Chance::seeded(seed), ..Self::default() };
        state.clock.set(SEEDED_AT);
        state
    }

    /// Sets the release that is presented, and the origin of links.
    pub(crate) fn place(&mut self, release: &Release, origin: String) {
        self.place = Place::new(release, origin);
    }

    /// The release that is presented.
    pub(crate) fn release(&self) -> &Release {
        &self.place.release
    }

    /// Whether the release that is presented has a habit.
    pub(crate) fn does(&self, habit: Habit) -> bool {
        self.place.release.does(habit)
    }

    /// The origin of links: `http://127.0.0.1:3000`.
    pub(crate) fn origin(&self) -> &str {
        &self.place.origin
    }

    /// How texts are written as HTML.
    pub(crate) fn form(&self) -> Form<'_> {
        let shortens = !self.does(Habit::KeepsLinksWhole);
        Form { origin: self.origin(), shortens, markdown: false }
    }

    /// The server's domain, with the port: `127.0.0.1:3000`.
    pub(crate) fn domain(&self) -> &str {
        let origin = self.origin();
        origin.split_once("://").map_or(origin, |(_, domain)| domain)
    }

    /// 404, which says what is missing where the presented program does.
    pub(crate) fn missing(&self, told: &str) -> Error {
        if self.does(Habit::TellsWhy) {
            Error::not_found().or_in_words(format!("Not Found: {told}"))
        } else {
            Error::not_found()
        }
    }

    /// The time.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// The key of a new record, greater than all before.
    pub(crate) fn next_key(&mut self) -> Key {
        let key = Key::at(self.now()).max(Key(self.last_key.0.saturating_add(1)));
        self.last_key = key;
        key
    }

    /// A key as clients see it.
    pub(crate) fn id<T: ?Sized>(&self, key: Key) -> Id<T> {
        Id::new(key.text(self.place.notation))
    }

    /// The key of an id that a client sent; none where it is no id of this server.
    pub(crate) fn key(&self, id: &Id<impl Sized>) -> Option<Key> {
        Key::parse(id.as_str(), self.place.notation)
    }

    /// The key that an id stands at by which a client cuts a list.
    pub(crate) fn bound(&self, id: &str) -> Key {
        Key::bound(id, self.place.notation)
    }

    /// Whether a key is that of an id by which a client narrows a list, if it does.
    pub(crate) fn fits(&self, id: Option<&Id<impl Sized>>, key: Key) -> bool {
        id.is_none_or(|id| self.key(id) == Some(key))
    }

    /// Whether something should have happened by now.
    pub(crate) fn is_behind(&self) -> bool {
        self.is_something_due() || self.has_ended_polls()
    }

    /// Makes happen what is due.
    pub(crate) fn catch_up(&mut self) {
        self.post_what_is_due();
        self.close_polls();
    }

    /// Takes over another state, such as an empty one; whoever listens goes on to.
    pub(crate) fn replace(&mut self, other: Self) {
        let (hub, place) = (std::mem::take(&mut self.hub), self.place.clone());
        *self = Self { hub, place, ..other };
    }
}
