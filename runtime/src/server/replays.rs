//! Answers to requests that a client repeats, because it has not seen the first answer.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use http_body_util::{BodyExt as _, Collected};
use tokio::time::Instant;

use super::Call;
use crate::{Location, Param};

/// The header by which a client names an act that must happen once.
const KEY: &str = "idempotency-key";

/// The greatest length of a key that is remembered; clients send hashes or UUIDs.
const LONGEST: usize = 256;

/// The answers to requests that had an `Idempotency-Key`.
pub(super) struct Replays {
    keep: Duration,
    most: usize,
    first: Mutex<First>,
}

#[derive(Default)]
struct First {
    answers: HashMap<Key, Slot>,
    /// In the order of their creation.
    order: VecDeque<(Instant, Key)>,
}

/// The account, the operation and the client's key.
type Key = (String, &'static str, Vec<u8>);

/// The first answer. It is locked as long as it is being made, so that a repetition waits for it.
type Slot = Arc<tokio::sync::Mutex<Option<Answer>>>;

#[derive(Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Replays {
    pub(super) fn new(keep: Duration, most: usize) -> Self {
        Self {
            keep,
            most,
            first: Mutex::default(),
        }
    }

    /// The key of a request, where its operation takes one and the caller is a user.
    pub(super) fn key(call: &Call) -> Option<Key> {
        let takes = |param: &Param| {
            param.location == Location::Header && param.wire.eq_ignore_ascii_case(KEY)
        };
        let account = call.caller.as_ref()?.account.as_ref()?;
        let sent = call.headers.get(KEY).filter(|key| key.len() <= LONGEST)?;
        let operation = call.operation;
        let key = (account.to_string(), operation.id, sent.as_bytes().to_vec());
        operation.params.iter().any(takes).then_some(key)
    }

    /// Answers as the first request with this key was answered, or lets the handler answer. What failed may be tried again.
    pub(super) async fn answer(
        &self,
        key: Key,
        handler: impl Future<Output = Response>,
    ) -> Response {
        let slot = self.slot(key);
        let mut first = slot.lock().await;
        if let Some(answer) = &*first {
            return answer.clone().into();
        }
        let response = handler.await;
        if !response.status().is_success() {
            return response;
        }
        let (parts, body) = response.into_parts();
        // It was made in memory.
        let body = body.collect().await.map(Collected::to_bytes);
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            body: body.unwrap_or_default(),
        };
        *first = Some(answer.clone());
        answer.into()
    }

    fn slot(&self, key: Key) -> Slot {
        let now = Instant::now();
        let mut first = self.first();
        while let Some((since, oldest)) = first.order.front().cloned() {
            let is_old = now.duration_since(since) > self.keep;
            if !is_old && first.order.len() < self.most {
                break;
            }
            first.order.pop_front();
            first.answers.remove(&oldest);
        }
        if let Some(slot) = first.answers.get(&key) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        first.answers.insert(key.clone(), Arc::clone(&slot));
        first.order.push_back((now, key));
        slot
    }

    fn first(&self) -> MutexGuard<'_, First> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Self {
        let mut response = Self::new(Body::from(answer.body));
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        response
    }
}
