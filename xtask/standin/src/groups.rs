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

/// How long a repeated post is known, and how many of them are.
const REPEATS_LAST: Duration = Duration::from_secs(3600);
const REPEATS: usize = 1000;

/// The operations that the stand-in does not have, and why.
const UNSERVED: [(&str, &str); 3] = [
    ("oauth.finalize", OUTSIDE),
    ("user.two_factor_image", ONE_FACTOR),
    ("user.two_factor_uri", ONE_FACTOR),
];
const OUTSIDE: &str = "nobody signs in through an outside identity provider";
const ONE_FACTOR: &str = "users sign in with a password alone";

/// Why an operation answers 501.
pub(crate) fn why_unserved(id: &str) -> Option<&'static str> {
    let mut unserved = UNSERVED.iter();
    unserved.find(|(own, _)| *own == id).map(|(_, why)| *why)
}

/// The server with all groups that the stand-in has. What it has not answers 501.
pub(crate) fn server(app: &App) -> Server<App> {
    Server::of(app.clone())
        .authenticator(app.clone())
        .idempotency(REPEATS_LAST, REPEATS)
        .group(account_lists::handlers)
        .group(accounts::handlers)
        .group(admin_accounts::handlers)
        .group(admin_blocks::handlers)
        .group(admin_metrics::handlers)
        .group(admin_permissions::handlers)
        .group(admin_reports::handlers)
        .group(admin_server::handlers)
        .group(admin_trends::handlers)
        .group(announcements::handlers)
        .group(annual_reports::handlers)
        .group(apps::handlers)
        .group(collections::handlers)
        .group(conversations::handlers)
        .group(custom_emojis::handlers)
        .group(domain_blocks::handlers)
        .group(exports::handlers)
        .group(filters::handlers)
        .group(filters_v1::handlers)
        .group(grouped_notifications::handlers)
        .group(instance::handlers)
        .group(interactions::handlers)
        .group(lists::handlers)
        .group(markers::handlers)
        .group(media::handlers)
        .group(notification_policy::handlers)
        .group(notifications::handlers)
        .group(oauth::handlers)
        .group(odds::handlers)
        .group(polls::handlers)
        .group(profile::handlers)
        .group(push::handlers)
        .group(reports::handlers)
        .group(scheduled_statuses::handlers)
        .group(search::handlers)
        .group(statuses::handlers)
        .group(streaming::handlers)
        .group(suggestions::handlers)
        .group(tags::handlers)
        .group(timelines::handlers)
        .group(trends::handlers)
        .group(user::handlers)
        .group(webfinger::handlers)
}
