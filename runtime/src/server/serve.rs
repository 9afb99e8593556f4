//! Processing of a request, as far as it is the same for all operations.

use std::sync::Arc;

use axum::extract::{OriginalUri, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;

use super::decoder::Decoder;
use super::panic::Caught;
use super::routes::Route;
use super::site::Site;
use super::timed::PacedBody;
use super::tree::Tree;
use super::{Call, Caller, Error, Outgoing, alternatives, auth, body, cors, events};
use crate::{Given, Location, Operation, Param, Secret};

/// A request on its way to a handler, as seen by generated code only.
#[derive(Debug)]
pub struct Input {
    decoder: Decoder,
    call: Call,
    outgoing: Outgoing,
}

impl Input {
    /// The decoder of the parameters.
    pub fn decoder(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// The handler's context, and the parts that the conversion of its answer needs.
    pub fn into_parts(self) -> (Call, Outgoing) {
        (self.call, self.outgoing)
    }
}

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

async fn input(route: &Route, parts: Parts, content: PacedBody) -> Result<Input, Error> {
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
    assemble(route, parts, tree, token, caller)
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

/// Combines the parameters, the path and the caller into a handler's input.
pub(super) fn assemble(
    route: &Route,
    parts: Parts,
    mut tree: Tree,
    token: Option<Secret>,
    caller: Option<Caller>,
) -> Result<Input, Error> {
    let operation = route.operation;
    path(operation, &parts.uri, &mut tree)?;
    let in_header = |param: &Param| param.location == Location::Header;
    let headers = if operation.params.iter().any(in_header) {
        parts.headers.clone()
    } else {
        HeaderMap::new()
    };
    let decoder = Decoder::new(operation, tree, headers);
    alternatives::check(&decoder)?;
    // `axum::Router::nest` strips the prefix from the URI.
    let uri = match parts.extensions.get::<OriginalUri>() {
        Some(OriginalUri(uri)) => uri.clone(),
        None => parts.uri,
    };
    let public = route.site.public.clone();
    let outgoing = Outgoing::new(operation, uri.clone(), &parts.headers, public);
    let call = Call {
        operation,
        caller,
        target: route.site.target.clone(),
        uri,
        headers: parts.headers,
        extensions: parts.extensions,
        token,
    };
    Ok(Input {
        decoder,
        call,
        outgoing,
    })
}

/// Adds the path's parameters, which take precedence over all others.
fn path(operation: &'static Operation, uri: &Uri, tree: &mut Tree) -> Result<(), Error> {
    for (segment, sent) in operation.path.split('/').zip(uri.path().split('/')) {
        let Some(name) = segment.strip_prefix(':') else {
            continue;
        };
        let text = percent_decode_str(sent).decode_utf8().map_err(|_| {
            let message = format!("{name} must be UTF-8");
            Error::unprocessable(message)
        })?;
        tree.insert(name.to_owned(), Given::Text(text.into_owned()));
    }
    Ok(())
}
