//! A server from the traits: one user with a home timeline, and streams.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use fedispec::entities::{Instance, Status};
use fedispec::events::StreamEvent;
use fedispec::runtime::{Page, RawEvent, Secret};
use fedispec::server::{
    self, Call, Caller, Error, Event, Events, Listen, RequestLimits, Result, Router, Server,
};
use fedispec::{instance, streaming, timelines};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;

use super::{TOKEN, entities};

#[derive(Default)]
struct State {
    listeners: Vec<Sender<Event>>,
    statuses: Vec<Status>,
    /// The address of streams in the instance document.
    streaming: String,
    heard: Vec<String>,
}

#[derive(Clone, Default)]
pub(crate) struct Feed {
    state: Arc<Mutex<State>>,
    /// The number of the last event that was made for a counting stream.
    pub(crate) counted: Arc<AtomicU64>,
}

impl Feed {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event to all who listen to `user`.
    pub(crate) fn tell(&self, event: impl Into<Event>) {
        let event = event.into();
        let told = |listener: &Sender<Event>| listener.try_send(event.clone()).is_ok();
        self.state().listeners.retain(told);
    }

    /// Posts a status, and tells of it.
    pub(crate) fn post(&self, id: &str) {
        let status = entities::status(id);
        self.state().statuses.push(status.clone());
        self.tell(StreamEvent::Update(status.into()));
    }

    pub(crate) fn listeners(&self) -> usize {
        let mut state = self.state();
        state.listeners.retain(|listener| !listener.is_closed());
        state.listeners.len()
    }

    /// Waits until so many listen to `user`.
    pub(crate) async fn heard_by(&self, count: usize) {
        let there = async {
            while self.listeners() != count {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        };
        let there = tokio::time::timeout(super::HANGS, there).await;
        assert!(there.is_ok(), "{} listeners", self.listeners());
    }

    /// The streams that were asked for.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.state().heard.clone()
    }

    pub(crate) fn names(&self, streaming: &str) {
        streaming.clone_into(&mut self.state().streaming);
    }

    pub(crate) fn router(&self) -> Router {
        let authenticator = async |token: Secret| match token.expose() {
            TOKEN => Ok(Caller::user("7", "read")),
            _ => Err(Error::unauthorized()),
        };
        Server::new()
            .authenticator(authenticator)
            .limits(RequestLimits::default().heartbeat(std::time::Duration::from_millis(200)))
            .instance(self.clone())
            .streaming(self.clone())
            .timelines(self.clone())
            .into_router()
    }

    /// Serves at a port of its own, which the instance document names.
    pub(crate) async fn serve(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        self.names(&format!("ws://{address}"));
        tokio::spawn(Listen::new(listener).serve(self.router()));
        address
    }

    fn hear(&self, what: &str) {
        self.state().heard.push(what.to_owned());
    }
}

impl server::Instance for Feed {
    async fn get(&self, _: instance::Get, _: Call) -> Result<Instance> {
        let mut instance = entities::instance();
        let urls = &mut instance.configuration.urls;
        urls.streaming.clone_from(&self.state().streaming);
        instance.version = "4.3.0".into();
        Ok(instance)
    }
}

impl server::Timelines for Feed {
    /// Three a page.
    async fn home(&self, request: timelines::Home, call: Call) -> Result<Page<Status>> {
        call.account()?;
        let number = |id: &str| id.parse::<u64>().unwrap_or_default();
        let above = request.min_id.map(|id| number(id.as_str()));
        let all = self.state().statuses.clone();
        let mut page: Vec<Status> = match above {
            Some(above) => {
                let newer = |status: &Status| number(status.id.as_str()) > above;
                all.into_iter().filter(newer).take(3).collect()
            }
            None => all.into_iter().rev().take(3).rev().collect(),
        };
        page.reverse();
        let newest = page.first().map(|status| status.id.to_string());
        let page: Page<Status> = page.into_iter().collect();
        Ok(match newest {
            Some(newest) => page.with_prev([("min_id", newest)]),
            None => page,
        })
    }
}

impl server::Streaming for Feed {
    async fn user(&self, _: streaming::User, _: Call) -> Result<Events> {
        self.hear("user");
        let (sender, events) = Events::channel(64);
        self.state().listeners.push(sender);
        Ok(events)
    }

    async fn public(&self, request: streaming::Public, _: Call) -> Result<Events> {
        self.hear(&format!("public {:?}", request.only_media));
        Ok(Events::new(Once::new("public")))
    }

    async fn hashtag(&self, request: streaming::Hashtag, _: Call) -> Result<Events> {
        self.hear(&format!("hashtag {}", request.tag));
        if request.tag == "counting" {
            return Ok(Events::new(Counting(Arc::clone(&self.counted))));
        }
        Ok(Events::new(Once::new(&request.tag)))
    }

    async fn list(&self, request: streaming::List, _: Call) -> Result<Events> {
        self.hear(&format!("list {}", request.list));
        if request.list.as_str() == "404" {
            return Err(Error::not_found());
        }
        Ok(Events::new(Once::new(request.list.as_str())))
    }
}

/// A stream of one event, that stays open.
struct Once(Option<String>);

impl Once {
    fn new(id: &str) -> Self {
        Self(Some(id.to_owned()))
    }
}

impl futures_core::Stream for Once {
    type Item = StreamEvent;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<StreamEvent>> {
        match self.0.take() {
            Some(id) => Poll::Ready(Some(StreamEvent::Delete(id.into()))),
            None => Poll::Pending,
        }
    }
}

/// An endless stream of statuses, numbered from 1.
struct Counting(Arc<AtomicU64>);

impl futures_core::Stream for Counting {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Event>> {
        let number = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let status = Status {
            content: "<p>Good morning!</p>".repeat(200),
            ..entities::status(&number.to_string())
        };
        Poll::Ready(Some(StreamEvent::Update(status.into()).into()))
    }
}

/// An event that no catalogue lists.
pub(crate) fn unheard_of(name: &str, payload: &str) -> Event {
    Event::raw(RawEvent::new(name, Some(payload.to_owned())))
}

/// A line to a server that can be cut.
pub(crate) struct Cable {
    pub(crate) address: SocketAddr,
    connections: Arc<tokio::sync::Mutex<JoinSet<()>>>,
}

impl Cable {
    pub(crate) async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections: Arc<tokio::sync::Mutex<JoinSet<()>>> = Arc::default();
        let all = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                all.lock().await.spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(server).await {
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    }
                });
            }
        });
        Self { address, connections }
    }

    /// Cuts all that goes over it now.
    pub(crate) async fn cut(&self) {
        self.connections.lock().await.shutdown().await;
    }
}
