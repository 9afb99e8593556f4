//! Limits on requests.

use std::time::Duration;

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};

use super::Error;
use super::text;
use super::tree::{self, Tree};
use crate::param::Given;

/// Makes the limits of a table: each with its default, its documentation, and a method that sets it.
macro_rules! limits {
    ($($(#[$doc:meta])+ $name:ident: $type:ty = $default:expr;)+) => {
        /// Limits on requests. A request beyond one is answered with 413, 414, 431, 408, 503 or 400. They hold for all operations, and can be set
        /// for some apart: `Server::limits` and `Server::limits_for`.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct RequestLimits {
            $($(#[$doc])+ pub $name: $type,)+
        }

        impl Default for RequestLimits {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl RequestLimits {
            setters! { $($(#[$doc])+ $name(limit: $type) => $name = limit;)+ }
        }
    };
}

limits! {
    /// The greatest length of a form or JSON body, and of the texts in multipart/form-data; 1 MiB.
    body: u64 = 1024 * 1024;

    /// The greatest length of any body before its sender is known to be a user: until a token in the body is accepted, and for operations
    /// without a user's token, such as `oauth.token`, `apps.create` and `accounts.create`; 64 KiB. Without an authenticator everybody counts
    /// as known.
    anonymous_body: u64 = 64 * 1024;

    /// The memory for all bodies of unknown senders together; 4 MiB. Beyond it they are answered with 503, except for the smallest. It is the
    /// server's; limits for an operation do not change it.
    anonymous_memory: u64 = 4 * 1024 * 1024;

    /// Whether a token may be in the body, as `access_token` of a form or of JSON; it may. Otherwise a request without a token in its head is
    /// refused before its body is read.
    token_in_body: bool = true;

    /// The greatest length of a multipart/form-data body; 100 MiB.
    upload: u64 = 100 * 1024 * 1024;

    /// The greatest length of each file; 100 MiB.
    file: u64 = 100 * 1024 * 1024;

    /// The memory for a request's files; 1 MiB. A file that does not fit is written to disk as it arrives.
    memory: usize = 1024 * 1024;

    /// The memory for the bodies of all known senders together; 64 MiB. Beyond it files are written to disk, and other bodies are answered
    /// with 503, except for the smallest. It is the server's; limits for an operation do not change it.
    total_memory: u64 = 64 * 1024 * 1024;

    /// The greatest number of parameters in a query or body, and of values in JSON; 2048.
    params: usize = 2048;

    /// The greatest depth of brackets in a parameter's name, and of JSON; 16.
    nesting: usize = 16;

    /// The greatest length of a URL's path and query; 8 KiB.
    url: usize = 8 * 1024;

    /// The greatest total length of the headers; 32 KiB.
    headers: usize = 32 * 1024;

    /// The time that a body may take, in addition to what [`slowest`](Self::slowest) grants, and the time that a WebSocket client may take to
    /// accept a message; 30 seconds. Without a tokio runtime it is not enforced.
    patience: Duration = Duration::from_secs(30);

    /// The bytes of a body that grant a second more; 16 KiB.
    slowest: u64 = 16 * 1024;

    /// The time that a handler may take to answer; 60 seconds. Afterwards it is dropped, and the answer is 503. An event stream has answered
    /// once it begins. Without a tokio runtime it is not enforced.
    handler: Duration = Duration::from_secs(60);

    /// The greatest number of bodies that an account, or an address without one, sends at once; 32. One more is a 429, unless it comes in one
    /// piece with its head. It is the server's; limits for an operation do not change it.
    bodies: usize = 32;

    /// The greatest number of calls that an account, or an address without one, has at once which run apart from their connections: those with
    /// an `Idempotency-Key`, and with `Server::detached` all that write; 32. One more is a 429. It is the server's; limits for an operation do not
    /// change it.
    detached: usize = 32;

    /// The time that such a call may take in all; 10 minutes. Its client has a 503 after [`handler`](Self::handler), and the call goes on.
    /// Afterwards it is dropped, and a repetition begins anew.
    detached_time: Duration = Duration::from_secs(600);

    /// The time after which a silent event stream sends a sign of life; 15 seconds.
    heartbeat: Duration = Duration::from_secs(15);

    /// The time after which the authenticator is asked again for the token of an open event stream; 5 minutes.
    revalidate: Duration = Duration::from_secs(300);

    /// The greatest number of event streams' connections, `WebSocket`s and server-sent events, that an account has at once; 16. It is the
    /// server's; limits for an operation do not change it.
    sockets: usize = 16;

    /// The same for an address from which they are opened without an account; 64. In IPv6 an address is a network of 64 bits. Where no
    /// listener tells the address, they are not counted. Behind a proxy the address is the client's if the proxy is
    /// [trusted](super::Listen::trusted_proxies), and otherwise the proxy's.
    anonymous_sockets: usize = 64;

    /// The time for which what a client still sends is taken and discarded, so that it reads a refusal or a close frame; 10 seconds. For bodies
    /// that come through a [`Listen`](super::Listen) that has a setting of its own.
    linger: Duration = Duration::from_secs(10);
}

impl RequestLimits {
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
