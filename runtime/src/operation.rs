//! Operations of an API as data.

use std::num::NonZeroU64;

use crate::auth::{self, Auth, AuthSince, TokenKind};
use crate::{Life, Version};

/// An operation, as the client's and the server's cores see it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Operation {
    /// Its id: `accounts.lookup`.
    pub id: &'static str,
    /// The hash of its id, by which a gate finds its verdicts.
    pub(crate) key: NonZeroU64,
    /// The exclusive or of the [`hash`]es of its parameters' names, by which a gate finds out whether its table has the same ones.
    pub(crate) names: u64,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `:name` for its parameters.
    pub path: &'static str,
    /// Other methods that do the same on its path, each with the key of the program that has it.
    pub also: &'static [(&'static str, Method)],
    /// Its peculiarities as an OAuth endpoint.
    pub oauth: Option<OauthEndpoint>,
    /// The token and the scopes that the newest release of the first program asks for; see [`auth_at`](Self::auth_at) for the others.
    pub auth: Auth,
    /// The token and scopes by program, from the oldest state to the newest, where programs or releases differ.
    pub auths: &'static [AuthSince],
    /// The encoding of the body.
    pub body: BodyEncoding,
    /// The status codes of success.
    pub success: &'static [u16],
    /// The way in which the answer's list is paged.
    pub paging: Paging,
    /// The number of items of a page where the request does not say, and the greatest number, where they are known.
    pub page_limits: Option<(u16, u16)>,
    /// The parameters.
    pub params: &'static [Param],
    /// The valid combinations of parameters, where the required ones alone do not define them.
    pub alternatives: &'static [Alternative],
    /// The errors that only some releases answer with.
    pub errors: &'static [ErrorAnswer],
}

impl Operation {
    /// An operation without parameters that needs no token.
    pub const fn new(id: &'static str, method: Method, path: &'static str) -> Self {
        Self {
            id,
            key: match NonZeroU64::new(hash(id)) {
                Some(key) => key,
                None => NonZeroU64::MAX,
            },
            names: 0,
            method,
            path,
            also: &[],
            oauth: None,
            auth: Auth::new(TokenKind::Unknown, ""),
            auths: &[],
            body: BodyEncoding::None,
            success: &[200],
            paging: Paging::Unknown,
            page_limits: None,
            params: &[],
            alternatives: &[],
            errors: &[],
        }
    }

