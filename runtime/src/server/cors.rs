//! Cross-origin requests (CORS).
//!
//! tower-http's `CorsLayer` answers a preflight with 200 and not with 204, and sends other headers.
//!
//! Any origin is allowed, as in Mastodon and GoToSocial: requests are authenticated by a token, which a browser never adds by itself, and not
//! by cookies.

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, HeaderMap, HeaderValue, ORIGIN, VARY,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};

const ANY: HeaderValue = HeaderValue::from_static("*");
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh",
);
const TWO_HOURS: HeaderValue = HeaderValue::from_static("7200");

/// Whether the request comes from a page, which names its origin.
pub(super) fn is_foreign(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN)
}

/// Lets a page of any origin read the response.
pub(super) fn open(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

/// Tells caches that an answer to a page has other headers, unless they may not keep it
/// ([Fetch, 3.3.3](https://fetch.spec.whatwg.org/#cors-protocol-and-http-caches)).
pub(super) fn vary(response: &mut Response) {
    let headers = response.headers_mut();
    let kept = headers.get_all(CACHE_CONTROL).into_iter();
    let is_kept =
        !kept.filter_map(|value| value.to_str().ok()).any(|value| value.contains("no-store"));
    if is_kept {
        headers.append(VARY, ORIGIN.into());
    }
}

/// Answers the question of a browser whether a page may send a request; `None` where that is not asked.
pub(super) fn preflight(request: &Request) -> Option<Response> {
    let asked = request.headers();
    let is_preflight =
        request.method() == Method::OPTIONS && asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if !is_preflight {
        return None;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, TWO_HOURS);
    // The wildcard `*` does not cover `Authorization` (https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name).
    if let Some(wanted) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
        headers.insert(VARY, ACCESS_CONTROL_REQUEST_HEADERS.into());
    }
    Some(response)
}
