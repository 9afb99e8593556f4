//! The operations that masto has no call for, or that its script leaves out: people, staff, and all that GoToSocial has of its own.

use fedispec_standin::{OWNER, PASSWORD};
use serde_json::{Value, json};

use crate::stand_in::caller::{Caller, Upload};

/// A picture of one pixel.
pub(crate) const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T',
    0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];

/// Tokens of the accounts that take part.
pub(crate) struct People {
    pub(crate) owner: String,
    pub(crate) carol: String,
    pub(crate) dave: String,
    /// The suspended account.
    pub(crate) frank: String,
}

/// Makes what the GETs of a recording find, and calls what only changes something.
#[allow(clippy::too_many_lines, reason = "a script is read from its beginning to its end")]
pub(crate) fn before(to: &mut Caller, people: &People) {
    let People { owner, carol, dave, frank } = people;
    let nothing = json!({});
    let id = |to: &mut Caller, token: &str| {
        to.call("accounts.verify_credentials", token, &[], &nothing)["id"].clone()
    };
    let (me, she, he) = (id(to, owner), id(to, carol), id(to, dave));
    let suspended = id(to, frank);

    // People.
    to.call("accounts.follow", owner, &[&she], &nothing);
    for act in [
        "accounts.pin",
        "accounts.unpin",
        "accounts.endorse",
        "accounts.unendorse",
        "accounts.unfollow",
    ] {
        to.call(act, owner, &[&she], &nothing);
    }
    to.call("accounts.follow", owner, &[&she], &nothing);
    to.call("accounts.update_credentials", owner, &[], &json!({"locked": true}));
    to.call("accounts.follow", carol, &[&me], &nothing);
    to.call("accounts.follow", dave, &[&me], &nothing);
    to.call("follow_requests.list", owner, &[], &nothing);
    to.call("follow_requests.authorize", owner, &[&she], &nothing);
    to.call("follow_requests.reject", owner, &[&he], &nothing);
    to.call("accounts.remove_from_followers", owner, &[&she], &nothing);
    to.call(
        "accounts.update_credentials",
        owner,
        &[],
        &json!({"locked": false, "discoverable": true}),
    );
    to.call("accounts.follow", carol, &[&me], &nothing);
    to.call("suggestions.delete", owner, &[&he], &nothing);

    // Posts and what comes of them.
    let post = to.call("statuses.create", owner, &[], &json!({"status": "to be quoted #later"}));
    to.call("statuses.favourite", carol, &[&post["id"]], &nothing);
    to.call("statuses.unfavourite", carol, &[&post["id"]], &nothing);
    let poll = json!({"options": ["a", "b"], "expires_in": 600});
    to.call("statuses.create", owner, &[], &json!({"status": "which?", "poll": poll}));
    if to.has("statuses.quotes") {
        let quote = json!({"status": "so true", "quoted_status_id": post["id"]});
        let quote = to.call("statuses.create", carol, &[], &quote);
        to.call("statuses.quotes", owner, &[&post["id"]], &nothing);
        to.call("statuses.revoke_quote", owner, &[&post["id"], &quote["id"]], &nothing);
        let nobody = json!({"quote_approval_policy": "nobody"});
        to.call("statuses.update_interaction_policy", owner, &[&post["id"]], &nobody);
    }
    to.call("statuses.create", carol, &[], &json!({"status": format!("@{OWNER} hello")}));
    let told = to.call("notifications.list", owner, &[], &nothing);
    to.call("notifications.dismiss_by_body", owner, &[], &json!({"id": told[0]["id"]}));
    if to.has("notification_policy.update") {
        to.call("notification_policy.update", owner, &[], &json!({"for_not_following": "filter"}));
        to.call("statuses.create", dave, &[], &json!({"status": format!("@{OWNER} may I?")}));
        let asked = to.call("notification_requests.list", owner, &[], &nothing);
        to.call("notification_requests.get", owner, &[&asked[0]["id"]], &nothing);
        to.call("notification_requests.accept", owner, &[&asked[0]["id"]], &nothing);
        to.call("notification_requests.merged", owner, &[], &nothing);
    }
    to.call("markers.save", owner, &[], &json!({"home": {"last_read_id": post["id"]}}));
    to.call("lists.create", owner, &[], &json!({"title": "kept"}));
    to.call("featured_tags.create", owner, &[], &json!({"name": "later"}));
    let tag = json!("later");
    to.call("tags.feature", owner, &[&tag], &nothing);
    to.call("tags.unfeature", owner, &[&tag], &nothing);
    to.call("tags.feature", owner, &[&tag], &nothing);
    let filter = json!({"title": "kept", "context": ["home"], "keywords_attributes": [{"keyword": "wind"}], "statuses_attributes": [{"status_id": post["id"]}]});
    to.call("filters.create", owner, &[], &filter);
    for part in ["avatar", "header"] {
        let picture = Upload { name: part, kind: "image/png", bytes: PNG };
        to.upload("accounts.update_credentials", owner, &nothing, picture);
    }
    to.call("profile.delete_avatar", owner, &[], &nothing);
    to.call("profile.delete_header", owner, &[], &nothing);
    let picture = Upload { name: "file", kind: "image/png", bytes: PNG };
    to.upload(
        "media.upload_v1",
        owner,
        &json!({"description": "a pixel", "focus": "0,0"}),
        picture,
    );
    to.call("reports.create", owner, &[], &json!({"account_id": he, "comment": "rude"}));

    registering(to, owner);
    staff(to, owner, &suspended);
    gotosocial(to, owner);
}

