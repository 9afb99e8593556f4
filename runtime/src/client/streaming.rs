//! Streams of events.
//!
//! [`Live`] (feature `streaming`) connects, stays connected and decodes events. What it consists of does no IO, has no clock and no
//! randomness, and is there for programs with connections of their own, without async too: [`Subscription`] builds requests and messages,
//! [`ServerSentEvents`] and [`StreamMessage`] decode what comes, [`StreamAddress`] and [`TokenPlace`] say where a stream is and how it takes the token,
//! [`Backoff`](super::Backoff) and [`Pulse`] when to connect again.

mod address;
#[cfg(feature = "streaming")]
mod connection;
#[cfg(feature = "streaming")]
mod fill;
mod lines;
#[cfg(feature = "streaming")]
mod live;
#[cfg(feature = "streaming")]
mod machine;
mod message;
mod place;
mod pulse;
#[cfg(all(feature = "reqwest", feature = "streaming"))]
pub(super) mod socket;
mod subscription;
#[cfg(feature = "streaming")]
mod way;
#[cfg(feature = "streaming")]
pub(super) mod wire;

#[cfg(feature = "streaming")]
pub use live::{Live, Notice};
#[cfg(feature = "streaming")]
pub use way::Over;

pub use address::{BadStreamAddress, StreamAddress};
pub use fedispec_since::TokenPlace;
pub use lines::{ServerSentEvents, TooLong};
pub use message::StreamMessage;
pub use pulse::{Pulse, Sign};
pub use subscription::Subscription;
