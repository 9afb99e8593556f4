//! The server half: axum routes from generated traits.
//!
//! - A handler receives a [`Call`], which has the [`Caller`], and answers a [`Result`]: a value, or an [`Error`] in the API's format.
//!   [`Events`] are the answer of a stream.
//! - An [`Authenticator`] resolves tokens to callers; [`RequestLimits`] bound what a request may send; a [`Target`] is the release that
//!   the server emulates. The builder `Server`, which takes them, is generated.
//! - `serve` and `Listen` (feature `listen`) serve a [`Router`] and bound what slow connections hold.

mod admission;
mod allowance;
mod alternatives;
pub(crate) mod answer;
mod auth;
mod authorization;
mod body;
mod bound;
mod budget;
mod call;
mod caller;
mod client_key;
mod client_limit;
mod connection;
#[cfg(feature = "listen")]
mod connections;
mod cors;
mod deadline;
pub(crate) mod decoder;
mod detached;
mod dialect;
mod digest;
mod discovery;
mod emulation;
mod error;
mod events;
mod family;
mod head;
mod hooks;
mod hub;
mod limits;
#[cfg(feature = "listen")]
mod listen;
mod method;
pub(crate) mod missing;
mod multipart;
mod oauth;
mod open_streams;
mod openapi;
mod or_internal;
mod page_query;
mod panic;
#[cfg(feature = "listen")]
mod proxies;
mod rate_limit;
mod refusal;
mod replays;
mod reply;
pub(crate) mod route;
pub(crate) mod routes;
mod serve;
mod shared;
pub(crate) mod sign_in;
mod site;
#[cfg(feature = "websocket")]
mod socket;
mod spool;
mod stream_end;
mod target;
mod text;
mod timed;
mod tree;
mod unknown_route;
mod unread;
mod upload;
#[cfg(feature = "listen")]
mod watched;
mod ways;
#[cfg(feature = "websocket")]
mod wire;
mod writing;
pub(crate) mod written;

use std::future::Future;
use std::pin::Pin;

// Handlers.
pub use crate::Scopes;
pub use authorization::{Authorization, escape_html};
pub use call::{Call, CallParts};
pub use caller::Caller;
pub use error::{Cause, Error};
pub use events::{Event, Events};
pub use hub::{Hub, Publication, Relay, Topic};
pub use oauth::OauthError;
pub use open_streams::OpenStreams;
pub use or_internal::OrInternal;
pub use page_query::PageQuery;
pub use reply::Reply;
pub use route::Handled;
pub use shared::{AnswerFor, Encoded};

// Signing in.
pub use sign_in::memory::OauthMemory;
pub use sign_in::page::{Consent, OauthPage, OauthRequest, OauthUser};
pub use sign_in::store::{Issued, OauthApp, OauthCode, OauthStore, OauthToken};

// Setting up and serving.
pub use auth::Authenticator;
pub use axum::Router;
pub use axum::http::StatusCode;
pub use emulation::{Emulation, UnknownRelease};
pub use hooks::Served;
pub use limits::RequestLimits;
#[cfg(feature = "listen")]
pub use listen::{Listen, Listener, serve};
pub use rate_limit::RateLimit;
pub use replays::AnswerStore;
pub use target::Target;

pub(crate) use answer::Outgoing;

/// Types that handlers take and return.
pub use crate::{Either, Empty, File, Id, Json, Link, List, Page, Raw, Secret, Timestamp};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, Error>;

/// The future of a response.
type HandlerFuture = Pin<Box<dyn Future<Output = axum::response::Response> + Send>>;