    /// Its group: `accounts`.
    pub fn group(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(group, _)| group)
    }

    /// Sets the other methods that do the same, by program.
    #[must_use]
    pub const fn also(mut self, methods: &'static [(&'static str, Method)]) -> Self {
        self.also = methods;
        self
    }

    /// Says that it is an endpoint of OAuth.
    #[must_use]
    pub const fn oauth(mut self, endpoint: OauthEndpoint) -> Self {
        self.oauth = Some(endpoint);
        self
    }

    /// Sets the token and the scopes that the operation needs.
    #[must_use]
    pub const fn auth(mut self, auth: Auth) -> Self {
        self.auth = auth;
        self
    }

    /// Sets what each program asks for, release by release.
    #[must_use]
    pub const fn auths(mut self, auths: &'static [AuthSince]) -> Self {
        self.auths = auths;
        self
    }

    /// The token and the scopes that a release of a program asks for. For a program that the catalogue does not list here they are those of
    /// the newest release of the first program.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::{Auth, AuthSince, Method, Operation, TokenKind, Version};
    /// # static GET: Operation = Operation::new("accounts.get", Method::Get, "/api/v1/accounts/:id")
    /// #     .auth(Auth::new(TokenKind::Optional, "read:accounts"))
    /// #     .auths(&[
    /// #         AuthSince::user("gotosocial", (0, 1, 0), ""),
    /// #         AuthSince::user("gotosocial", (0, 19, 0), "read:accounts"),
    /// #     ]);
    /// assert_eq!(GET.auth.token, TokenKind::Optional);
    /// assert_eq!(GET.auth_at("gotosocial", &Version::new(0, 18, 3)).to_string(), "a user's token");
    /// assert_eq!(GET.auth_at("gotosocial", &Version::new(0, 19, 2)).to_string(), "a user's token with read:accounts");
    /// ```
    pub fn auth_at(&self, program: &str, version: &Version) -> Auth {
        self.known_auth(program, version).unwrap_or(self.auth)
    }

    /// The same; `None` where the catalogue says nothing of the program.
    pub(crate) fn known_auth(&self, program: &str, version: &Version) -> Option<Auth> {
        if self.auths.is_empty() {
            return Some(self.auth);
        }
        auth::at(self.auths, program, version)
    }

    /// Sets the encoding of the body.
    #[must_use]
    pub const fn body(mut self, body: BodyEncoding) -> Self {
        self.body = body;
        self
    }

    /// Sets the status codes of success.
    #[must_use]
    pub const fn success(mut self, statuses: &'static [u16]) -> Self {
        self.success = statuses;
        self
    }

    /// Sets the way in which the answer's list is paged.
    #[must_use]
    pub const fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// Sets the number of items of a page where the request does not say, and the greatest number.
    #[must_use]
    pub const fn page_limits(mut self, default: u16, most: u16) -> Self {
        self.page_limits = Some((default, most));
        self
    }

    /// Sets the parameters.
    #[must_use]
    pub const fn params<const N: usize>(mut self, params: &'static Params<N>) -> Self {
        self.params = &params.list;
        self.names = params.names;
        self
    }

    /// Sets the valid combinations of parameters.
    #[must_use]
    pub const fn alternatives(mut self, alternatives: &'static [Alternative]) -> Self {
        self.alternatives = alternatives;
        self
    }

    /// Sets the errors that only some releases answer with.
    #[must_use]
    pub const fn errors(mut self, errors: &'static [ErrorAnswer]) -> Self {
        self.errors = errors;
        self
    }
}

/// The hash of an id or a name; never 0. It is computed for the constant of an operation, and not when a gate is asked.
///
/// The compiler interprets it in every crate that has requests. What takes it time is calls and the number of steps, so it calls next to
/// nothing, and takes eight bytes in a step. Their order is that of the target, where the sum stays.
#[allow(clippy::cast_possible_truncation, reason = "both halves of the product count")]
#[allow(clippy::many_single_char_names, reason = "they are bytes without a meaning of their own")]
pub(crate) const fn hash(text: &str) -> u64 {
    let mut rest = text.as_bytes();
    let mut sum = 0xcbf2_9ce4_8422_2325;
    loop {
        let mut behind: &[u8] = &[];
        let word = match *rest {
            [a, b, c, d, e, f, g, h, ref more @ ..] => {
                behind = more;
                [a, b, c, d, e, f, g, h]
            }
            [a, b, c, d, e, f, g] => [a, b, c, d, e, f, g, 0],
            [a, b, c, d, e, f] => [a, b, c, d, e, f, 0, 0],
            [a, b, c, d, e] => [a, b, c, d, e, 0, 0, 0],
            [a, b, c, d] => [a, b, c, d, 0, 0, 0, 0],
            [a, b, c] => [a, b, c, 0, 0, 0, 0, 0],
            [a, b] => [a, b, 0, 0, 0, 0, 0, 0],
            [a] => [a, 0, 0, 0, 0, 0, 0, 0],
            [] => break,
        };
        rest = behind;
        // 2^64 divided by the golden ratio, as an odd number.
        let product = (sum ^ u64::from_ne_bytes(word)) as u128 * 0x9e37_79b9_7f4a_7c15;
        sum = (product >> 64) as u64 ^ product as u64;
    }
    if sum == 0 { u64::MAX } else { sum }
}

/// An error that only some releases answer with: 410 for a suspended account, from Mastodon 2.4.0 until before 3.3.0.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The status.
    pub status: u16,
    /// The condition under which it is the answer.
    pub when: &'static str,
    /// The releases that answer with it, one life for each program of the item table, in its order.
    pub lives: &'static [Life],
}

impl ErrorAnswer {
    /// A status, its condition, and a life for each program of the item table.
    pub const fn new(status: u16, when: &'static str, lives: &'static [Life]) -> Self {
        Self { status, when, lives }
    }
}

