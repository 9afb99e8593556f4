//! Limits on requests.

use std::time::Duration;

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};

use super::Error;
use super::text;
use super::tree::{self, Tree};
use crate::param::Given;

/// Limits on requests. A request beyond one is answered with 413, 414, 431, 408, 503 or 400. They hold for all operations, and can be set
/// for some apart: `Server::limits` and `Server::limits_for`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestLimits {
    /// The greatest length of a form or JSON body, and of the texts in multipart/form-data; 1 MiB.
    pub body: u64,
    /// The greatest length of any body before its sender is known to be a user: until a token in the body is accepted, and for operations
    /// without a user's token, such as `oauth.token`, `apps.create` and `accounts.create`; 64 KiB. Without an authenticator everybody counts
    /// as known.
    pub anonymous_body: u64,
    /// The memory for all bodies of unknown senders together; 4 MiB. Beyond it they are answered with 503, except for the smallest. It is the
    /// server's; limits for an operation do not change it.
    pub anonymous_memory: u64,
    /// Whether a token may be in the body, as `access_token` of a form or of JSON; it may. Otherwise a request without a token in its head is
    /// refused before its body is read.
    pub token_in_body: bool,
    /// The greatest length of a multipart/form-data body; 100 MiB.
    pub upload: u64,
    /// The greatest length of each file; 100 MiB.
    pub file: u64,
    /// The memory for a request's files; 1 MiB. A file that does not fit is written to disk as it arrives.
    pub memory: usize,
    /// The memory for the bodies of all known senders together; 64 MiB. Beyond it files are written to disk, and other bodies are answered
    /// with 503, except for the smallest. It is the server's; limits for an operation do not change it.
    pub total_memory: u64,
    /// The greatest number of parameters in a query or body, and of values in JSON; 2048.
    pub params: usize,
    /// The greatest depth of brackets in a parameter's name, and of JSON; 16.
    pub nesting: usize,
    /// The greatest length of a URL's path and query; 8 KiB.
    pub url: usize,
    /// The greatest total length of the headers; 32 KiB.
    pub headers: usize,
    /// The time that a body may take, in addition to what [`slowest`](Self::slowest) grants, and the time that a WebSocket client may take to
    /// accept a message; 30 seconds. Without a tokio runtime it is not enforced.
    pub patience: Duration,
    /// The bytes of a body that grant a second more; 16 KiB.
    pub slowest: u64,
    /// The time that a handler may take to answer; 60 seconds. Afterwards it is dropped, and the answer is 503. An event stream has answered
    /// once it begins. Without a tokio runtime it is not enforced.
    pub handler: Duration,
    /// The greatest number of bodies that an account, or an address without one, sends at once; 32. One more is a 429, unless it comes in one
    /// piece with its head. It is the server's; limits for an operation do not change it.
    pub bodies: usize,
    /// The greatest number of calls that an account, or an address without one, has at once which run apart from their connections: those with
    /// an `Idempotency-Key`, and with `Server::detached` all that write; 32. One more is a 429. It is the server's; limits for an operation do not
    /// change it.
    pub detached: usize,
    /// The time that such a call may take in all; 10 minutes. Its client has a 503 after [`handler`](Self::handler), and the call goes on.
    /// Afterwards it is dropped, and a repetition begins anew.
    pub detached_time: Duration,
    /// The time after which a silent event stream sends a sign of life; 15 seconds.
    pub heartbeat: Duration,
    /// The time after which the authenticator is asked again for the token of an open event stream; 5 minutes.
    pub revalidate: Duration,
    /// The greatest number of event streams' connections, `WebSocket`s and server-sent events, that an account has at once; 16. It is the
    /// server's; limits for an operation do not change it.
    pub sockets: usize,
    /// The same for an address from which they are opened without an account; 64. In IPv6 an address is a network of 64 bits. Where no
    /// listener tells the address, they are not counted. Behind a proxy the address is the client's if the proxy is
    /// [trusted](super::Listen::trusted_proxies), and otherwise the proxy's.
    pub anonymous_sockets: usize,
    /// The time for which what a client still sends is taken and discarded, so that it reads a refusal or a close frame; 10 seconds. For bodies
    /// that come through a [`Listen`](super::Listen) that has a setting of its own.
    pub linger: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            body: 1024 * 1024,
            anonymous_body: 64 * 1024,
            anonymous_memory: 4 * 1024 * 1024,
            token_in_body: true,
            upload: 100 * 1024 * 1024,
            file: 100 * 1024 * 1024,
            memory: 1024 * 1024,
            total_memory: 64 * 1024 * 1024,
            params: 2048,
            nesting: 16,
            url: 8 * 1024,
            headers: 32 * 1024,
            patience: Duration::from_secs(30),
            slowest: 16 * 1024,
            handler: Duration::from_secs(60),
            bodies: 32,
            detached: 32,
            detached_time: Duration::from_secs(600),
            heartbeat: Duration::from_secs(15),
            revalidate: Duration::from_secs(300),
            sockets: 16,
            anonymous_sockets: 64,
            linger: Duration::from_secs(10),
        }
    }
}

impl RequestLimits {
    /// Sets the greatest length of a form or JSON body, in bytes.
    #[must_use]
    pub fn body(mut self, bytes: u64) -> Self {
        self.body = bytes;
        self
    }

    /// Sets the greatest length of a body whose sender is not known to be a user, in bytes.
    #[must_use]
    pub fn anonymous_body(mut self, bytes: u64) -> Self {
        self.anonymous_body = bytes;
        self
    }

