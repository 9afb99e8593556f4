//! The groups of operations, in a file each, implemented on [`App`].

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
mod collections;
mod conversations;
mod custom_emojis;
mod domain_blocks;
mod expected;
mod exports;
mod filters;
mod filters_v1;
mod grouped_notifications;
mod instance;
mod interactions;
mod lists;
mod markers;
mod media;
mod nodeinfo;
mod notification_policy;
mod notification_requests;
mod notifications;
mod oauth;
mod odds;
mod polls;
mod preferences;
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
mod tokens;
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
const UNSERVED: [(&str, &str); 5] = [
    ("oauth.finalize", OUTSIDE),
    ("user.disable_two_factor", ONE_FACTOR),
    ("user.enable_two_factor", ONE_FACTOR),
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
pub(crate) fn server(app: &App) -> Server {
    Server::new()
        .authenticator(app.clone())
        .idempotency(REPEATS_LAST, REPEATS)
        .accounts(app.clone())
        .admin_accounts(app.clone())
        .admin_canonical_email_blocks(app.clone())
        .admin_custom_emojis(app.clone())
        .admin_debug(app.clone())
        .admin_dimensions(app.clone())
        .admin_domain_allows(app.clone())
        .admin_domain_blocks(app.clone())
        .admin_domain_keys(app.clone())
        .admin_domain_permission_drafts(app.clone())
        .admin_domain_permission_excludes(app.clone())
        .admin_domain_permission_subscriptions(app.clone())
        .admin_email_domain_blocks(app.clone())
        .admin_header_allows(app.clone())
        .admin_header_blocks(app.clone())
        .admin_ip_blocks(app.clone())
        .admin_measures(app.clone())
        .admin_reports(app.clone())
        .admin_retention(app.clone())
        .admin_rules(app.clone())
        .admin_server(app.clone())
        .admin_tags(app.clone())
        .admin_trends(app.clone())
        .announcements(app.clone())
        .annual_reports(app.clone())
        .apps(app.clone())
        .async_refreshes(app.clone())
        .blocks(app.clone())
        .bookmarks(app.clone())
        .collections(app.clone())
        .conversations(app.clone())
        .custom_emojis(app.clone())
        .directory(app.clone())
        .domain_blocks(app.clone())
        .emails(app.clone())
        .endorsements(app.clone())
        .exports(app.clone())
        .favourites(app.clone())
        .featured_tags(app.clone())
        .filters(app.clone())
        .filters_v1(app.clone())
        .follow_requests(app.clone())
        .followed_tags(app.clone())
        .follows(app.clone())
        .grouped_notifications(app.clone())
        .health(app.clone())
        .imports(app.clone())
        .instance(app.clone())
        .interaction_policies(app.clone())
        .interaction_requests(app.clone())
        .lists(app.clone())
        .markers(app.clone())
        .media(app.clone())
        .mutes(app.clone())
        .notification_policy(app.clone())
        .notification_requests(app.clone())
        .notifications(app.clone())
        .nodeinfo(app.clone())
        .oauth(app.clone())
        .oembed(app.clone())
        .polls(app.clone())
        .preferences(app.clone())
        .profile(app.clone())
        .proofs(app.clone())
        .push(app.clone())
        .reports(app.clone())
        .scheduled_statuses(app.clone())
        .search(app.clone())
        .statuses(app.clone())
        .streaming(app.clone())
        .suggestions(app.clone())
        .tags(app.clone())
        .timelines(app.clone())
        .tokens(app.clone())
        .trends(app.clone())
        .user(app.clone())
        .webfinger(app.clone())
}
