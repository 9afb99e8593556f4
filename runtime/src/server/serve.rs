//! Processing of a request, as far as it is the same for all operations.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};

use super::panic::Caught;
use super::route::{Incoming, Route};
use super::site::Site;
use super::timed::PacedBody;
use super::tree::Tree;
use super::{Caller, Error, auth, body, cors, events};
use crate::param::Given;
use crate::{Operation, Secret};

pub(super) async fn serve(route: Arc<Route>, request: Request) -> Response {
    let is_foreign = route.site.cors && cors::is_foreign(request.headers());
    let mut response = answer(&route, request).await;
    if is_foreign {
        cors::open(&mut response);
    }
    response
}

async fn answer(route: &Route, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = PacedBody::new(body, &parts.headers, route.site.limits.patience);
    let Some(run) = &route.run else {
        return Error::not_implemented(route.operation).into_response();
    };
    match input(route, parts, body).await {
        Ok(input) => {
            let answered = Caught::new(|| run(input)).await;
            let response = answered.unwrap_or_else(|| Error::internal().into_response());
            events::send(response, route.site.limits.heartbeat)
        }
        Err(error) => error.into_response(),
    }
}

async fn input(route: &Route, parts: Parts, content: PacedBody) -> Result<Incoming, Error> {
    let operation = route.operation;
    let site = &*route.site;
    site.limits.head(&parts.uri, &parts.headers)?;
    let mut tree = Tree::new();
    if let Some(query) = parts.uri.query() {
        body::pairs(query.as_bytes(), &site.limits, &mut tree)?;
    }
    let has_body = parts.method != Method::GET && parts.method != Method::HEAD;
    let mut token = auth::from_head(&parts.headers, parts.uri.query());
    // The body is read before authentication only if the token can be nowhere else.
    let token_in_body = token.is_none() && has_body && body::can_have_token(&parts.headers);
    let mut caller = None;
    if !token_in_body {
        caller = admit(site, operation, token.as_ref()).await?;
    }
    if has_body {
        body::read(&parts.headers, content, site, operation, &mut tree).await?;
    }
    if token_in_body {
        token = token_in(&tree);
        caller = admit(site, operation, token.as_ref()).await?;
    }
    Incoming::assemble(route, parts, tree, token, caller)
}

async fn admit(
    site: &Site,
    operation: &Operation,
    token: Option<&Secret>,
) -> Result<Option<Caller>, Error> {
    match &site.authenticator {
        Some(authenticator) => authenticator.admit(&operation.auth, token).await,
        None => Ok(None),
    }
}

fn token_in(tree: &Tree) -> Option<Secret> {
    match tree.get(auth::PARAM) {
        Some(Given::Text(token)) if !token.is_empty() => Some(Secret::from(token.as_str())),
        _ => None,
    }
}
