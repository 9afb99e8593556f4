//! Sentences about the tokens that an operation asks for.

use super::docs::code;
use fedispec_model::api::{Auth, Operation, Program, Since, UNAUTHORIZED};
use fedispec_since::TokenKind;

/// ``needs a user's token with `read:accounts` ``, or by program where they differ: a part of a line for each.
pub(super) fn asked(programs: &[Program], operation: &Operation) -> Vec<String> {
    by_program(programs, operation, text)
        .into_iter()
        .map(|(names, text)| match names {
            Some(names) => format!("{names}: {text}"),
            None => text,
        })
        .collect()
}

/// The permissions that the user's role must have.
pub(super) fn permissions(programs: &[Program], operation: &Operation) -> Option<String> {
    let list = |auth: &Auth| {
        let names: Vec<String> = auth.permissions.iter().map(|name| code(name)).collect();
        names.join(", ")
    };
    let allowed = stated(by_program(programs, operation, list), " in ");
    (!allowed.is_empty()).then(|| format!("The user's role must allow {}.", allowed.join(", ")))
}

/// The status without a token, where it is not the usual one.
pub(super) fn unauthenticated(programs: &[Program], operation: &Operation) -> Option<String> {
    let status = |auth: &Auth| match auth.unauthenticated {
        UNAUTHORIZED => String::new(),
        status => status.to_string(),
    };
    let statuses = stated(by_program(programs, operation, status), " by ");
    (!statuses.is_empty()).then(|| {
        let statuses = statuses.join(", ");
        format!("A request without a token is answered {statuses}.")
    })
}

/// Joins each sentence with the names of the programs that it holds for, where these are not all.
fn stated(said: Vec<(Option<String>, String)>, between: &str) -> Vec<String> {
    said.into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(names, text)| match names {
            Some(names) => text + between + &names,
            None => text,
        })
        .collect()
}

/// Collects the sentences of the programs that have the operation; where these differ, with the names of the programs.
fn by_program(
    programs: &[Program],
    operation: &Operation,
    say: impl Fn(&Auth) -> String,
) -> Vec<(Option<String>, String)> {
    let mut said: Vec<(Vec<&str>, String)> = Vec::new();
    for (place, (program, life)) in programs.iter().zip(&operation.item.life).enumerate() {
        let auth = operation.auth.as_ref().and_then(|auths| auths.of(place));
        let Some(auth) = auth.filter(|_| life.effective != Since::Never) else {
            continue;
        };
        let text = say(auth);
        match said.iter_mut().find(|(_, known)| *known == text) {
            Some((names, _)) => names.push(&program.name),
            None => said.push((vec![&program.name], text)),
        }
    }
    let differ = said.len() > 1;
    said.into_iter().map(|(names, text)| (differ.then(|| names.join(", ")), text)).collect()
}

fn text(auth: &Auth) -> String {
    let scopes: Vec<String> = auth.scope_names().map(code).collect();
    let scopes = scopes.join(if auth.all { " and " } else { " or " });
    let who = match auth.token {
        TokenKind::Unknown => "needs a token of an unknown kind",
        TokenKind::None => return "public".into(),
        TokenKind::Optional if scopes.is_empty() => return "public, a token may be sent".into(),
        TokenKind::Optional => return format!("public, a token may be sent with {scopes}"),
        TokenKind::App => "needs a user's or an application's token",
        TokenKind::Client => "needs an application's own token",
        TokenKind::User => "needs a user's token",
    };
    if scopes.is_empty() { who.into() } else { format!("{who} with {scopes}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_call_is_told_in_words() {
        let said = |token, scopes: &[&str], all| {
            text(&Auth {
                scopes: scopes.iter().map(|one| (*one).to_owned()).collect(),
                all,
                ..Auth::new(token)
            })
        };
        assert_eq!(said(TokenKind::None, &[], false), "public");
        assert_eq!(said(TokenKind::Optional, &[], false), "public, a token may be sent");
        assert_eq!(
            said(TokenKind::Optional, &["read"], false),
            "public, a token may be sent with `read`"
        );
        assert_eq!(
            said(TokenKind::App, &["read"], false),
            "needs a user's or an application's token with `read`"
        );
        assert_eq!(said(TokenKind::Client, &[], false), "needs an application's own token");
        assert_eq!(said(TokenKind::User, &[], false), "needs a user's token");
        assert_eq!(
            said(TokenKind::User, &["read", "follow"], false),
            "needs a user's token with `read` or `follow`"
        );
        assert_eq!(
            said(TokenKind::User, &["read", "follow"], true),
            "needs a user's token with `read` and `follow`"
        );
    }
}
