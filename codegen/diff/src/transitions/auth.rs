//! The token, scopes and permissions that an operation needs.

use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::scopes::{self, Needed};
use fedispec_model::api::{Auth, Operation, Token};

pub(super) fn auth(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("auth") {
        return;
    }
    let (Some(old), Some(new)) = (&old.auth, &new.auth) else {
        return pair.knowledge(
            "who may call it",
            old.auth.as_ref().map(text),
            new.auth.as_ref().map(text),
        );
    };
    if let Some(rule) = token(old.token, new.token) {
        let message = format!("needs {}, was {}", text(new), text(old));
        pair.say(rule, text(old), text(new), message);
        if matches!(rule, RuleId::AuthAdded | RuleId::AuthDropped) {
            return;
        }
    }
    if (&old.scopes, old.all) != (&new.scopes, new.all) {
        let needed = |auth: &'_ Auth| (auth.scopes.clone(), auth.all);
        let (before, after) = (needed(old), needed(new));
        let rule = scopes::judge(
            Needed {
                scopes: &before.0,
                all: before.1,
            },
            Needed {
                scopes: &after.0,
                all: after.1,
            },
        );
        let message = format!("needs the scope {}, was {}", scope(new), scope(old));
        match rule {
            Some(rule) => pair.say(rule, scope(old), scope(new), message),
            None => pair.note(RuleId::DocsOnlyChanged, scope(old), scope(new), message),
        }
    }
    if old.permissions != new.permissions {
        let list = |auth: &Auth| {
            if auth.permissions.is_empty() {
                "none".into()
            } else {
                auth.permissions.join(", ")
            }
        };
        let message = format!("needs the permission {}, was {}", list(new), list(old));
        pair.say(RuleId::RoleChanged, list(old), list(new), message);
    }
}

fn token(old: Token, new: Token) -> Option<RuleId> {
    let public = |token| matches!(token, Token::None | Token::Optional);
    match (old, new) {
        (old, new) if old == new => None,
        (old, new) if public(old) && !public(new) => Some(RuleId::AuthAdded),
        (old, new) if !public(old) && public(new) => Some(RuleId::AuthDropped),
        (Token::App, Token::User) | (Token::Optional, Token::None) => {
            Some(RuleId::TokenKindTightened)
        }
        _ => Some(RuleId::TokenKindLoosened),
    }
}

fn scope(auth: &Auth) -> String {
    if auth.scopes.is_empty() {
        return "none".into();
    }
    auth.scopes.join(if auth.all { " and " } else { " or " })
}

fn text(auth: &Auth) -> String {
    let token = match auth.token {
        Token::None => return "no token".into(),
        Token::Optional => "no token, or any",
        Token::App => "an app's or user's token",
        Token::User => "a user's token",
    };
    if auth.scopes.is_empty() {
        token.into()
    } else {
        format!("{token} with {}", scope(auth))
    }
}
