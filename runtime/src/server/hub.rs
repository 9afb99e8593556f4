//! A hub of events: what is published once reaches every client that is subscribed.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::events::TooSlow;
use super::panic::caught;
use super::{Event, Events, OrInternal as _, Result};
use crate::lock::Lock as _;
use crate::{Id, RawEvent};

/// The events that wait for a slow client unless [`Hub::room`] says otherwise.
const ROOM: usize = 256;

/// A topic that events are published to and clients subscribe to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// The home timeline and the notifications of an account.
    User(Id),
    /// The notifications of an account alone.
    Notifications(Id),
    /// The conversations of an account.
    Direct(Id),
    /// The timeline of a list.
    List(Id),
    /// The statuses with a tag.
    Tag {
        /// Its name, in small letters and without `#`.
        name: String,
        /// Whether only statuses of this server's users count.
        local: bool,
    },
    /// The public statuses.
    Public {
        /// Only statuses of this server's users, or only those of others.
        local: Option<bool>,
        /// Whether only statuses with media count.
        only_media: bool,
    },
}

impl Topic {
    /// The home timeline and the notifications of an account.
    pub fn user(account: impl AsRef<str>) -> Self {
        Self::User(account.as_ref().into())
    }

    /// The notifications of an account alone.
    pub fn notifications(account: impl AsRef<str>) -> Self {
        Self::Notifications(account.as_ref().into())
    }

    /// The conversations of an account.
    pub fn direct(account: impl AsRef<str>) -> Self {
        Self::Direct(account.as_ref().into())
    }

    /// The timeline of a list.
    pub fn list(list: impl AsRef<str>) -> Self {
        Self::List(list.as_ref().into())
    }

    /// The statuses with a tag, however its name is written.
    pub fn tag(name: &str, local: bool) -> Self {
        Self::Tag { name: name.trim_start_matches('#').to_lowercase(), local }
    }

    /// The public statuses.
    pub fn public(local: Option<bool>, only_media: bool) -> Self {
        Self::Public { local, only_media }
    }

    /// All topics that a public status belongs to: whether it is of this server's users, whether it has media, and the names of its tags.
    pub fn of_public<'t>(
        is_local: bool,
        has_media: bool,
        tags: impl IntoIterator<Item = &'t str>,
    ) -> Vec<Self> {
        let shown = [false, true].into_iter().filter(|only_media| has_media || !only_media);
        let publics =
            shown.flat_map(|media| [None, Some(is_local)].map(|local| Self::public(local, media)));
        let reach = [false, true].into_iter().filter(|local| is_local || !local);
        let tagged = tags.into_iter().flat_map(|name| {
            let topic = move |local| Self::tag(name, local);
            reach.clone().map(topic)
        });
        publics.chain(tagged).collect()
    }
}

/// An event, the topics that it is published to, and the accounts that it is about.
#[derive(Debug, Clone)]
pub struct Publication {
    event: Event,
    topics: Vec<Topic>,
    accounts: Vec<Id>,
}

/// A publication as other processes are handed it.
#[derive(Serialize, Deserialize)]
struct Handed {
    event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    topics: Vec<Topic>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accounts: Vec<Id>,
}

impl Publication {
    /// Begins a publication of an event.
    pub fn new(event: impl Into<Event>) -> Self {
        Self { event: event.into(), topics: Vec::new(), accounts: Vec::new() }
    }

    /// Adds a topic.
    #[must_use]
    pub fn to(mut self, topic: Topic) -> Self {
        self.topics.push(topic);
        self
    }

    /// Adds topics.
    #[must_use]
    pub fn to_all(mut self, topics: impl IntoIterator<Item = Topic>) -> Self {
        self.topics.extend(topics);
        self
    }

    /// Adds an account that the event is about, such as the author, so that clients of users who block it can leave the event out:
    /// [`Hub::subscribe_only`].
    #[must_use]
    pub fn about(mut self, account: impl AsRef<str>) -> Self {
        self.accounts.push(account.as_ref().into());
        self
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The topics.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// The accounts that it is about.
    pub fn accounts(&self) -> &[Id] {
        &self.accounts
    }
}

/// A carrier of publications to other processes, such as `NOTIFY` of a `PostgreSQL` or `PUBLISH` of a Redis: [`Hub::relay`].
///
/// It hands each text to every process, this one included, and each of them gives what arrives to [`Hub::receive`].
pub trait Relay: Send + Sync + 'static {
    /// Sends a text, which is JSON on one line.
    ///
    /// # Errors
    ///
    /// Where it cannot be sent: [`Error::unavailable`](super::Error::unavailable), so that a handler's `?` answers 503.
    fn send(&self, text: String) -> impl Future<Output = Result<()>> + Send;
}

