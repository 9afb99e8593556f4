//! Transports for tests: one that records what a server answers, and one that answers from a recording.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::HeaderMap;
use http::header::{AUTHORIZATION, SET_COOKIE};
use serde::{Deserialize, Serialize};

use super::redact::redacted_text;
use super::{BoxFuture, Exchange, Opened, Timer, Transport, TransportError};
use crate::Json;
use crate::lock::Lock as _;

/// One recorded exchange. It serialises as one line of JSON, which `cargo xtask verify` reads too.
///
/// It never holds the request's token, and the values of fields that the API calls secret are struck out of the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Recorded {
    /// The method: `GET`.
    pub method: String,
    /// The path.
    pub path: String,
    /// The query, without its `?`; empty where there is none.
    #[serde(default)]
    pub query: String,
    /// The status of the response.
    pub status: u16,
    /// The headers of the response, without cookies.
    #[serde(default)]
    pub response_headers: BTreeMap<String, String>,
    /// The body of the response: JSON, or a string where it is not JSON.
    #[serde(default)]
    pub body: Json,
}

impl Recorded {
    /// A response to a path without a query.
    pub fn new(method: &str, path: &str, status: u16, body: impl Into<Json>) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: String::new(),
            status,
            response_headers: BTreeMap::new(),
            body: body.into(),
        }
    }

    fn response(&self) -> Result<http::Response<Bytes>, TransportError> {
        let broken = |error: http::Error| TransportError::Broken(error.into());
        let body = match &self.body {
            Json::Null => String::new(),
            Json::String(text) => text.clone(),
            json => json.to_string(),
        };
        let mut response = http::Response::builder().status(self.status);
        for (name, value) in &self.response_headers {
            response = response.header(name, value);
        }
        response.body(body.into()).map_err(broken)
    }
}

/// A transport that records each exchange on its way through another transport. Clones share the recording.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use fedispec_runtime::client::{Client, Recorder, Replay, Tower};
///
/// let router = axum::Router::new().fallback(|| async { r#"{"version": "4.3.0"}"# });
/// let recorder = Recorder::new(Tower::new(router));
/// let client = Client::with_transport("social.example".parse()?, recorder.clone());
/// let server = client.discover().await?;
///
/// // Later, without the server.
/// let replay = Replay::new(recorder.recorded());
/// let client = Client::with_transport("social.example".parse()?, replay);
/// assert_eq!(client.discover().await?, server);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<T> {
    transport: Arc<T>,
    recorded: Arc<Mutex<Vec<Recorded>>>,
}

impl<T> Recorder<T> {
    /// Records what goes through a transport.
    pub fn new(transport: T) -> Self {
        Self { transport: Arc::new(transport), recorded: Arc::default() }
    }

    /// The exchanges that were answered so far, in their order.
    pub fn recorded(&self) -> Vec<Recorded> {
        self.recorded.held().clone()
    }
}

impl<T> Clone for Recorder<T> {
    fn clone(&self) -> Self {
        Self { transport: Arc::clone(&self.transport), recorded: Arc::clone(&self.recorded) }
    }
}

impl<T: Transport> Transport for Recorder<T> {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let request = &exchange.request;
        let token = bearer(request.headers());
        let strike = move |text: &str| redacted_text(text, token.as_deref());
        let (method, uri) = (request.method().to_string(), request.uri());
        let (path, query) = (uri.path().to_owned(), strike(uri.query().unwrap_or_default()));
        Box::pin(async move {
            let response = self.transport.call(exchange).await?;
            let text = strike(&String::from_utf8_lossy(response.body()));
            let headers = response.headers().iter();
            let headers = headers.filter(|(name, _)| **name != SET_COOKIE);
            let headers = headers
                .filter_map(|(name, value)| Some((name.to_string(), strike(value.to_str().ok()?))));
            let recorded = Recorded {
                method,
                path,
                query,
                status: response.status().as_u16(),
                response_headers: headers.collect(),
                body: serde_json::from_str(&text).unwrap_or(Json::String(text)),
            };
            let mut all = self.recorded.held();
            all.push(recorded);
            drop(all);
            Ok(response)
        })
    }

    /// Streams are not recorded.
    fn open(&self, exchange: Exchange) -> BoxFuture<'_, Result<Opened, TransportError>> {
        self.transport.open(exchange)
    }

    fn timer(&self) -> Option<Arc<dyn Timer>> {
        self.transport.timer()
    }
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::to_owned)
}

