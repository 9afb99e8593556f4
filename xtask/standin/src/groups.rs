//! The groups of operations: each file mounts the handlers of one or several on [`App`].

mod account_lists;
mod accounts;
mod admin_accounts;
mod admin_blocks;
mod admin_metrics;
mod admin_permissions;
mod admin_reports;
mod admin_server;
mod admin_trends;
mod announcements;
mod annual_reports;
mod apps;
mod callers;
mod collections;
mod conversations;
mod custom_emojis;
mod domain_blocks;
mod exports;
mod filters;
mod filters_v1;
mod grouped_notifications;
mod instance;
mod interactions;
mod lists;
mod markers;
mod media;
mod notification_policy;
mod notifications;
mod oauth;
mod odds;
mod polls;
mod prelude;
mod profile;
mod push;
mod reports;
mod scheduled_statuses;
mod search;
mod statuses;
mod streaming;
mod suggestions;
mod support;
mod table;
mod tags;
mod timelines;
mod trends;
mod user;
mod webfinger;

use std::time::Duration;

use fedispec::server::Server;

use crate::app::App;
use crate::family::Habit;

/// How long a repeated post is known, and how many of them are.
const REPEATS_LAST: Duration = Duration::from_secs(3600);
const REPEATS: usize = 1000;

/// A server with the handlers of groups: first of those that have one function of them, then of those that have several.
macro_rules! groups {
    ($server:ident: $($group:ident)+; $($divided:ident($($part:ident)+))+) => {
        $server$(.group($group::handlers))+$($(.group($divided::$part))+)+
    };
}

/// The server with all groups that the stand-in has. What it has not answers 501.
pub(crate) fn server(app: &App) -> Server<App> {
    let server =
        Server::of(app.clone()).authenticator(app.clone()).idempotency(REPEATS_LAST, REPEATS);
    // A registration tells everything that is wrong with it, unless the program stops at the first.
    let server = if app.release().does(Habit::RefusesAtFirstReason) {
        server
    } else {
        server.accept_missing("accounts.create")
    };
    groups!(server:
        account_lists admin_accounts admin_reports admin_server admin_trends announcements
        annual_reports apps collections conversations domain_blocks exports filters_v1
        grouped_notifications interactions lists markers media notification_policy notifications
        odds polls profile push reports scheduled_statuses search streaming suggestions tags
        timelines trends user webfinger;
        accounts(own others ties)
        admin_blocks(
            domain_blocks domain_allows email_domain_blocks ip_blocks canonical_email_blocks
            header_filters
        )
        admin_metrics(measures dimensions retention)
        admin_permissions(drafts excludes subscriptions domain_keys) custom_emojis(emojis changed)
        filters(filters parts) instance(about texts) oauth(flow documents)
        statuses(posting reading acting editing)
    )
}
