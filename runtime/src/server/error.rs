//! Errors that an API answers.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::response::{IntoResponse, Response};

use super::Reply;
use super::refusal::{Answer, Refusal};
use super::reply::Ready;
use super::ways::Ways;
use crate::{Auth, Json, Operation, Timestamp, TokenKind};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// An error response of the API: a status and `{"error": ".."}`.
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, Default)]
struct Inner {
    status: StatusCode,
    message: Cow<'static, str>,
    description: Option<String>,
    details: Option<Json>,
    headers: HeaderMap,
    source: Option<Cause>,
    /// The answer in place of all that.
    instead: Option<OtherAnswer>,
    /// Why a caller is refused. The words are those of the server's target.
    refusal: Option<Refusal>,
    words: Words,
}

/// The source of an error's words on a server that emulates a release.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Words {
    /// The handler chose the words.
    #[default]
    Own,
    /// The release, where the catalogue has its text for the operation; else the handler.
    Release,
    /// The release, and else the program, which has words for the status.
    Program,
}

#[derive(Debug, Clone)]
enum OtherAnswer {
    Reply(Reply),
    Ready(Ready),
}

/// The cause of an [`Error`], for the server's logs only: a response extension that a layer can read.
#[derive(Debug, Clone)]
pub struct Cause(pub Arc<dyn std::error::Error + Send + Sync>);

impl Error {
    /// Creates an error with a status and a message.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self::of(status, Cow::Owned(message.into()), None)
    }

    fn of(status: StatusCode, message: Cow<'static, str>, instead: Option<OtherAnswer>) -> Self {
        Self(Box::new(Inner { status, message, instead, ..Inner::default() }))
    }

    /// Creates an error that says no more than its status, in the words of Mastodon, or of the program that the server emulates.
    fn plain(status: StatusCode, message: &'static str) -> Self {
        let mut error = Self::of(status, Cow::Borrowed(message), None);
        error.0.words = Words::Program;
        error
    }

    /// The same in the words of a release for the operation, or else of its program.
    pub(super) fn worded(mut self, ways: Ways<'_>, of_release: Option<&str>) -> Self {
        if let (Some(text), Words::Release | Words::Program) = (of_release, self.0.words) {
            self.0.message = Cow::Owned(text.to_owned());
        } else if self.0.words == Words::Program
            && let Some((status, text)) = ways.plain(self.0.status)
        {
            self.0.status = status;
            self.0.message = Cow::Borrowed(text);
        }
        self
    }

    /// Leaves a handler with the operation's own answer.
    pub(super) fn ready(ready: Ready) -> Self {
        let message = Cow::Borrowed("the operation's own answer");
        Self::of(StatusCode::OK, message, Some(OtherAnswer::Ready(ready)))
    }

    /// The operation's own answer, where it is one.
    pub(super) fn into_ready(mut self) -> Result<Ready, Self> {
        match self.0.instead.take() {
            Some(OtherAnswer::Ready(ready)) => Ok(ready),
            other => {
                self.0.instead = other;
                Err(self)
            }
        }
    }

    /// 401: no user and no application has this token. Of an [`Authenticator`](super::Authenticator) it is answered in the words of the server's
    /// [`Target`](super::Target), as are the three that follow.
    pub fn unauthorized() -> Self {
        Self::refused(Refusal::UnknownToken)
    }

    /// 401: the token has expired.
    pub fn token_expired() -> Self {
        Self::refused(Refusal::ExpiredToken)
    }

    /// 401: the token was revoked.
    pub fn token_revoked() -> Self {
        Self::refused(Refusal::RevokedToken)
    }

    /// 401: the operation needs a token and there is none.
    pub fn token_required() -> Self {
        Self::refused(Refusal::NoToken)
    }

    /// 422, as Mastodon answers: the token is an application's, and the operation needs a user's.
    pub fn user_required() -> Self {
        Self::refused(Refusal::NotAUser)
    }

    /// In the words of today's Mastodon.
    fn refused(refusal: Refusal) -> Self {
        let auth = Auth::new(TokenKind::User, "");
        Self::refusing(refusal, Ways(None).answer(refusal, &auth, None))
    }

    pub(super) fn refusing(refusal: Refusal, answer: Answer) -> Self {
        let mut error = Self::new(answer.status, answer.message);
        error.0.refusal = Some(refusal);
        match answer.challenge {
            Some(challenge) => error.with_header(WWW_AUTHENTICATE, challenge),
            None => error,
        }
    }

    /// Why the caller is refused, where that is what the error is about.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.0.refusal
    }

    /// 403: the caller is not allowed to do this. It is answered in the words that the emulated release has for the operation and the
    /// status, as are [`not_found`](Self::not_found), [`gone`](Self::gone) and [`internal`](Self::internal).
    pub fn forbidden() -> Self {
        Self::plain(StatusCode::FORBIDDEN, "This action is not allowed")
    }

    /// 404: the record does not exist, or is hidden from the caller.
    pub fn not_found() -> Self {
        Self::plain(StatusCode::NOT_FOUND, "Record not found")
    }

    /// Replaces the message of an error such as [`not_found`](Self::not_found), and leaves it to the emulated release where the catalogue
    /// has the release's text for the operation.
    #[must_use]
    pub fn or_in_words(mut self, message: impl Into<String>) -> Self {
        self.0.message = Cow::Owned(message.into());
        self.0.words = Words::Release;
        self
    }

    /// 410: the record was removed permanently.
    pub fn gone() -> Self {
        Self::plain(StatusCode::GONE, "Record is gone")
    }

    /// 422: the parameters are well-formed but not acceptable.
    pub fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// 429: the rate limit is exceeded. Add [`with_retry_after`](Self::with_retry_after) and [`with_rate_limit`](Self::with_rate_limit).
    pub fn too_many_requests() -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests")
    }

    /// 500: a failure of the server. The message is generic; add details with [`with_source`](Self::with_source).
    pub fn internal() -> Self {
        Self::plain(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on the server")
    }

    /// 501: the server does not implement the operation.
    pub fn not_implemented(operation: &Operation) -> Self {
        let message = format!("{} is not implemented on this server", operation.id);
        Self::new(StatusCode::NOT_IMPLEMENTED, message)
    }

    /// 503: temporarily unavailable.
    pub fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "The server cannot do this now")
    }

    /// In the shape of OAuth, where the error is a code and the message its description.
    pub(super) fn into_coded(mut self, status: StatusCode, code: &str) -> Self {
        if self.0.description.is_none() {
            let message = std::mem::replace(&mut self.0.message, Cow::Owned(code.to_owned()));
            self.0.description = Some(message.into_owned());
        }
        self.0.status = status;
        self
    }

    /// Adds the `error_description` of OAuth errors (RFC 6749, 5.2).
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> Self {
        self.0.description = Some(text.into());
        self
    }

    /// Adds `details`, as the errors of account registration have.
    #[must_use]
    pub fn with_details(mut self, details: Json) -> Self {
        self.0.details = Some(details);
        self
    }

    /// Adds `Retry-After` in whole seconds (rounded up), for a 429 or 503.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.0.headers.insert(RETRY_AFTER, seconds.into());
        self
    }

    /// Adds the rate-limit state: `X-RateLimit-Limit`, `X-RateLimit-Remaining`, and `X-RateLimit-Reset` in the form
    /// `2024-10-08T12:30:00.000Z`.
    #[must_use]
    pub fn with_rate_limit(mut self, limit: u32, remaining: u32, reset: &Timestamp) -> Self {
        self.0.headers.extend(rate_limit(limit, remaining, reset));
        self
    }

    /// Adds the cause. It is not sent to the caller: it is this error's [`source`](std::error::Error::source) and a [`Cause`] among the
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

