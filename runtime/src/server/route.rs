//! One operation with its handler, and what the handler receives.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::OriginalUri;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode;

use super::answer::IntoAnswer;
use super::auth::PARAM;
use super::decoder::{Decode, Decoder, Invalid, Rules};
use super::head::Head;
use super::site::Site;
use super::tree::Tree;
use super::writing::Writing;
use super::{
    Call, CallParts, Caller, Error, HandlerFuture, Outgoing, RequestLimits, alternatives, oauth,
    text,
};
use crate::param::Given;
use crate::{Auth, Location, Operation, Param, Secret};

/// A handler bound to its application.
pub(super) type Run = Arc<dyn Handler>;

/// A handler that answers a request.
pub(super) trait Handler: Send + Sync {
    /// Begins to answer a request.
    fn run(self: Arc<Self>, input: Incoming) -> HandlerFuture;
}

impl<F: Fn(Incoming) -> HandlerFuture + Send + Sync> Handler for F {
    fn run(self: Arc<Self>, input: Incoming) -> HandlerFuture {
        self(input)
    }
}

/// An operation and its handler.
pub(super) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) run: Option<Run>,
    /// The token and scopes that it asks for in the release that the server emulates.
    pub(super) auth: Auth,
    pub(super) site: Arc<Site>,
    /// The limits for this operation.
    pub(super) limits: Arc<RequestLimits>,
    /// Whether it may answer with an event stream, which holds its connection.
    pub(super) is_stream: bool,
    /// How parameters are taken.
    pub(super) rules: Arc<Rules>,
    pub(super) writing: Writing,
}

/// A request that a handler of its own can be mounted for: those of all operations but streams. It is implemented for them, and for no others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no request that `Server::on` mounts a handler for",
    note = "a handler takes the application, a request such as `lists::Get`, and the `Call`, in this order",
    note = "an operation that answers a stream of events is mounted with `Server::on_stream`"
)]
pub trait Handled: crate::Request + Decode + Send + 'static {
    /// The answer of a handler: that of the request, or of every request of the operation where there are several.
    type Answered: IntoAnswer + Send + 'static;
}

/// A request on its way to a handler. Its parts are large and pass through many hands, so each has its place from the beginning.
#[derive(Debug)]
pub(super) struct Incoming {
    call: Call,
    arrived: Box<Arrived>,
}

/// The parts of a request that a handler does not receive as they are.
#[derive(Debug)]
pub(super) struct Arrived {
    decoder: Decoder,
    pub(super) outgoing: Outgoing,
}

impl Incoming {
    /// Takes the request's parameters.
    ///
    /// # Errors
    ///
    /// A parameter that is missing or wrong: see [`refuse`](Self::refuse).
    pub(super) fn decode<R: Decode>(&mut self) -> Result<R, Invalid> {
        R::decode(&mut self.arrived.decoder)
    }

    /// The answer to a parameter that is missing or wrong.
    pub(super) fn refuse(&self, invalid: Invalid) -> Response {
        oauth::told(self.call.operation, invalid).into_response()
    }

    /// The handler's context.
    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    /// The handler's context, and the parts that the conversion of its answer needs.
    pub(super) fn into_parts(mut self) -> (Call, Box<Arrived>) {
        self.call.rest = self.arrived.decoder.take_rest();
        (self.call, self.arrived)
    }

