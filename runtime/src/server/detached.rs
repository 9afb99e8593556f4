//! Calls that run to their end, whatever becomes of their connections.
//!
//! A handler is otherwise dropped with its connection, as hyper drops the service's future, and an act may be done by half.

use std::future::Future;
use std::time::Duration;

use axum::response::{IntoResponse as _, Response};

use super::Error;
use super::budget::Share;
use super::client_limit::ClientPermit;
use super::connection::Ending;
use super::deadline::in_time;

/// The resources that a call holds as long as it runs apart from its connection.
pub(super) struct Detached {
    most: Duration,
    /// The listener waits until this is dropped.
    held: (Option<ClientPermit>, Option<Ending>, Option<Share>),
}

impl Detached {
    pub(super) fn new(
        most: Duration,
        permit: Option<ClientPermit>,
        ending: Option<Ending>,
    ) -> Self {
        Self { most, held: (permit, ending, None) }
    }

    /// Keeps the memory of the request's body too.
    pub(super) fn with(mut self, share: Share) -> Self {
        self.held.2 = Some(share);
        self
    }

    /// Runs a handler as a task of its own, and waits for its answer. Without a tokio runtime it is not a task.
    pub(super) async fn run(
        self,
        handler: impl Future<Output = Response> + Send + 'static,
    ) -> Response {
        let Self { most, held } = self;
        let whole = async move {
            let answered = in_time(most, handler).await;
            drop(held);
            answered.unwrap_or_else(Error::into_response)
        };
        match tokio::runtime::Handle::try_current() {
            // A task ends without an answer where its runtime ends.
            Ok(runtime) => {
                runtime.spawn(whole).await.unwrap_or_else(|_| Error::internal().into_response())
            }
            Err(_) => whole.await,
        }
    }
}
