//! The rules, and chores of the server.

use fedispec::entities::{AdminRule, DebugFetch};
use fedispec::runtime::{List, Map};
use fedispec::server::{AdminDebug, AdminRules, AdminServer, Call, Empty, Error, Result};
use fedispec::{admin_debug, admin_rules, admin_server};

use super::support::malformed;
use super::table::Table;
use crate::app::App;
use crate::store::rules::Rule as Stored;

const RULES: Table<Stored, AdminRule> = Table {
    all: |state| &state.rules.0,
    all_mut: |state| &mut state.rules.0,
    is_of: |_, _| true,
    show: |view, key, rule| view.admin_rule(key, rule),
};

impl AdminRules for App {
    async fn list(&self, _: admin_rules::List, call: Call) -> Result<List<AdminRule>> {
        self.all_of(&RULES, &call)
    }

    async fn create(&self, request: admin_rules::Create, call: Call) -> Result<AdminRule> {
        let (mut state, me) = self.user(&call)?;
        has_text(&call, &request.text)?;
        Ok(RULES.add(&mut state, me, |_, at| Stored { text: request.text, at }))
    }

    async fn delete(&self, request: admin_rules::Delete, call: Call) -> Result<AdminRule> {
        self.remove(&RULES, &request.id, &call)
    }

    async fn get(&self, request: admin_rules::Get, call: Call) -> Result<AdminRule> {
        self.one_of(&RULES, &request.id, &call)
    }

    async fn update(&self, request: admin_rules::Update, call: Call) -> Result<AdminRule> {
        has_text(&call, &request.text)?;
        let at = self.state().now();
        self.change(&RULES, &request.id, &call, |rule| {
            *rule = Stored { text: request.text, at };
        })
    }
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
