//! The client half: requests and responses as plain [`http`] types, and a [`Client`] over any [`Transport`].
//!
//! Nothing in this module performs IO; a transport does.

mod answer;
mod body;
mod call;
mod clearing;
mod elements;
mod encoder;
mod error;
mod link;
mod multipart;
mod origin;
mod pages;
mod rate;
mod reader;
mod redact;
mod request;
mod token;
mod tower;
mod transport;
mod walk;

#[cfg(feature = "reqwest")]
mod reqwest;

pub use self::tower::Tower;
pub use crate::de::UnknownField;
pub use answer::{Answer, FromAnswer, response};
pub use body::Body;
pub use call::Client;
pub use clearing::Clearing;
pub use encoder::{Encode, Encoder};
pub use error::{ApiError, Error, ErrorKind, RefusedParam};
pub use http::StatusCode;
pub use origin::{BadOrigin, Origin};
pub use pages::{Items, Pages};
pub use rate::Rate;
pub use reader::Reader;
pub use request::request;
pub use token::Token;
pub use transport::{BoxFuture, Exchange, Transport, TransportError};
pub use walk::{Direction, PageCursor, Walk};

#[cfg(feature = "reqwest")]
pub use self::reqwest::{NewClientError, Reqwest};
