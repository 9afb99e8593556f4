//! The client half: requests and responses as plain [`http`] types, and a [`Client`] over any [`Transport`].
//!
//! - [`Client`] sends requests, and tells an [`Error`] from an [`Answer`]; [`Pages`] and [`Elements`] walk through lists, and a [`Walk`]
//!   keeps its place in one.
//! - [`Reqwest`](Transport) (feature `reqwest`) and [`Tower`] are transports; others implement [`Transport`]. For tests a [`Recorder`] keeps
//!   what a server answers, and a [`Replay`] answers it again.
//! - `login` (feature `oauth`) signs in: registration, PKCE, tokens and sessions.
//! - `push` (feature `push`) has the keys of Web Push, and reads its messages.
//! - `Live` (feature `streaming`) is a stream of events that connects again by itself. [`Subscription`], [`ServerSentEvents`], [`StreamMessage`],
//!   [`StreamAddress`], [`Backoff`] and [`Pulse`] are its parts without IO.
//! - [`request`] and [`response`] do without a client and a transport.
//! - [`Encode`] and [`FromAnswer`] are the bounds of functions over any request.
//!
//! Nothing in this module performs IO; a transport does.

mod accepted;
mod answer;
mod backoff;
mod body;
mod call;
mod clearing;
mod delivery;
mod elements;
pub(crate) mod encoder;
mod error;
mod future;
mod knowledge;
mod link;
#[cfg(feature = "oauth")]
pub mod login;
mod multipart;
mod origin;
mod pacing;
mod pages;
#[cfg(feature = "push")]
pub mod push;
mod rate;
mod reader;
mod recording;
mod redact;
mod request;
mod streaming;
mod timer;
mod token;
mod tower;
mod transport;
mod upload;
mod walk;

#[cfg(feature = "reqwest")]
mod reqwest;

// Sending.
pub use call::Client;
pub use clearing::Clearing;
pub use origin::{BadOrigin, Origin};
pub use pacing::{RateLimits, Retries};
pub use token::Token;

// Answers and errors.
pub use crate::de::UnknownField;
pub use accepted::{Accepted, Unreadable};
pub use answer::{Accept, Answer, FromAnswer};
pub use error::{ApiError, Error, ErrorKind, RefusedParam};
pub use http::StatusCode;
pub use rate::Rate;
pub use reader::Reader;

// Uploads.
pub use upload::{Upload, UploadError};

// Lists.
pub use pages::{Elements, Pages};
pub use walk::{Direction, PageCursor, Walk};

// Streams of events.
pub use backoff::Backoff;
pub use streaming::{
    BadStreamAddress, Pulse, ServerSentEvents, Sign, StreamAddress, StreamMessage, Subscription,
    TokenPlace, TooLong,
};
#[cfg(feature = "streaming")]
pub use streaming::{Live, Notice, Over};

// Transports.
#[cfg(feature = "reqwest")]
pub use self::reqwest::{NewClientError, Reqwest};
pub use self::tower::Tower;
pub use body::Body;
/// The bytes of bodies, for transports of your own.
pub use bytes;
pub use future::BoxFuture;
/// The types of requests and responses, for transports of your own.
pub use http;
pub use recording::{Recorded, Recorder, Replay};
pub use timer::Timer;
#[cfg(any(feature = "reqwest", feature = "streaming"))]
pub use timer::TokioTimer;
pub use transport::{
    BoxLine, CutShort, Exchange, Frame, Line, Message, Opened, Transport, TransportError,
};

// Without a client.
pub use answer::response;
pub use encoder::Encode;
pub(crate) use encoder::Encoder;
pub use request::request;
