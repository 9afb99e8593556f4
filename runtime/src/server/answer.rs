//! Conversion of handlers' results to responses.

use std::sync::{Arc, Once};
use std::task::Poll;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue, IF_NONE_MATCH, LINK};
use axum::http::{Extensions, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use form_urlencoded::Serializer;

use super::Error;
use super::auth::PARAM;
use super::decoder::Rules;
use super::error::JSON;
use super::head::{Head, unless_known};
use super::reply::{Ready, TEXT};
use super::ways::Ways;
use super::writing::Writing;
use crate::loopback;
use crate::ser::ToJson;
use crate::{Link, List, Method, Operation, Page, Paging, Raw};

const BYTES: HeaderValue = HeaderValue::from_static("application/octet-stream");

/// Parameters of a page's position, which a link to another page does not repeat.
const POSITIONS: &[&str] = &["max_id", "min_id", "since_id", "offset"];

/// The parts of a request that the conversion of its answer needs.
#[derive(Debug)]
pub struct Outgoing {
    pub(super) operation: &'static Operation,
    /// The parts of links to other pages, where there are pages.
    asked: Option<Box<RequestedUrl>>,
    /// The headers and the status that the handler adds.
    pub(super) head: Head,
    writing: Writing,
    rules: Arc<Rules>,
    /// The tags of what the client has, where it asks whether there is something new.
    known: Option<HeaderValue>,
    /// The values of the path that words of the release name.
    pub(super) path: Vec<(&'static str, String)>,
}

/// The URL that was asked for.
#[derive(Debug)]
struct RequestedUrl {
    uri: Uri,
    host: Option<HeaderValue>,
    forwarded: Option<ForwardedOrigin>,
    origins: Arc<[Box<str>]>,
}

/// The origin that a client asked, like `https://example.org`, by the word of a proxy that the listener trusts.
#[derive(Debug, Clone)]
pub(super) struct ForwardedOrigin(pub(super) Arc<str>);

impl Outgoing {
    pub(super) fn new(
        operation: &'static Operation,
        (uri, headers, extensions): (&Uri, &HeaderMap, &Extensions),
        origins: &Arc<[Box<str>]>,
        head: Head,
        writing: Writing,
        rules: Arc<Rules>,
    ) -> Self {
        let known = headers.get(IF_NONE_MATCH).cloned();
        let asked = (operation.paging != Paging::None && !rules.is_whole).then(|| {
            Box::new(RequestedUrl {
                uri: uri.clone(),
                host: headers.get(HOST).cloned(),
                forwarded: extensions.get().cloned(),
                origins: Arc::clone(origins),
            })
        });
        Self {
            operation,
            asked,
            head,
            writing,
            rules,
            known: known.filter(|_| operation.method == Method::Get),
            path: Vec::new(),
        }
    }

    fn status(&self) -> StatusCode {
        if let Some(status) = self.head.status() {
            return status;
        }
        let first = self.operation.success.first();
        first.and_then(|&status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK)
    }

    fn response(&self, content_type: HeaderValue, body: impl Into<Body>) -> Response {
        let mut response = Response::new(body.into());
        *response.status_mut() = self.status();
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        response
    }

    /// The response to a handler's value.
    pub(super) fn answered(&self, value: &mut impl IntoAnswer) -> Response {
        self.finish(value.respond(self))
    }

    /// The response to a handler's error, which may be an answer that was made before.
    pub(super) fn failed(&self, error: Error) -> Response {
        self.finish(match error.into_ready() {
            Ok(ready) => self.ready(ready),
            Err(error) => self.error(error),
        })
    }

    /// The response to what a handler has come to, which is converted where it lies: a result is as large as its type, also where the handler
    /// answers by [`Call::answer`](super::Call::answer).
    pub(super) fn polled<T: IntoAnswer>(
        &self,
        mut polled: Poll<super::Result<T>>,
    ) -> Poll<Response> {
        match polled {
            Poll::Ready(Ok(ref mut value)) => Poll::Ready(self.answered(value)),
            Poll::Ready(Err(error)) => Poll::Ready(self.failed(error)),
            Poll::Pending => Poll::Pending,
        }
    }

    fn finish(&self, mut response: Response) -> Response {
        self.head.apply(&mut response);
        match &self.known {
            Some(known) => unless_known(response, known),
            None => response,
        }
    }

    /// JSON of a value. Where all of it is left out, the server has no such thing.
    fn json(&self, value: &dyn ToJson) -> Response {
        match self.writing.value(value) {
            Some(json) => self.response(JSON, json),
            None => self.error(Error::not_found()),
        }
    }

    fn error(&self, error: Error) -> Response {
        let ways = Ways(self.writing.target());
        let of_release = self.rules.errors.get(&error.status());
        let of_release = of_release.map(|text| self.filled(text));
        error.worded(ways, of_release.as_deref()).into_response()
    }

    /// The words of a release with the values of the path in place of `{name}`.
    fn filled(&self, text: &str) -> String {
        let path = self.path.iter();
        path.fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    }

    fn ready(&self, ready: Ready) -> Response {
        let mut response = self.response(ready.content_type, ready.body);
        self.link(&mut response, ready.next.as_ref(), ready.prev.as_ref());
        response
    }

    /// Adds the header `Link`.
    fn link(&self, response: &mut Response, next: Option<&Link>, prev: Option<&Link>) {
        let asked = self.asked.as_deref();
        let origin = || {
            let asked = asked?;
            origin(&asked.uri, asked.host.as_ref(), asked.forwarded.as_ref(), &asked.origins)
        };
        if let Some(links) = links([next, prev], asked.map(|asked| &asked.uri), &origin) {
            response.headers_mut().insert(LINK, links);
        }
    }
}

/// The header `Link` to the next page and the previous one, by the URL that was asked for.
pub(super) fn links(
    pages: [Option<&Link>; 2],
    asked: Option<&Uri>,
    origin: &dyn Fn() -> Option<String>,
) -> Option<HeaderValue> {
    let links = pages.into_iter().zip(["next", "prev"]).filter_map(|(link, relation)| {
        Some(format!("<{}>; rel=\"{relation}\"", url(link?, asked, origin)?))
    });
    let links = links.collect::<Vec<_>>().join(", ");
    HeaderValue::try_from(links).ok().filter(|links| !links.is_empty())
}

/// The URL of a link. Without an origin it is relative ([RFC 8288, 3.1](https://www.rfc-editor.org/rfc/rfc8288#section-3.1)).
fn url(link: &Link, asked: Option<&Uri>, origin: &dyn Fn() -> Option<String>) -> Option<String> {
    let Some(params) = link.as_params() else {
        return link.as_url().map(str::to_owned);
    };
    let uri = asked?;
    let origin = origin().unwrap_or_else(|| {
        warn_of_relative_links();
        String::new()
    });
    let mut url = format!("{origin}{}?", uri.path());
    let start = url.len();
    let own = |key: &str| {
        // A token must not be copied into a URL that the server creates.
        key == PARAM || POSITIONS.contains(&key) || params.iter().any(|(name, _)| name == key)
    };
    let query = uri.query().unwrap_or_default();
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| !own(key));
    let mut query = Serializer::for_suffix(&mut url, start);
    query.extend_pairs(kept).extend_pairs(params).finish();
    Some(url)
}

/// The origin that a client has asked: of the configured ones that of the request's host, or else the first. Without any it is what a trusted proxy
/// tells. A host that nobody vouches for is not believed, unless it is this machine itself.
pub(super) fn origin(
    uri: &Uri,
    host: Option<&HeaderValue>,
    forwarded: Option<&ForwardedOrigin>,
    origins: &[Box<str>],
) -> Option<String> {
    let own = uri.authority().map(ToString::to_string);
    let forwarded = forwarded.map(|ForwardedOrigin(origin)| &**origin);
    let sent = host.and_then(|host| host.to_str().ok());
    let host = forwarded.map(name).or(own.as_deref()).or(sent).unwrap_or_default();
    let is_host = |origin: &&str| name(origin).eq_ignore_ascii_case(host);
    let mut origins = origins.iter().map(|origin| &**origin);
    let first = origins.clone().next();
    match origins.find(is_host).or(first).or(forwarded) {
        Some(origin) => Some(origin.to_owned()),
        None => is_loopback(host).then(|| format!("http://{host}")),
    }
}

/// The host and port of an origin.
fn name(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, name)| name)
}