impl<F, S> Relay for F
where
    F: Fn(String) -> S + Send + Sync + 'static,
    S: Future<Output = Result<()>> + Send,
{
    fn send(&self, text: String) -> impl Future<Output = Result<()>> + Send {
        self(text)
    }
}

type Sent = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// Carries events from those who publish them to the clients that are subscribed. Clones are the same hub.
///
/// ```
/// use fedispec_runtime::server::{Call, Event, Events, Hub, Publication, Result, Topic};
///
/// // The handler of a stream.
/// fn user(hub: &Hub, call: &Call) -> Result<Events> {
///     Ok(hub.subscribe([Topic::user(call.account()?)]))
/// }
///
/// // A handler that has deleted a status.
/// async fn deleted(hub: &Hub, call: &Call) -> Result<()> {
///     let event = Publication::new(Event::text("delete", "109"));
///     let topics = Topic::of_public(true, false, ["cats"]);
///     hub.publish(event.to(Topic::user(call.account()?)).to_all(topics)).await
/// }
/// # let _ = (user, deleted);
/// ```
///
/// An event is encoded once for all clients. For each client [`room`](Self::room) events may wait; a slower client is let go: it gets the events that
/// wait, then its stream ends, and a WebSocket is closed with 1013 (try again later). To revoke a token, end its streams with [`OpenStreams`](super::OpenStreams).
#[derive(Clone)]
pub struct Hub {
    open: Arc<Mutex<Open>>,
    room: usize,
    relay: Option<Arc<dyn Fn(String) -> Sent + Send + Sync>>,
}

#[derive(Default)]
struct Open {
    by_topic: HashMap<Topic, BTreeMap<u64, Arc<Subscriber>>>,
    next: u64,
    count: usize,
    let_go: u64,
}

type Wants = Box<dyn Fn(&Publication) -> bool + Send + Sync>;

struct Subscriber {
    sender: mpsc::Sender<Event>,
    wants: Option<Wants>,
}

impl Default for Hub {
    fn default() -> Self {
        Self { open: Arc::default(), room: ROOM, relay: None }
    }
}

impl Hub {
    /// A hub of this process.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets this number of events wait for each client; 256 unless set.
    #[must_use]
    pub fn room(mut self, events: usize) -> Self {
        self.room = events.max(1);
        self
    }

    /// Publishes to all processes that share a relay.
    #[must_use]
    pub fn relay(mut self, relay: impl Relay) -> Self {
        let relay = Arc::new(relay);
        self.relay = Some(Arc::new(move |text| {
            let relay = Arc::clone(&relay);
            Box::pin(async move { relay.send(text).await })
        }));
        self
    }

    /// A client's stream of what is published to one of the topics from now on. An event that is published to several comes once.
    pub fn subscribe(&self, topics: impl IntoIterator<Item = Topic>) -> Events {
        self.enter(topics, None)
    }

    /// A stream of the events that a condition selects. The condition runs while an event is published: it must not wait.
    pub fn subscribe_only(
        &self,
        topics: impl IntoIterator<Item = Topic>,
        wants: impl Fn(&Publication) -> bool + Send + Sync + 'static,
    ) -> Events {
        self.enter(topics, Some(Box::new(wants)))
    }

    fn enter(&self, topics: impl IntoIterator<Item = Topic>, wants: Option<Wants>) -> Events {
        let topics: Vec<_> = topics.into_iter().collect();
        let (sender, receiver) = mpsc::channel(self.room);
        let subscriber = Arc::new(Subscriber { sender, wants });
        let mut open = self.open.held();
        let number = open.next;
        open.next += 1;
        open.count += 1;
        for topic in &topics {
            let of = open.by_topic.entry(topic.clone()).or_default();
            of.insert(number, Arc::clone(&subscriber));
        }
        drop(open);
        Events(Box::pin(Subscription { receiver, hub: self.clone(), topics, number }))
    }

