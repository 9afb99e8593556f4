//! The server's half: routes for axum from generated traits.

mod alternatives;
mod answer;
mod body;
mod call;
mod decoder;
mod error;
mod panic;
mod routes;
mod serve;
mod tree;

use std::future::{Future, Ready, ready};
use std::pin::Pin;

pub use answer::{IntoAnswer, Outgoing, Writable, Writer, reply};
pub use axum::Router;
pub use axum::http::StatusCode;
pub use call::Call;
pub use decoder::{Decode, Decoder, Invalid};
pub use error::Error;
pub use routes::{Handler, Limits, Routes};
pub use serve::Input;

/// What a handler returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What becomes of a request.
pub type BoxFuture = Pin<Box<dyn Future<Output = axum::response::Response> + Send>>;

/// The answer of a method that nobody implements: 501, in the API's own shape.
pub fn not_implemented<R: crate::Request>() -> Ready<Result<R::Answer>> {
    ready(Err(Error::not_implemented(R::OPERATION)))
}

/// Mounts the methods of a group: `mount!(routes, app: T, { lookup => accounts::Lookup })`.
///
/// Of all this only the future that calls the method is compiled for each application.
#[macro_export]
macro_rules! mount {
    ($routes:expr, $app:ident: $type:ident, { $($method:ident => $request:ty),* $(,)? }) => {
        $routes.mount($app, ::std::vec![$((
            <$request as $crate::Request>::OPERATION,
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
