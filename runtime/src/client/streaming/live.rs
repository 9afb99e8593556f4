//! Live streams: what a program reads from.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;

use super::fill::Fill;
use super::machine::{Machine, Signal};
use super::message::LONGEST_EVENT;
use super::{Over, StreamAddress, Subscription, TokenPlace};
use crate::client::{Backoff, Client, Encode, Error, FromAnswer};
use crate::{EventStream, FromEvent, RawEvent, Request, de};

/// A live stream of events, as a [`Stream`]; [`next`](Self::next) serves callers without stream combinators. Nothing is sent before it is
/// polled.
///
/// **Connection.** It comes over a WebSocket or as server-sent events, whichever the server has, from the address that its instance document
/// names. The token goes there and to the instance, nowhere else: an address with another scheme or in a private network is an error, and no
/// redirect is followed.
///
/// **Errors.** A connection that breaks, falls silent or is closed is made again, after waits that grow from one second to one minute, or as
/// long as the server asks. An error ends the stream: the very first connection fails (but for 429 and 503, which are waited for), the server
/// refuses the token or the stream, or the attempts set by [`tries`](Self::tries) are used up. [`next_notice`](Self::next_notice) tells of
/// connections too. What happened while there was none is lost, unless [`fill`](Self::fill) reads it from a list.
///
/// **Events.** They come in the order of the server. One that is unknown or cannot be decoded is an event too, and does not end the stream.
///
/// **A slow reader** slows the server down: nothing is read ahead of it. The memory of a stream is bounded by one event (of 4 MiB at most, a
/// longer one breaks the connection) and the buffers of the socket. A server does not wait for ever, though: a stream that is not
/// polled for a minute or two is disconnected, and reconnects at the next poll.
///
/// **Without async** a stream is read by a runtime of one thread, `runtime.block_on(live.next())`; connections of your own get along with
/// [`Subscription`], [`ServerSentEvents`](crate::client::ServerSentEvents) and [`StreamMessage`](crate::client::StreamMessage).
#[must_use = "a stream does nothing unless it is polled"]
pub struct Live<E> {
    machine: Machine,
    events: PhantomData<fn() -> E>,
}

/// An event, or a change of the connection, as [`Live::next_notice`] returns it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice<E> {
    /// An event.
    #[non_exhaustive]
    Event {
        /// The stream that it comes from, as [`Subscription::name`]: `user`, `list:12`.
        stream: String,
        /// The event.
        event: E,
    },
    /// A connection stands.
    #[non_exhaustive]
    Connected {
        /// Its kind.
        over: Over,
        /// Whether there was one before, so that events may be missing.
        again: bool,
    },
    /// The connection is lost, or an attempt has failed.
    #[non_exhaustive]
    Lost {
        /// Why.
        why: Error,
        /// The time until the next attempt.
        wait: Duration,
    },
    /// The server refuses one of several streams; the others go on.
    #[non_exhaustive]
    Refused {
        /// Its text.
        why: Error,
    },
}

impl Client {
    /// A stream of events.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::client::{Client, Tower};
    /// # mod streaming {
    /// #     use fedispec_runtime as rt;
    /// #     pub struct User;
    /// #     impl rt::Request for User {
    /// #         type Answer = rt::EventStream<StreamEvent>;
    /// #         const OPERATION: &'static rt::Operation = &rt::Operation::new("streaming.user", rt::Method::Get, "/api/v1/streaming/user");
    /// #     }
    /// #     impl User { pub fn new() -> Self { Self } }
    /// #     impl rt::client::Encode for User {
    /// #         fn encode<'a>(&'a self, _: &mut rt::codegen::Encoder<'a>) {}
    /// #     }
    /// #     #[derive(Debug)]
    /// #     pub enum StreamEvent { Delete(String), Unrecognized(rt::RawEvent) }
    /// #     impl rt::FromEvent for StreamEvent {
    /// #         fn from_event(event: rt::RawEvent) -> Self {
    /// #             match event.name.as_str() {
    /// #                 "delete" => event.text().map_or_else(Self::Unrecognized, Self::Delete),
    /// #                 _ => Self::Unrecognized(event),
    /// #             }
    /// #         }
    /// #     }
    /// # }
    /// # use streaming::StreamEvent;
    /// # async fn answer(request: axum::extract::Request) -> impl axum::response::IntoResponse {
    /// #     let is_stream = request.uri().path() == "/api/v1/streaming/user";
    /// #     let lines = if is_stream { "event: delete\ndata: 31\n\nevent: new\ndata: {}\n\n" } else { "{}" };
    /// #     ([("content-type", "text/event-stream")], lines)
    /// # }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// # runtime.block_on(async {
    /// # let router = axum::Router::new().fallback(answer);
    /// # let client = Client::with_transport("social.example".parse()?, Tower::new(router));
    /// let mut events = client.stream(streaming::User::new());
    /// while let Some(event) = events.next().await {
    ///     match event? {
    ///         StreamEvent::Delete(id) => assert_eq!(id, "31"),
    ///         StreamEvent::Unrecognized(event) => {
    ///             println!("{} {:?}", event.name, event.payload);
    /// #           assert_eq!(event.name, "new");
    /// #           break;
    ///         }
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream<R, E>(&self, request: R) -> Live<E>
    where
        R: Request<Answer = EventStream<E>> + Encode,
        E: FromEvent,
    {
        let (set, fault) = match Subscription::new(&request) {
            Ok(first) => (vec![first], None),
            Err(error) => (Vec::new(), Some(error)),
        };
        Live { machine: Machine::new(self.clone(), R::OPERATION, set, fault), events: PhantomData }
    }
}

