//! Answers to requests that a client repeats, because it has not seen the first answer.
//!
//! A cache such as moka lets repetitions wait for the first answer, but would bring a second store beside the server's own [`AnswerStore`].

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, Collected};
use tokio::time::Instant;

use super::detached::Detached;
use super::panic::answered;
use super::{Call, Cause, HandlerFuture, Result};
use crate::lock::Lock as _;
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
    store: Option<Box<dyn DynStore>>,
}

/// A store of the answers to requests with an `Idempotency-Key`, beside the server's own memory: `Server::idempotency_in`. With it they
/// outlive the process, or are shared by several.
///
/// The server asks it once for each key that its memory does not have. Two processes that are sent the same key at once may still both
/// carry it out.
pub trait AnswerStore: Send + Sync + 'static {
    /// The answer that was saved under a key, unless its time is over.
    ///
    /// # Errors
    ///
    /// Where the store cannot be asked. The request is answered with the error, and can be repeated.
    fn load(&self, key: &str) -> impl Future<Output = Result<Option<Vec<u8>>>> + Send;

    /// Saves an answer under a key, for a time.
    ///
    /// # Errors
    ///
    /// Where it cannot be saved. The request was carried out; its answer is sent all the same.
    fn save(
        &self,
        key: &str,
        answer: Vec<u8>,
        keep: Duration,
    ) -> impl Future<Output = Result<()>> + Send;
}

type StoreFuture<'s, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 's>>;

/// An [`AnswerStore`] of any type.
trait DynStore: Send + Sync {
    fn load<'s>(&'s self, key: &'s str) -> StoreFuture<'s, Option<Vec<u8>>>;
    fn save<'s>(&'s self, key: &'s str, answer: Vec<u8>, keep: Duration) -> StoreFuture<'s, ()>;
}

impl<S: AnswerStore> DynStore for S {
    fn load<'s>(&'s self, key: &'s str) -> StoreFuture<'s, Option<Vec<u8>>> {
        Box::pin(AnswerStore::load(self, key))
    }

    fn save<'s>(&'s self, key: &'s str, answer: Vec<u8>, keep: Duration) -> StoreFuture<'s, ()> {
        Box::pin(AnswerStore::save(self, key, answer, keep))
    }
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
        Self { keep, most, first: Mutex::default(), store: None }
    }

    pub(super) fn with_store(mut self, store: impl AnswerStore) -> Self {
        self.store = Some(Box::new(store));
        self
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
    ///
    /// The client may hang up: the handler runs on, and a repeated request waits for its answer.
    pub(super) async fn answer(
        self: Arc<Self>,
        key: Key,
        detached: Detached,
        handler: impl FnOnce() -> HandlerFuture + Send + 'static,
    ) -> Response {
        let name = self.store.as_ref().map(|_| name(&key));
        let mut first = self.slot(key).lock_owned().await;
        if let Some(answer) = &*first {
            return answer.clone().into();
        }
        detached.run(async move { self.fill(&mut first, name, handler).await }).await
    }

    /// Answers for the first time.
    async fn fill(
        &self,
        first: &mut Option<Answer>,
        name: Option<String>,
        handler: impl FnOnce() -> HandlerFuture,
    ) -> Response {
        let stored = self.store.as_ref().zip(name);
        if let Some((store, name)) = &stored {
            match store.load(name).await {
                Ok(Some(saved)) => {
                    if let Some(answer) = Answer::read(&saved) {
                        return first.insert(answer).clone().into();
                    }
                }
                Ok(None) => {}
                Err(error) => return error.into_response(),
            }
        }
        let response = answered(handler).await;
        if !response.status().is_success() {
            return response;
        }
        let (parts, body) = response.into_parts();
        // It was made in memory.
        let body = body.collect().await.map(Collected::to_bytes);
        let answer =
            Answer { status: parts.status, headers: parts.headers, body: body.unwrap_or_default() };
        *first = Some(answer.clone());
        if let Some((store, name)) = &stored
            && let Some(saved) = answer.saved()
            && let Err(error) = store.save(name, saved, self.keep).await
        {
            // For the server's logs: a layer finds it there.
            let mut response = Response::from(answer);
            response.extensions_mut().insert(Cause(Arc::new(error)));
            return response;
        }
        answer.into()
    }

    fn slot(&self, key: Key) -> Slot {
        let now = Instant::now();
        let mut first = self.first.held();
        first.forget(now, |_, since| now.duration_since(since) > self.keep);
        if let Some(slot) = first.answers.get(&key) {
            return Arc::clone(slot);
        }
        first.forget(now, |count, _| count >= self.most);
        let slot = Slot::default();
        first.answers.insert(key.clone(), Arc::clone(&slot));
        first.order.push_back((now, key));
        slot
    }
}

impl First {
    /// Forgets the oldest answers beyond the greatest number or age, but none that is being made or waited for.
    fn forget(&mut self, now: Instant, must_go: impl Fn(usize, Instant) -> bool) {
        for _ in 0..self.order.len() {
            let count = self.order.len();
            if !self.order.front().is_some_and(|(since, _)| must_go(count, *since)) {
                break;
            }
            let Some((_, oldest)) = self.order.pop_front() else {
                break;
            };
            if self.answers.get(&oldest).is_some_and(|slot| Arc::strong_count(slot) > 1) {
                self.order.push_back((now, oldest));
            } else {
                self.answers.remove(&oldest);
            }
        }
    }
}

/// The key as a text: the parts with their lengths, so that no two keys have one text.
fn name((account, operation, key): &Key) -> String {
    let key = String::from_utf8_lossy(key);
    format!("{}:{account}{}:{operation}{key}", account.len(), operation.len())
}

impl Answer {
    /// As it is saved; nothing where it is not text.
    fn saved(&self) -> Option<Vec<u8>> {
        let headers: Option<Vec<(&str, &str)>> = self
            .headers
            .iter()
            .map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
            .collect();
        let body = str::from_utf8(&self.body).ok()?;
        serde_json::to_vec(&(self.status.as_u16(), headers?, body)).ok()
    }

    fn read(saved: &[u8]) -> Option<Self> {
        let (status, headers, body): (u16, Vec<(String, String)>, String) =
            serde_json::from_slice(saved).ok()?;
        let headers = headers.iter().map(|(name, value)| {
            let name = HeaderName::try_from(name.as_str()).ok()?;
            Some((name, HeaderValue::try_from(value.as_str()).ok()?))
        });
        Some(Self {
            status: StatusCode::from_u16(status).ok()?,
            headers: headers.collect::<Option<_>>()?,
            body: body.into(),
        })
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
