//! Containment of scopes: `read` contains `read:accounts`.

/// The scopes that the old scope `follow` stands for
/// ([Mastodon's documentation](https://docs.joinmastodon.org/api/oauth-scopes/#follow)).
const FOLLOW: [&str; 6] =
    ["read:follows", "write:follows", "read:blocks", "write:blocks", "read:mutes", "write:mutes"];

/// The name of a scope. `=write:follows` asks for the scope itself, so that none that is wider does.
pub fn plain(scope: &str) -> &str {
    scope.strip_prefix('=').unwrap_or(scope)
}

/// A text of scopes, such as a list or a sentence, with their names alone.
pub fn names(scopes: &str) -> String {
    scopes.replace('=', "")
}

/// Whether a token with the wide scope may do what the narrow one allows.
pub fn covers(wide: &str, narrow: &str) -> bool {
    let wide = plain(wide);
    if let Some(itself) = narrow.strip_prefix('=') {
        return wide == itself;
    }
    let below = narrow.strip_prefix(wide);
    below.is_some_and(|below| below.is_empty() || below.starts_with(':'))
        || (wide == "follow" && FOLLOW.contains(&narrow))
}

/// The scopes with each of which a token may do what the narrow one allows: itself, and those that are wider.
pub fn wider(narrow: &str) -> impl Iterator<Item = &str> {
    let above = narrow.match_indices(':').map(|(end, _)| &narrow[..end]);
    let all = above.chain([plain(narrow), "follow"]);
    all.filter(|wide| covers(wide, narrow))
}

#[cfg(test)]
mod tests {
    use super::{covers, wider};

    #[test]
    fn the_wider_scopes_are_those_that_cover() {
        for (narrow, expected) in [
            ("read", "read"),
            ("admin:read:accounts", "admin admin:read admin:read:accounts"),
            ("write:follows", "write write:follows follow"),
            ("=write:follows", "write:follows"),
        ] {
            assert_eq!(wider(narrow).collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn follow_stands_for_both_halves_of_three() {
        for half in ["read", "write"] {
            for what in ["follows", "blocks", "mutes"] {
                assert!(covers("follow", &format!("{half}:{what}")), "{half}:{what}");
            }
            assert!(!covers("follow", half));
            assert!(!covers("follow", &format!("{half}:lists")));
        }
    }

    #[test]
    fn a_scope_covers_itself_and_what_is_below() {
        assert!(covers("read", "read") && covers("admin:read", "admin:read:accounts"));
        assert!(!covers("read:accounts", "read") && !covers("read", "readonly"));
    }

    #[test]
    fn a_scope_itself_is_covered_by_no_other() {
        assert!(covers("write:follows", "=write:follows") && covers("=read", "read:lists"));
        assert!(!covers("write", "=write:follows") && !covers("follow", "=write:follows"));
    }
}