/// An endpoint of OAuth, which answers errors in the shape of [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OauthEndpoint {
    /// The parameters, given by their indices in [`Operation::params`], of the client's id and its secret, that a header
    /// `Authorization: Basic` may hold instead.
    pub basic: Option<(u16, u16)>,
}

impl OauthEndpoint {
    /// An endpoint that looks at no client's secret.
    pub const fn new() -> Self {
        Self { basic: None }
    }

    /// Sets the parameters of the client's id and its secret.
    #[must_use]
    pub const fn basic(mut self, id: u16, secret: u16) -> Self {
        self.basic = Some((id, secret));
        self
    }
}

/// The HTTP method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the method of that name")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
}

impl Method {
    /// The method's name: `GET`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
        }
    }

    /// Whether the request only reads ([RFC 9110, 9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options)
    }

    /// Whether repeating the request has no further effect ([RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)).
    pub const fn is_idempotent(self) -> bool {
        !matches!(self, Self::Post | Self::Patch)
    }
}

/// The encoding of a request's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the encoding of that name")]
pub enum BodyEncoding {
    None,
    Form,
    Multipart,
    Json,
}

/// The way in which a list is paged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Paging {
    /// The catalogue does not know.
    Unknown,
    /// The list is not paged.
    None,
    /// The `Link` header names the neighbouring pages ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288)).
    Link,
    /// The parameters `offset` and `limit` select the page.
    Offset,
}

/// A parameter of an operation.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Param {
    /// The name on the wire: `exclude_types[]`, `source[privacy]`.
    pub wire: &'static str,
    /// The part of the request that holds it.
    pub location: Location,
    /// Whether it is a file; nothing else may come as one.
    pub is_file: bool,
    /// What programs, given by their keys, do with values that its enumeration does not list, where that is not what
    /// [`UnlistedValues`] says.
    pub unlisted: &'static [(&'static str, UnlistedValues)],
    /// How programs take several values of a parameter that takes one as well ([`OneOrMany`](crate::OneOrMany)).
    pub several: &'static [Several],
    /// The bit of its place among the operation's parameters when they are sorted by the [`hash`] of `wire`, as a gate has their verdicts.
    /// 0 outside [`Params`].
    pub(crate) bit: u64,
}

impl Param {
    /// A parameter at a location.
    pub const fn new(wire: &'static str, location: Location) -> Self {
        Self { wire, location, is_file: false, unlisted: &[], several: &[], bit: 0 }
    }

    /// A parameter in the path.
    pub const fn path(wire: &'static str) -> Self {
        Self::new(wire, Location::Path)
    }

    /// A parameter in the query.
    pub const fn query(wire: &'static str) -> Self {
        Self::new(wire, Location::Query)
    }

    /// A parameter in the body.
    pub const fn form(wire: &'static str) -> Self {
        Self::new(wire, Location::Form)
    }

    /// A file in the body.
    pub const fn file(wire: &'static str) -> Self {
        let mut param = Self::form(wire);
        param.is_file = true;
        param
    }

    /// A header.
    pub const fn header(wire: &'static str) -> Self {
        Self::new(wire, Location::Header)
    }

    /// Sets what programs do with unlisted values.
    #[must_use]
    pub const fn unlisted(mut self, ways: &'static [(&'static str, UnlistedValues)]) -> Self {
        self.unlisted = ways;
        self
    }

    /// Sets how programs take several values.
    #[must_use]
    pub const fn several(mut self, ways: &'static [Several]) -> Self {
        self.several = ways;
        self
    }

    /// A parameter of unknown location: sent in the body if the method has one, otherwise in the query.
    pub const fn unknown(wire: &'static str) -> Self {
        Self::new(wire, Location::Unknown)
    }
}

/// The reaction of a server to a value of an enumeration that it does not know. Usually an operation that only reads ignores it, and one that
/// writes refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnlistedValues {
    /// As if it were not sent.
    Ignored,
    /// It answers an error.
    Refused,
}

