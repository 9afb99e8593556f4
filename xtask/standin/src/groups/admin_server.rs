//! The rules, and chores of the server.

use fedispec::entities::AdminRule;
use fedispec::{admin_debug, admin_rules, admin_server};

use super::prelude::*;
use crate::store::rules::Rule as Stored;

const RULES: Table<Stored, AdminRule> =
    table!(rules.0, |view, key, rule| view.admin_rule(key, rule));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(handler!(all RULES, admin_rules::List))
        .on(by_user(|mut state, me, request: admin_rules::Create, call| {
            has_text(&call, &request.text)?;
            Ok(RULES.add(&mut state, me, |_, at| Stored { text: request.text, at }))
        }))
        .on(handler!(remove RULES, admin_rules::Delete))
        .on(handler!(one RULES, admin_rules::Get))
        .on(async |app: App, request: admin_rules::Update, call| {
            has_text(&call, &request.text)?;
            let at = app.state().now();
            RULES.change(&app, &request.id, &call, |rule| {
                *rule = Stored { text: request.text, at };
            })
        })
        // No mail is sent and nothing is fetched, which is what these chores are about: they find nothing to do.
        .on(by_user(|_, _, request: admin_server::TestEmail, call| {
            let is_address = request.email.contains('@');
            refuse_if!(!is_address, malformed_alike(&call, "email address must be provided"));
            Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "a stand-in sends no mail"))
        }))
        .on(by_user(|_, _, _: admin_server::CleanMedia, _| Ok(0)))
        .on(by_user(|_, _, _: admin_server::RefetchMedia, _| Ok(member("status", "Accepted"))))
        // GoToSocial has these only when it is built for debugging.
        .on(by_user(|_, _, _: admin_debug::Fetch, _| Err(Error::not_found())))
        .on(by_user(|_, _, _: admin_debug::ClearCaches, _| Err(Error::not_found())))
}

fn has_text(call: &Call, text: &str) -> Result<()> {
    not_blank(text, malformed_alike(call, "rule text must be provided"))
}
