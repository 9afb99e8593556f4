//! Scopes of tokens.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Auth, TokenKind};
use fedispec_since::scopes::{covers, plain};

/// The scopes of a token. A scope covers those below it, as `read` covers `read:accounts`; `follow` covers reading and writing of blocks,
/// follows and mutes, as in [Mastodon](https://docs.joinmastodon.org/api/oauth-scopes/).
///
/// A text that lists them, or a list of texts or of the generated `OauthScope`, converts into it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scopes(Box<str>);

impl Scopes {
    fn new(scopes: impl Into<Box<str>>) -> Self {
        Self(scopes.into())
    }

    /// Whether a scope was granted, by itself or in one that covers it.
    pub fn allow(&self, scope: &str) -> bool {
        self.0.split_ascii_whitespace().any(|granted| covers(granted, scope))
    }

    /// The scopes as granted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The scopes of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut all: Vec<&str> = self.iter().collect();
        for scope in other.iter() {
            if !all.contains(&scope) {
                all.push(scope);
            }
        }
        all.into_iter().collect()
    }

    /// The least that is enough for each of these demands. Where one of several scopes is enough, it is one that another demand needs as
    /// well, or else the narrowest. What another scope covers is left out.
    pub fn least(demands: impl IntoIterator<Item = Auth>) -> Self {
        let mut demands: Vec<Auth> = demands.into_iter().collect();
        demands.retain(|auth| auth.token != TokenKind::None && !auth.scopes.is_empty());
        let is_choice = |auth: &&Auth| !auth.all && auth.asked().nth(1).is_some();
        let mut all = Self::default();
        for auth in demands.iter().filter(|auth| !is_choice(auth)) {
            all = all.and(&auth.asked().collect());
        }
        for auth in demands.iter().filter(is_choice) {
            if !auth.asked().any(|scope| all.allow(scope)) {
                let narrowest = auth.asked().min_by_key(|scope| is_broad(scope));
                all = all.and(&narrowest.into_iter().collect());
            }
        }
        let is_covered = |scope: &str| {
            let mut others = all.iter().filter(|other| *other != scope);
            others.any(|other| covers(other, scope))
        };
        all.iter().filter(|scope| !is_covered(scope)).map(plain).collect()
    }
}

/// Whether other scopes stand below it.
fn is_broad(scope: &str) -> bool {
    matches!(scope.strip_prefix("admin:").unwrap_or(scope), "read" | "write" | "follow" | "admin")
}

of_text!(Scopes);

impl<const N: usize, S: AsRef<str>> From<[S; N]> for Scopes {
    fn from(scopes: [S; N]) -> Self {
        scopes.into_iter().collect()
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
            assert_eq!(Scopes::from(granted).allow(scope), allowed, "{granted}: {scope}");
        }
    }

    #[test]
    fn scopes_convert_from_lists() {
        let scopes: Scopes = ["read", "write:media"].into_iter().collect();
        assert_eq!(scopes.to_string(), "read write:media");
        assert_eq!(scopes.iter().count(), 2);
        assert!(scopes.allow("write:media"));
    }

    #[test]
    fn the_least_is_enough_and_no_more() {
        let user = |scopes| Auth::new(TokenKind::User, scopes);
        for (demands, least) in [
            (vec![user("read:lists"), user("read:lists")], "read:lists"),
            (vec![user(""), Auth::new(TokenKind::None, "read")], ""),
            (vec![Auth::new(TokenKind::Optional, "read:search")], "read:search"),
            (vec![user("read:lists"), user("read")], "read"),
            (vec![user("read read:accounts")], "read:accounts"),
            (vec![user("profile read:accounts")], "profile"),
            (vec![user("profile read:accounts"), user("read:accounts")], "read:accounts"),
            (vec![user("read push").all(), user("read:lists")], "read push"),
            (vec![user("follow"), user("write:blocks")], "follow"),
            (vec![user("admin:read admin:read:reports")], "admin:read:reports"),
        ] {
            let found = Scopes::least(demands.clone());
            assert_eq!(found.to_string(), least);
            for auth in demands.iter().filter(|auth| auth.token != TokenKind::None) {
                let mut scopes = auth.scopes();
                let enough = if auth.all {
                    scopes.all(|scope| found.allow(scope))
                } else {
                    auth.scopes.is_empty() || scopes.any(|scope| found.allow(scope))
                };
                assert!(enough, "{found} for {auth}");
            }
        }
    }
}