/// How a program takes several values of a parameter that takes one as well, each form from its first release on. A release without any
/// takes one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Several {
    /// The key of the program.
    pub program: &'static str,
    /// The first release that takes the lines of one text.
    pub lines: Option<(u16, u16, u16)>,
    /// The first release that takes a list.
    pub list: Option<(u16, u16, u16)>,
}

impl Several {
    /// A program that takes one value.
    pub const fn new(program: &'static str) -> Self {
        Self { program, lines: None, list: None }
    }

    /// Sets the first release that takes the lines of one text.
    #[must_use]
    pub const fn lines(mut self, since: (u16, u16, u16)) -> Self {
        self.lines = Some(since);
        self
    }

    /// Sets the first release that takes a list.
    #[must_use]
    pub const fn list(mut self, since: (u16, u16, u16)) -> Self {
        self.list = Some(since);
        self
    }
}

/// The parameters of an operation, at most 64, each with a bit for gates, so that neither an operation nor the item table
/// has to number them.
#[derive(Debug, Clone, Copy)]
pub struct Params<const N: usize> {
    list: [Param; N],
    names: u64,
}

impl<const N: usize> Params<N> {
    /// Gives each parameter its bit, in a constant.
    ///
    /// ```
    /// # use fedispec_runtime::Param;
    /// # use fedispec_runtime::codegen::Params;
    /// static MOST: Params<64> = Params::of([Param::query("a"); 64]);
    /// ```
    ///
    /// One more does not compile:
    ///
    /// ```compile_fail,E0080
    /// # use fedispec_runtime::Param;
    /// # use fedispec_runtime::codegen::Params;
    /// static TOO_MANY: Params<65> = Params::of([Param::query("a"); 65]);
    /// ```
    pub const fn of(mut params: [Param; N]) -> Self {
        const { assert!(N <= 64, "an operation has at most 64 parameters") };
        let (mut hashes, mut ranks) = ([0; N], [0; N]);
        let (mut names, mut at) = (0, 0);
        while at < N {
            hashes[at] = hash(params[at].wire);
            names ^= hashes[at];
            let mut other = 0;
            while other < at {
                if hashes[other] < hashes[at] {
                    ranks[at] += 1;
                } else {
                    ranks[other] += 1;
                }
                other += 1;
            }
            at += 1;
        }
        while at > 0 {
            at -= 1;
            params[at].bit = 1 << ranks[at];
        }
        Self { list: params, names }
    }
}

/// The part of a request that holds a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// The catalogue does not know.
    Unknown,
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In the body.
    Form,
    /// In a header.
    Header,
}

/// A valid combination of an operation's parameters, each given by its index in [`Operation::params`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Alternative {
    /// The parameters that must have a certain value.
    pub sets: &'static [(u16, &'static str)],
    /// The parameters that must be set.
    pub requires: &'static [u16],
    /// The parameters that must not be set.
    pub excludes: &'static [u16],
}

impl Alternative {
    /// A combination of fixed values, required parameters and excluded parameters.
    pub const fn new(
        sets: &'static [(u16, &'static str)],
        requires: &'static [u16],
        excludes: &'static [u16],
    ) -> Self {
        Self { sets, requires, excludes }
    }
}

/// A request of the API: the value that a client sends and that a server's handler receives.
pub trait Request {
    /// The type of the answer.
    type Answer;
    /// The operation that the request calls.
    const OPERATION: &'static Operation;
}

impl<R: Request> Request for &R {
    type Answer = R::Answer;
    const OPERATION: &'static Operation = R::OPERATION;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_has_a_bit_in_the_order_of_the_hashes() {
        static PARAMS: Params<8> = Params::of([
            Param::query("b[]"),
            Param::path("a"),
            Param::form("b"),
            Param::query("ab"),
            Param::query(""),
            Param::form("policy[can_favourite][always][]"),
            Param::form("policy[can_favourite][with_approval][]"),
            Param::form("policy["),
        ]);
        let mut params: Vec<_> = PARAMS.list.iter().collect();
        params.sort_by_key(|param| hash(param.wire));
        let bits: Vec<_> = params.iter().map(|param| param.bit).collect();
        assert_eq!(bits, [1, 2, 4, 8, 16, 32, 64, 128]);
    }
}
