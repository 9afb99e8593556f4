//! The context of a handler's call.

#[cfg(feature = "listen")]
use std::net::IpAddr;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use axum::http::header::{HOST, HeaderName, HeaderValue, LINK};
use axum::http::{Extensions, HeaderMap, StatusCode, Uri};

use super::answer;
use super::auth::{Door, PARAM};
#[cfg(feature = "listen")]
use super::client_key;
use super::decoder::Rules;
use super::error::rate_limit;
use super::head::Head;
use super::open_streams::OpenStreams;
use super::refusal::Refusal;
use super::tree::Tree;
use super::writing::Writing;
use super::{Caller, Error, Result, Target};
use crate::param::Given;
use crate::{Auth, Id, Json, Operation, Page, Secret, Timestamp};

/// The context of a handler's call, besides the request. Its fields are those of [`CallParts`].
// It moves through several futures on its way to a handler, so its parts stay in one place.
pub struct Call(Box<CallParts>);

/// The fields of a [`Call`].
#[non_exhaustive]
pub struct CallParts {
    /// The operation.
    pub operation: &'static Operation,
    /// The caller, as resolved by the server's [`Authenticator`](super::Authenticator). It is `None` where there is no authenticator, where the
    /// operation needs no token, and where an optional token was not sent.
    pub caller: Option<Caller>,
    /// The program and release that the server emulates, if configured.
    pub target: Option<Arc<Target>>,
    /// The URL of the request.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// Extensions added by layers in front of the routes.
    pub extensions: Extensions,
    pub(super) token: Option<Secret>,
    /// The query and the body without the operation's parameters.
    pub(super) rest: Tree,
    /// The parameters that were sent and are not in the emulated release.
    pub(super) ignored: Vec<&'static str>,
    /// How the emulated release answers.
    pub(super) rules: Arc<Rules>,
    /// The names that are in no release.
    pub(super) unknown: Vec<String>,
    /// The token and scopes that the operation asks for.
    pub(super) auth: Auth,
    /// The origins of links.
    pub(super) origins: Arc<[Box<str>]>,
    pub(super) streams: OpenStreams,
    pub(super) head: Head,
    pub(super) writing: Writing,
}

impl Deref for Call {
    type Target = CallParts;

    fn deref(&self) -> &CallParts {
        &self.0
    }
}

impl DerefMut for Call {
    fn deref_mut(&mut self) -> &mut CallParts {
        &mut self.0
    }
}

impl Call {
    pub(super) fn new(parts: CallParts) -> Self {
        Self(Box::new(parts))
    }

    /// The bearer token, from the `Authorization` header or the `access_token` of the query or form. Without an
    /// [`Authenticator`](super::Authenticator) it is unchecked.
    pub fn bearer(&self) -> Option<Secret> {
        self.token.clone()
    }

    /// The parameters of the query and the body that the operation does not have, by name, such as those of a newer release. Objects and lists
    /// are as in JSON, however they were sent.
    pub fn unknown_params(&self) -> serde_json::Map<String, Json> {
        let rest = self.rest.iter().filter(|(name, _)| *name != PARAM);
        rest.filter_map(|(name, given)| Some((name.clone(), left(given)?))).collect()
    }

    /// Whether the query or the body names a parameter, be it with an empty list, which a request does not tell from none.
    pub fn names(&self, param: &str) -> bool {
        self.rest.contains_key(param)
    }

    /// The parameters that were sent and that the release which the server emulates does not have. The handler does not see them.
    pub fn ignored_params(&self) -> &[&'static str] {
        &self.ignored
    }

