//! The documentation of an operation.

use super::context::Context;
use super::docs::{Docs, clause, code, sentence};
use super::stamp::Role;
use fedispec_model::api::{Auth, ErrorAnswer, Operation, Origin, Program, Since, Token};

/// Summary, route, what to know, errors, Since.
pub(super) fn docs(context: &Context<'_>, operation: &Operation) -> Docs {
    let item = &operation.item;
    let stamp = context.stamp(item);
    let docs = match &item.summary {
        Some(summary) => Docs::default().words(summary),
        None => Docs::default().markdown(format!("{}.", code(&item.id))),
    };
    docs.markdown(line(operation))
        .all(permissions(operation.auth.as_ref()))
        .all(item.notes.iter().map(|note| sentence(note)))
        .all(
            item.replacement
                .iter()
                .map(|id| format!("Replaced by {}.", code(id))),
        )
        .all(stamp.history(Role::Operation))
        .all(errors(&context.api.programs, operation))
        .all(stamp.line())
}

/// Summary, route and Since, and where the rest stands.
pub(super) fn short_docs(context: &Context<'_>, operation: &Operation) -> Docs {
    let item = &operation.item;
    let docs = match &item.summary {
        Some(summary) => Docs::default().words(summary),
        None => Docs::default().markdown(format!("{}.", code(&item.id))),
    };
    docs.markdown(line(operation))
        .all(context.stamp(item).line())
}

/// `` `GET /api/v1/accounts/lookup` · public · U24 of the Remaining Operations ``
fn line(operation: &Operation) -> String {
    let item = &operation.item;
    let route = match &operation.route {
        Some(route) => code(&format!("{} {}", route.method, route.path)),
        None => "method and path unknown".into(),
    };
    let mut parts = vec![route];
    parts.extend(operation.auth.as_ref().map(auth));
    parts.extend(document(operation));
    if item.origin == Origin::Undocumented {
        parts.push("undocumented".into());
    }
    parts.join(" · ")
}

/// Where the two documents have it: the Core Reference by method and path, the Remaining Operations by an ordinal.
fn document(operation: &Operation) -> Option<String> {
    let item = &operation.item;
    if item.origin != Origin::Documents {
        return None;
    }
    match &item.documented_as {
        Some(key) if !key.contains(' ') => Some(format!("{key} of the Remaining Operations")),
        Some(key)
            if operation
                .route
                .as_ref()
                .is_some_and(|r| *key != format!("{} {}", r.method, r.path)) =>
        {
            Some(format!("in the Core Reference as {}", code(key)))
        }
        _ => Some("in the Core Reference".into()),
    }
}

fn auth(auth: &Auth) -> String {
    let scopes: Vec<String> = auth.scopes.iter().map(|scope| code(scope)).collect();
    let scopes = scopes.join(if auth.all { " and " } else { " or " });
    let who = match auth.token {
        Token::None => return "public".into(),
        Token::Optional if scopes.is_empty() => return "public, a token may be sent".into(),
        Token::Optional => return format!("public, a token may be sent with {scopes}"),
        Token::App => "needs a user's or an application's token",
        Token::User => "needs a user's token",
    };
    if scopes.is_empty() {
        who.into()
    } else {
        format!("{who} with {scopes}")
    }
}

fn permissions(auth: Option<&Auth>) -> Option<String> {
    let auth = auth.filter(|auth| !auth.permissions.is_empty())?;
    let permissions: Vec<String> = auth.permissions.iter().map(|name| code(name)).collect();
    Some(format!(
        "The user's role must allow {}.",
        permissions.join(", ")
    ))
}

/// `Errors: 404 (it is gone), 410 (Mastodon since 2.4.0, no longer in 3.3.0).`
fn errors(programs: &[Program], operation: &Operation) -> Option<String> {
    let said: Vec<String> = operation
        .errors
        .iter()
        .map(|error| self::error(programs, operation, error))
        .collect();
    (!said.is_empty()).then(|| format!("Errors: {}.", said.join(", ")))
}

/// The status, when it is given, and by which releases where those are not all.
fn error(programs: &[Program], operation: &Operation, error: &ErrorAnswer) -> String {
    let mut said: Vec<String> = error
        .when
        .iter()
        .map(|when| sentence(&clause(when)))
        .collect();
    for ((program, life), whole) in programs.iter().zip(&error.life).zip(&operation.item.life) {
        let Since::Since(since) = life.since else {
            continue;
        };
        match life.removed {
            Some(until) => said.push(format!(
                "{} since {since}, no longer in {until}",
                program.name
            )),
            None if life.since != whole.since => {
                said.push(format!("{} since {since}", program.name));
            }
            None => {}
        }
    }
    if said.is_empty() {
        error.status.to_string()
    } else {
        format!("{} ({})", error.status, said.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_call_is_told_in_words() {
        let said = |token, scopes: &[&str], all| {
            auth(&Auth {
                token,
                scopes: scopes.iter().map(|one| (*one).to_owned()).collect(),
                all,
                permissions: Vec::new(),
            })
        };
        assert_eq!(said(Token::None, &[], false), "public");
        assert_eq!(
            said(Token::Optional, &[], false),
            "public, a token may be sent"
        );
        assert_eq!(
            said(Token::Optional, &["read"], false),
            "public, a token may be sent with `read`"
        );
        assert_eq!(
            said(Token::App, &["read"], false),
            "needs a user's or an application's token with `read`"
        );
        assert_eq!(said(Token::User, &[], false), "needs a user's token");
        assert_eq!(
            said(Token::User, &["read", "follow"], false),
            "needs a user's token with `read` or `follow`"
        );
        assert_eq!(
            said(Token::User, &["read", "follow"], true),
            "needs a user's token with `read` and `follow`"
        );
    }
}
