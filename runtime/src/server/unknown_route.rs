//! Requests for what a server does not have: unknown paths, and methods that a path does not have.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::family::Nothing;
use super::hooks::Served;
use super::site::Site;
use super::ways::Ways;
use super::{Error, cors};
use crate::{Json, Operation};

/// The answer of a path that has no route.
pub(super) struct UnknownRoute {
    site: Arc<Site>,
    /// The operations that the emulated release does not have.
    lacking: Vec<&'static Operation>,
}

impl UnknownRoute {
    pub(super) fn new(site: Arc<Site>, lacking: Vec<&'static Operation>) -> Self {
        Self { site, lacking }
    }

    pub(super) fn lacking(&self) -> impl Iterator<Item = &'static Operation> {
        self.lacking.iter().copied()
    }

    /// Answers a path where there is nothing.
    pub(super) fn nothing(&self, request: &Request) -> Response {
        let answer = self.emulated(request, Ways::nothing);
        let answer = answer.unwrap_or_else(|| {
            Error::new(StatusCode::NOT_FOUND, "There is nothing at this path").into_response()
        });
        self.answered(request, answer)
    }

    /// Answers a method that a path does not have; 204 to a preflight request.
    pub(super) fn method(&self, request: &Request) -> Response {
        let preflight = self.site.cors.then(|| cors::preflight(request)).flatten();
        if let Some(answer) = preflight {
            return self.opened(request, answer);
        }
        let answer = self.emulated(request, Ways::other_method);
        let answer = answer.unwrap_or_else(|| {
            let message = format!("{} is not allowed here", request.method());
            Error::new(StatusCode::METHOD_NOT_ALLOWED, message).into_response()
        });
        self.answered(request, answer)
    }

    /// The answer of the release that is emulated.
    fn emulated<'s>(
        &'s self,
        request: &Request,
        answer: fn(Ways<'s>, &str) -> Nothing,
    ) -> Option<Response> {
        let target = self.site.emulation.as_ref()?.target();
        let accepted = request.headers().get(ACCEPT);
        let accepted = accepted.and_then(|accepted| accepted.to_str().ok());
        let accepted = accepted.unwrap_or_default();
        let (status, content_type, body) = answer(Ways(Some(target)), accepted);
        let path = Json::from(request.uri().path().trim_start_matches('/')).to_string();
        let path = path.get(1..path.len() - 1).unwrap_or_default();
        let mut response = Response::new(Body::from(body.replace("{path}", path)));
        *response.status_mut() = status;
        response.headers_mut().extend(content_type.map(|kind| (CONTENT_TYPE, kind)));
        Some(response)
    }

    /// Tells those who want to know of requests for operations of other releases.
    fn answered(&self, request: &Request, answer: Response) -> Response {
        let began = Instant::now();
        let asked = { !self.site.after.is_empty() }.then(|| self.asked(request));
        if let Some(operation) = asked.flatten() {
            let served = Served {
                operation,
                caller: None,
                status: answer.status(),
                took: began.elapsed(),
                in_release: false,
                ignored_params: Vec::new(),
                unknown_params: Vec::new(),
            };
            for after in &self.site.after {
                after(&served);
            }
        }
        self.opened(request, answer)
    }

    fn opened(&self, request: &Request, mut answer: Response) -> Response {
        if self.site.cors && cors::is_foreign(request.headers()) {
            cors::open(&mut answer);
        }
        answer
    }

    /// The operation of another release that the request asks for.
    fn asked(&self, request: &Request) -> Option<&'static Operation> {
        let method = request.method().as_str();
        let path = request.uri().path().trim_end_matches('/');
        let sent: Vec<_> = path.split('/').collect();
        self.lacking().find(|operation| {
            let own: Vec<_> = operation.path.split('/').collect();
            let mut both = own.iter().zip(&sent);
            operation.method.as_str() == method
                && own.len() == sent.len()
                && both.all(|(own, sent)| own == sent || own.starts_with(':'))
        })
    }
}
