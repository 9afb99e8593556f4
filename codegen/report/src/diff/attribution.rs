//! Whether what was measured bears a change out: a rule claims at most that code breaks, and the generated items decide.

use crate::diff::surface::{Measured, is_at_or_below};
use fedispec_diff::change::Change;
use fedispec_diff::rules::{Audience, Bump};

impl Measured {
    /// The change as the generated items bear it out.
    pub(super) fn decided(&self, change: Change) -> Change {
        if !change.breaks.contains(&Audience::Source) || self.bears_out(&change) {
            return change;
        }
        let is_seen = |path: &String| change.seen_at.iter().any(|at| is_at_or_below(path, at));
        let least = if self.came.keys().any(is_seen) { Bump::Minor } else { Bump::None };
        let bump = change.bump.min(least);
        let left = change.without_code();
        Change { bump: left.bump.max(bump), ..left }
    }

    /// Whether something that code relies on is gone, different or demanded where the change is seen.
    fn bears_out(&self, change: &Change) -> bool {
        let paths = &change.seen_at;
        // A program, a group or an order is seen everywhere.
        if paths.is_empty() {
            return self.breaking().next().is_some();
        }
        let breaks_at = |path: &String| self.breaking().any(|other| is_at_or_below(other, path));
        if paths.iter().any(breaks_at) {
            return true;
        }
        let mut owners = paths.iter().filter_map(|path| path.rsplit_once("::"));
        if change.item.kind == "param" {
            owners.any(|(owner, name)| self.is_taken_otherwise(owner, name))
        } else {
            // The values of a map are no member of a struct: they show in the type of a member.
            let is_known = |path: &String| self.known.contains(path);
            !paths.iter().any(is_known)
                && owners
                    .any(|(owner, _)| self.breaking().any(|other| is_at_or_below(other, owner)))
        }
    }

    /// The paths that code relies on and that are gone, different or demanded.
    fn breaking(&self) -> impl Iterator<Item = &str> {
        let paths = self.gone.keys().chain(self.changed.keys());
        paths.chain(self.demanded.keys()).map(String::as_str)
    }

    /// Whether a constructor takes the argument of that name otherwise than before, or no longer.
    fn is_taken_otherwise(&self, owner: &str, name: &str) -> bool {
        let of_owner = |path: &str| path.rsplit_once("::").is_some_and(|(at, _)| at == owner);
        let gone = self.gone.iter().filter(|(path, _)| of_owner(path));
        let changed = self.changed.iter().filter(|(path, _)| of_owner(path));
        gone.into_iter().any(|(_, was)| argument(was, name).is_some())
            || changed.into_iter().any(|(_, (was, is))| argument(was, name) != argument(is, name))
    }
}

/// The type of the argument of that name in a signature.
fn argument<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let inside = signature.strip_prefix("fn(")?;
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                let named = inside[start..at].trim().split_once(": ");
                if let Some((_, ty)) = named.filter(|(known, _)| *known == name) {
                    return Some(ty);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::argument;

    #[test]
    fn arguments_of_a_signature() {
        let signature =
            "fn(a: i64, b: impl IntoIterator<Item = (A, B)>, c: Vec<u8>) -> Result<D, E>";
        for (name, expected) in [
            ("a", Some("i64")),
            ("b", Some("impl IntoIterator<Item = (A, B)>")),
            ("c", Some("Vec<u8>")),
            ("D", None),
            ("Item", None),
        ] {
            assert_eq!(argument(signature, name), expected, "{name}");
        }
        assert_eq!(argument("i64", "a"), None);
    }
}
