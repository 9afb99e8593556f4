//! What a stand-in answers beside what was recorded of the release that it presents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fedispec_tests::{shared, skip};

use crate::shapes;

/// Keys that only one side has, and why.
struct Difference {
    /// The beginning of the releases; nothing where it is the same for all.
    release: &'static str,
    /// The side that has them.
    only: Side,
    /// The end of a key's place, with its operation before it: `markers.get: home`. One that ends with a dot stands for all keys below.
    places: &'static [&'static str],
    why: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Recorded,
    StandIn,
}

/// A key of both sides where the other one's data are other.
const fn data(
    release: &'static str,
    only: Side,
    places: &'static [&'static str],
    why: &'static str,
) -> Difference {
    Difference {
        release,
        only,
        places,
        why,
    }
}

const A: &str = "mastodon@";
const B: &str = "gotosocial@";

/// Every difference that there may be.
const EXPLAINED: &[Difference] = &[
    // What the type of a field cannot say: it is plain, and its value is what absence means.
    data(
        A,
        Side::StandIn,
        &["pinned"],
        "Mastodon has it on a user's own statuses alone; the type is plain",
    ),
    data(
        A,
        Side::StandIn,
        &["email_subscriptions"],
        "only servers that offer subscriptions by mail have it; the type is plain",
    ),
    data(
        A,
        Side::StandIn,
        &["alerts."],
        "Mastodon names the alerts that an application has sent; the type is plain",
    ),
    data(
        A,
        Side::StandIn,
        &["grouped_notifications.get: partial_accounts"],
        "Mastodon has it in lists that are asked for partial avatars; the type is plain",
    ),
    data(
        A,
        Side::Recorded,
        &["statuses.reblog: application"],
        "null in Mastodon; a type without a value leaves its key out",
    ),
    // What the stand-in does not do.
    data(
        "",
        Side::Recorded,
        &["meta.original.", "meta.colors", "meta.focus"],
        "a video was recorded, or a picture with a focus, and the stand-in measures pictures alone",
    ),
    data(
        A,
        Side::StandIn,
        &["meta.original.", "meta.focus"],
        "a picture in place of the video that was recorded",
    ),
    data(
        A,
        Side::Recorded,
        &["statuses.card: "],
        "the stand-in fetches no page to make a card of",
    ),
    // What is there or not as the data are.
    data(
        "",
        Side::Recorded,
        &["markers.get: home", "markers.save: home"],
        "the timelines that were asked for",
    ),
    data(
        "",
        Side::StandIn,
        &["markers.get: notifications", "markers.save: notifications"],
        "the timelines that were asked for",
    ),
    data(
        A,
        Side::Recorded,
        &["account.limited", "account.suspended"],
        "a moderated account was recorded",
    ),
    data(
        A,
        Side::Recorded,
        &["admin_measures.get: *.human_value"],
        "a measure in bytes was recorded",
    ),
    data(
        "",
        Side::Recorded,
        &["created_by_application_id"],
        "most accounts of the walk are the test's, and no application has made them",
    ),
    data(
        "",
        Side::StandIn,
        &["created_by_application_id"],
        "an application has made one account of the walk",
    ),
    data(
        A,
        Side::StandIn,
        &["report"],
        "a notification of a report, of which none was recorded",
    ),
    data(
        A,
        Side::StandIn,
        &["statuses.history: *.poll"],
        "an edited status with a poll",
    ),
    data(
        B,
        Side::Recorded,
        &["avatar_media_id", "header_media_id"],
        "accounts that have uploaded pictures",
    ),
    data(
        B,
        Side::StandIn,
        &["avatar_media_id", "header_media_id"],
        "accounts that have uploaded pictures",
    ),
    data(B, Side::Recorded, &["roles"], "accounts of the staff"),
    data(B, Side::StandIn, &["roles"], "accounts of the staff"),
    data(
        B,
        Side::StandIn,
        &["suspended"],
        "a suspended account, of which none was recorded",
    ),
    data(
        B,
        Side::Recorded,
        &["application.website"],
        "applications with a website",
    ),
    data(
        B,
        Side::Recorded,
        &["avatar_description", "header_description"],
        "pictures that have a description, or accounts without pictures",
    ),
    data(
        B,
        Side::StandIn,
        &["avatar_description", "header_description"],
        "pictures that have a description, or accounts without pictures",
    ),
    data(
        B,
        Side::Recorded,
        &["filtered"],
        "statuses that a filter matches",
    ),
    data(
        B,
        Side::StandIn,
        &["filtered"],
        "statuses that a filter matches",
    ),
    data(
        B,
        Side::StandIn,
        &["accounts.get: role", "accounts.get: source"],
        "the account is the user's own",
    ),
    data(
        B,
        Side::StandIn,
        &["accounts.get: source.", "accounts.alias: source."],
        "the type is any JSON, of which an emulation cuts nothing",
    ),
    data(
        B,
        Side::Recorded,
        &["source.fields*.verified_at"],
        "null in GoToSocial; in any JSON a type without a value leaves its key out",
    ),
    data(
        B,
        Side::StandIn,
        &["usage.localPosts", "usage.users."],
        "the recorded server does not count who is active",
    ),
    data(
        B,
        Side::StandIn,
        &["oauth.token: expires_in"],
        "a token of an application's own, of which none was recorded",
    ),
    data(
        B,
        Side::StandIn,
        &["tokens.invalidate: last_used"],
        "a token that was used before",
    ),
    data(
        "gotosocial@0.17.4",
        Side::StandIn,
        &[
            "contact.account",
            "contact_account",
            "description_text",
            "terms",
            "terms_text",
        ],
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
        let Some(own) = own.get(operation) else {
            let why = NOT_COMPARED.iter().find(|(id, _)| id == operation);
            match why {
                Some((id, why)) => left.push(format!("{id}: {why}")),
                None => _ = faults.insert(format!("{operation} was not called")),
            }
            continue;
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
                let explained = EXPLAINED.iter().position(|one| {
                    one.only == side
                        && release.starts_with(one.release)
                        && one.places.iter().any(is_there)
                });
                match explained {
                    Some(place) => _ = used.insert(place),
                    None => _ = faults.insert(format!("{side:?} alone: {whole}")),
                }
            }
        }
    }
    let told = used.iter().map(|place| {
        let one = &EXPLAINED[*place];
        let places = one.places.join(", ");
        format!("{:?} alone: {places}: {}", one.only, one.why)
    });
    println!(
        "{release}: {compared} of {} operations, {equal} equal keys\n{}\nnot compared:\n{}",
        recorded.len(),
        told.collect::<Vec<_>>().join("\n"),
        left.join("\n")
    );
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{release}:\n{}", faults.join("\n"));
}
