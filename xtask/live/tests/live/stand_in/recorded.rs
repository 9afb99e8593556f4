//! A stand-in's answers compared with recordings of the release that it presents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fedispec_tests::{shared, skip};

use crate::stand_in::shapes;

/// Keys that only one side has, and why.
struct Difference {
    releases: &'static [&'static str],
    /// The side that has them.
    only: Side,
    /// The ends of the keys' places. One that ends with a dot or a colon stands for all keys below.
    places: &'static [&'static str],
    /// The operations that answer them; any where it is empty.
    operations: &'static [&'static str],
    why: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Recorded,
    StandIn,
}

/// Keys of accounts, wherever one is answered.
const fn anywhere(
    releases: &'static [&'static str],
    only: Side,
    places: &'static [&'static str],
    why: &'static str,
) -> Difference {
    within(releases, only, places, &[], why)
}

/// Keys that some operations answer.
const fn within(
    releases: &'static [&'static str],
    only: Side,
    places: &'static [&'static str],
    operations: &'static [&'static str],
    why: &'static str,
) -> Difference {
    Difference { releases, only, places, operations, why }
}

const A_NEW: &str = "mastodon@4.6.4";
const A_OLD: &str = "mastodon@2.9.1";
const B_NEW: &str = "gotosocial@0.19.2";
const B_OLD: &str = "gotosocial@0.17.4";