    /// Publishes an event: through the relay where the hub has one, and else to the clients of this process.
    ///
    /// Publish what the store has taken. Where the relay fails, the act is done and its event is not; a client that repeats the request
    /// with its `Idempotency-Key` does not do it twice.
    ///
    /// # Errors
    ///
    /// The relay's.
    pub async fn publish(&self, publication: Publication) -> Result<()> {
        let Some(relay) = &self.relay else {
            self.deliver(&publication);
            return Ok(());
        };
        let handed = Handed {
            payload: publication.event.payload().map(str::to_owned),
            event: publication.event.name().to_owned(),
            topics: publication.topics,
            accounts: publication.accounts,
        };
        relay(serde_json::to_string(&handed).or_internal()?).await
    }

    /// Delivers what the relay has brought, and tells to how many clients. A payload from elsewhere is sent as it is, by a server that
    /// emulates an older release too.
    ///
    /// # Errors
    ///
    /// Where the text is none of a hub's.
    pub fn receive(&self, text: &str) -> serde_json::Result<usize> {
        let handed: Handed = serde_json::from_str(text)?;
        let event =
            Event::raw(RawEvent { name: handed.event, payload: handed.payload, fault: None });
        let Handed { topics, accounts, .. } = handed;
        Ok(self.deliver(&Publication { event, topics, accounts }))
    }

    /// Delivers an event to the clients of this process alone, and tells to how many.
    pub fn deliver(&self, publication: &Publication) -> usize {
        let open = self.open.held();
        let of = |topic| open.by_topic.get(topic).into_iter().flatten();
        let subscribers: BTreeMap<u64, Arc<Subscriber>> = publication
            .topics
            .iter()
            .flat_map(of)
            .map(|(number, subscriber)| (*number, Arc::clone(subscriber)))
            .collect();
        // A subscriber's own code runs without the lock.
        drop(open);
        let mut delivered = 0;
        let mut slow = Vec::new();
        for (number, Subscriber { sender, wants }) in
            subscribers.iter().map(|(number, one)| (number, &**one))
        {
            let is_wanted =
                wants.as_ref().is_none_or(|wants| caught(|| wants(publication)).unwrap_or(false));
            if is_wanted {
                match sender.try_send(publication.event.clone()) {
                    Ok(()) => delivered += 1,
                    Err(_) => slow.push(*number),
                }
            }
        }
        if !slow.is_empty() {
            self.let_go(&slow);
        }
        delivered
    }

    /// The clients of this process that are subscribed to a topic.
    pub fn subscribers(&self, topic: &Topic) -> usize {
        self.open.held().by_topic.get(topic).map_or(0, BTreeMap::len)
    }

    /// The subscriptions of this process.
    pub fn len(&self) -> usize {
        self.open.held().count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The clients that were too slow, and were let go, since the hub began.
    pub fn too_slow(&self) -> u64 {
        self.open.held().let_go
    }

    fn let_go(&self, numbers: &[u64]) {
        let mut open = self.open.held();
        let mut gone = BTreeMap::new();
        open.by_topic.retain(|_, of| {
            for number in numbers {
                gone.extend(of.remove(number).map(|one| (*number, one)));
            }
            !of.is_empty()
        });
        // A client that has closed its stream itself does not count as slow.
        let is_slow = |one: &&Arc<Subscriber>| !one.sender.is_closed();
        let slow = gone.values().filter(is_slow).count();
        open.let_go += u64::try_from(slow).unwrap_or(u64::MAX);
    }
}

shown!(Hub, own => len = own.len());

/// A client's stream, which leaves the hub when it is dropped.
struct Subscription {
    receiver: mpsc::Receiver<Event>,
    hub: Hub,
    topics: Vec<Topic>,
    number: u64,
}

impl Stream for Subscription {
    type Item = std::result::Result<Event, TooSlow>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // Subscriptions that are still read are ended by the hub alone.
        self.receiver.poll_recv(context).map(|event| Some(event.ok_or(TooSlow)))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut open = self.hub.open.held();
        open.count -= 1;
        for topic in &self.topics {
            if let Some(of) = open.by_topic.get_mut(topic) {
                of.remove(&self.number);
                if of.is_empty() {
                    open.by_topic.remove(topic);
                }
            }
        }
    }
}
