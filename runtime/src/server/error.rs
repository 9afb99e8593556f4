//! Errors that an API answers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::response::{IntoResponse, Response};

use crate::{Json, Operation, Timestamp};

/// An error that the API answers: a status and `{"error": ".."}`.
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    status: StatusCode,
    message: String,
    description: Option<String>,
    details: Option<Json>,
    headers: HeaderMap,
    source: Option<Cause>,
}

/// What is behind an [`Error`], for the server's own eyes: an extension of the response, which a layer may log.
#[derive(Debug, Clone)]
pub struct Cause(pub Arc<dyn std::error::Error + Send + Sync>);

impl Error {
    /// An error of a status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            status,
            message: message.into(),
            description: None,
            details: None,
            headers: HeaderMap::new(),
            source: None,
        }))
    }

    /// 401: the token is no good.
    pub fn unauthorized() -> Self {
        let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        Self::new(StatusCode::UNAUTHORIZED, "The access token is invalid")
            .with_header(WWW_AUTHENTICATE, challenge)
    }

    /// 401: there is no token, and without one nothing is to be had.
    pub fn token_required() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "The access token is missing")
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// 401: the token is an application's, and only a user may do this.
    pub fn user_required() -> Self {
        let message = "This method requires an authenticated user";
        Self::new(StatusCode::UNAUTHORIZED, message)
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// 403: the caller may not do this.
    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "This action is not allowed")
    }

    /// 404: there is no such thing, or the caller may not see it.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "Record not found")
    }

    /// 410: it is gone for good.
    pub fn gone() -> Self {
        Self::new(StatusCode::GONE, "Record is gone")
    }

    /// 422: what is asked makes no sense.
    pub fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 429: too much is asked. [`with_retry_after`](Self::with_retry_after) and [`with_rate_limit`](Self::with_rate_limit) say more.
    pub fn too_many_requests() -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests")
    }

    /// 500: something broke. The message is for the caller, so put nothing into it that is not.
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong on the server",
        )
    }

    /// 501: nobody implements the operation.
    pub fn not_implemented(operation: &Operation) -> Self {
        let message = format!("{} is not implemented on this server", operation.id);
        Self::new(StatusCode::NOT_IMPLEMENTED, message)
    }

    /// 503: not now.
    pub fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server cannot do this now",
        )
    }

    /// Adds `error_description`, as OAuth has it.
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> Self {
        self.0.description = Some(text.into());
        self
    }

    /// Adds `details`, as the registration of an account has them.
    #[must_use]
    pub fn with_details(mut self, details: Json) -> Self {
        self.0.details = Some(details);
        self
    }

    /// Says when another try makes sense, in whole seconds (rounded up), for a 429 or 503: the header `Retry-After`.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.0.headers.insert(RETRY_AFTER, seconds.into());
        self
    }

    /// Says how many requests are allowed, how many of them are left, and when they are again, as `2024-10-08T12:30:00.000Z`: the headers
    /// `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.
    #[must_use]
    pub fn with_rate_limit(mut self, limit: u32, remaining: u32, reset: &Timestamp) -> Self {
        let headers = &mut self.0.headers;
        headers.insert("x-ratelimit-limit", limit.into());
        headers.insert("x-ratelimit-remaining", remaining.into());
        if let Ok(reset) = HeaderValue::try_from(reset.to_string()) {
            headers.insert("x-ratelimit-reset", reset);
        }
        self
    }

    /// Says what is behind it. No caller is told: it is the [`source`](std::error::Error::source) of this, and a [`Cause`] among the
    /// extensions of the response.
    #[must_use]
    pub fn with_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.0.source = Some(Cause(source.into().into()));
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.append(name, value);
        self
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.status, self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let Cause(source) = self.0.source.as_ref()?;
        Some(&**source)
    }
}

/// 500, with what happened as the source: files and sockets of the server are no affair of its callers.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::internal().with_source(error)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let error = *self.0;
        let mut body = serde_json::Map::new();
        body.insert("error".to_owned(), error.message.into());
        if let Some(text) = error.description {
            body.insert("error_description".to_owned(), text.into());
        }
        if let Some(details) = error.details {
            body.insert("details".to_owned(), details);
        }
        let mut response = Json::Object(body).to_string().into_response();
        *response.status_mut() = error.status;
        let headers = response.headers_mut();
        headers.extend(error.headers);
        headers.insert(CONTENT_TYPE, super::answer::JSON);
        if let Some(cause) = error.source {
            response.extensions_mut().insert(cause);
        }
        response
    }
}
