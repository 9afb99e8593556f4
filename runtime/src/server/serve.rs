//! Processing of a request, as far as it is the same for all operations.

use std::future::{Future, poll_fn, ready};
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};

use super::admission::admit;
use super::allowance::Allowance;
use super::budget::Share;
use super::connection::{Behind, Ending};
use super::deadline::in_time;
use super::detached::Detached;
use super::hooks::Served;
use super::panic::Caught;
use super::replays::Replays;
use super::route::{Incoming, Route, Run};
use super::site::Site;
use super::stream_end::OpenStream;
use super::timed::PacedBody;
use super::tree::Tree;
use super::unread::Lingering;
use super::{Call, CallParts, Caller, Error, auth, body, cors, events, oauth, panic};
use crate::Secret;
use crate::param::Given;

const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// Answers a request. What is known at once is found out before the future is made: it would have to hold the request several times.
pub(super) fn serve(
    route: Arc<Route>,
    request: Request,
) -> impl Future<Output = Response> + Send + use<> {
    let is_foreign = route.site.cors && cors::is_foreign(request.headers());
    let (mut parts, body) = request.into_parts();
    let (body, unread) = Lingering::routed(body, &parts, route.limits.linger);
    // A handler must not keep the connection's end from being noticed.
    let behind = parts.extensions.remove::<Behind>();
    let asking = Box::new(Asking { parts, body: Some(body), behind });
    async move {
        let mut response = if route.site.after.is_empty() {
            answer(&route, asking, None).await
        } else {
            Box::pin(told(&route, asking)).await
        };
        unread.announce(&mut response);
        // An answer is for its caller, unless the handler says otherwise.
        let headers = response.headers_mut();
        headers.entry(CACHE_CONTROL).or_insert(PRIVATE);
        if route.site.cors {
            cors::vary(&mut response);
        }
        if is_foreign {
            cors::open(&mut response);
        }
        response
    }
}

/// A request as it arrived.
struct Asking {
    parts: Parts,
    /// Until it is read.
    body: Option<Lingering<Body>>,
    behind: Option<Behind>,
}

/// Answers, and tells those who want to know.
async fn told(route: &Route, request: Box<Asking>) -> Response {
    let began = Instant::now();
    let mut asked = HookFacts::default();
    let response = answer(route, request, Some(&mut asked)).await;
    let served = Served {
        operation: route.operation,
        caller: asked.caller,
        status: response.status(),
        took: began.elapsed(),
        in_release: true,
        ignored_params: asked.ignored,
        unknown_params: asked.unknown,
    };
    for after in &route.site.after {
        after(&served);
    }
    response
}

/// The parts of a request that hooks are told after its answer.
#[derive(Default)]
struct HookFacts {
    caller: Option<Caller>,
    ignored: Vec<&'static str>,
    unknown: Vec<String>,
}

/// Answers, and keeps what is known of the request where that is wanted.
async fn answer(
    route: &Route,
    mut request: Box<Asking>,
    asked: Option<&mut HookFacts>,
) -> Response {
    let is_basic = route.operation.oauth.is_some() && oauth::is_basic(&request.parts.headers);
    let Some(run) = route.run.clone() else {
        return Error::not_implemented(route.operation).into_response();
    };
    let ending = request.behind.take();
    let (input, share) = match input(route, request, ending.as_ref()).await {
        Ok(input) => input,
        Err(error) => {
            let error = oauth::shaped(route.operation, error);
            return oauth::challenged(error.into_response(), is_basic);
        }
    };
    let ending = ending.map(|behind| behind.ending);
    let limits = &*route.limits;
    let Started { handler, share, stream } =
        start(route, run, input, asked, share, ending.as_ref());
    let response = match in_time(limits.handler, handler).await {
        Ok(Some(response)) => response,
        Ok(None) => Error::internal().into_response(),
        Err(late) => late.into_response(),
    };
    drop(share);
    let response = oauth::challenged(response, is_basic);
    let dialect = route.rules.dialect.as_ref();
    events::send(response, limits.heartbeat, dialect, stream)
}

/// A handler that has begun.
struct Started {
    handler: Caught<Response>,
    /// The memory of the request's body, unless the handler keeps it.
    share: Option<Share>,
    stream: Option<OpenStream>,
}