    /// Sets the memory for all bodies of unknown senders together, in bytes.
    #[must_use]
    pub fn anonymous_memory(mut self, bytes: u64) -> Self {
        self.anonymous_memory = bytes;
        self
    }

    /// Sets whether a token may be in the body.
    #[must_use]
    pub fn token_in_body(mut self, allowed: bool) -> Self {
        self.token_in_body = allowed;
        self
    }

    /// Sets the greatest length of a multipart/form-data body, in bytes.
    #[must_use]
    pub fn upload(mut self, bytes: u64) -> Self {
        self.upload = bytes;
        self
    }

    /// Sets the greatest length of each file, in bytes.
    #[must_use]
    pub fn file(mut self, bytes: u64) -> Self {
        self.file = bytes;
        self
    }

    /// Sets the memory for a request's files, in bytes.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the memory for the bodies of all known senders together, in bytes.
    #[must_use]
    pub fn total_memory(mut self, bytes: u64) -> Self {
        self.total_memory = bytes;
        self
    }

    /// Sets the greatest number of parameters in a query or body.
    #[must_use]
    pub fn params(mut self, count: usize) -> Self {
        self.params = count;
        self
    }

    /// Sets the greatest depth of brackets and of JSON.
    #[must_use]
    pub fn nesting(mut self, depth: usize) -> Self {
        self.nesting = depth;
        self
    }

    /// Sets the greatest length of a URL's path and query, in bytes.
    #[must_use]
    pub fn url(mut self, bytes: usize) -> Self {
        self.url = bytes;
        self
    }

    /// Sets the greatest total length of the headers, in bytes.
    #[must_use]
    pub fn headers(mut self, bytes: usize) -> Self {
        self.headers = bytes;
        self
    }

    /// Sets the time that a body may take.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Sets the bytes of a body that grant it a second more.
    #[must_use]
    pub fn slowest(mut self, bytes_per_second: u64) -> Self {
        self.slowest = bytes_per_second;
        self
    }

    /// Sets the time that a handler may take to answer.
    #[must_use]
    pub fn handler(mut self, time: Duration) -> Self {
        self.handler = time;
        self
    }

    /// Sets the greatest number of bodies that an account, or an address without one, sends at once.
    #[must_use]
    pub fn bodies(mut self, count: usize) -> Self {
        self.bodies = count;
        self
    }

    /// Sets the greatest number of calls that an account has at once which run apart from their connections.
    #[must_use]
    pub fn detached(mut self, count: usize) -> Self {
        self.detached = count;
        self
    }

    /// Sets the time that a call apart from its connection may take.
    #[must_use]
    pub fn detached_time(mut self, time: Duration) -> Self {
        self.detached_time = time;
        self
    }

    /// Sets the time after which a silent event stream sends a sign of life.
    #[must_use]
    pub fn heartbeat(mut self, time: Duration) -> Self {
        self.heartbeat = time;
        self
    }

    /// Sets the time after which the authenticator is asked again for the token of an open event stream.
    #[must_use]
    pub fn revalidate(mut self, time: Duration) -> Self {
        self.revalidate = time;
        self
    }

    /// Sets the greatest number of event streams' connections that an address has at once without an account.
    #[must_use]
    pub fn anonymous_sockets(mut self, count: usize) -> Self {
        self.anonymous_sockets = count;
        self
    }

    /// Sets the greatest number of event streams' connections that an account has at once.
    #[must_use]
    pub fn sockets(mut self, count: usize) -> Self {
        self.sockets = count;
        self
    }

    /// Sets the time for which the rest of a refused body, or of a closed WebSocket, is taken and discarded.
    #[must_use]
    pub fn linger(mut self, time: Duration) -> Self {
        self.linger = time;
        self
    }

    /// Inserts a parameter by its name in bracket notation.
    pub(super) fn insert(&self, tree: &mut Tree, key: &str, value: Given) -> Result<(), Error> {
        let value = match value {
            Given::Text(value) if !text::is_plain(&value) => return Err(text::refused(key)),
            value => value,
        };
        if !text::is_plain(key) {
            return Err(text::refused("the name of a parameter"));
        }
        if tree::insert(tree, key, value, self.nesting) {
            Ok(())
        } else {
            let message = "the brackets of a parameter are nested too deeply";
            Err(Error::new(StatusCode::BAD_REQUEST, message))
        }
    }

    /// Checks the lengths of a request's URL and headers, and that it names one host.
    pub(super) fn head(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Error> {
        one_host(headers)?;
        let asked = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
        if asked > self.url {
            let message = format!("the URL is longer than {} bytes", self.url);
            return Err(Error::new(StatusCode::URI_TOO_LONG, message));
        }
        let sent: usize =
            headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        if sent > self.headers {
            let message = format!("the headers are longer than {} bytes", self.headers);
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return Err(Error::new(status, message));
        }
        Ok(())
    }
}

/// Refuses a request with two `Host` headers ([RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)): a proxy may have looked
/// at the other one.
pub(super) fn one_host(headers: &HeaderMap) -> Result<(), Error> {
    if headers.get_all(HOST).iter().nth(1).is_some() {
        let message = "a request has one Host header";
        return Err(Error::new(StatusCode::BAD_REQUEST, message));
    }
    Ok(())
}

pub(super) fn too_long(limit: u64) -> Error {
    let message = format!("the body is longer than {limit} bytes");
    Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

pub(super) fn too_many() -> Error {
    Error::new(StatusCode::BAD_REQUEST, "there are too many parameters")
}
