//! The status and the headers that a handler adds to its answer.

use std::sync::{Arc, Mutex};

use crate::lock::Lock as _;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

/// The status and the headers that a handler adds to its answer, shared by its [`Call`](super::Call) and the conversion of the answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Head(Arc<Mutex<Added>>);

#[derive(Debug, Default)]
struct Added {
    status: Option<StatusCode>,
    headers: HeaderMap,
}

impl Head {
    pub(super) fn set_status(&self, status: StatusCode) {
        self.0.held().status = Some(status);
    }

    pub(super) fn set_header(&self, name: HeaderName, value: HeaderValue) {
        self.0.held().headers.insert(name, value);
    }

    pub(super) fn status(&self) -> Option<StatusCode> {
        self.0.held().status
    }

    /// Moves the headers to a response. Those that it has already are more specific, except for the type of its body.
    pub(super) fn apply(&self, response: &mut Response) {
        let mut added = self.0.held();
        if added.headers.is_empty() {
            return;
        }
        let added = std::mem::take(&mut added.headers);
        let own = response.headers_mut();
        for (name, value) in &added {
            if *name == CONTENT_TYPE || !own.contains_key(name) {
                own.insert(name, value.clone());
            }
        }
    }
}

/// Answers 304 where the client has what its `If-None-Match` names ([RFC 9110, 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2)).
pub(super) fn unless_known(response: Response, known: &HeaderValue) -> Response {
    let own = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok());
    let known = known.to_str().unwrap_or_default();
    // The comparison is the weak one.
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let is_known = own.is_some_and(|own| {
        known.trim() == "*" || known.split(',').any(|tag| weak(tag) == weak(own))
    });
    if response.status() != StatusCode::OK || !is_known {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::empty())
}
