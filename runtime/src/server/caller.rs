//! Callers of an API.

use std::fmt;

use crate::Id;

/// The user or application that a token belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// The user's account; `None` for an application without a user.
    pub account: Option<Id>,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The permissions of the user's role, named as in [`Auth::permissions`](crate::Auth::permissions). With `None` they are not checked.
    pub permissions: Option<Vec<String>>,
}

impl Caller {
    /// A user with the scopes of a token, listed as in OAuth: `"read write:statuses"`.
    pub fn user(account: impl Into<Id>, scopes: impl Into<Scopes>) -> Self {
        Self {
            account: Some(account.into()),
            scopes: scopes.into(),
            permissions: None,
        }
    }

    /// An application without a user.
    pub fn app(scopes: impl Into<Scopes>) -> Self {
        Self {
            account: None,
            scopes: scopes.into(),
            permissions: None,
        }
    }

    /// Sets the permissions of the user's role, such as `["manage_reports"]`. Operations that need another one answer 403.
    #[must_use]
    pub fn with_permissions<P: Into<String>>(
        mut self,
        permissions: impl IntoIterator<Item = P>,
    ) -> Self {
        self.permissions = Some(permissions.into_iter().map(Into::into).collect());
        self
    }
}

/// The scopes of a token. A scope covers those below it, as `read` covers `read:accounts`; `follow` covers reading and writing of blocks,
/// follows and mutes, as in [Mastodon](https://docs.joinmastodon.org/api/oauth-scopes/).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes(Box<str>);

impl Scopes {
    /// Whether a scope was granted, by itself or in one that covers it.
    pub fn allow(&self, scope: &str) -> bool {
        self.0
            .split_ascii_whitespace()
            .any(|granted| covers(granted, scope))
    }

    /// The scopes as granted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }
}

fn covers(granted: &str, scope: &str) -> bool {
    let below = |scope: &str| {
        let rest = scope.strip_prefix(granted);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    let followed = || match scope.split_once(':') {
        Some(("read" | "write", what)) => matches!(what, "blocks" | "follows" | "mutes"),
        _ => false,
    };
    below(scope) || (granted == "follow" && followed())
}

impl From<&str> for Scopes {
    fn from(scopes: &str) -> Self {
        Self(scopes.into())
    }
}

impl From<String> for Scopes {
    fn from(scopes: String) -> Self {
        Self(scopes.into())
    }
}

impl<S: AsRef<str>> FromIterator<S> for Scopes {
    fn from_iter<I: IntoIterator<Item = S>>(scopes: I) -> Self {
        let mut all = String::new();
        for scope in scopes {
            all.push_str(scope.as_ref());
            all.push(' ');
        }
        all.truncate(all.trim_end().len());
        Self(all.into())
    }
}

/// Lists the scopes separated by spaces (RFC 6749, 3.3).
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_cover_those_below() {
        for (granted, scope, allowed) in [
            ("read", "read", true),
            ("read", "read:accounts", true),
            ("write read", "read:accounts", true),
            ("read:accounts", "read", false),
            ("read:accounts", "read:accounts", true),
            ("read:accounts", "read:accountsx", false),
            ("read:acc", "read:accounts", false),
            ("re", "read", false),
            ("read", "reader", false),
            ("read", "write:accounts", false),
            ("read", "admin:read", false),
            ("admin:read", "admin:read:accounts", true),
            ("admin:read:accounts", "admin:read", false),
            ("admin:read", "admin:write:accounts", false),
            ("admin", "admin:read:accounts", true),
            ("follow", "write:follows", true),
            ("follow", "read:mutes", true),
            ("follow", "write:statuses", false),
            ("follow", "admin:read:blocks", false),
            ("push", "push", true),
            ("profile", "read:accounts", false),
            ("", "read", false),
            ("read", "", false),
            (" \t read \n", "read:lists", true),
        ] {
            assert_eq!(
                Scopes::from(granted).allow(scope),
                allowed,
                "{granted}: {scope}"
            );
        }
    }

    #[test]
    fn scopes_convert_from_lists() {
        let scopes: Scopes = ["read", "write:media"].into_iter().collect();
        assert_eq!(scopes.to_string(), "read write:media");
        assert_eq!(scopes.iter().count(), 2);
        assert!(scopes.allow("write:media"));
    }
}
