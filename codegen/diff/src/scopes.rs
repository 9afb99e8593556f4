//! Containment of scopes: `read` contains `read:accounts`.

use super::rules::RuleId;
use fedispec_since::scopes::{covers, wider};

/// Scopes of which one is enough, or of which all are needed.
#[derive(Clone, Copy)]
pub(super) struct Needed<'s> {
    pub(super) scopes: &'s [String],
    pub(super) all: bool,
}

impl<'s> Needed<'s> {
    /// Whether every token that met the other need meets this one.
    fn met_by(self, other: Self) -> bool {
        let holds = |token: &[&str], narrow: &str| token.iter().any(|wide| covers(wide, narrow));
        other.tokens().iter().all(|token| {
            let mut mine = self.scopes.iter().map(|narrow| holds(token, narrow));
            if self.all { mine.all(|held| held) } else { mine.len() == 0 || mine.any(|held| held) }
        })
    }

    /// The scopes of each token that meets the need and has none to spare.
    fn tokens(self) -> Vec<Vec<&'s str>> {
        let alone = |narrow: &'s String| wider(narrow).map(|wide| vec![wide]);
        if !self.all && !self.scopes.is_empty() {
            return self.scopes.iter().flat_map(alone).collect();
        }
        self.scopes.iter().fold(vec![Vec::new()], |tokens, narrow| {
            let with = |token: Vec<&'s str>| {
                wider(narrow).map(move |wide| [token.as_slice(), &[wide]].concat())
            };
            tokens.into_iter().flat_map(with).collect()
        })
    }
}

/// The rule for a change of scopes; nothing where both ask the same.
pub(super) fn judge(old: Needed<'_>, new: Needed<'_>) -> Option<RuleId> {
    match (new.met_by(old), old.met_by(new)) {
        (true, true) => None,
        (true, false) => Some(RuleId::ScopeLoosened),
        (false, true) => Some(RuleId::ScopeTightened),
        (false, false) => Some(RuleId::ScopeChanged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_by_what_they_hold() {
        for (old, new, expected) in [
            ("admin", "admin:read:reports", Some(RuleId::ScopeLoosened)),
            ("read:accounts", "read", Some(RuleId::ScopeTightened)),
            ("read", "", Some(RuleId::ScopeLoosened)),
            ("", "read", Some(RuleId::ScopeTightened)),
            ("write:statuses", "write:bookmarks", Some(RuleId::ScopeChanged)),
            ("follow", "write:follows", Some(RuleId::ScopeLoosened)),
            ("write:follows", "follow =write:follows", Some(RuleId::ScopeTightened)),
            ("write:follows", "follow =write:follows write", None),
            ("read read:accounts", "read:accounts", None),
            ("read:accounts", "read:accounts read:follows", Some(RuleId::ScopeLoosened)),
            ("readable", "read", Some(RuleId::ScopeChanged)),
        ] {
            let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let (before, after) = (split(old), split(new));
            let judged = judge(
                Needed { scopes: &before, all: false },
                Needed { scopes: &after, all: false },
            );
            assert_eq!(judged, expected, "{old} to {new}");
        }
    }

    #[test]
    fn all_is_more_than_one() {
        let scopes = ["read".to_owned(), "write".to_owned()];
        let (one, all) =
            (Needed { scopes: &scopes, all: false }, Needed { scopes: &scopes, all: true });
        assert_eq!(judge(one, all), Some(RuleId::ScopeTightened));
        assert_eq!(judge(all, one), Some(RuleId::ScopeLoosened));
    }
}
