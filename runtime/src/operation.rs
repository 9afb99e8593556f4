//! Operations of an API as data.

use crate::Auth;
use crate::{BodyEncoding, Life, Location, Method, Paging, Several, TokenKind, UnlistedValues};

/// An operation, as the client's and the server's cores see it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Operation {
    /// Its id: `accounts.lookup`.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `:name` for its parameters.
    pub path: &'static str,
    /// Other methods that do the same on its path, each with the key of the program that has it.
    pub also: &'static [(&'static str, Method)],
    /// Its peculiarities as an OAuth endpoint.
    pub oauth: Option<OauthEndpoint>,
    /// The token and the scopes that the newest release of the first program asks for; see [`ItemTable::auth`](crate::ItemTable::auth) for the others.
    pub auth: Auth,
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
            method,
            path,
            also: &[],
            oauth: None,
            auth: Auth::new(TokenKind::Unknown, ""),
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

    setters! {
        const;
        /// Sets the other methods that do the same, by program.
        also(methods: &'static [(&'static str, Method)]) => also = methods;

        /// Says that it is an endpoint of OAuth.
        oauth(endpoint: OauthEndpoint) => oauth = Some(endpoint);

        /// Sets the token and the scopes that the operation needs.
        auth(auth: Auth) => auth = auth;

        /// Sets the encoding of the body.
        body(body: BodyEncoding) => body = body;

        /// Sets the status codes of success.
        success(statuses: &'static [u16]) => success = statuses;

        /// Sets the way in which the answer's list is paged.
        paging(paging: Paging) => paging = paging;

        /// Sets the number of items of a page where the request does not say, and the greatest number.
        page_limits(default: u16, most: u16) => page_limits = Some((default, most));

        /// Sets the parameters.
        params(params: &'static [Param]) => params = params;

        /// Sets the valid combinations of parameters.
        alternatives(alternatives: &'static [Alternative]) => alternatives = alternatives;

        /// Sets the errors that only some releases answer with.
        errors(errors: &'static [ErrorAnswer]) => errors = errors;
    }
}

/// An error that only some releases answer with: 410 for a suspended account, from Mastodon 2.4.0 until before 3.3.0.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The status.
    pub status: u16,
    /// The condition under which it is the answer.
    pub when: &'static str,
    /// The releases that answer with it, the text of a [`Life`] for each program of the item table, in its order.
    pub lives: &'static [&'static str],
}

impl ErrorAnswer {
    /// A status, its condition, and a life for each program of the item table.
    pub const fn new(status: u16, when: &'static str, lives: &'static [&'static str]) -> Self {
        Self { status, when, lives }
    }

    /// The lives, in the order of the item table's programs.
    pub(crate) fn lives(&self) -> Vec<Option<Life>> {
        self.lives.iter().map(|life| life.parse().ok()).collect()
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
    /// The treatment of values that its enumeration does not list, by the keys of the programs that differ from
    /// the usual one, which [`UnlistedValues`] tells.
    pub unlisted: &'static [(&'static str, UnlistedValues)],
    /// How programs, given by their keys, take several values of a parameter that takes one as well
    /// ([`OneOrMany`](crate::OneOrMany)).
    pub several: &'static [(&'static str, Several)],
    /// Whether it is a number of seconds from now, when something ends.
    pub is_duration: bool,
}

impl Param {
    /// A parameter at a location.
    pub const fn new(wire: &'static str, location: Location) -> Self {
        Self { wire, location, is_file: false, unlisted: &[], several: &[], is_duration: false }
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

    setters! {
        const;
        /// Sets what programs do with unlisted values.
        unlisted(ways: &'static [(&'static str, UnlistedValues)]) => unlisted = ways;

        /// Sets how programs take several values.
        several(ways: &'static [(&'static str, Several)]) => several = ways;
    }

    /// Says that it is a number of seconds from now.
    #[must_use]
    pub const fn duration(mut self) -> Self {
        self.is_duration = true;
        self
    }

    /// A parameter of unknown location: sent in the body if the method has one, otherwise in the query.
    pub const fn unknown(wire: &'static str) -> Self {
        Self::new(wire, Location::Unknown)
    }
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no request of an operation",
    note = "a request, such as `lists::Get`, is named after its group and its operation; the type that a handler takes says which it is for"
)]
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
