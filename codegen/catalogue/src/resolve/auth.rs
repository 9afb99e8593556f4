//! The authentication of operations, by program.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::{By, Fact, Operation, Program};
use crate::problems::NodePath;
use crate::route::ERRORS;
use fedispec_model::api::{self, Life, Since};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_since::{StableVersion, TokenKind};
use serde_json::json;

impl<'a> Resolver<'a, '_, '_> {
    pub(super) fn auth(&mut self, node: &MergedItem<'a, Operation>) -> Option<api::Auths> {
        let get = |body: &'a Operation| body.auth.as_ref();
        self.each_stated(node, "auth", get, |resolver, auth, place| {
            resolver.refusal(auth, &place);
        });
        let all = self.implementations;
        let is_apart = |program| all.programs.get(program).is_some_and(Program::is_apart);
        api::Auths::new(self.in_programs(node, "auth", |body, program| match body.auth.as_ref()? {
            Fact::Unknown => Some(Fact::Unknown),
            Fact::Known(By::Same(auth)) => (!is_apart(program)).then(|| Fact::Known(auth.clone())),
            Fact::Known(By::Each(each)) => each.get(program).cloned(),
        }))
    }

    /// Reports a status without a token that refuses nothing.
    fn refusal(&mut self, auth: &api::Auth, place: &NodePath<'_>) {
        let status = auth.unauthenticated;
        if !ERRORS.contains(&status) {
            let message = format!("`{status}` does not refuse a request without a token");
            let place = place.then("unauthenticated");
            let help = "write a status from 400 to 599, or leave it out for 401";
            self.facts.problems.value("refusal-status", &place, message, help);
        }
        if auth.token == TokenKind::Client && !auth.permissions.is_empty() {
            let message =
                "a role has the permissions of a user, of whom a client's token tells nothing";
            let help = "write `token: user`, or remove `permissions`";
            let place = place.then("permissions");
            self.facts.problems.value("wrong-auth", &place, message, help);
        }
    }

    /// Adds to the lives of an operation the change that a program made when it began to look at scopes, and says of each change whether all
    /// scopes are needed.
    pub(super) fn unchecked_scopes(
        &mut self,
        id: &str,
        auths: Option<&api::Auths>,
        lives: &mut [Life],
    ) {
        for (place, ((key, program), life)) in
            self.implementations.programs.iter().zip(lives).enumerate()
        {
            self.before_any_scope(id, (key, program), life);
            let auth = auths.and_then(|auths| auths.of(place));
            if let (Some(since), Some(auth)) = (&program.scopes_since, auth)
                && had_it_before(life, *since)
                && !auth.scopes.is_empty()
            {
                life.changed.push(Change {
                    r#in: *since,
                    absent: Vec::new(),
                    what: ChangedFact::Scopes,
                    from: Some(json!([])),
                    to: Some(json!(auth.scopes)),
                    all: false,
                });
            }
            for change in life.changed.iter_mut().filter(|one| one.what == ChangedFact::Scopes) {
                change.all = auth.is_some_and(|auth| auth.all);
            }
        }
    }

    /// Reports a change of scopes in a release that looked at none.
    fn before_any_scope(&mut self, id: &str, (key, program): (&str, &Program), life: &Life) {
        let Some(since) = program.scopes_since else { return };
        let is_before = |change: &Change| change.what == ChangedFact::Scopes && change.r#in < since;
        let Some(at) = life.changed.iter().position(is_before) else { return };
        let message = format!(
            "{} looks at scopes since {since}, so that none were needed before",
            program.name
        );
        let help =
            "mend the release, or remove the change; `scopes_since` of the program says the former";
        if let Some(changes) = self.merged.place_in(id, "changed", key, self.facts.problems) {
            let place = changes.then(at.to_string()).then("in");
            self.facts.problems.value("out-of-order", &place, message, help);
        }
    }
}

/// Whether a release before this one has an operation that says nothing of its scopes' history itself.
fn had_it_before(life: &Life, scopes_since: StableVersion) -> bool {
    let before = |version: StableVersion| version < scopes_since;
    matches!(life.effective, Since::Since(since) if before(since))
        && !life.removed.is_some_and(before)
        && !life.changed.iter().any(|change| change.what == ChangedFact::Scopes)
}
