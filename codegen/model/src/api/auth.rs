//! The tokens that an operation asks for.

use fedispec_since::TokenKind;
use fedispec_since::scopes::plain;
use serde::{Deserialize, Serialize};

/// The tokens that may call an operation, by program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Auths {
    /// Every program asks for the same.
    Same(Auth),
    /// One for each program, in the order of [`Api::programs`](super::Api::programs); `None` where no source says.
    Each(Vec<Option<Auth>>),
}

impl Auths {
    /// The requirements of the programs, in their order; `None` where no source says of any.
    pub fn new(each: Vec<Option<Auth>>) -> Option<Self> {
        match each.split_first() {
            Some((Some(first), others)) if others.iter().all(|one| one.as_ref() == Some(first)) => {
                each.into_iter().next().flatten().map(Self::Same)
            }
            _ => each.iter().any(Option::is_some).then_some(Self::Each(each)),
        }
    }

    /// Returns the requirement of a program, by its place among the programs.
    pub fn of(&self, program: usize) -> Option<&Auth> {
        match self {
            Self::Same(auth) => Some(auth),
            Self::Each(each) => each.get(program)?.as_ref(),
        }
    }
}

/// The tokens that may call an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// The kind of token.
    pub token: TokenKind,
    /// The scopes of which one is enough. `=write:follows` is covered by no wider one.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// All scopes are needed.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub all: bool,
    /// The permissions that the user's role must have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// The status that answers a request without a token.
    #[serde(default = "unauthorized", skip_serializing_if = "is_unauthorized")]
    pub unauthenticated: u16,
}

impl Auth {
    /// A kind of token, without scopes.
    pub fn new(token: TokenKind) -> Self {
        Self {
            token,
            scopes: Vec::new(),
            all: false,
            permissions: Vec::new(),
            unauthenticated: UNAUTHORIZED,
        }
    }

    /// The names of the scopes, without the mark of those that no wider one covers.
    pub fn scope_names(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(|scope| plain(scope))
    }
}

/// The status that answers a request without a token, unless an operation says otherwise.
pub const UNAUTHORIZED: u16 = 401;

fn unauthorized() -> u16 {
    UNAUTHORIZED
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_unauthorized(status: &u16) -> bool {
    *status == UNAUTHORIZED
}
