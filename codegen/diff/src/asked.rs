//! Requirements of operations on callers: their text, and the rules for their changes.

use super::rules::RuleId;
use super::scopes::{self, Needed};
use fedispec_model::api::Auth;
pub(super) use fedispec_model::auth::scopes as scope;
use fedispec_since::TokenKind;

/// `a user's token with read:accounts`
pub(super) fn text(auth: &Auth) -> String {
    let token = match auth.token {
        TokenKind::Unknown => return "an unknown kind of token".into(),
        TokenKind::None => return "no token".into(),
        TokenKind::Optional => "no token, or any",
        TokenKind::App => "an app's or user's token",
        TokenKind::Client => "an app's own token",
        TokenKind::User => "a user's token",
    };
    if auth.scopes.is_empty() { token.into() } else { format!("{token} with {}", scope(auth)) }
}

/// `the permission manage_users or manage_reports`
pub(super) fn permissions(auth: &Auth) -> String {
    if auth.permissions.is_empty() { "none".into() } else { auth.permissions.join(" or ") }
}

/// The rule for another kind of token; nothing where it is the same.
pub(super) fn token_rule(old: TokenKind, new: TokenKind) -> Option<RuleId> {
    let public = |token| matches!(token, TokenKind::None | TokenKind::Optional);
    match (old, new) {
        (old, new) if old == new => None,
        (old, new) if public(old) && !public(new) => Some(RuleId::AuthAdded),
        (old, new) if !public(old) && public(new) => Some(RuleId::AuthDropped),
        // At least one kind of token that was accepted is refused now, even if another kind is accepted instead; where a token that nobody
        // asked for is looked at, one that is not good is refused.
        (TokenKind::App | TokenKind::Client, TokenKind::User)
        | (TokenKind::App | TokenKind::User, TokenKind::Client)
        | (TokenKind::None, TokenKind::Optional) => Some(RuleId::TokenKindTightened),
        _ => Some(RuleId::TokenKindLoosened),
    }
}

/// The rule for other scopes; nothing where the same tokens do.
pub(super) fn scope_rule(old: &Auth, new: &Auth) -> Option<RuleId> {
    let needed = |auth: &'_ Auth| (auth.scopes.clone(), auth.all);
    let (before, after) = (needed(old), needed(new));
    scopes::judge(
        Needed { scopes: &before.0, all: before.1 },
        Needed { scopes: &after.0, all: after.1 },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_tokens() {
        use RuleId as R;
        use TokenKind::{App, Client, None, Optional, User};
        for (old, new, rule) in [
            (User, User, Option::None),
            (Optional, User, Some(R::AuthAdded)),
            (None, Client, Some(R::AuthAdded)),
            (App, Optional, Some(R::AuthDropped)),
            (App, Client, Some(R::TokenKindTightened)),
            (Client, App, Some(R::TokenKindLoosened)),
            (App, User, Some(R::TokenKindTightened)),
            (User, App, Some(R::TokenKindLoosened)),
            (User, Client, Some(R::TokenKindTightened)),
            (Client, User, Some(R::TokenKindTightened)),
            (Optional, None, Some(R::TokenKindLoosened)),
            (None, Optional, Some(R::TokenKindTightened)),
        ] {
            assert_eq!(token_rule(old, new), rule, "{old:?} {new:?}");
        }
    }
}
