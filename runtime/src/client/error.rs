//! Errors of the client.

use std::fmt;

use http::{HeaderMap, StatusCode};

use super::redact::{HeaderNames, redact, redacted, strike, strike_tree};
use super::{Accepted, BadStreamAddress, Origin, Rate, TransportError, Unreadable};
use crate::compatibility::{BelowFloor, Finding, Gate, Note, Plan, Refusal};
use crate::{Auth, Json, Operation, TokenKind, de};

/// Why a request has no answer. An error never holds the token, nor the values of fields and parameters that the API calls secret, also
/// where a server repeats them.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    operation: &'static str,
    server: Option<String>,
    doubts: Vec<Finding>,
    note: Option<Note>,
    auth: Option<Auth>,
    below_floor: Option<BelowFloor>,
    kind: ErrorKind,
}

/// The kind of a client's error.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request could not be built.
    #[non_exhaustive]
    Request {
        /// The parameter's name on the wire; empty where the fault is not in a parameter.
        param: String,
        /// The fault.
        message: String,
    },
    /// The request needs something that the server lacks, and the policy is to refuse such requests.
    Unsupported(Refusal),
    /// The server's release asks for a token, the client has none, and the policy is to refuse such requests.
    #[non_exhaustive]
    TokenRequired {
        /// The requirement.
        auth: Auth,
    },
    /// The transport got no response.
    Transport(TransportError),
    /// The server answered with an error status.
    Api(ApiError),
    /// The instance document names an address of streams to which no token is sent.
    Address(BadStreamAddress),
    /// The server has closed a stream.
    #[non_exhaustive]
    Closed {
        /// The [code](https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number), if there is one.
        code: Option<u16>,
        /// The reason that the server gives; usually empty.
        reason: String,
    },
    /// The list has no valid next page: the server's link leads to another origin or back to a page that was read.
    #[non_exhaustive]
    Paging {
        /// The fault.
        message: String,
    },
    /// The server did what a request asked for, and its answer cannot be read.
    Accepted(Accepted),
    /// The answer to a request that only reads could not be decoded.
    #[non_exhaustive]
    Decode {
        /// The status.
        status: StatusCode,
        /// The place in the body: `$.account.id`.
        path: String,
        /// The fault at that place.
        message: String,
        /// The body, with secrets removed.
        body: String,
    },
}

/// The characters of a body that `Debug` prints.
const SHOWN: usize = 500;

/// An error response of the server. `Debug` prints the names of the headers without their values, and the beginning of the body.
#[derive(Clone)]
#[non_exhaustive]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// The `error` of the body, if present.
    pub message: Option<String>,
    /// The `error_description` of the body, if present.
    pub description: Option<String>,
    /// The `details` of the body, if present.
    pub details: Option<Json>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, with secrets removed. Not all error bodies are JSON.
    pub body: String,
}

impl ApiError {
    /// The faults in `details`, by parameter, as the 422 of a registration or a profile update has them.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # struct Create;
    /// # impl rt::Request for Create {
    /// #     type Answer = rt::Json;
    /// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("accounts.create", rt::Method::Post, "/api/v1/accounts");
    /// # }
    /// let body = r#"{"error": "Validation failed", "details": {"username": [{"error": "ERR_TAKEN", "description": "is taken"}]}}"#;
    /// let response = http::Response::builder().status(422).body(body.into())?;
    /// let error = rt::client::response::<Create>(response).unwrap_err();
    /// let refused = error.api().map(|api| api.refused()).unwrap_or_default();
    /// assert_eq!((&*refused[0].param, &*refused[0].error), ("username", "ERR_TAKEN"));
    /// # Ok::<(), http::Error>(())
    /// ```
    pub fn refused(&self) -> Vec<RefusedParam> {
        let text = |tree: &Json, key: &str| tree.get(key).and_then(Json::as_str).map(str::to_owned);
        let params = self.details.as_ref().and_then(Json::as_object);
        let faults = params.into_iter().flatten().flat_map(|(param, faults)| {
            let faults = faults.as_array().map(Vec::as_slice).unwrap_or_default();
            faults.iter().map(move |fault| (param, fault))
        });
        faults
            .map(|(param, fault)| RefusedParam {
                param: param.clone(),
                error: text(fault, "error").unwrap_or_default(),
                description: text(fault, "description").unwrap_or_default(),
            })
            .collect()
    }

