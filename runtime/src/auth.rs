//! The requirements of operations, by program and release.

use std::fmt;

use crate::{TokenKind, Version};

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
    /// The permissions that the user's role must have.
    pub permissions: &'static [&'static str],
    /// The status that answers a request without a token.
    pub unauthenticated: u16,
}

impl Auth {
    /// A kind of token with one of the given scopes, which are separated by spaces as OAuth writes them
    /// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).
    pub const fn new(token: TokenKind, scopes: &'static str) -> Self {
        Self { token, scopes, all: false, permissions: &[], unauthenticated: 401 }
    }

    /// The scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.scopes.split_ascii_whitespace()
    }

    /// Requires all scopes.
    #[must_use]
    pub const fn all(mut self) -> Self {
        self.all = true;
        self
    }

    /// Sets the permissions that the user's role must have.
    #[must_use]
    pub const fn permissions(mut self, permissions: &'static [&'static str]) -> Self {
        self.permissions = permissions;
        self
    }

    /// Sets the status that answers a request without a token.
    #[must_use]
    pub const fn unauthenticated(mut self, status: u16) -> Self {
        self.unauthenticated = status;
        self
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

/// The token and scopes that a program requires from a release on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct AuthSince {
    /// The program's key: `gotosocial`.
    pub program: &'static str,
    /// The release.
    pub since: (u16, u16, u16),
    /// The token and scopes.
    pub auth: Auth,
}

/// Constructors of a kind of token.
macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident $kind:ident;)*) => {$(
        $(#[$meta])*
        pub const fn $name(
            program: &'static str,
            since: (u16, u16, u16),
            scopes: &'static str,
        ) -> Self {
            let auth = Auth::new(TokenKind::$kind, scopes);
            Self { program, since, auth }
        }
    )*};
}

impl AuthSince {
    kinds! {
        /// No token is looked at.
        none None;
        /// A token is not needed.
        optional Optional;
        /// The token of an application or a user.
        app App;
        /// The token of an application that acts for no user.
        client Client;
        /// The token of a user.
        user User;
    }

    /// Requires all scopes.
    #[must_use]
    pub const fn all(mut self) -> Self {
        self.auth = self.auth.all();
        self
    }

    /// Sets the permissions that the user's role must have.
    #[must_use]
    pub const fn permissions(mut self, permissions: &'static [&'static str]) -> Self {
        self.auth = self.auth.permissions(permissions);
        self
    }

    /// Sets the status that answers a request without a token.
    #[must_use]
    pub const fn unauthenticated(mut self, status: u16) -> Self {
        self.auth = self.auth.unauthenticated(status);
        self
    }

    fn is_reached(&self, version: &Version) -> bool {
        let (major, minor, patch) = self.since;
        let since = (u32::from(major), u32::from(minor), u32::from(patch));
        since <= (version.major, version.minor, version.patch)
    }
}

/// What a release of a program asks for, by all states in order; of a release before the program's first state, what that says.
pub(crate) fn at(states: &[AuthSince], program: &str, version: &Version) -> Option<Auth> {
    let mut of = states.iter().filter(|state| state.program == program);
    let last = of.clone().rev().find(|state| state.is_reached(version));
    last.or_else(|| of.next()).map(|state| state.auth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_of_the_state_before_the_next() {
        static STATES: &[AuthSince] = &[
            AuthSince::user("mastodon", (4, 2, 0), ""),
            AuthSince::user("mastodon", (4, 3, 14), "read"),
            AuthSince::user("mastodon", (4, 4, 0), ""),
            AuthSince::user("mastodon", (4, 4, 6), "read"),
            AuthSince::optional("gotosocial", (0, 1, 0), ""),
        ];
        for (version, scopes) in [
            ("1.0.0", 0),
            ("4.3.13", 0),
            ("4.3.14", 1),
            ("4.3.20", 1),
            ("4.4.0", 0),
            ("4.4.5", 0),
            ("4.4.6", 1),
            ("4.5.0-rc.1", 1),
        ] {
            let version = version.parse().expect("a version");
            let auth = at(STATES, "mastodon", &version).expect("a state");
            assert_eq!((auth.token, auth.scopes().count()), (TokenKind::User, scopes), "{version}");
        }
        assert_eq!(at(STATES, "pleroma", &Version::new(1, 0, 0)), None);
    }

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