/// The headers of a rate limit.
pub(super) fn rate_limit(
    limit: u32,
    remaining: u32,
    reset: &Timestamp,
) -> impl Iterator<Item = (HeaderName, HeaderValue)> + use<> {
    let reset = HeaderValue::try_from(reset.to_string()).ok();
    [
        ("x-ratelimit-limit", Some(limit.into())),
        ("x-ratelimit-remaining", Some(remaining.into())),
        ("x-ratelimit-reset", reset),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((HeaderName::from_static(name), value?)))
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

/// A 500 with the IO error as its source, since callers must not learn about files and sockets of the server.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::internal().with_source(error)
    }
}

/// Nothing has such an id: 404.
impl From<crate::NotANumber> for Error {
    fn from(_: crate::NotANumber) -> Self {
        Self::not_found()
    }
}

/// Leaves a handler with another answer than its own.
impl From<Reply> for Error {
    fn from(reply: Reply) -> Self {
        let message = Cow::Borrowed("another answer than the operation's own");
        Self::of(reply.status, message, Some(OtherAnswer::Reply(reply)))
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let error = *self.0;
        if let Some(OtherAnswer::Reply(reply)) = error.instead {
            let mut response = reply.into_response();
            response.headers_mut().extend(error.headers);
            return response;
        }
        let mut body = serde_json::Map::new();
        body.insert("error".to_owned(), error.message.into_owned().into());
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
        headers.insert(CONTENT_TYPE, JSON);
        if let Some(cause) = error.source {
            response.extensions_mut().insert(cause);
        }
        response
    }
}