    /// Decodes the body as the entity that the catalogue names for the status.
    ///
    /// # Errors
    ///
    /// When the body cannot be decoded as `T`.
    pub fn read<T: de::FromJson>(&self) -> Result<T, de::Error> {
        de::read(&self.body).map(|decoded| decoded.value)
    }

    /// The rate-limit state that the server reported, if any.
    pub fn rate(&self) -> Option<Rate> {
        Rate::read(&self.headers)
    }

    /// The target of a redirect without its query, which may hold a secret.
    fn leads_to(&self) -> Option<&str> {
        let location = self.headers.get(http::header::LOCATION)?.to_str().ok()?;
        let place = location.split(['?', '#']).next().unwrap_or_default();
        (self.status.is_redirection() && !place.contains('@')).then_some(place)
    }
}

/// A fault that the server found in a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedParam {
    /// The parameter's name: `username`.
    pub param: String,
    /// The code of the fault: `ERR_TAKEN`.
    pub error: String,
    /// A description for humans.
    pub description: String,
}

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the kind of the error by value.
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the time limit ran out.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), ErrorKind::Transport(TransportError::Timeout))
    }

    /// Whether no connection was made, so that nothing was sent.
    pub fn is_connect(&self) -> bool {
        matches!(self.kind(), ErrorKind::Transport(TransportError::Connect(_)))
    }

    /// Whether the server answered that what was asked for is not there (404, or 410 where it is gone).
    pub fn is_not_found(&self) -> bool {
        self.is_answered(&[404, 410])
    }

    /// Whether the server answered that the token is missing or not valid (401).
    pub fn is_unauthorized(&self) -> bool {
        self.is_answered(&[401])
    }

    /// Whether the server takes no more requests for a while: it answered so (429, and [`ApiError::rate`] tells how long), or nothing was sent
    /// because it had said so before.
    pub fn is_rate_limited(&self) -> bool {
        let is_limited = matches!(self.kind(), ErrorKind::Transport(TransportError::Limited(_)));
        is_limited || self.is_answered(&[429])
    }

    /// Whether the server lacks what was asked for: the request was refused for that, the server answered 501, or it answered 404 or 405
    /// and is known to lack the operation.
    pub fn is_unsupported(&self) -> bool {
        let lacks_operation = || {
            let mut doubts = self.doubts().iter();
            doubts.any(|finding| finding.place.is_none() && finding.support.is_no())
        };
        matches!(self.kind(), ErrorKind::Unsupported(_))
            || self.is_answered(&[501])
            || (self.is_answered(&[404, 405]) && lacks_operation())
    }

    fn is_answered(&self, statuses: &[u16]) -> bool {
        let api = self.api();
        api.is_some_and(|api| statuses.contains(&api.status.as_u16()))
    }

    /// Whether the request reached the server, or may have: sending it again could do what it asks for twice. False where nothing was
    /// sent, because the request could not be built, was refused, had to wait too long or found no connection.
    pub fn is_sent(&self) -> bool {
        match self.kind() {
            ErrorKind::Request { .. }
            | ErrorKind::Unsupported(_)
            | ErrorKind::TokenRequired { .. }
            | ErrorKind::Address(_)
            | ErrorKind::Paging { .. }
            | ErrorKind::Transport(TransportError::Limited(_) | TransportError::Unsupported(_)) => {
                false
            }
            ErrorKind::Transport(_) => !self.is_connect(),
            ErrorKind::Api(_)
            | ErrorKind::Accepted(_)
            | ErrorKind::Closed { .. }
            | ErrorKind::Decode { .. } => true,
        }
    }

    /// The success of a request that changed something, where only its answer could not be read.
    pub fn accepted(&self) -> Option<&Accepted> {
        match self.kind() {
            ErrorKind::Accepted(accepted) => Some(accepted),
            _ => None,
        }
    }

    /// The id of the operation.
    pub fn operation(&self) -> &'static str {
        self.0.operation
    }

    /// The status of the response, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match &self.0.kind {
            ErrorKind::Api(error) => Some(error.status),
            ErrorKind::Accepted(accepted) => Some(accepted.status),
            ErrorKind::Decode { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// The origin of the server; `None` where the request was not sent by a [`Client`](super::Client).
    pub fn server(&self) -> Option<&str> {
        self.0.server.as_deref()
    }

    /// The items of the request that the server lacks or may lack, where the client knows its server.
    pub fn doubts(&self) -> &[Finding] {
        &self.0.doubts
    }

    /// The meaning of this status in the server's releases, where the client knows its server and only some releases answer it: Mastodon 2.4.0
    /// to 3.2.2 answer 410 for a suspended account.
    pub fn note(&self) -> Option<&Note> {
        self.0.note.as_ref()
    }

    /// The token and the scopes that the server's release asks for, where the client knows its server and that has refused the token or the
    /// lack of one.
    pub fn auth(&self) -> Option<&Auth> {
        self.0.auth.as_ref()
    }

    /// How the server is older than the oldest release that the types are made for, where the client knows its server and the answer did
    /// not decode.
    pub fn below_floor(&self) -> Option<&BelowFloor> {
        self.0.below_floor.as_ref()
    }

    /// Says so where an answer does not decode and the server is too old.
    pub(super) fn with_floor(mut self, gate: Option<&Gate>) -> Self {
        let is_unread = match self.kind() {
            ErrorKind::Decode { .. } => true,
            ErrorKind::Accepted(accepted) => matches!(accepted.why, Unreadable::Decode { .. }),
            _ => false,
        };
        if let Some(gate) = gate.filter(|_| is_unread) {
            self.0.below_floor = gate.server().below_floor(gate.items());
        }
        self
    }

    pub(super) fn with_doubts(mut self, plan: Option<&Plan>) -> Self {
        let Some(plan) = plan else {
            return self;
        };
        let refused = |auth: &Auth| match self.status().map(|status| status.as_u16()) {
            Some(401 | 403) => auth.token != TokenKind::None,
            // It can be about a parameter as well.
            Some(422) => auth.token == TokenKind::User && auth.unauthenticated == 422,
            _ => false,
        };
        self.0.auth = plan.auth.filter(refused);
        self.0.doubts = plan.doubts().copied().collect();
        let status = self.api().map(|error| error.status.as_u16());
        let mut notes = plan.notes.iter();
        self.0.note = notes.find(|note| Some(note.status) == status).copied();
        self
    }

    /// The same without secrets that the request held and the answer repeats.
    pub(super) fn without(mut self, secrets: &[String]) -> Self {
        match &mut self.0.kind {
            ErrorKind::Api(error) => {
                let texts = [error.message.as_mut(), error.description.as_mut()];
                let texts = texts.into_iter().flatten().chain([&mut error.body]);
                texts.for_each(|text| strike(text, secrets));
                if let Some(details) = &mut error.details {
                    strike_tree(details, secrets);
                }
            }
            ErrorKind::Accepted(accepted) => {
                strike(&mut accepted.body, secrets);
                let members = accepted.members.values_mut();
                members.for_each(|member| strike_tree(member, secrets));
                if let Unreadable::Decode { message, .. } = &mut accepted.why {
                    strike(message, secrets);
                }
            }
            ErrorKind::Decode { message, body, .. } => {
                strike(message, secrets);
                strike(body, secrets);
            }
            _ => {}
        }
        self
    }

    pub(super) fn at(mut self, origin: &Origin) -> Self {
        self.0.server = Some(origin.to_string());
        self
    }

    /// The server's error response, if there was one.
    pub fn api(&self) -> Option<&ApiError> {
        match &self.0.kind {
            ErrorKind::Api(error) => Some(error),
            _ => None,
        }
    }

    pub(super) fn new(operation: &Operation, kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            operation: operation.id,
            server: None,
            doubts: Vec::new(),
            note: None,
            auth: None,
            below_floor: None,
            kind,
        }))
    }

    pub(super) fn request(operation: &Operation, param: &str, message: &str) -> Self {
        let kind = ErrorKind::Request { param: param.to_owned(), message: message.to_owned() };
        Self::new(operation, kind)
    }

    pub(super) fn answer(
        operation: &Operation,
        status: StatusCode,
        headers: HeaderMap,
        body: &str,
        token: Option<&str>,
    ) -> Self {
        let tree = redacted(body, token);
        let text = |key: &str| tree.get(key).and_then(Json::as_str).map(str::to_owned);
        let error = ApiError {
            status,
            message: text("error"),
            description: text("error_description"),
            details: tree.get("details").cloned(),
            headers,
            body: redact(body, token),
        };
        Self::new(operation, ErrorKind::Api(error))
    }

    /// A success whose body does not decode.
    pub(super) fn decode(
        operation: &Operation,
        (status, headers): (StatusCode, HeaderMap),
        error: de::Error,
        body: &str,
        token: Option<&str>,
    ) -> Self {
        let path = error.path;
        let message = redact(&error.message, token);
        // A page for people, such as that of a sign-in in front of the server, says nothing of the request.
        let content_type = headers.get(http::header::CONTENT_TYPE);
        let is_page = content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
        let kind = if operation.method.is_safe() || is_page {
            let body = redact(body, token);
            ErrorKind::Decode { status, path, message, body }
        } else {
            let why = Unreadable::Decode { path, message };
            ErrorKind::Accepted(Accepted::new(status, headers, body, token, why))
        };
        Self::new(operation, kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.server {
            Some(server) => write!(f, "{} of {server}: ", self.0.operation)?,
            None => write!(f, "{}: ", self.0.operation)?,
        }
        match &self.0.kind {
            ErrorKind::Request { param, message } if param.is_empty() => f.write_str(message),
            ErrorKind::Request { param, message } => {
                write!(f, "the parameter {param} cannot be sent: {message}")
            }
            ErrorKind::Transport(error) => error.fmt(f),
            ErrorKind::Api(error) => error.fmt(f),
            ErrorKind::Decode { status, path, message, .. } => {
                write!(f, "the answer ({status}) cannot be decoded at {path}: {message}")
            }
            ErrorKind::Accepted(accepted) => accepted.fmt(f),
            ErrorKind::Unsupported(refusal) => refusal.fmt(f),
            ErrorKind::TokenRequired { auth } => {
                write!(f, "the server asks for {auth}, and the client has no token")
            }
            ErrorKind::Paging { message } => f.write_str(message),
            ErrorKind::Address(bad) => bad.fmt(f),
            ErrorKind::Closed { code, reason } => {
                f.write_str("the server closed the stream")?;
                match code {
                    Some(code) => write!(f, " with the code {code}")?,
                    None => f.write_str(" without a code")?,
                }
                if reason.is_empty() { Ok(()) } else { write!(f, ": {}", reason.escape_debug()) }
            }
        }?;
        if let Some(note) = &self.0.note {
            write!(f, "; {note}")?;
        }
        if let Some(below_floor) = &self.0.below_floor {
            write!(f, "; {below_floor}")?;
        }
        if let Some(auth) = &self.0.auth {
            write!(f, "; the server asks for {auth}")?;
        }
        let mut lacking: Vec<_> = self.0.doubts.iter().collect();
        lacking.retain(|finding| finding.support.is_no());
        // A missing operation implies its missing parameters.
        if lacking.first().is_some_and(|finding| finding.place.is_none()) {
            lacking.truncate(1);
        }
        for lacking in lacking {
            write!(
                f,
                "; the server does not have {} ({})",
                lacking.item, lacking.support.evidence
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Transport(error)
            | ErrorKind::Accepted(Accepted { why: Unreadable::Transport(error), .. }) => {
                std::error::Error::source(error)
            }
            _ => None,
        }
    }
}

// A program that ends with its error prints this, and pages of proxies are long.
shown!(ApiError, own =>
    status,
    message,
    description,
    details,
    headers = HeaderNames(&own.headers),
    body = own.body.chars().take(SHOWN).collect::<String>()
);

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.status)?;
        for text in [&self.message, &self.description].into_iter().flatten() {
            write!(f, ": {text}")?;
        }
        match self.leads_to() {
            Some(place) => write!(f, "; the redirect to {place} was not followed"),
            None => Ok(()),
        }
    }
}