    /// Combines the parameters, the path and the caller.
    pub(super) fn assemble(
        route: &Route,
        parts: Parts,
        mut tree: Tree,
        token: Option<Secret>,
        caller: Option<Caller>,
    ) -> Result<Self, Error> {
        let operation = route.operation;
        let path = path(operation, &parts.uri)?;
        let named = named(&route.rules, &path);
        // Parameters of the path take precedence over all others.
        for (name, _) in &path {
            tree.remove(*name);
        }
        let in_header = |param: &&Param| param.location == Location::Header;
        let in_headers = || operation.params.iter().filter(in_header);
        for param in in_headers() {
            let sent = parts.headers.get(param.wire);
            if sent.is_some_and(|value| str::from_utf8(value.as_bytes()).is_err()) {
                return Err(text::refused(param.wire));
            }
        }
        let headers =
            if in_headers().next().is_some() { parts.headers.clone() } else { HeaderMap::new() };
        let unknown =
            if route.site.after.is_empty() { Vec::new() } else { unknown(operation, &tree) };
        let decoder =
            Decoder::new(operation, tree, headers, Arc::clone(&route.rules)).with_path(path);
        alternatives::check(&decoder).map_err(|invalid| oauth::told(operation, invalid))?;
        decoder.has_all_demanded().map_err(|invalid| oauth::told(operation, invalid))?;
        decoder.is_within_bounds().map_err(|invalid| oauth::told(operation, invalid))?;
        if let Some(refused) = decoder.refused_by_release() {
            return Err(refused);
        }
        // `axum::Router::nest` strips the prefix from the URI.
        let uri = match parts.extensions.get::<OriginalUri>() {
            Some(OriginalUri(uri)) => uri.clone(),
            None => parts.uri,
        };
        let head = Head::default();
        if let Some(first) = route.rules.success.as_ref().and_then(|success| success.first())
            && first.is_success()
        {
            head.set_status(*first);
        }
        // Without an authenticator nobody knows who calls.
        let account = caller.as_ref().and_then(|caller| caller.account.as_ref());
        let is_user = account.is_some() || route.site.authenticator.is_none();
        let writing = route.writing.to(is_user);
        let Parts { headers, extensions, .. } = parts;
        let mut outgoing = Outgoing::new(
            operation,
            (&uri, &headers, &extensions),
            &route.site.origins,
            head.clone(),
            writing.clone(),
            Arc::clone(&route.rules),
        );
        outgoing.path = named;
        let parts = CallParts {
            operation,
            caller,
            target: route.site.target.clone(),
            uri,
            headers,
            extensions,
            token,
            rest: Tree::new(),
            ignored: decoder.ignored_params(),
            rules: Arc::clone(&route.rules),
            auth: route.auth,
            origins: Arc::clone(&route.site.origins),
            streams: route.site.streams.clone(),
            unknown,
            head,
            writing,
        };
        Ok(Self { call: Call::new(parts), arrived: Box::new(Arrived { decoder, outgoing }) })
    }
}

/// The names that are not, and do not begin, those of the operation's parameters.
fn unknown(operation: &Operation, tree: &Tree) -> Vec<String> {
    let is_known = |name: &str| {
        let mut params = operation.params.iter();
        params.any(|param| param.wire.split('[').next() == Some(name))
    };
    let names = tree.keys().filter(|name| *name != PARAM && !is_known(name));
    names.cloned().collect()
}

/// The values of the path that words of the release may name.
fn named(rules: &Rules, path: &[(&'static str, Given)]) -> Vec<(&'static str, String)> {
    if !rules.errors.values().any(|text| text.contains('{')) {
        return Vec::new();
    }
    let text = |(name, given): &(&'static str, Given)| match given {
        Given::Text(text) => Some((*name, text.clone())),
        _ => None,
    };
    path.iter().filter_map(text).collect()
}

/// The path's parameters, by name.
fn path(operation: &'static Operation, uri: &Uri) -> Result<Vec<(&'static str, Given)>, Error> {
    let mut params = Vec::new();
    let own = operation.path.as_bytes().split(|&byte| byte == b'/');
    let sent = uri.path().as_bytes().split(|&byte| byte == b'/');
    for (segment, sent) in own.zip(sent) {
        let Some(name) = segment.strip_prefix(b":") else {
            continue;
        };
        let name = str::from_utf8(name).unwrap_or_default();
        let value = Cow::from(percent_decode(sent)).into_owned();
        let value =
            text::decode(value, name).map_err(|_| Error::unprocessable(text::told(name)))?;
        params.push((name, Given::Text(value)));
    }
    Ok(params)
}
