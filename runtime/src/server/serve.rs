//! What becomes of a request: the part that is the same for all operations.

use std::sync::Arc;

use axum::extract::{OriginalUri, Request};
use axum::http::{Method, Uri};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;

use super::decoder::Decoder;
use super::panic::Caught;
use super::routes::Route;
use super::tree::Tree;
use super::{Call, Error, Outgoing, alternatives, body};
use crate::{Given, Operation};

/// A request on its way to a handler. Only generated code sees it.
#[derive(Debug)]
pub struct Input {
    decoder: Decoder,
    call: Call,
    outgoing: Outgoing,
}

impl Input {
    /// What was sent.
    pub fn decoder(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// What the handler gets beside the request, and what its answer needs.
    pub fn into_parts(self) -> (Call, Outgoing) {
        (self.call, self.outgoing)
    }
}

pub(super) async fn serve(route: Arc<Route>, request: Request) -> Response {
    let Some(run) = route.run.clone() else {
        return Error::not_implemented(route.operation).into_response();
    };
    match input(&route, request).await {
        Ok(input) => Caught::new(|| run(input)).await,
        Err(error) => error.into_response(),
    }
}

async fn input(route: &Route, request: Request) -> Result<Input, Error> {
    let operation = route.operation;
    let (parts, content) = request.into_parts();
    let mut tree = Tree::new();
    if let Some(query) = parts.uri.query() {
        body::pairs(query.as_bytes(), &route.limits, &mut tree)?;
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        body::read(&parts.headers, content, &route.limits, &mut tree).await?;
    }
    path(operation, &parts.uri, &mut tree)?;
    let decoder = Decoder::new(operation, tree, parts.headers.clone());
    alternatives::check(&decoder)?;
    // Below another router the URL has lost its front.
    let uri = match parts.extensions.get::<OriginalUri>() {
        Some(OriginalUri(uri)) => uri.clone(),
        None => parts.uri,
    };
    let outgoing = Outgoing::new(operation, uri.clone(), &parts.headers, route.public.clone());
    let call = Call {
        operation,
        uri,
        headers: parts.headers,
        extensions: parts.extensions,
    };
    Ok(Input {
        decoder,
        call,
        outgoing,
    })
}

/// The parameters of the path win over all others.
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
