//! Futures of transports and timers.

use std::future::Future;
use std::pin::Pin;

/// A boxed future. In a browser futures are not `Send`, and need not be.
#[cfg(not(target_family = "wasm"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A boxed future. In a browser futures are not `Send`, and need not be.
#[cfg(target_family = "wasm")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;
