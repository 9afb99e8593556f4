//! What goes wrong between a request and its answer.

use std::fmt;

use http::{HeaderMap, StatusCode};

use super::TransportError;
use super::redact::redact;
use crate::known::{Finding, Plan, Refusal};
use crate::{Json, Operation};

/// Why a request has no answer. It never holds the token, nor the values that the API calls secret.
#[derive(Debug)]
pub struct Error {
    operation: &'static str,
    doubts: Vec<Finding>,
    kind: Box<ErrorKind>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request cannot be sent as it is.
    #[non_exhaustive]
    Request {
        /// The parameter, by its spelling on the wire; empty where it is none.
        param: String,
        /// What is wrong with it.
        message: String,
    },
    /// The request needs what the server lacks, and the policy is to refuse that.
    Unsupported(Refusal),
    /// The request was not answered.
    Transport(TransportError),
    /// The server answered with an error.
    Api(ApiError),
    /// The answer does not fit.
    #[non_exhaustive]
    Decode {
        /// The status.
        status: StatusCode,
        /// Where in the body: `$.account.id`.
        path: String,
        /// What is wrong there.
        message: String,
        /// The body, without secrets.
        body: String,
    },
}

/// An error that a server answers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// The API's `error`, where the body has one.
    pub message: Option<String>,
    /// The API's `error_description`, where the body has one.
    pub description: Option<String>,
    /// The API's `details`, where the body has them.
    pub details: Option<Json>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, without secrets. Not all errors are JSON.
    pub body: String,
}

impl Error {
    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The id of the operation that was called.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The status of the response, where there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match &*self.kind {
            ErrorKind::Api(error) => Some(error.status),
            ErrorKind::Decode { status, .. } => Some(*status),
            ErrorKind::Request { .. } | ErrorKind::Unsupported(_) | ErrorKind::Transport(_) => None,
        }
    }

    /// What of the request the server lacks or may lack, where the client knows its server.
    pub fn doubts(&self) -> &[Finding] {
        &self.doubts
    }

    pub(super) fn with_doubts(mut self, plan: Option<&Plan>) -> Self {
        self.doubts = plan
            .iter()
            .flat_map(|plan| plan.doubts())
            .copied()
            .collect();
        self
    }

    /// The server's own error, where it answered one.
    pub fn api(&self) -> Option<&ApiError> {
        match &*self.kind {
            ErrorKind::Api(error) => Some(error),
            _ => None,
        }
    }

    pub(super) fn new(operation: &Operation, kind: ErrorKind) -> Self {
        Self {
            operation: operation.id,
            doubts: Vec::new(),
            kind: Box::new(kind),
        }
    }

    pub(super) fn request(operation: &Operation, param: &str, message: &str) -> Self {
        let kind = ErrorKind::Request {
            param: param.to_owned(),
            message: message.to_owned(),
        };
        Self::new(operation, kind)
    }

    pub(super) fn answer(
        operation: &Operation,
        status: StatusCode,
        headers: HeaderMap,
        body: &str,
        token: Option<&str>,
    ) -> Self {
        let tree: Json = serde_json::from_str(body).unwrap_or_default();
        let text = |key: &str| {
            let text = tree.get(key).and_then(Json::as_str)?;
            Some(redact(text, token))
        };
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

    pub(super) fn decode(
        operation: &Operation,
        status: StatusCode,
        error: crate::de::Error,
        body: &str,
        token: Option<&str>,
    ) -> Self {
        let kind = ErrorKind::Decode {
            status,
            path: error.path,
            message: redact(&error.message, token),
            body: redact(body, token),
        };
        Self::new(operation, kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.operation)?;
        match &*self.kind {
            ErrorKind::Request { param, message } if param.is_empty() => f.write_str(message),
            ErrorKind::Request { param, message } => {
                write!(f, "the parameter {param} cannot be sent: {message}")
            }
            ErrorKind::Transport(error) => error.fmt(f),
            ErrorKind::Api(error) => error.fmt(f),
            ErrorKind::Decode {
                status,
                path,
                message,
                ..
            } => {
                write!(f, "the answer ({status}) does not fit at {path}: {message}")
            }
            ErrorKind::Unsupported(refusal) => refusal.fmt(f),
        }?;
        for lacking in self.doubts.iter().filter(|finding| finding.support.is_no()) {
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
        match &*self.kind {
            ErrorKind::Transport(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.status)?;
        for text in [&self.message, &self.description].into_iter().flatten() {
            write!(f, ": {text}")?;
        }
        Ok(())
    }
}
