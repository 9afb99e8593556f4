//! The requirements of an operation, release by release: its `auth`, and the recorded changes of earlier releases.

use fedispec_since::{StableVersion, TokenKind};
use serde_json::Value;

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

/// The scopes of an `auth` in words.
pub fn scopes(auth: &Auth) -> String {
    if auth.scopes.is_empty() {
        "none".into()
    } else {
        let names: Vec<_> = auth.scope_names().collect();
        names.join(if auth.all { " and " } else { " or " })
    }
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