/// A transport that answers from a recording: each request gets the next answer recorded for its method, path and query, and the last one
/// again once all are used. A request that was not recorded is an error that names it. Clones share their place.
#[derive(Debug, Clone)]
pub struct Replay {
    answers: Arc<Mutex<Vec<(Recorded, bool)>>>,
}

impl Replay {
    /// Answers from recorded exchanges.
    pub fn new(recorded: impl IntoIterator<Item = Recorded>) -> Self {
        let answers = recorded.into_iter().map(|recorded| (recorded, false));
        Self { answers: Arc::new(Mutex::new(answers.collect())) }
    }

    fn answer(
        &self,
        request: &http::Request<super::Body>,
    ) -> Result<http::Response<Bytes>, TransportError> {
        let (method, path) = (request.method().as_str(), request.uri().path());
        let query = request.uri().query().unwrap_or_default();
        let mut answers = self.answers.held();
        let fits = |one: &Recorded| one.method == method && one.path == path && one.query == query;
        let fresh = answers.iter().position(|(one, is_used)| !is_used && fits(one));
        let found = fresh.or_else(|| answers.iter().rposition(|(one, _)| fits(one)));
        let Some((recorded, is_used)) = found.and_then(|at| answers.get_mut(at)) else {
            let mark = if query.is_empty() { "" } else { "?" };
            let what = format!("the recording has no answer to {method} {path}{mark}{query}");
            return Err(TransportError::Connect(what.into()));
        };
        *is_used = true;
        recorded.response()
    }
}

impl Transport for Replay {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let answer = self.answer(&exchange.request);
        Box::pin(std::future::ready(answer))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::client::Body;

    fn exchange(target: &str) -> Exchange {
        let request = http::Request::get(format!("https://e.org{target}"));
        let request = request.header(AUTHORIZATION, "Bearer t0ken-of-nobody");
        Exchange {
            request: request.body(Body::default()).expect("a request"),
            timeout: Duration::from_secs(1),
            answer_timeout: None,
            max_bytes: 100,
            is_repeatable: true,
        }
    }

    #[tokio::test]
    async fn answers_are_replayed_in_order() {
        let replay = Replay::new([
            Recorded::new("GET", "/a", 200, "one"),
            Recorded::new("GET", "/a", 404, Json::Null),
        ]);
        for status in [200, 404, 404] {
            let answer = replay.call(exchange("/a")).await.expect("an answer");
            assert_eq!(answer.status(), status);
        }
        let error = replay.call(exchange("/a?x=1")).await.expect_err("no answer");
        let told = std::error::Error::source(&error).map(ToString::to_string);
        let told = told.expect("a source");
        assert_eq!(told, "the recording has no answer to GET /a?x=1");
    }

    #[tokio::test]
    async fn a_recording_holds_no_secrets() {
        let mut answer = Recorded::new(
            "GET",
            "/a",
            200,
            serde_json::json!({"access_token": "hu5h", "echo": "t0ken-of-nobody"}),
        );
        for (name, value) in [("set-cookie", "id=b1scuit"), ("x-echo", "t0ken-of-nobody")] {
            answer.response_headers.insert(name.into(), value.into());
        }
        let recorder = Recorder::new(Replay::new([answer]));
        let answer = recorder.call(exchange("/a")).await.expect("an answer");
        assert!(answer.headers().contains_key("set-cookie"), "the client gets it whole");
        let text = serde_json::to_string(&recorder.recorded()).expect("JSON");
        for secret in ["hu5h", "b1scuit", "t0ken-of-nobody"] {
            assert!(!text.contains(secret), "{text}");
        }
        let read: Vec<Recorded> = serde_json::from_str(&text).expect("a recording");
        assert_eq!(read, recorder.recorded());
    }
}