/// Lets the handler begin, unless somebody refuses the request before.
fn start(
    route: &Route,
    run: Run,
    input: Incoming,
    asked: Option<&mut HookFacts>,
    share: Share,
    ending: Option<&Ending>,
) -> Started {
    let (call, site) = (input.call(), &route.site);
    if let Some(asked) = asked {
        asked.caller.clone_from(&call.caller);
        asked.ignored.clone_from(&call.ignored);
        asked.unknown.clone_from(&call.unknown);
    }
    let replays = site.replays.as_ref();
    let replay = replays.and_then(|replays| Some((Arc::clone(replays), Replays::key(call)?)));
    let writes = route.operation.method != crate::Method::Get;
    let runs_on = replay.is_some() || site.detaches && writes;
    let mut before = site.before.iter();
    let begun = before.try_for_each(|before| before(call)).and_then(|()| {
        let detached = runs_on.then(|| detached(site, call, ending)).transpose()?;
        Ok((stream(route, call, ending)?, detached))
    });
    let (stream, detached) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            let (_, arrived) = input.into_parts();
            let refused = arrived.outgoing.failed(error);
            let handler = Caught::new(|| Box::pin(ready(refused)));
            return Started { handler, share: None, stream: None };
        }
    };
    let Some(detached) = detached else {
        return Started { handler: Caught::new(|| run.run(input)), share: Some(share), stream };
    };
    let detached = detached.with(share);
    let handler = Caught::new(|| match replay {
        Some((replays, key)) => Box::pin(replays.answer(key, detached, move || run.run(input))),
        None => Box::pin(detached.run(panic::answered(move || run.run(input)))),
    });
    Started { handler, share: None, stream }
}

/// The parts that a call needs to run apart from its connection.
fn detached(site: &Site, call: &Call, ending: Option<&Ending>) -> Result<Detached, Error> {
    let limits = &site.limits;
    let permit = site.detached.take(call.caller.as_ref(), &call.extensions, limits)?;
    Ok(Detached::new(limits.detached_time, permit, ending.cloned()))
}

fn stream(
    route: &Route,
    call: &Call,
    ending: Option<&Ending>,
) -> Result<Option<OpenStream>, Error> {
    let CallParts { operation, caller, token, extensions, .. } = &**call;
    let enter = || {
        let (caller, token) = (caller.as_ref(), token.as_ref());
        OpenStream::enter(&route.site, operation, caller, token, extensions, ending.cloned())
    };
    route.is_stream.then(enter).transpose()
}

async fn input(
    route: &Route,
    mut request: Box<Asking>,
    behind: Option<&Behind>,
) -> Result<(Incoming, Share), Error> {
    let parts = &request.parts;
    let operation = route.operation;
    let (site, limits) = (&*route.site, &*route.limits);
    limits.head(&parts.uri, &parts.headers)?;
    let mut tree = Tree::new();
    if let Some(query) = parts.uri.query() {
        body::pairs(query.as_bytes(), limits, &mut tree)?;
    }
    let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
    let has_body = !is_read || body::is_of_read(&parts.headers, site);
    let mut token = auth::from_head(&parts.headers, parts.uri.query());
    // The body is read before authentication only if the token can be nowhere else.
    let token_in_body =
        limits.token_in_body && token.is_none() && has_body && body::can_have_token(&parts.headers);
    let asked = (operation, route.auth);
    let mut caller = None;
    if !token_in_body {
        caller = admit(site, asked, token.as_ref(), &request.parts.extensions).await?;
    }
    let mut allowance = Allowance::of(route, caller.as_ref());
    if let Some(behind) = behind.filter(|_| allowance.is_known) {
        behind.is_known();
    }
    if has_body && let Some(content) = request.body.take() {
        // In a box: what reads bodies is large, and most requests have none.
        let content = PacedBody::new(content, limits);
        let read = body::read(&parts.headers, content, route, &mut allowance, &mut tree);
        let mut read = Box::pin(read);
        match poll_fn(|context| Poll::Ready(read.as_mut().poll(context))).await {
            Poll::Ready(read) => read?,
            Poll::Pending => {
                let _permit = site.bodies.take(caller.as_ref(), &parts.extensions, &site.limits)?;
                read.await?;
            }
        }
    }
    oauth::client(operation, &parts.headers, &mut tree)?;
    if token_in_body {
        token = token_in(&tree);
        caller = admit(site, asked, token.as_ref(), &request.parts.extensions).await?;
    }
    let Asking { parts, .. } = *request;
    let input = Incoming::assemble(route, parts, tree, token, caller)?;
    Ok((input, allowance.into_share()))
}

fn token_in(tree: &Tree) -> Option<Secret> {
    match tree.get(auth::PARAM) {
        Some(Given::Text(token)) if !token.is_empty() => Some(Secret::from(token.as_str())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_parameter_is_no_token() {
        let token = |text: &str| {
            let given = (auth::PARAM.to_owned(), Given::Text(text.to_owned()));
            token_in(&Tree::from([given])).is_some()
        };
        assert_eq!([token(""), token("a")], [false, true]);
    }

    /// The memory that a request holds while it waits. It is made in a box for each, which allocators have ready up to about this size.
    #[test]
    fn a_request_that_is_served_is_small() {
        fn size<F>(_: impl Fn(Arc<Route>, Request) -> F) -> usize {
            size_of::<F>()
        }
        assert!(size(serve) <= 1024, "{}", size(serve));
    }
}
