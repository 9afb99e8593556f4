//! Containment of scopes: `read` contains `read:accounts`.

use super::rules::RuleId;
use fedispec_since::scopes::{covers, wider};

/// Scopes of which one is enough, or of which all are needed.
#[derive(Clone, Copy)]
pub(super) struct Needed<'s> {
    pub(super) scopes: &'s [String],
    pub(super) all: bool,
}

impl Needed<'_> {
    /// Whether every token that met the other need meets this one.
    fn met_by(self, other: Self) -> bool {
        // Whether a token that may do what one scope allows, by which ever wider one, has one of those that are wanted.
        let has = |narrow: &String, wanted: &[String]| {
            wider(narrow).all(|wide| wanted.iter().any(|one| covers(wide, one)))
        };
        let granted = |wanted: &[String]| {
            let mut theirs = other.scopes.iter();
            if other.all {
                theirs.any(|narrow| has(narrow, wanted))
            } else {
                theirs.len() > 0 && theirs.all(|narrow| has(narrow, wanted))
            }
        };
        // Each by itself, or all together where one of them is enough.
        let together = if self.all { 1 } else { self.scopes.len().max(1) };
        self.scopes.chunks(together).all(granted)
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