/// Every difference that there may be. In each of its releases each of its places and of its operations has to be met.
const EXPLAINED: &[Difference] = &[
    // The type of a field cannot say this: it is plain, and its value is the one that absence means.
    within(
        &[A_OLD, A_NEW],
        Side::StandIn,
        &["pinned"],
        &[
            "admin_reports.assign_to_self",
            "admin_reports.get",
            "admin_reports.list",
            "admin_reports.reopen",
            "admin_reports.resolve",
            "admin_reports.unassign",
            "conversations.list",
            "conversations.mark_read",
            "notifications.get",
            "notifications.list",
            "statuses.reblog",
            "timelines.list",
        ],
        "Mastodon has it on a user's own statuses alone; the type is plain",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["pinned"],
        &["notification_requests.get", "notification_requests.list", "statuses.revoke_quote"],
        "Mastodon has it on a user's own statuses alone; the type is plain",
    ),
    anywhere(
        &[A_NEW],
        Side::StandIn,
        &["email_subscriptions"],
        "only servers that offer subscriptions by mail have it; the type is plain",
    ),
    within(
        &[A_OLD, A_NEW],
        Side::StandIn,
        &["alerts."],
        &["push.create", "push.get", "push.update"],
        "Mastodon names the alerts that an application has sent; the type is plain",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["partial_accounts"],
        &["grouped_notifications.get"],
        "Mastodon has it in lists that are asked for partial avatars; the type is plain",
    ),
    within(
        &[A_OLD, A_NEW],
        Side::Recorded,
        &["application"],
        &["statuses.reblog"],
        "null in Mastodon; a type without a value leaves its key out",
    ),
    // Features that the stand-in lacks.
    within(
        &[A_NEW],
        Side::Recorded,
        &["meta.original.", "meta.colors"],
        &["media.get", "media.update", "media.upload", "statuses.create"],
        "a video was recorded, or a picture with a focus, and the stand-in measures pictures alone",
    ),
    within(
        &[B_NEW],
        Side::Recorded,
        &["meta.original."],
        &["media.upload", "media.upload_v1"],
        "a video was recorded, or a picture with a focus, and the stand-in measures pictures alone",
    ),
    within(
        &[A_OLD],
        Side::Recorded,
        &["meta.focus"],
        &["media.update", "statuses.create"],
        "a video was recorded, or a picture with a focus, and the stand-in measures pictures alone",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["meta.original.", "meta.focus"],
        &["media.get", "media.update", "statuses.get"],
        "a picture in place of the video that was recorded",
    ),
    anywhere(
        &[A_OLD],
        Side::Recorded,
        &["statuses.card: "],
        "the stand-in fetches no page to make a card of",
    ),
    // Keys whose presence depends on the data.
    within(
        &[A_NEW, B_NEW, B_OLD],
        Side::Recorded,
        &["home"],
        &["markers.get"],
        "the timelines that were asked for",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["notifications"],
        &["markers.get", "markers.save"],
        "the timelines that were asked for",
    ),
    within(
        &[A_NEW],
        Side::Recorded,
        &["account.limited"],
        &["admin_accounts.get"],
        "a moderated account was recorded",
    ),
    within(
        &[A_NEW],
        Side::Recorded,
        &["human_value"],
        &["admin_measures.get"],
        "a measure in bytes was recorded",
    ),
    within(
        &[B_NEW],
        Side::Recorded,
        &["created_by_application_id"],
        &["admin_accounts.get", "admin_reports.get", "admin_reports.list", "admin_reports.resolve"],
        "the accounts of the walk are the test's, and no application has made them",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["created_by_application_id"],
        &["admin_accounts.list", "admin_accounts.list_v1"],
        "an application has made one account of the walk",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["report"],
        &[
            "grouped_notifications.get",
            "grouped_notifications.list",
            "notifications.get",
            "notifications.list",
        ],
        "a notification of a report, of which none was recorded",
    ),
    within(
        &[A_NEW],
        Side::StandIn,
        &["poll"],
        &["statuses.history"],
        "an edited status with a poll",
    ),
    anywhere(
        &[B_NEW],
        Side::Recorded,
        &["avatar_media_id", "header_media_id"],
        "accounts that have uploaded pictures",
    ),
    anywhere(
        &[B_OLD],
        Side::Recorded,
        &["avatar_media_id"],
        "accounts that have uploaded pictures",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["avatar_media_id", "header_media_id"],
        &["accounts.update_credentials", "accounts.verify_credentials"],
        "accounts that have uploaded pictures",
    ),
    within(
        &[B_NEW],
        Side::StandIn,
        &["avatar_media_id"],
        &["admin_reports.get", "admin_reports.list", "admin_reports.resolve", "statuses.delete"],
        "accounts that have uploaded pictures",
    ),
    within(
        &[B_NEW],
        Side::Recorded,
        &["roles"],
        &[
            "admin_reports.get",
            "admin_reports.list",
            "admin_reports.resolve",
            "conversations.list",
            "conversations.mark_read",
            "follow_requests.list",
            "notifications.get",
            "reports.create",
            "reports.get",
            "reports.list",
            "search.all_v1",
        ],
        "accounts of the staff",
    ),
    within(&[B_OLD], Side::Recorded, &["roles"], &["search.all_v1"], "accounts of the staff"),
    within(
        &[B_NEW],
        Side::StandIn,
        &["roles"],
        &[
            "accounts.alias",
            "accounts.lookup",
            "admin_accounts.get",
            "admin_reports.get",
            "admin_reports.list",
            "admin_reports.resolve",
            "notifications.get",
        ],
        "accounts of the staff",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["roles"],
        &["accounts.followers", "accounts.following", "accounts.get", "accounts.lookup"],
        "accounts of the staff",
    ),
    within(
        &[B_NEW],
        Side::StandIn,
        &["account.suspended"],
        &["admin_accounts.get", "admin_accounts.list", "admin_accounts.list_v1"],
        "a suspended account, of which none was recorded",
    ),
    anywhere(
        &[B_NEW],
        Side::Recorded,
        &["avatar_description", "header_description"],
        "pictures that have a description, or accounts without pictures",
    ),
    within(
        &[B_OLD],
        Side::Recorded,
        &["avatar_description"],
        &["accounts.update_credentials"],
        "pictures that have a description, or accounts without pictures",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["avatar_description"],
        &[
            "accounts.statuses",
            "notifications.get",
            "statuses.get",
            "statuses.history",
            "timelines.public",
            "timelines.tag",
        ],
        "pictures that have a description, or accounts without pictures",
    ),
    within(
        &[B_NEW],
        Side::Recorded,
        &["filtered"],
        &["timelines.list"],
        "statuses that a filter matches",
    ),
    within(
        &[B_NEW, B_OLD],
        Side::StandIn,
        &["filtered"],
        &["accounts.statuses", "notifications.list", "statuses.get"],
        "statuses that a filter matches",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["filtered"],
        &["notifications.get", "timelines.home", "timelines.public", "timelines.tag"],
        "statuses that a filter matches",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["role", "source"],
        &["accounts.get"],
        "the account is the user's own",
    ),
    within(
        &[B_NEW],
        Side::StandIn,
        &["source.also_known_as_uris"],
        &["accounts.alias"],
        "the recorded user is left without aliases",
    ),
    within(
        &[B_NEW],
        Side::StandIn,
        &["usage.localPosts", "usage.users."],
        &["nodeinfo.get", "nodeinfo.get_2_1"],
        "the recorded server does not count who is active",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["expires_in"],
        &["oauth.token"],
        "a token of an application's own, of which none was recorded",
    ),
    within(
        &[B_NEW],
        Side::StandIn,
        &["last_used"],
        &["tokens.invalidate"],
        "a token that was used before",
    ),
    within(
        &[B_OLD],
        Side::StandIn,
        &["contact.account", "contact_account", "description_text", "terms", "terms_text"],
        &["instance.get", "instance.get_v1"],
        "the recorded server says little of itself",
    ),
];

