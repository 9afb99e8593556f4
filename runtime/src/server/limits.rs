//! What a request may be at most.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, Uri};

use super::Error;

/// What a request may be at most. What is more answers 413, 414, 431, 408 or 400.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The bytes of a form or JSON, and of the texts in multipart/form-data: 1 MiB.
    pub body: u64,
    /// The bytes of multipart/form-data: 100 MiB.
    pub upload: u64,
    /// The bytes of each file in it: 100 MiB.
    pub file: u64,
    /// The bytes of a request's files that are kept in memory: 1 MiB. A file for which there is no room is written to disk while it comes in.
    pub memory: usize,
    /// The parameters of a query or a body, and the values in JSON: 2048.
    pub params: usize,
    /// The depth of brackets in a parameter's name, and of JSON: 16.
    pub nesting: usize,
    /// The bytes of a URL's path and query: 8 KiB.
    pub url: usize,
    /// The bytes of all headers: 32 KiB.
    pub headers: usize,
    /// How long a body may take, beside a second for each 16 KiB of it that have arrived; and how long a WebSocket may take to accept a
    /// message: 30 seconds. It needs tokio's timer; without a tokio runtime nothing is timed.
    pub patience: Duration,
    /// How long a stream of events may be silent before it shows that it is alive: 15 seconds.
    pub heartbeat: Duration,
}

impl Default for Limits {
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

impl Limits {
    /// The bytes of a form or JSON.
    #[must_use]
    pub fn body(mut self, bytes: u64) -> Self {
        self.body = bytes;
        self
    }

    /// The bytes of multipart/form-data.
    #[must_use]
    pub fn upload(mut self, bytes: u64) -> Self {
        self.upload = bytes;
        self
    }

    /// The bytes of each file.
    #[must_use]
    pub fn file(mut self, bytes: u64) -> Self {
        self.file = bytes;
        self
    }

    /// The bytes of files that are kept in memory.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// The parameters of a query or a body.
    #[must_use]
    pub fn params(mut self, count: usize) -> Self {
        self.params = count;
        self
    }

    /// The depth of brackets, and of JSON.
    #[must_use]
    pub fn nesting(mut self, depth: usize) -> Self {
        self.nesting = depth;
        self
    }

    /// The bytes of a URL's path and query.
    #[must_use]
    pub fn url(mut self, bytes: usize) -> Self {
        self.url = bytes;
        self
    }

    /// The bytes of all headers.
    #[must_use]
    pub fn headers(mut self, bytes: usize) -> Self {
        self.headers = bytes;
        self
    }

    /// How long a body may take.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// How long a stream of events may be silent.
    #[must_use]
    pub fn heartbeat(mut self, time: Duration) -> Self {
        self.heartbeat = time;
        self
    }

    /// Whether the head of a request is small enough to be looked at.
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