    /// Sets the status of the answer, where the operation has several: 202 of an upload that is still processed. The default is the first of
    /// [`Operation::success`](crate::Operation::success), or of those of the emulated release, which answers with no other. It does not change
    /// that of an error.
    ///
    /// # Errors
    ///
    /// A 500 where the operation does not answer with this status; [`Reply`](super::Reply) can.
    pub fn set_status(&self, status: StatusCode) -> Result<()> {
        let Operation { id, success, .. } = self.operation;
        if !success.contains(&status.as_u16()) {
            let told = format!("{id} answers with {success:?}, not with {status}");
            return Err(Error::internal().with_source(told));
        }
        let of_release = self.rules.success.as_ref();
        if of_release.is_none_or(|success| success.contains(&status)) {
            self.head.set_status(status);
        }
        Ok(())
    }

    /// Sets a header of the answer, or of the error that is answered in its place. With an `ETag` the client that has it gets 304.
    pub fn set_header(&self, name: HeaderName, value: HeaderValue) {
        self.head.set_header(name, value);
    }

    /// Sets the header `Link` to the pages beside one, for an answer that is an object with the page in it. A [`Page`] that is answered sets it
    /// by itself.
    pub fn set_links<T>(&self, page: &Page<T>) {
        let pages = [page.next.as_ref(), page.prev.as_ref()];
        if let Some(links) = answer::links(pages, Some(&self.uri), &|| self.origin()) {
            self.head.set_header(LINK, links);
        }
    }

    /// Sets the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, as [`Error::with_rate_limit`] does.
    pub fn set_rate_limit(&self, limit: u32, remaining: u32, reset: &Timestamp) {
        for (name, value) in rate_limit(limit, remaining, reset) {
            self.head.set_header(name, value);
        }
    }

    /// The address of the client, as a listener or a proxy that it trusts tells it: see [`Listen`](super::Listen). It is `None` over a Unix
    /// socket without a proxy's word.
    #[cfg(feature = "listen")]
    pub fn peer(&self) -> Option<IpAddr> {
        client_key::peer(&self.extensions)
    }

    /// The origin that the client has asked, such as `https://social.example`: one of `Server::public_origins`, or what a trusted proxy tells, or this
    /// machine. `None` where nobody vouches for it.
    pub fn origin(&self) -> Option<String> {
        let (host, forwarded) = (self.headers.get(HOST), self.extensions.get());
        answer::origin(&self.uri, host, forwarded, &self.origins)
    }

    /// The event streams that are open, to end those of a token or an account.
    pub fn streams(&self) -> &OpenStreams {
        &self.streams
    }

    /// The account of the calling user.
    ///
    /// # Errors
    ///
    /// Where the caller is not a user: the refusal of the program and release that the server emulates.
    pub fn account(&self) -> Result<&Id> {
        let account = self.caller.as_ref().and_then(|caller| caller.account.as_ref());
        account.ok_or_else(|| {
            let refusal = match &self.caller {
                Some(_) => Refusal::NotAUser,
                None => Refusal::NoToken,
            };
            let door = Door::new(self.operation, self.auth, self.target.as_deref());
            door.refuse(refusal, self.caller.as_ref())
        })
    }
}

/// The values that remain where known parameters were taken, which are null. Files are not told.
fn left(given: &Given) -> Option<Json> {
    let list = |items: &[Given]| {
        let items: Vec<_> = items.iter().filter_map(left).collect();
        (!items.is_empty()).then(|| items.into())
    };
    match given {
        Given::Null | Given::File(_) => None,
        Given::Bool(value) => Some((*value).into()),
        Given::Number(number) => Some(number.clone().into()),
        Given::Text(text) => Some(text.clone().into()),
        Given::List(items) | Given::Repeated(items) => list(items),
        Given::Object(fields) => {
            let fields = fields.iter();
            let fields: serde_json::Map<_, _> =
                fields.filter_map(|(name, given)| Some((name.clone(), left(given)?))).collect();
            (!fields.is_empty()).then(|| fields.into())
        }
    }
}

// Hides headers, which may hold tokens and cookies, and the URL, which may hold search terms.
shown!(Call, own => operation = own.operation.id, caller = own.caller);
shown!(CallParts, own => operation = own.operation.id, caller);