/// An application registers a user, and gives its token back.
fn registering(to: &mut Caller, owner: &str) {
    let app = json!({"client_name": "rest", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write", "website": "https://example.org"});
    let app = to.call("apps.create", "", &[], &app);
    let (id, secret) = (&app["client_id"], &app["client_secret"]);
    let ask = json!({"grant_type": "client_credentials", "client_id": id, "client_secret": secret, "redirect_uri": "urn:ietf:wg:oauth:2.0:oob", "scope": "read write"});
    let token = to.call("oauth.token", "", &[], &ask);
    let token = token["access_token"].as_str().unwrap_or_default().to_owned();
    let user = json!({"username": "erin", "email": "erin@example.org", "password": "another password", "agreement": true, "locale": "en", "reason": "to be there"});
    // GoToSocial asks for a user's token since 0.19.0.
    let by = if to.presents("gotosocial@0.19") { owner } else { &token };
    to.call("accounts.create", by, &[], &user);
    let back = json!({"client_id": id, "client_secret": secret, "token": token});
    to.call("oauth.revoke", "", &[], &back);
}

fn staff(to: &mut Caller, owner: &str, them: &Value) {
    let nothing = json!({});
    let block = json!({"email": "spam@example.org"});
    to.call("admin_canonical_email_blocks.create", owner, &[], &block);
    to.call("admin_email_domain_blocks.create", owner, &[], &json!({"domain": "mail.example"}));
    let network = json!({"ip": "192.0.2.0/24", "severity": "no_access", "comment": "noisy"});
    to.call("admin_ip_blocks.create", owner, &[], &network);
    to.call("admin_domain_allows.create", owner, &[], &json!({"domain": "kept.example"}));
    to.call("admin_accounts.action", owner, &[them], &json!({"type": "suspend", "text": "a test"}));
    for act in [
        "admin_accounts.get",
        "admin_accounts.unsuspend",
        "admin_accounts.unsilence",
        "admin_accounts.unsensitive",
        "admin_accounts.enable",
    ] {
        to.call(act, owner, &[them], &nothing);
    }
}

/// The calls that Mastodon does not have.
#[allow(clippy::too_many_lines, reason = "a script is read from its beginning to its end")]
fn gotosocial(to: &mut Caller, owner: &str) {
    let nothing = json!({});
    for name in ["blob", "blub"] {
        let picture = Upload { name: "image", kind: "image/png", bytes: PNG };
        let fields = json!({"shortcode": name, "category": "shapes"});
        to.upload("admin_custom_emojis.create", owner, &fields, picture);
        let all = to.call("admin_custom_emojis.list", owner, &[], &nothing);
        let mut all = all.as_array().into_iter().flatten();
        let Some(emoji) = all.find(|emoji| emoji["shortcode"] == name) else {
            continue;
        };
        let changed = json!({"type": "modify", "category": "round"});
        to.call("admin_custom_emojis.update", owner, &[&emoji["id"]], &changed);
        if name == "blub" {
            to.call("admin_custom_emojis.delete", owner, &[&emoji["id"]], &nothing);
        }
    }
    let allowed = json!({"domain": "other.example", "public_comment": "ok"});
    let allowed = to.call("admin_domain_allows.create", owner, &[], &allowed);
    to.call(
        "admin_domain_allows.update",
        owner,
        &[&allowed["id"]],
        &json!({"public_comment": "fine"}),
    );
    for (number, act) in ["accept", "remove", "keep"].into_iter().enumerate() {
        let draft = json!({"domain": format!("d{number}.example"), "permission_type": "block", "obfuscate": true, "public_comment": "x", "private_comment": "y"});
        let draft = to.call("admin_domain_permission_drafts.create", owner, &[], &draft);
        if act != "keep" {
            let id = format!("admin_domain_permission_drafts.{act}");
            to.call(&id, owner, &[&draft["id"]], &nothing);
        }
        let exclude = json!({"domain": format!("e{number}.example"), "private_comment": "y"});
        let exclude = to.call("admin_domain_permission_excludes.create", owner, &[], &exclude);
        let subscription = json!({"permission_type": "block", "uri": format!("https://lists.example/{number}.csv"), "content_type": "text/csv", "title": "a list", "priority": 1});
        let id = "admin_domain_permission_subscriptions.create";
        let subscription = to.call(id, owner, &[], &subscription);
        if act == "remove" {
            to.call("admin_domain_permission_excludes.delete", owner, &[&exclude["id"]], &nothing);
            for act in ["test", "remove"] {
                let id = format!("admin_domain_permission_subscriptions.{act}");
                to.call(&id, owner, &[&subscription["id"]], &nothing);
            }
        } else {
            let id = "admin_domain_permission_subscriptions.update";
            to.call(id, owner, &[&subscription["id"]], &json!({"priority": 2}));
        }
    }
    for kind in ["allows", "blocks"] {
        for number in 0..2 {
            let filter = json!({"header": "User-Agent", "regex": format!("bot{number}")});
            let filter = to.call(&format!("admin_header_{kind}.create"), owner, &[], &filter);
            if number > 0 {
                to.call(&format!("admin_header_{kind}.delete"), owner, &[&filter["id"]], &nothing);
            }
        }
    }
    for text in ["be kind", "be brief"] {
        let rule = to.call("admin_rules.create", owner, &[], &json!({"text": text}));
        to.call("admin_rules.update", owner, &[&rule["id"]], &json!({"text": "be both"}));
        if text == "be brief" {
            to.call("admin_rules.delete", owner, &[&rule["id"]], &nothing);
        }
    }
    to.call("admin_server.clean_media", owner, &[], &nothing);
    to.call("admin_server.refetch_media", owner, &[], &nothing);
    to.call("admin_domain_keys.expire", owner, &[], &json!({"domain": "other.example"}));
    let said = json!({"title": "A house", "short_description": "small", "description": "larger", "terms": "be kind", "contact_username": OWNER});
    to.call("instance.update", owner, &[], &said);
    let policy = json!({"public": {"can_reply": {"always": ["public", "me"]}}});
    to.call("interaction_policies.update_defaults", owner, &[], &policy);
    let app = json!({"client_name": "own", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read"});
    for _ in 0..2 {
        to.call("apps.create", owner, &[], &app);
    }
    if to.has("apps.list") {
        let own = to.call("apps.list", owner, &[], &nothing);
        to.call("apps.delete", owner, &[&own[0]["id"]], &nothing);
    }
    let csv = Upload { name: "data", kind: "text/csv", bytes: b"Account address,Show boosts\n" };
    to.upload("imports.create", owner, &json!({"type": "following", "mode": "merge"}), csv);
}

/// The calls that end something, after the recording of the GETs.
pub(crate) fn after(to: &mut Caller, people: &People) {
    let People { owner, carol, dave, .. } = people;
    let nothing = json!({});
    let uri = to.call("accounts.verify_credentials", carol, &[], &nothing)["url"].clone();
    let aliases = json!({"also_known_as_uris": [uri]});
    to.call("accounts.alias", owner, &[], &aliases);
    let mail = json!({"password": PASSWORD, "new_email": "dave@new.example"});
    to.call("user.change_email", dave, &[], &mail);
    let new = "another password";
    let password = json!({"old_password": PASSWORD, "new_password": new});
    to.call("user.change_password", dave, &[], &password);
    if to.has("tokens.list") {
        let own = to.call("tokens.list", carol, &[], &nothing);
        to.call("tokens.invalidate", carol, &[&own[0]["id"]], &nothing);
    }
    to.call("accounts.delete", dave, &[], &json!({"password": new}));
}
