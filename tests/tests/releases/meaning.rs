//! No call means something else than was asked for: what becomes of each parameter on each release that lacks it.

use fedispec::client::{self, Client, ErrorKind, Gate, Policy, Reason, RemoteServer};
use fedispec::enums::{
    AdminDomainBlockSeverity, FilterAction, FilterContext, StatusType, Visibility,
};
use fedispec::runtime::{Item, Kind, Timestamp, Unset};
use fedispec::{
    accounts, admin_accounts, admin_domain_blocks, apps, emails, entities, filters, filters_v1,
    interaction_policies, polls, push, search, statuses, streaming,
};
use fedispec_since::Required;
use fedispec_standin::StandIn;
use fedispec_tests::catalogue;
use fedispec_tests::raw::{Raw, response};
use serde_json::json;

const POLICIES: [Policy; 3] = [Policy::Advise, Policy::Strict, Policy::Adapt];

fn gate(program: &str, version: &str) -> Gate {
    client::gate(RemoteServer::of(program, version))
}

#[test]
fn every_optional_parameter_is_classed() {
    let items = fedispec::items();
    let unclassed: Vec<_> = items
        .rows()
        .iter()
        .filter(|item| item.kind() == Kind::Param && item.effect().is_none())
        .map(Item::id)
        .collect();
    let api = catalogue::typed();
    let optional = api.operations.iter().flat_map(|operation| &operation.params);
    let optional =
        optional.filter(|param| param.required != Required::Always && !param.item.implied);
    let missing: Vec<_> =
        optional.map(|param| param.item.id.as_str()).filter(|id| unclassed.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A client of a server that counts, and answers each request alike.
async fn knowing(program: &str, version: &str, policy: Policy, status: &str) -> (Client, Raw) {
    let server = Raw::always(response(status, &[], "{}")).await;
    let client = Client::new(server.origin.as_str()).expect("a client").token("t0ken");
    (client.knowing(gate(program, version), policy), server)
}

/// Sends a request that must not be sent; the refusal as text.
macro_rules! refused {
    ($program:literal $version:literal, $request:expr) => {{
        let mut told = String::new();
        for policy in POLICIES {
            let (client, server) = knowing($program, $version, policy, "200 OK").await;
            let error = client.send($request).await.expect_err("a refusal");
            assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{policy:?}: {error}");
            assert!(!error.is_sent());
            assert!(server.requests().is_empty(), "{policy:?}: {:?}", server.requests());
            told = error.to_string();
        }
        told
    }};
}

/// Sends a request by policies that let it pass; the last request as text.
macro_rules! sent {
    ($program:literal $version:literal, $policies:expr, $request:expr) => {{
        let mut last = String::new();
        for policy in $policies {
            let (client, server) = knowing($program, $version, policy, "501 Not Implemented").await;
            let error = client.send($request).await.expect_err("501");
            assert_eq!(
                error.status().map(|status| status.as_u16()),
                Some(501),
                "{policy:?}: {error}"
            );
            last = server.requests().concat();
        }
        last
    }};
}

const LATER: &str = "2030-01-01T00:00:00Z";

#[tokio::test]
async fn a_post_for_later_is_not_posted_at_once() {
    let later = || statuses::Create::text("Later.").scheduled_at(LATER);
    let told = refused!("gotosocial" "0.16.0", later());
    for part in [
        "gotosocial 0.16.0",
        "scheduled_at",
        "the status is posted at once",
        "allowing([\"scheduled_at\"])",
    ] {
        assert!(told.contains(part), "{told}");
    }
    // This release answers an error itself, which is better than a guess.
    let asked = sent!("gotosocial" "0.17.0", [Policy::Advise, Policy::Adapt], later());
    assert!(asked.contains("scheduled_at=2030"), "{asked}");
    let (client, server) =
        knowing("gotosocial", "0.17.0", Policy::Strict, "501 Not Implemented").await;
    let error = client.send(later()).await.expect_err("a refusal");
    assert!(error.to_string().contains("answers 501 to statuses.create.scheduled_at"), "{error}");
    assert!(server.requests().is_empty());
    let plan = client.clone().knowing(gate("gotosocial", "0.17.0"), Policy::Adapt).plan(&later());
    let plan = plan.expect("a plan").to_string();
    assert!(plan.contains("scheduled_at (gotosocial 0.17.0 refuses it with 501)"), "{plan}");
}

#[tokio::test]
async fn what_a_server_demands_is_told_before_it_is_sent() {
    let app = || apps::Create::new("elephant");
    let plan = async |program: &str, version: &str, policy| {
        let (client, _) = knowing(program, version, policy, "200 OK").await;
        client.plan(&app()).expect("a plan").to_string()
    };
    let told = "sent without redirect_uris, which mastodon 4.6.5 demands (422 Validation failed: Redirect URI can't be blank)";
    assert_eq!(plan("mastodon", "4.6.5", Policy::Advise).await, told);
    for (version, demands) in [("0.18.3", true), ("0.19.0", false)] {
        let plan = plan("gotosocial", version, Policy::Adapt).await;
        assert_eq!(plan.contains("demands"), demands, "{version}: {plan}");
    }
    // In the words of the release.
    for (version, words) in [
        ("0.3.4", " (400 no stream type provided under query key stream)"),
        ("0.7.0", " (400 Bad Request: no stream type provided under query key stream)"),
    ] {
        let (client, _) = knowing("gotosocial", version, Policy::Advise, "200 OK").await;
        let plan = client.plan(&streaming::Connect::new()).expect("a plan").to_string();
        let told = format!("sent without stream, which gotosocial {version} demands{words}");
        assert!(plan.contains(&told), "{plan}");
    }
    let (client, server) = knowing("mastodon", "4.6.5", Policy::Strict, "200 OK").await;
    let error = client.send(app()).await.expect_err("a refusal");
    assert!(error.to_string().contains("demands apps.create.redirect_uris"), "{error}");
    assert!(server.requests().is_empty());
    let whole = client.plan(&app().redirect_uris("urn:ietf:wg:oauth:2.0:oob"));
    assert_eq!(whole.expect("a plan").to_string(), "sent as written");
}

#[tokio::test]
async fn what_a_call_allows_is_lost() {
    for name in ["scheduled_at", "statuses.create.scheduled_at"] {
        let (client, server) =
            knowing("gotosocial", "0.16.0", Policy::Adapt, "501 Not Implemented").await;
        let later = statuses::Create::text("Later.").scheduled_at(LATER);
        let error = client.allowing([name]).send(later).await.expect_err("501");
        assert!(error.is_sent());
        assert!(!server.requests().concat().contains("scheduled_at"), "{name}");
    }
    let (client, server) = knowing("gotosocial", "0.16.0", Policy::Adapt, "200 OK").await;
    let later = statuses::Create::text("Later.").scheduled_at(LATER);
    let error = client.allowing(["visibility"]).send(later).await.expect_err("a refusal");
    assert!(!error.is_sent() && server.requests().is_empty());
}

#[tokio::test]
async fn a_limited_domain_is_not_suspended() {
    use AdminDomainBlockSeverity::{Noop, Silence, Suspend};
    let block = |severity| admin_domain_blocks::Create::new("bad.example").severity(severity);
    for severity in [Silence, Noop] {
        let told = refused!("gotosocial" "0.19.2", block(severity.clone()));
        assert!(told.contains("the whole domain is suspended"), "{told}");
        assert!(told.contains("set it to \"suspend\""), "{told}");
    }
    // To suspend is what the program does.
    let asked = sent!("gotosocial" "0.19.2", [Policy::Advise], block(Suspend));
    assert!(asked.contains("severity=suspend"), "{asked}");
    let asked = sent!("gotosocial" "0.19.2", [Policy::Adapt], block(Suspend));
    assert!(asked.contains("domain=bad.example") && !asked.contains("severity"), "{asked}");
    let asked = sent!("mastodon" "4.3.0", POLICIES, block(Silence));
    assert!(asked.contains("severity=silence"), "{asked}");
}

#[tokio::test]
async fn a_filter_that_hides_does_not_warn() {
    let v1 =
        |hides: bool| filters_v1::Create::new("cat", [FilterContext::Home]).irreversible(hides);
    // GoToSocial answers 422 from 0.15.0 on.
    for policy in [Policy::Advise, Policy::Adapt] {
        let (client, server) =
            knowing("gotosocial", "0.15.0", policy, "422 Unprocessable Content").await;
        let error = client.send(v1(true)).await.expect_err("422");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(422));
        assert!(server.requests().concat().contains("irreversible=true"));
    }
    let (client, server) = knowing("gotosocial", "0.15.0", Policy::Strict, "200 OK").await;
    assert!(!client.send(v1(true)).await.expect_err("a refusal").is_sent());
    assert!(server.requests().is_empty());
    // A filter that does not hide is the same without the parameter.
    let asked = sent!("gotosocial" "0.15.0", [Policy::Adapt], v1(false));
    assert!(!asked.contains("irreversible"), "{asked}");
    // The newer request goes by way of the older one, whole.
    let v2 = |action: FilterAction| {
        let keyword = filters::FiltersCreateKeywordsAttributes::new().keyword("cat");
        filters::Create::new("cats", [FilterContext::Home])
            .filter_action(action)
            .keywords_attributes([keyword])
    };
    let asked = sent!("mastodon" "3.5.0", [Policy::Adapt], v2(FilterAction::Hide));
    assert!(
        asked.contains("POST /api/v1/filters") && asked.contains("irreversible=true"),
        "{asked}"
    );
    let asked = sent!("mastodon" "3.5.0", [Policy::Adapt], v2(FilterAction::Warn));
    assert!(asked.contains("irreversible=false"), "{asked}");
    let (client, server) = knowing("mastodon", "3.5.0", Policy::Adapt, "200 OK").await;
    let error = client.send(v2(FilterAction::Blur)).await.expect_err("no such filter");
    assert!(
        error.to_string().contains("filters_v1.create, which lacks `filter_action`"),
        "{error}"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_keyword_that_is_removed_does_not_become_the_filter() {
    let keyword = || filters::FiltersUpdateKeywordsAttributes::new().id("7").keyword("cat");
    let update = |keyword| {
        filters::Update::new("7").context([FilterContext::Home]).keywords_attributes([keyword])
    };
    let (client, server) = knowing("mastodon", "3.5.0", Policy::Adapt, "200 OK").await;
    let error = client.send(update(keyword().destroy(true))).await.expect_err("a refusal");
    assert!(error.to_string().contains("the keyword is changed instead of removed"), "{error}");
    // A keyword without its id would be added, and here it would replace the only one.
    let added = filters::FiltersUpdateKeywordsAttributes::new().keyword("cat");
    assert!(!client.send(update(added)).await.expect_err("a refusal").is_sent());
    assert!(server.requests().is_empty());
    let asked = sent!("mastodon" "3.5.0", [Policy::Adapt], update(keyword()));
    assert!(asked.contains("PUT /api/v1/filters/7") && asked.contains("phrase=cat"), "{asked}");
}

#[tokio::test]
async fn pending_accounts_are_asked_for_as_the_server_knows_them() {
    let list = |status: StatusType| admin_accounts::List::new().status(status);
    let asked = sent!("mastodon" "3.4.0", [Policy::Adapt], list(StatusType::Pending));
    assert!(asked.contains("GET /api/v1/admin/accounts?pending=true"), "{asked}");
    let (client, server) = knowing("mastodon", "3.4.0", Policy::Adapt, "200 OK").await;
    let error =
        client.send(admin_accounts::List::new().invited_by("7")).await.expect_err("a refusal");
    assert!(
        matches!(error.kind(), ErrorKind::Unsupported(refusal) if matches!(refusal.reason, Reason::StandIn { .. }))
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_poll_does_not_become_a_plain_post() {
    let poll = || statuses::Create::poll("Which?", ["a", "b"], 300);
    let told = refused!("gotosocial" "0.12.0", poll());
    assert!(told.contains("the status is posted without its poll"), "{told}");
    sent!("gotosocial" "0.13.0", POLICIES, poll());
    sent!("mastodon" "4.3.0", POLICIES, polls::Vote::new("1", [0]));
}

#[tokio::test]
async fn an_update_of_nothing_is_refused() {
    let told = refused!("mastodon" "4.3.0", accounts::UpdateCredentials::new().theme("blue.css"));
    assert!(told.contains("without changing anything") || told.contains("does not have"), "{told}");
    let both = || accounts::UpdateCredentials::new().theme("blue.css").note("hello");
    let asked = sent!("mastodon" "4.3.0", [Policy::Adapt], both());
    assert!(asked.contains("note=hello") && !asked.contains("theme"), "{asked}");
}

#[tokio::test]
async fn an_unknown_server_gets_the_call_and_the_answer_says_so() {
    let (client, server) = knowing("misskey", "2025.1.0", Policy::Advise, "200 OK").await;
    let resend = || emails::ResendConfirmation::new().email("mona@a.example");
    let answer = client.send(resend()).await.expect("an answer");
    let told = answer.adapted.as_ref().expect("a plan").to_string();
    assert!(told.contains("sent all the same: email"), "{told}");
    assert_eq!(server.requests().len(), 1);
    let strict = client.knowing(gate("misskey", "2025.1.0"), Policy::Strict);
    assert!(!strict.send(resend()).await.expect_err("a refusal").is_sent());
}

#[tokio::test]
async fn what_nobody_has_looked_at_is_taken_to_lack_what_was_lacking() {
    let delete = || statuses::Delete::new("1").delete_media(true);
    for (told, basis) in [
        (
            refused!("gotosocial" "0.20.0-rc1", delete()),
            "GoToSocial 0.19.2, the newest release looked at",
        ),
        (
            refused!("pleroma" "2.7.2 (compatible; Pleroma 2.10.0)", delete()),
            "Pleroma 2.9.1, the newest release looked at",
        ),
        (
            refused!("akkoma" "2.7.2 (compatible; Akkoma 3.17.0)", delete()),
            "Akkoma 3.16.0, the newest release looked at",
        ),
        (
            refused!("pixelfed" "3.5.3 (compatible; Pixelfed 0.12.0)", delete()),
            "Pixelfed 0.11.13, the newest release looked at",
        ),
        (
            refused!("sharkey" "4.2.1 (compatible; Sharkey 2025.4.2)", delete()),
            "Mastodon 4.2.1, which it claims to be like",
        ),
        (refused!("misskey" "2025.1.0", delete()), "no program that was looked at has"),
    ] {
        for part in
            [basis, "without which the files stay reachable", "allowing([\"delete_media\"])"]
        {
            assert!(told.contains(part), "{told}");
        }
    }
    let asked = sent!("gotosocial" "0.20.0-rc1", [Policy::Advise], statuses::Delete::new("1").delete_media(false));
    assert!(asked.contains("delete_media=false"), "{asked}");
    let (client, server) = knowing("gotosocial", "0.20.0-rc1", Policy::Advise, "200 OK").await;
    client.allowing(["delete_media"]).send(delete()).await.expect("an answer");
    assert!(server.requests().concat().contains("delete_media=true"));
}

#[tokio::test]
async fn a_value_that_the_server_lacks_is_not_sent() {
    let post = |visibility: &str| {
        statuses::Create::text("Hello.").visibility(Visibility::custom(visibility))
    };
    let checking = [Policy::Strict, Policy::Adapt];
    for (program, version, visibility, policies) in [
        ("mastodon", "4.6.5", "limited", &checking[..]),
        ("mastodon", "4.6.5", "mutuals_only", &checking[..]),
        ("gotosocial", "0.19.2", "limited", &checking[..]),
        ("misskey", "2025.1.0", "limited", &checking[1..]),
    ] {
        for &policy in policies {
            let (client, server) = knowing(program, version, policy, "200 OK").await;
            let error = client.send(post(visibility)).await.expect_err("a refusal");
            assert!(error.to_string().contains("allowing([\"visibility\"])"), "{error}");
            assert!(server.requests().is_empty());
            client.allowing(["visibility"]).send(post(visibility)).await.expect_err("no status");
            assert!(server.requests().concat().contains(visibility));
        }
        let (client, server) = knowing(program, version, Policy::Advise, "200 OK").await;
        let told = client.plan(&post(visibility)).expect("a plan").to_string();
        assert!(told.contains("may not take its value"), "{told}");
        assert!(server.requests().is_empty());
    }
    sent!("gotosocial" "0.19.2", POLICIES, post("mutuals_only"));
    // A value from the server's answer goes back to it unchanged, under the default policy or where that is allowed.
    let mut read = crate::entities::status("1");
    read.visibility = Visibility::custom("local");
    let answer = statuses::Create::text("Yes.").visibility(read.visibility);
    let asked = sent!("mastodon" "4.6.5", [Policy::Advise], &answer);
    assert!(asked.contains("visibility=local"), "{asked}");
}

/// Operators are held to what the server has; a text of a person is not, whatever it looks like.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_that_the_server_lacks_is_not_sent() {
    let odd = "re: has:media from:";
    for (release, lacks) in [("gotosocial@0.19.2", true), ("mastodon@4.6.4", false)] {
        let server = StandIn::new().emulate(release).expect("a release");
        let server = server.start().await.expect("it starts");
        let client = Client::new(server.url()).expect("a client").token(server.token());
        let known = client.discover().await.expect("a server");
        let media = || search::Query::new("cats").from("mona").has_media();
        for policy in POLICIES {
            let client = client.clone().knowing(client::gate(known.clone()), policy);
            client.send(search::All::new(odd)).await.expect("a plain text is sent");
            let from = search::Query::new("cats").from("@mona@social.example");
            client.send(search::All::new(from)).await.expect("both have it");
            let sent = client.send(search::All::new(media())).await;
            match (lacks, policy) {
                (true, Policy::Advise) => {
                    let plan = sent.expect("it is sent").adapted.expect("it is told").to_string();
                    assert!(plan.contains("may not take its value"), "{plan}");
                }
                (true, _) => {
                    let error = sent.expect_err("a refusal");
                    assert!(!error.is_sent());
                    assert!(error.to_string().contains("\"has:media\" as `q`"), "{error}");
                    let allowing = client.allowing(["q"]).send(search::All::new(media())).await;
                    allowing.expect("it is allowed");
                }
                (false, _) => assert!(sent.expect("it is sent").adapted.is_none()),
            }
        }
        server.stop().await.expect("it stops");
    }
    let old = search::Query::new("cats").before("2024-05-01T12:00:00Z");
    let asked = sent!("mastodon" "4.3.0", POLICIES, search::All::new(old.clone()));
    assert!(asked.contains("q=cats+before%3A%222024-05-01T12%3A00%3A00Z%22"), "{asked}");
    // A sign before an operator is one too: GoToSocial has `from:` and would look for `-from:`.
    let others = || search::All::new(search::Query::new("cats").not().from("mona"));
    let asked = sent!("mastodon" "4.3.0", POLICIES, others());
    assert!(asked.contains("q=cats+-from%3Amona"), "{asked}");
    let (client, server) = knowing("gotosocial", "0.19.2", Policy::Adapt, "200 OK").await;
    let error = client.send(others()).await.expect_err("a refusal");
    assert!(error.to_string().contains("\"-\" as `q`"), "{error}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_boost_of_a_release_without_visibility_reaches_everybody_anyway() {
    let boost = |visibility| statuses::Reblog::new("1").visibility(visibility);
    refused!("gotosocial" "0.19.2", boost(Visibility::Private));
    let asked =
        sent!("gotosocial" "0.19.2", [Policy::Advise, Policy::Adapt], boost(Visibility::Public));
    assert!(!asked.contains("visibility"), "{asked}");
}

#[test]
fn an_edit_of_a_status_keeps_what_was_read() {
    let mut status = crate::entities::status("1");
    status.sensitive = true;
    status.language = Some("de".into());
    let media =
        json!({"id": "7", "type": "image", "url": "https://a.example/7", "preview_url": null});
    status.media_attachments = vec![serde_json::from_value(media).expect("a picture")];
    let source = json!({"id": "1", "text": "Helo.", "spoiler_text": "a word"});
    let source: entities::StatusSource = serde_json::from_value(source).expect("a source");
    let update = statuses::Update::keeping(&status, &source).status("Hello.");
    assert_eq!(update.id.as_str(), "1");
    let kept = [
        ("status", "Hello."),
        ("spoiler_text", "a word"),
        ("sensitive", "true"),
        ("language", "de"),
        ("media_ids[]", "7"),
    ];
    assert_eq!(sent(&update), kept.map(|(key, value)| (key.to_owned(), value.to_owned())));

    let poll = |expired: bool| {
        json!({"id": "3", "expires_at": Timestamp::in_seconds(if expired { -60 } else { 3600 }).to_string(), "expired": expired,
            "multiple": false, "votes_count": 2, "voters_count": 2, "emojis": [],
            "options": [{"title": "tea", "votes_count": 2}, {"title": "rum", "votes_count": 0}]})
    };
    status.poll = serde_json::from_value(poll(false)).expect("a poll");
    let update = statuses::Update::keeping(&status, &source);
    assert_eq!(
        (update.poll_options.join(" "), update.poll_multiple),
        ("tea rum".into(), Some(false))
    );
    assert!(update.poll_expires_in.is_some_and(|left| (3590..=3600).contains(&left)));
    status.poll = serde_json::from_value(poll(true)).expect("a poll");
    let update = statuses::Update::keeping(&status, &source);
    assert_eq!((update.poll_options.len(), update.poll_expires_in), (2, None));
}

#[test]
fn an_edit_of_a_filter_keeps_its_end() {
    let filter = |end: Option<Timestamp>| -> entities::V1Filter {
        let end = end.map(|end| end.to_string());
        let filter = json!({"id": "1", "phrase": "tea", "context": ["home"], "expires_at": end, "irreversible": false, "whole_word": true});
        serde_json::from_value(filter).expect("a filter")
    };
    let kept = |end| filters_v1::Update::keeping(&filter(end));
    assert!(kept(Some(Timestamp::in_seconds(60))).expires_in.is_some_and(|left| left > 50));
    assert_eq!(kept(Some(Timestamp::in_seconds(-60))).expires_in, Some(1));
    let update = kept(None);
    assert_eq!((update.expires_in, update.phrase.as_deref()), (None, Some("tea")));
}

#[tokio::test]
async fn an_edit_tells_what_it_resets() {
    let request = statuses::Update::replacing("1").status("Hello.").sensitive(false);
    for (program, release, resets) in [
        (
            "mastodon",
            "4.5.4",
            "spoiler_text, media_ids[], poll[options][], poll[multiple], poll[hide_totals], quote_approval_policy",
        ),
        (
            "mastodon",
            "4.5.5",
            "spoiler_text, media_ids[], poll[options][], poll[multiple], poll[hide_totals]",
        ),
        (
            "gotosocial",
            "0.18.0",
            "spoiler_text, language, media_ids[], poll[options][], poll[multiple], poll[hide_totals]",
        ),
    ] {
        let (client, _server) = knowing(program, release, Policy::Advise, "200 OK").await;
        let plan = client.plan(&request).expect("a plan");
        let told = format!("reset by {program} {release}, because it is not set: {resets}");
        assert_eq!((plan.to_string(), plan.is_worth_telling()), (told, true));
        let plan = client.plan(&accounts::Mute::new("1")).expect("a plan");
        assert!(plan.resets.is_empty(), "{plan}");
    }
}

#[test]
fn what_an_update_resets_stands_in_the_item_table() {
    let items = fedispec::items();
    let unset = |id: &str| items.get(id).map(Item::unset);
    assert_eq!(unset("statuses.update.status"), Some(Some(Unset::Reset)));
    assert_eq!(unset("accounts.update_credentials.note"), Some(Some(Unset::Keep)));
    assert_eq!(unset("statuses.create.status"), Some(None));
}

fn sent<R>(request: &R) -> Vec<(String, String)>
where
    R: fedispec::runtime::Request + client::Encode,
    R::Answer: client::Accept,
{
    let origin = "social.example".parse().expect("an origin");
    let request = client::request(request, &origin, None).expect("a request");
    let body = request.into_body().into_bytes().expect("a body");
    let pairs = form_urlencoded::parse(&body);
    pairs.map(|(key, value)| (key.into_owned(), value.into_owned())).collect()
}

#[test]
fn an_update_of_a_push_subscription_keeps_what_was_read() {
    let read: entities::WebPushSubscription = serde_json::from_value(json!({
        "id": 7, "endpoint": "https://push.example/7", "server_key": "BB-B",
        "alerts": {"mention": true, "poll": true, "reblog": false, "admin.sign_up": true}, "policy": "followed"
    }))
    .expect("a subscription");
    let update = push::Update::keeping(&read).data_alerts_poll(false);
    let kept = [
        ("data[alerts][mention]", "true"),
        ("data[alerts][poll]", "false"),
        ("data[alerts][admin.sign_up]", "true"),
        ("data[policy]", "followed"),
    ];
    let kept = kept.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(sent(&update), kept);

    // A release that may lack them is not asked for settings that are off or that the server would assume.
    let read: entities::WebPushSubscription = serde_json::from_value(json!({
        "id": "7", "endpoint": "https://push.example/7", "server_key": "BB-B", "alerts": {}, "policy": "all"
    }))
    .expect("a subscription");
    assert_eq!(sent(&push::Update::keeping(&read)), []);
}

#[test]
fn an_update_of_interaction_policies_keeps_what_was_read() {
    let rules = |who: &str| json!({"always": [who, "author"], "with_approval": []});
    let policy = |visibility: &str| json!({"can_favourite": rules(visibility), "can_reblog": rules("b"), "can_reply": rules("c")});
    let visibilities = ["public", "unlisted", "private", "direct"];
    let read: serde_json::Map<_, _> =
        visibilities.into_iter().map(|one| (one.to_owned(), policy(one))).collect();
    let read: entities::DefaultInteractionPolicies =
        serde_json::from_value(read.into()).expect("policies");
    let update = interaction_policies::UpdateDefaults::keeping(&read)
        .direct_can_reply_with_approval(["mentioned"]);
    let mut kept = sent(&update);
    let mut expected = Vec::new();
    for visibility in visibilities {
        for (what, who) in [("can_favourite", visibility), ("can_reply", "c"), ("can_reblog", "b")]
        {
            for (place, one) in [who, "author"].into_iter().enumerate() {
                expected.push((format!("{visibility}[{what}][always][{place}]"), one.to_owned()));
            }
        }
    }
    expected.push(("direct[can_reply][with_approval][0]".into(), "mentioned".into()));
    kept.sort();
    expected.sort();
    assert_eq!(kept, expected);
}

#[test]
fn an_update_that_keeps_what_was_read_has_its_path_and_required_parameters_from_it() {
    let read: entities::FilterKeyword =
        serde_json::from_value(json!({"id": "3", "keyword": "tea", "whole_word": true}))
            .expect("a keyword");
    let update = filters::UpdateKeyword::keeping(&read);
    assert_eq!(update.id.as_str(), "3");
    let kept = [("keyword", "tea"), ("whole_word", "true")];
    let kept = kept.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(sent(&update), kept);
}
