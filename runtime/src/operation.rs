//! What is known of an operation, as data.

use crate::Life;

/// An operation, as data: what the client's and the server's cores need to know.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Operation {
    /// Its id: `accounts.lookup`.
    pub id: &'static str,
    /// Its row in the item table; the rows of its parameters follow.
    pub row: u32,
    /// The method.
    pub method: Method,
    /// The path, with `:name` for its parameters.
    pub path: &'static str,
    /// Who may call it.
    pub auth: Auth,
    /// How a body is sent.
    pub body: Body,
    /// The statuses of success.
    pub success: &'static [u16],
    /// How its list is cut into pages.
    pub paging: Paging,
    /// Its parameters.
    pub params: &'static [Param],
    /// The ways of calling it, where its required parameters do not say it all.
    pub alternatives: &'static [Alternative],
    /// The errors that only some releases answer.
    pub errors: &'static [ErrorAnswer],
}

impl Operation {
    /// An operation without parameters that anybody may call.
    pub const fn new(id: &'static str, row: u32, method: Method, path: &'static str) -> Self {
        Self {
            id,
            row,
            method,
            path,
            auth: Auth::new(TokenKind::Unknown, &[]),
            body: Body::None,
            success: &[200],
            paging: Paging::Unknown,
            params: &[],
            alternatives: &[],
            errors: &[],
        }
    }

    /// Who may call it.
    #[must_use]
    pub const fn auth(mut self, auth: Auth) -> Self {
        self.auth = auth;
        self
    }

    /// How a body is sent.
    #[must_use]
    pub const fn body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }

    /// The statuses of success.
    #[must_use]
    pub const fn success(mut self, statuses: &'static [u16]) -> Self {
        self.success = statuses;
        self
    }

    /// How its list is cut into pages.
    #[must_use]
    pub const fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// Its parameters.
    #[must_use]
    pub const fn params(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// The ways of calling it.
    #[must_use]
    pub const fn alternatives(mut self, alternatives: &'static [Alternative]) -> Self {
        self.alternatives = alternatives;
        self
    }

    /// The errors that only some releases answer.
    #[must_use]
    pub const fn errors(mut self, errors: &'static [ErrorAnswer]) -> Self {
        self.errors = errors;
        self
    }
}

/// An error that only some releases answer: the 410 of a suspended account, from Mastodon 2.4.0 until before 3.3.0.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The status.
    pub status: u16,
    /// When it is answered.
    pub when: &'static str,
    /// The releases that answer it, in the order of the table's programs.
    pub lives: &'static [Life],
}

impl ErrorAnswer {
    /// A status, when it is answered, and a life for each program of the table.
    pub const fn new(status: u16, when: &'static str, lives: &'static [Life]) -> Self {
        Self {
            status,
            when,
            lives,
        }
    }
}

/// The method of a request.
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
    /// `GET`
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

    /// Whether a second request does no more than the first: retrying is safe.
    pub const fn is_idempotent(self) -> bool {
        !matches!(self, Self::Post | Self::Patch)
    }
}

/// Who may call an operation.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Auth {
    /// The kind of token.
    pub token: TokenKind,
    /// The scopes.
    pub scopes: &'static [&'static str],
    /// All of the scopes are needed, not one of them.
    pub all: bool,
    /// What the role must allow.
    pub permissions: &'static [&'static str],
}

impl Auth {
    /// A kind of token with one of these scopes.
    pub const fn new(token: TokenKind, scopes: &'static [&'static str]) -> Self {
        Self {
            token,
            scopes,
            all: false,
            permissions: &[],
        }
    }

    /// All of the scopes are needed.
    #[must_use]
    pub const fn all(mut self) -> Self {
        self.all = true;
        self
    }

    /// What the role must allow.
    #[must_use]
    pub const fn permissions(mut self, permissions: &'static [&'static str]) -> Self {
        self.permissions = permissions;
        self
    }
}

/// The kind of token that an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Nobody says.
    Unknown,
    /// None.
    None,
    /// It answers more with one.
    Optional,
    /// An application's or a user's.
    App,
    /// A user's.
    User,
}

/// How a body is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the encoding of that name")]
pub enum Body {
    None,
    Form,
    Multipart,
    Json,
}

/// How a list is cut into pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Paging {
    /// Nobody says.
    Unknown,
    /// It is not.
    None,
    /// The Link header names the pages beside it.
    Link,
    /// By `offset` and `limit`.
    Offset,
}

/// A parameter of an operation.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Param {
    /// Its spelling on the wire: `exclude_types[]`, `source[privacy]`.
    pub wire: &'static str,
    /// Where it stands.
    pub location: Location,
}

impl Param {
    /// A parameter.
    pub const fn new(wire: &'static str, location: Location) -> Self {
        Self { wire, location }
    }

    /// A part of the path.
    pub const fn path(wire: &'static str) -> Self {
        Self::new(wire, Location::Path)
    }

    /// A part of the query.
    pub const fn query(wire: &'static str) -> Self {
        Self::new(wire, Location::Query)
    }

    /// A part of the body.
    pub const fn form(wire: &'static str) -> Self {
        Self::new(wire, Location::Form)
    }

    /// A header.
    pub const fn header(wire: &'static str) -> Self {
        Self::new(wire, Location::Header)
    }

    /// Nobody says where: in the body where there is one, else in the query.
    pub const fn unknown(wire: &'static str) -> Self {
        Self::new(wire, Location::Unknown)
    }
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// Nobody says.
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

/// One of the ways of calling an operation. Parameters are named by their place in [`Operation::params`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Alternative {
    /// Parameters that have a certain value.
    pub sets: &'static [(u16, &'static str)],
    /// Parameters that must be there.
    pub requires: &'static [u16],
    /// Parameters that must not be there.
    pub excludes: &'static [u16],
}

impl Alternative {
    /// A way: what has a certain value, what must be there, what must not.
    pub const fn new(
        sets: &'static [(u16, &'static str)],
        requires: &'static [u16],
        excludes: &'static [u16],
    ) -> Self {
        Self {
            sets,
            requires,
            excludes,
        }
    }
}

/// A request of the API, as a value: what a client sends, and what a server's handler receives.
pub trait Request {
    /// What it answers.
    type Answer;
    /// The operation that it calls.
    const OPERATION: &'static Operation;
}

impl<R: Request> Request for &R {
    type Answer = R::Answer;
    const OPERATION: &'static Operation = R::OPERATION;
}