/// Operations that were recorded and that the stand-in gives no answer of success to, and why.
const NOT_COMPARED: &[(&str, &str)] = &[
    ("admin_accounts.approve", NOBODY_WAITS),
    ("admin_accounts.reject", NOBODY_WAITS),
    ("admin_domain_permission_subscriptions.preview", NO_FETCH),
    ("admin_server.test_email", NO_MAIL),
    ("emails.resend_confirmation", NO_MAIL),
    ("interaction_requests.authorize", NOBODY_ASKS),
    ("interaction_requests.get", NOBODY_ASKS),
    ("interaction_requests.reject", NOBODY_ASKS),
    ("user.disable_two_factor", ONE_FACTOR),
    ("user.enable_two_factor", ONE_FACTOR),
    ("user.two_factor_image", ONE_FACTOR),
    ("user.two_factor_uri", ONE_FACTOR),
];
const NOBODY_WAITS: &str = "whoever signs up is approved at once";
const NO_FETCH: &str = "nothing is fetched from other servers";
const NO_MAIL: &str = "no mail is sent, and addresses need no confirmation";
const NOBODY_ASKS: &str = "every interaction is let through";
const ONE_FACTOR: &str = "users sign in with a password alone";

/// The recording of a release, where there is one beside this checkout.
fn recording(release: &str) -> Option<PathBuf> {
    let name = format!("{}.jsonl", release.replace('@', "-"));
    let corpus = shared().join("corpus");
    let files = [corpus.join(&name), corpus.join("live").join(&name)];
    files.into_iter().find(|file| file.exists())
}

/// Compares the keys of the answers of each operation. Where one side has an empty list or none of an object, there is nothing to compare.
pub(crate) fn compare(release: &str, own: &[&Path]) {
    let Some(file) = recording(release) else {
        return skip::skipped(release, "nothing was recorded of it beside this checkout");
    };
    let (recorded, own) = (shapes::of(&[&file]), shapes::of(own));
    let mut faults = BTreeSet::new();
    let mut used = BTreeSet::new();
    let (mut compared, mut equal) = (0, 0);
    let mut left = Vec::new();
    for (operation, recorded) in &recorded {
        let why = NOT_COMPARED.iter().find(|(id, _)| id == operation);
        let own = match (own.get(operation), why) {
            (Some(own), None) => own,
            (Some(_), Some(_)) => {
                faults.insert(format!("{operation} is compared: strike its row out"));
                continue;
            }
            (None, Some((id, why))) => {
                left.push(format!("{id}: {why}"));
                continue;
            }
            (None, None) => {
                faults.insert(format!("{operation} was not called"));
                continue;
            }
        };
        compared += 1;
        for (place, recorded) in recorded {
            let Some(own) = own.get(place) else {
                continue;
            };
            equal += recorded.intersection(own).count();
            let missing = recorded.difference(own).map(|key| (Side::Recorded, key));
            let more = own.difference(recorded).map(|key| (Side::StandIn, key));
            for (side, key) in missing.chain(more) {
                let dot = if place.is_empty() { "" } else { "." };
                let whole = format!("{operation}: {place}{dot}{key}");
                let above = format!("{operation}: {place}{dot}");
                let is_there = |end: &&str| whole.ends_with(*end) || above.ends_with(*end);
                let mut is_explained = false;
                for (row, one) in EXPLAINED.iter().enumerate() {
                    let is_one =
                        one.operations.is_empty() || one.operations.contains(&operation.as_str());
                    let fits = one.only == side && one.releases.contains(&release) && is_one;
                    for end in one.places.iter().filter(|end| fits && is_there(end)) {
                        is_explained = true;
                        used.extend([(row, *end), (row, operation)]);
                    }
                }
                if !is_explained {
                    faults.insert(format!("{side:?} alone: {whole}"));
                }
            }
        }
    }
    let mut told = Vec::new();
    for (row, one) in EXPLAINED.iter().enumerate() {
        if !one.releases.contains(&release) {
            continue;
        }
        let (only, places, why) = (one.only, one.places.join(", "), one.why);
        told.push(format!("{only:?} alone: {places}: {why}"));
        let named = one.places.iter().chain(one.operations);
        let unmet = named.filter(|name| !used.contains(&(row, **name)));
        faults.extend(unmet.map(|name| {
            format!("`{name}` of {only:?} alone, {places}, is not met: strike it out ({why})")
        }));
    }
    println!(
        "{release}: {compared} of {} operations, {equal} equal keys\n{}\nnot compared:\n{}",
        recorded.len(),
        told.join("\n"),
        left.join("\n")
    );
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{release}:\n{}", faults.join("\n"));
}