/// Tells once in a process that links are relative, which some clients cannot follow.
fn warn_of_relative_links() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let told = "links to other pages are relative, which some clients cannot follow: set Server::public_origin, or trust the proxy \
            in front (Listen::trusted_proxies), which tells the origin";
        warn(told);
    });
}

/// Tells whoever runs the server.
pub(super) fn warn(told: &str) {
    #[cfg(feature = "tracing")]
    tracing::warn!("{told}");
    #[cfg(not(feature = "tracing"))]
    eprintln!("fedispec: {told}");
}

/// Whether a host, with or without its port, is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (host, ""),
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && loopback::is_loopback(name)
}

/// A type that a handler can answer.
pub trait IntoAnswer {
    /// Converts to a response, which takes what it keeps. An answer can be large, and is not moved for it.
    fn respond(&mut self, outgoing: &Outgoing) -> Response;
}

impl<T: ToJson> IntoAnswer for T {
    fn respond(&mut self, outgoing: &Outgoing) -> Response {
        match self.as_body() {
            Some(text) => outgoing.response(TEXT, text.to_owned()),
            None => outgoing.json(self),
        }
    }
}

impl<T: ToJson> IntoAnswer for List<T> {
    fn respond(&mut self, outgoing: &Outgoing) -> Response {
        outgoing.json(&self.items)
    }
}

impl<T: ToJson> IntoAnswer for Page<T> {
    fn respond(&mut self, outgoing: &Outgoing) -> Response {
        let mut response = outgoing.json(&self.items);
        outgoing.link(&mut response, self.next.as_ref(), self.prev.as_ref());
        response
    }
}

impl IntoAnswer for Raw {
    fn respond(&mut self, outgoing: &Outgoing) -> Response {
        let named = self.content_type.take().and_then(|name| HeaderValue::try_from(name).ok());
        outgoing.response(named.unwrap_or(BYTES), std::mem::take(&mut self.content))
    }
}
