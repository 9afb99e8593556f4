//! The server half: axum routes from generated traits.

mod alternatives;
mod answer;
mod auth;
mod body;
mod call;
mod caller;
mod cors;
mod decoder;
mod error;
mod events;
mod limits;
#[cfg(feature = "listen")]
mod listen;
mod missing;
mod multipart;
mod panic;
mod route;
mod routes;
mod serve;
mod site;
#[cfg(feature = "websocket")]
mod socket;
mod spool;
mod target;
mod timed;
mod tree;
mod upload;
#[cfg(feature = "listen")]
mod watched;

use std::future::Future;
use std::pin::Pin;

pub use answer::{IntoAnswer, Outgoing, reply};
pub use auth::Authenticator;
pub use axum::Router;
pub use axum::http::StatusCode;
pub use call::Call;
pub use caller::{Caller, Scopes};
pub use decoder::{Decode, Decoder, Invalid};
pub use error::{Cause, Error};
pub use events::{Event, Events};
pub use limits::Limits;
#[cfg(feature = "listen")]
pub use listen::{Listen, serve};
pub use missing::{NotImplemented, is_missing, not_implemented};
pub use route::Input;
pub use routes::{Handler, Mounted, Routes};
pub use target::Target;

/// Types that handlers take and return.
pub use crate::{Either, Empty, File, Id, Json, Link, List, Page, Raw, Secret, Timestamp};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, Error>;

/// The future of a response.
pub type BoxFuture = Pin<Box<dyn Future<Output = axum::response::Response> + Send>>;

/// Mounts the methods of a group: `mount!(routes, app: T, { lookup => accounts::Lookup })`.
///
/// Only the future that calls the method is compiled once per application; the rest is shared.
#[macro_export]
macro_rules! mount {
    ($routes:expr, $app:ident: $type:ident, { $($method:ident => $request:ty),* $(,)? }) => {
        $routes.mount($app, ::std::vec![$((
            <$request as $crate::Request>::OPERATION,
            $crate::server::is_missing(<$type>::$method),
            (|app: $type, mut input: $crate::server::Input| -> $crate::server::BoxFuture {
                ::std::boxed::Box::pin(async move {
                    let request = match <$request as $crate::server::Decode>::decode(input.decoder()) {
                        ::core::result::Result::Ok(request) => request,
                        ::core::result::Result::Err(invalid) => return invalid.into(),
                    };
                    let (call, outgoing) = input.into_parts();
                    $crate::server::reply(app.$method(request, call).await, &outgoing)
                })
            }) as $crate::server::Handler<$type>
        )),*])
    };
}
