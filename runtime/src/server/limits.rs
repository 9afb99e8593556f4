//! Limits on requests.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, Uri};

use super::Error;
use super::tree::{self, Tree};
use crate::param::Given;

/// Limits on requests. A request beyond one is answered with 413, 414, 431, 408 or 400.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestLimits {
    /// The greatest length of a form or JSON body, and of the texts in multipart/form-data; 1 MiB.
    pub body: u64,
    /// The greatest length of a multipart/form-data body; 100 MiB.
    pub upload: u64,
    /// The greatest length of each file; 100 MiB.
    pub file: u64,
    /// The memory for a request's files; 1 MiB. A file that does not fit is written to disk as it arrives.
    pub memory: usize,
    /// The greatest number of parameters in a query or body, and of values in JSON; 2048.
    pub params: usize,
    /// The greatest depth of brackets in a parameter's name, and of JSON; 16.
    pub nesting: usize,
    /// The greatest length of a URL's path and query; 8 KiB.
    pub url: usize,
    /// The greatest total length of the headers; 32 KiB.
    pub headers: usize,
    /// The time that a body may take, plus a second for each 16 KiB received, and the time that a WebSocket client may take to accept a
    /// message; 30 seconds. Without a tokio runtime it is not enforced.
    pub patience: Duration,
    /// The time after which a silent event stream sends a sign of life; 15 seconds.
    pub heartbeat: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            body: 1024 * 1024,
            upload: 100 * 1024 * 1024,
            file: 100 * 1024 * 1024,
            memory: 1024 * 1024,
            params: 2048,
            nesting: 16,
            url: 8 * 1024,
            headers: 32 * 1024,
            patience: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
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

    /// Sets the time after which a silent event stream sends a sign of life.
    #[must_use]
    pub fn heartbeat(mut self, time: Duration) -> Self {
        self.heartbeat = time;
        self
    }

    /// Inserts a parameter by its name in bracket notation.
    pub(super) fn insert(&self, tree: &mut Tree, key: &str, value: Given) -> Result<(), Error> {
        if tree::insert(tree, key, value, self.nesting) {
            Ok(())
        } else {
            let message = "the brackets of a parameter are nested too deeply";
            Err(Error::new(StatusCode::BAD_REQUEST, message))
        }
    }

    /// Checks the lengths of a request's URL and headers.
    pub(super) fn head(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Error> {
        let asked = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
        if asked > self.url {
            let message = format!("the URL is longer than {} bytes", self.url);
            return Err(Error::new(StatusCode::URI_TOO_LONG, message));
        }
        let sent: usize = headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        if sent > self.headers {
            let message = format!("the headers are longer than {} bytes", self.headers);
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return Err(Error::new(status, message));
        }
        Ok(())
    }
}

pub(super) fn too_long(limit: u64) -> Error {
    let message = format!("the body is longer than {limit} bytes");
    Error::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

pub(super) fn too_many() -> Error {
    Error::new(StatusCode::BAD_REQUEST, "there are too many parameters")
}
