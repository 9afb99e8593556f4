//! Answers that do not end: streams of events, and connections that switch to another protocol.

use std::marker::PhantomData;

/// The answer of an operation that streams events: server-sent events named by the values of `E`.
///
/// It has no values. An ordinary call waits for the end of its answer, and a stream has none, so `Client::send` does not take requests
/// with this answer. `client::request` builds them for a transport of your own.
#[derive(Debug)]
pub struct EventStream<E>(PhantomData<fn() -> E>);

/// The answer of an operation that switches the connection to another protocol, as a WebSocket does.
///
/// It has no values, for the same reason as [`EventStream`].
#[derive(Debug)]
pub enum Upgrade {}
