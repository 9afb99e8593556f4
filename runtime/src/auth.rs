//! The requirements of operations, by program and release.

use std::fmt;

use fedispec_since::scopes::plain;

use crate::TokenKind;

/// The token, scopes and permissions that an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Auth {
    /// The kind of token.
    pub token: TokenKind,
    /// The scopes, with spaces between.
    pub(crate) scopes: &'static str,
    /// Whether all scopes are needed; otherwise one of them suffices.
    pub all: bool,
    /// The permissions that the user's role must have, with spaces between.
    pub(crate) permissions: &'static str,
    /// The status that answers a request without a token.
    pub unauthenticated: u16,
}

impl Auth {
    /// A kind of token with one of the given scopes, which are separated by spaces as OAuth writes them
    /// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).
    pub const fn new(token: TokenKind, scopes: &'static str) -> Self {
        Self { token, scopes, all: false, permissions: "", unauthenticated: 401 }
    }

    /// The scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.asked().map(plain)
    }

    /// The scopes, with the mark of those that no wider one covers.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.scopes.split_ascii_whitespace()
    }

    /// The permissions that the user's role must have.
    pub fn permissions(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.permissions.split_ascii_whitespace()
    }

    /// Requires all scopes.
    #[must_use]
    pub const fn all(mut self) -> Self {
        self.all = true;
        self
    }

    setters! {
        const;
        /// Sets the permissions that the user's role must have, which are separated by spaces.
        with_permissions(permissions: &'static str) => permissions = permissions;

        /// Sets the status that answers a request without a token.
        unauthenticated(status: u16) => unauthenticated = status;
    }
}

/// Prints `a user's token with read or read:accounts`.
impl fmt::Display for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.token {
            TokenKind::Unknown => return f.write_str("an unknown kind of token"),
            TokenKind::None => return f.write_str("no token"),
            TokenKind::Optional => "no token, or one",
            TokenKind::App => "a user's or an application's token",
            TokenKind::Client => "an application's own token",
            TokenKind::User => "a user's token",
        })?;
        let between = if self.all { " and " } else { " or " };
        for (place, scope) in self.scopes().enumerate() {
            f.write_str(if place == 0 { " with " } else { between })?;
            f.write_str(scope)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_reads_well() {
        for (auth, text) in [
            (Auth::new(TokenKind::None, ""), "no token"),
            (Auth::new(TokenKind::Optional, "read"), "no token, or one with read"),
            (Auth::new(TokenKind::User, "read profile"), "a user's token with read or profile"),
            (
                Auth::new(TokenKind::App, "read push").all(),
                "a user's or an application's token with read and push",
            ),
            (Auth::new(TokenKind::Client, ""), "an application's own token"),
        ] {
            assert_eq!(auth.to_string(), text);
        }
    }
}
