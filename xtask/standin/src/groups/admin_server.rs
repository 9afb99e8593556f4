//! The rules, and chores of the server.

use fedispec::entities::{AdminRule, DebugFetch, Rule};
use fedispec::runtime::{List, Map};
use fedispec::server::{AdminDebug, AdminRules, AdminServer, Call, Empty, Error, Id, Result};
use fedispec::{admin_debug, admin_rules, admin_server};

use super::support::malformed;
use crate::app::App;
use crate::store::rules::Rule as Stored;
use crate::store::{Key, State};

impl AdminRules for App {
    async fn list(&self, _: admin_rules::List, call: Call) -> Result<List<AdminRule>> {
        let (state, me) = self.user(&call)?;
        let view = state.view(me);
        let rules = state.rules.0.iter();
        Ok(rules.map(|(key, rule)| view.admin_rule(*key, rule)).collect())
    }

    async fn create(&self, request: admin_rules::Create, call: Call) -> Result<AdminRule> {
        let (mut state, me) = self.user(&call)?;
        has_text(&call, &request.text)?;
        let (key, at) = (state.next_key(), state.now());
        let rule = Stored { text: request.text, at };
        let view = state.view(me).admin_rule(key, &rule);
        state.rules.0.insert(key, rule);
        Ok(view)
    }

    async fn delete(&self, request: admin_rules::Delete, call: Call) -> Result<AdminRule> {
        let (mut state, me) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let rule = state.rules.0.remove(&key).ok_or_else(Error::not_found)?;
        Ok(state.view(me).admin_rule(key, &rule))
    }

    async fn get(&self, request: admin_rules::Get, call: Call) -> Result<AdminRule> {
        let (state, me) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let rule = state.rules.0.get(&key).ok_or_else(Error::not_found)?;
        Ok(state.view(me).admin_rule(key, rule))
    }

    async fn update(&self, request: admin_rules::Update, call: Call) -> Result<AdminRule> {
        let (mut state, me) = self.user(&call)?;
        has_text(&call, &request.text)?;
        let key = known(&state, &request.id)?;
        let at = state.now();
        let rule = Stored { text: request.text, at };
        let view = state.view(me).admin_rule(key, &rule);
        state.rules.0.insert(key, rule);
        Ok(view)
    }
}

fn known(state: &State, id: &Id<Rule>) -> Result<Key> {
    let key = state.key(id).filter(|key| state.rules.0.contains_key(key));
    key.ok_or_else(Error::not_found)
}

fn has_text(call: &Call, text: &str) -> Result<()> {
    if text.trim().is_empty() {
        let told = "rule text must be provided";
        return Err(malformed(call, told, told));
    }
    Ok(())
}

/// No mail is sent and nothing is fetched, which is what these chores are about: they find nothing to do.
impl AdminServer for App {
    async fn test_email(
        &self,
        request: admin_server::TestEmail,
        call: Call,
    ) -> Result<Map<String>> {
        self.user(&call)?;
        if !request.email.contains('@') {
            let told = "email address must be provided";
            return Err(malformed(&call, told, told));
        }
        let told = "Unprocessable Entity: a stand-in sends no mail";
        Err(Error::unprocessable(told))
    }

    async fn clean_media(&self, _: admin_server::CleanMedia, call: Call) -> Result<i64> {
        self.user(&call)?;
        Ok(0)
    }

    async fn refetch_media(
        &self,
        _: admin_server::RefetchMedia,
        call: Call,
    ) -> Result<Map<String>> {
        self.user(&call)?;
        Ok([("status".to_owned(), "Accepted".to_owned())].into_iter().collect())
    }
}

/// GoToSocial has these only when it is built for debugging.
impl AdminDebug for App {
    async fn fetch(&self, _: admin_debug::Fetch, call: Call) -> Result<DebugFetch> {
        self.user(&call)?;
        Err(Error::not_found())
    }

    async fn clear_caches(&self, _: admin_debug::ClearCaches, call: Call) -> Result<Empty> {
        self.user(&call)?;
        Err(Error::not_found())
    }
}