impl<E: FromEvent> Live<E> {
    /// Adds another stream on the same connection, which is a WebSocket then.
    pub fn and<R>(mut self, request: R) -> Self
    where
        R: Request<Answer = EventStream<E>> + Encode,
    {
        if let Err(error) = self.subscribe(request) {
            self.machine.fault.get_or_insert(error);
        }
        self
    }

    /// Begins another stream on the same connection, now or as soon as it stands.
    ///
    /// # Errors
    ///
    /// When the request cannot be sent, or the connection cannot have several streams: it is no WebSocket, or the server takes one stream
    /// for each connection.
    pub fn subscribe<R>(&mut self, request: R) -> Result<(), Error>
    where
        R: Request<Answer = EventStream<E>> + Encode,
    {
        let added = Subscription::new(&request)?;
        self.machine.subscribe(added)
    }

    /// Ends a stream that was begun by an equal request. Events of it that are on their way still come.
    ///
    /// # Errors
    ///
    /// When the request cannot be sent.
    pub fn unsubscribe<R>(&mut self, request: R) -> Result<(), Error>
    where
        R: Request<Answer = EventStream<E>> + Encode,
    {
        let ended = Subscription::new(&request)?;
        self.machine.unsubscribe(&ended);
        Ok(())
    }

    setters! {
        /// Takes this kind of connection. Otherwise it is a WebSocket, or what else the server has.
        over(over: Over) => machine.asked.over = Some(over);

        /// Connects to this address, whatever the instance document names. The token is sent there.
        at(address: StreamAddress) => machine.address = Some(address);

        /// Sends the token of a WebSocket there. Otherwise it is where the server's release looks for it.
        token_in(place: TokenPlace) => machine.asked.place = Some(place);

        /// Gives a connection up when nothing has come over it for so long; the default is 90 seconds. After half of that a ping is sent.
        silence(limit: Duration) => machine.asked.silence = limit;

        /// Ends the stream after so many attempts without a connection in between. Otherwise there is no end of them.
        tries(tries: u32) => machine.asked.tries = Some(tries);

        /// Sets the first and the longest wait between attempts; the default is one second and one minute.
        waits(first: Duration, longest: Duration) => machine.backoff = Backoff::new(first, longest);

        /// Sets the longest wait that the server may ask for (`Retry-After`) before the next attempt; the default is a quarter of an hour.
        longest_wait(wait: Duration) => machine.asked.longest = wait;
    }

    /// After a lost connection, reads what it has missed from a list, and tells it as events of this name, the oldest first, before it goes on.
    ///
    /// The list is read from the id of the newest element told, for at most ten pages; its first page is read once at the beginning. A list
    /// that cannot be read counts as a connection that is lost. Elements that come twice are told once. What changed or was deleted
    /// in the meantime is not told.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # fn fill<R, H, E>(client: rt::client::Client, user: R, home: H)
    /// # where R: rt::Request<Answer = rt::EventStream<E>> + rt::client::Encode, E: rt::FromEvent,
    /// #       H: rt::Request<Answer = rt::Page<rt::Json>> + rt::client::Encode + Send + Sync + 'static {
    /// // client.stream(streaming::User::new()).fill("update", timelines::Home::new())
    /// let events = client.stream(user).fill("update", home);
    /// # drop(events);
    /// # }
    /// ```
    pub fn fill<R>(mut self, event: impl fmt::Display, list: R) -> Self
    where
        R: Request + Encode + Send + Sync + 'static,
        R::Answer: FromAnswer,
    {
        let client = self.machine.client.clone();
        self.machine.fill = Some(Fill::new(client, event.to_string(), list));
        self
    }

    /// The next event; `None` after the end, which is an error. Nothing is lost when the future is dropped.
    #[allow(clippy::should_implement_trait, reason = "it is the stream's next")]
    pub async fn next(&mut self) -> Option<Result<E, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// The next event, or what else has happened: a connection stands or is lost, a stream is refused.
    pub async fn next_notice(&mut self) -> Option<Result<Notice<E>, Error>> {
        std::future::poll_fn(|context| self.poll_notice(context)).await
    }

    fn poll_notice(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Notice<E>, Error>>> {
        let signal = match ready!(self.machine.poll_signal(context)) {
            Some(Ok(signal)) => signal,
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => return Poll::Ready(None),
        };
        Poll::Ready(Some(Ok(match signal {
            Signal::Event { stream, event } => Notice::Event { stream, event: decoded(event) },
            Signal::Connected { over, again } => Notice::Connected { over, again },
            Signal::Lost { why, wait } => Notice::Lost { why, wait },
            Signal::Refused { why } => Notice::Refused { why },
        })))
    }
}

/// Decodes an event within the memory that its greatest length allows.
fn decoded<E: FromEvent>(event: RawEvent) -> E {
    de::bounded(LONGEST_EVENT, || E::from_event(event))
}

impl<E: FromEvent> Stream for Live<E> {
    type Item = Result<E, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            match ready!(this.machine.poll_signal(context)) {
                Some(Ok(Signal::Event { event, .. })) => {
                    return Poll::Ready(Some(Ok(decoded(event))));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

shown!(Live<E>, own =>
    client = own.machine.client,
    streams = own.machine.set,
    state = own.machine.state.name()
);
