//! The requirements of an operation, release by release: its `auth`, and the recorded changes of earlier releases.

use fedispec_since::{StableVersion, TokenKind};
use serde_json::{Value, json};

use crate::api::{Auth, Operation, Since};
use crate::change::{Change, ChangedFact};

/// Whether a changed fact is about what an operation asks of a caller.
pub fn is_of(fact: ChangedFact) -> bool {
    matches!(
        fact,
        ChangedFact::Token
            | ChangedFact::Scopes
            | ChangedFact::Permissions
            | ChangedFact::Unauthenticated
    )
}

/// The scopes of an `auth` in words. For what is `exactly` one, a wider scope does not do.
pub fn scopes(auth: &Auth) -> String {
    if auth.scopes.is_empty() {
        return "none".into();
    }
    let words = auth.scopes.iter().map(|scope| scope.replace('=', "exactly "));
    words.collect::<Vec<_>>().join(if auth.all { " and " } else { " or " })
}

/// The kind of token in words.
pub fn token(token: TokenKind) -> &'static str {
    match token {
        TokenKind::Unknown => "nobody says who",
        TokenKind::None => "anybody",
        TokenKind::Optional => "anybody; a token may show more",
        TokenKind::App => "an application's or a user's token",
        TokenKind::Client => "an application's own token",
        TokenKind::User => "a user's token",
    }
}

/// The callers that an operation admits, in words that differ where other callers are admitted.
pub fn callers(auth: &Auth) -> String {
    let mut text = match auth.token {
        // A token that is optional or not looked at excludes nobody.
        TokenKind::None | TokenKind::Optional => "anybody",
        other => token(other),
    }
    .to_owned();
    if !auth.scopes.is_empty() {
        text.push_str(if text == "anybody" { ", and a token with " } else { " with " });
        text.push_str(&scopes(auth));
    }
    if !auth.permissions.is_empty() {
        text.push_str(", and a role with ");
        text.push_str(&auth.permissions.join(" or "));
    }
    text
}

/// The state of a fact in an `auth`; nothing where it is a fact of something else.
pub fn get(fact: ChangedFact, auth: &Auth) -> Option<Value> {
    Some(match fact {
        ChangedFact::Token => json!(auth.token),
        ChangedFact::Scopes => json!(auth.scopes),
        ChangedFact::Permissions => json!(auth.permissions),
        ChangedFact::Unauthenticated => json!(auth.unauthenticated),
        _ => return None,
    })
}

/// Puts a state of a fact into an `auth`. A value of another type says nothing.
fn put(fact: ChangedFact, value: Option<&Value>, auth: &mut Auth) {
    let names = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let Some(value) = value else { return };
    match fact {
        ChangedFact::Token => {
            auth.token = value.as_str().and_then(TokenKind::named).unwrap_or(auth.token);
        }
        ChangedFact::Scopes => auth.scopes = names(value),
        ChangedFact::Permissions => auth.permissions = names(value),
        ChangedFact::Unauthenticated => {
            let status = value.as_u64().and_then(|status| u16::try_from(status).ok());
            auth.unauthenticated = status.unwrap_or(auth.unauthenticated);
        }
        _ => {}
    }
}

/// The requirement of an operation from a release on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The first release that asks for it; `None` where it is the first state.
    pub since: Option<StableVersion>,
    /// The requirement.
    pub auth: Auth,
}

/// The states of an operation's authorization in a program, by the program's place, from the oldest to today's. Empty where the program
/// never has the operation or no source says.
pub fn states(operation: &Operation, program: usize) -> Vec<State> {
    let life = operation.item.life.get(program);
    let life = life.filter(|life| life.effective != Since::Never);
    let auth = operation.auth.as_ref().and_then(|auths| auths.of(program));
    let (Some(life), Some(auth)) = (life, auth) else {
        return Vec::new();
    };
    let changes = life.changed.iter().filter(|change| is_of(change.what));
    let mut steps: Vec<Change> = changes.flat_map(Change::steps).collect();
    steps.sort_by_key(|step| step.r#in);
    // From today's state back: each step says what stood before it.
    let mut states: Vec<State> = Vec::new();
    let mut auth = auth.clone();
    for step in steps.iter().rev() {
        let mut before = auth.clone();
        put(step.what, step.from.as_ref(), &mut before);
        let after = std::mem::replace(&mut auth, before);
        let since = Some(step.r#in);
        // Several steps of one release are one.
        if states.last().is_none_or(|later| later.since != since) {
            states.push(State { since, auth: after });
        }
    }
    states.push(State { since: None, auth });
    states.reverse();
    states.dedup_by(|later, earlier| later.auth == earlier.auth);
    states
}

/// Returns the requirement of an operation in a release of a program.
pub fn at(operation: &Operation, program: usize, release: StableVersion) -> Option<Auth> {
    let states = states(operation, program);
    let reached = |state: &State| state.since.is_none_or(|since| since <= release);
    states.into_iter().rev().find(reached).map(|state| state.auth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_callers_are_other_words() {
        let said = |scopes: &[&str]| {
            let scopes = scopes.iter().map(|one| (*one).to_owned()).collect();
            callers(&Auth { scopes, ..Auth::new(TokenKind::User) })
        };
        assert_eq!(
            said(&["follow", "=write:follows"]),
            "a user's token with follow or exactly write:follows"
        );
        assert_ne!(said(&["=write:follows"]), said(&["write:follows"]));
    }
}
