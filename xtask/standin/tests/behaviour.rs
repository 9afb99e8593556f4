//! Behaviour that suites of clients expect.

use fedispec_standin::{Post, Running, StandIn};
use serde_json::{Value, json};

mod asking;

use asking::{Answer, ask};

async fn start(release: &str) -> Running {
    let server = StandIn::new().emulate(release).expect("a release");
    server.start().await.expect("it starts")
}

async fn call(server: &Running, method: &str, path: &str, body: &str) -> Answer {
    ask(server.url(), method, path, Some(server.token()), body).await
}

async fn get(server: &Running, path: &str) -> Value {
    call(server, "GET", path, "").await.json()
}

async fn post(server: &Running, path: &str, body: &str) -> Value {
    let answer = call(server, "POST", path, body).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

#[tokio::test]
async fn whoever_is_not_followed_any_more_leaves_lists() {
    for (release, end) in [("mastodon@4.6.4", "unfollow"), ("gotosocial@0.19.2", "block")] {
        let server = start(release).await;
        let mona = server.account("mona").expect("an account").id;
        post(&server, &format!("/api/v1/accounts/{mona}/follow"), "").await;
        let list = post(&server, "/api/v1/lists", "title=Friends").await;
        let members = format!("/api/v1/lists/{}/accounts", list["id"].as_str().expect("an id"));
        post(&server, &members, &format!("account_ids[]={mona}")).await;
        assert_eq!(get(&server, &members).await[0]["id"], mona.as_str());
        post(&server, &format!("/api/v1/accounts/{mona}/{end}"), "").await;
        assert_eq!(get(&server, &members).await, json!([]), "{release}");
    }
}

#[tokio::test]
async fn options_of_a_multiple_choice_are_chosen_one_after_the_other() {
    for (release, status) in [("mastodon@4.6.4", 200), ("gotosocial@0.19.2", 422)] {
        let server = start(release).await;
        let mona = server.account("mona").expect("an account");
        let poll = Post::new("Which?").poll(["a", "b"], std::time::Duration::from_secs(600));
        let id = server.post(&mona.id, poll.multiple()).expect("posted");
        let poll = get(&server, &format!("/api/v1/statuses/{id}")).await["poll"]["id"].clone();
        let votes = format!("/api/v1/polls/{}/votes", poll.as_str().expect("a poll"));
        post(&server, &votes, "choices[]=1").await;
        let second = call(&server, "POST", &votes, "choices[]=0").await;
        assert_eq!(second.status, status, "{release}");
        if status == 200 {
            // In the order of the votes.
            assert_eq!(second.json()["own_votes"], json!([1, 0]));
        }
        assert_eq!(call(&server, "POST", &votes, "choices[]=1").await.status, 422);
    }
}

#[tokio::test]
async fn each_release_says_what_a_post_needs() {
    let poll = "poll[options][]=a&poll[options][]=b";
    for (release, body, status, words) in [
        ("mastodon@4.6.4", "spoiler_text=cw", 200, ""),
        ("mastodon@4.6.4", poll, 422, "Validation failed: Deadline can't be blank"),
        (
            "mastodon@4.6.4",
            &format!("{poll}&poll[expires_in]=600"),
            422,
            "Validation failed: Text can't be blank",
        ),
        ("gotosocial@0.19.2", "spoiler_text=cw", 200, ""),
        ("gotosocial@0.19.2", poll, 200, ""),
        ("gotosocial@0.19.2", "", 400, "Bad Request: status contains no text, media or poll"),
        (
            "gotosocial@0.17.4",
            "",
            400,
            "Bad Request: no status content, content warning, media, or poll provided",
        ),
        ("gotosocial@0.16.0", "", 400, "Bad Request: no status, media, or poll provided"),
        ("gotosocial@0.3.4", "", 400, "no status, media, or poll provided"),
    ] {
        let server = start(release).await;
        let answer = call(&server, "POST", "/api/v1/statuses", body).await;
        let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
        assert_eq!((answer.status, error.as_str()), (status, words), "{release}: {body}");
    }
    for (release, path, status, words) in [
        ("gotosocial@0.19.2", "domain_blocks", 400, "Bad Request: no domain provided"),
        ("gotosocial@0.17.4", "domain_allows", 400, "Bad Request: empty domain provided"),
        ("mastodon@4.6.4", "domain_allows", 422, "Validation failed: Domain can't be blank"),
    ] {
        let server = start(release).await;
        let answer = call(&server, "POST", &format!("/api/v1/admin/{path}"), "").await;
        let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
        assert_eq!((answer.status, error.as_str()), (status, words), "{release}: {path}");
    }
}

#[tokio::test]
async fn a_list_has_links_where_the_release_cuts_it_into_pages() {
    for (release, has_links) in [("mastodon@4.6.4", true), ("gotosocial@0.19.2", false)] {
        let server = start(release).await;
        let id = post(&server, "/api/v1/statuses", "status=Hi").await["id"].clone();
        let path = format!("/api/v1/statuses/{}", id.as_str().expect("an id"));
        post(&server, &format!("{path}/favourite"), "").await;
        let answer = call(&server, "GET", &format!("{path}/favourited_by"), "").await;
        assert_eq!(answer.header("link").is_some(), has_links, "{release}");
    }
}

#[tokio::test]
async fn boosts_for_followers_are_not_told() {
    let server = start("mastodon@4.6.4").await;
    let id = post(&server, "/api/v1/statuses", "status=Hi").await["id"].clone();
    let path = format!("/api/v1/statuses/{}", id.as_str().expect("an id"));
    post(&server, &format!("{path}/reblog"), "visibility=private").await;
    assert_eq!(get(&server, &format!("{path}/reblogged_by")).await, json!([]));
    assert_eq!(get(&server, &path).await["language"], "en");
}

#[tokio::test]
async fn links_are_written_as_the_program_writes_them() {
    let long = "status=https://www.a.example/0123456789/0123456789/0123456789";
    for (release, html) in [
        (
            "mastodon@4.6.4",
            "<p><a href=\"https://www.a.example/0123456789/0123456789/0123456789\" target=\"_blank\" rel=\"nofollow noopener\" \
             translate=\"no\"><span class=\"invisible\">https://www.</span><span class=\"ellipsis\">a.example/0123456789/012345678</span>\
             <span class=\"invisible\">9/0123456789</span></a></p>",
        ),
        (
            "gotosocial@0.19.2",
            "<p><a href=\"https://www.a.example/0123456789/0123456789/0123456789\" rel=\"nofollow noreferrer noopener\" \
             target=\"_blank\">https://www.a.example/0123456789/0123456789/0123456789</a></p>",
        ),
    ] {
        let server = start(release).await;
        assert_eq!(post(&server, "/api/v1/statuses", long).await["content"], html);
    }
}

#[tokio::test]
async fn a_status_mentions_only_whom_the_client_expects() {
    let server = start("mastodon@4.6.4").await;
    let mona = server.account("mona").expect("an account").id;
    let bob = server.account("bob").expect("an account").id;
    let form = format!("status=@mona+@bob&allowed_mentions[]={mona}");
    let refused = call(&server, "POST", "/api/v1/statuses", &form).await;
    assert_eq!(
        (refused.status, &refused.json()["unexpected_accounts"][0]["id"]),
        (422, &json!(bob))
    );
    post(&server, "/api/v1/statuses", &format!("{form}&allowed_mentions[]={bob}")).await;
    for (told, status) in [("[]", 422), ("null", 200)] {
        let body = format!(r#"{{"status": "@mona", "allowed_mentions": {told}}}"#);
        assert_eq!(call(&server, "POST", "/api/v1/statuses", &body).await.status, status, "{told}");
    }
}

/// As Rails reads them: JSON in a GET, and a file in a text.
#[tokio::test]
async fn bodies_are_read_where_mastodon_reads_them() {
    let server = start("mastodon@4.5.0").await;
    let mona = server.account("mona").expect("an account").id;
    let asked = format!(r#"{{"id": ["{mona}"]}}"#);
    let told = call(&server, "GET", "/api/v1/accounts/relationships", &asked).await.json();
    assert_eq!(told[0]["id"], mona.as_str());
    let picture = r#"{"avatar": "data:image/png;base64,iVBORw0KGgo="}"#;
    let changed = call(&server, "PATCH", "/api/v1/accounts/update_credentials", picture).await;
    let avatar = changed.json()["avatar"].as_str().expect("a picture").to_owned();
    assert!(avatar.contains(".png") && !avatar.contains("missing"), "{avatar}");
    let none = start("gotosocial@0.19.2").await;
    let told = call(&none, "GET", "/api/v1/accounts/relationships", &asked).await;
    assert_ne!(told.json()[0]["id"], mona.as_str());
    // A text is no file there, and not looked at.
    let same = call(&none, "PATCH", "/api/v1/accounts/update_credentials", picture).await.json();
    assert!(same["avatar"].as_str().is_some_and(|avatar| avatar.contains("missing")));
}

#[tokio::test]
async fn pages_link_on_as_the_release_does() {
    for (release, list, links) in [
        ("mastodon@4.5.0", "/api/v1/favourites?limit=2", true),
        ("mastodon@4.5.0", "/api/v1/favourites?limit=3", false),
        ("mastodon@4.5.0", "/api/v1/timelines/home?limit=3", true),
        ("gotosocial@0.19.2", "/api/v1/favourites?limit=3", true),
    ] {
        let server = start(release).await;
        for text in ["a", "b"] {
            let id =
                post(&server, "/api/v1/statuses", &format!("status={text}")).await["id"].clone();
            let id = id.as_str().expect("an id");
            post(&server, &format!("/api/v1/statuses/{id}/favourite"), "").await;
        }
        let page = call(&server, "GET", list, "").await;
        let told = page.header("link").unwrap_or_default().contains("rel=\"next\"");
        assert_eq!(told, links, "{release} {list}");
    }
}

#[tokio::test]
async fn applications_have_redirects_and_scopes_that_there_are() {
    let server = start("mastodon@4.6.4").await;
    for (redirect, scopes, told) in [
        ("nowhere", "read", "must be an absolute URI"),
        ("javascript:alert(1)", "read", "is forbidden by the server"),
        ("https://a.example", "read everything", "match configured on the server"),
        ("my-app://back", "read write:statuses", ""),
        ("urn:ietf:wg:oauth:2.0:oob", "", ""),
    ] {
        let form = format!("client_name=A&redirect_uris={redirect}&scopes={scopes}");
        let answer = call(&server, "POST", "/api/v1/apps", &form.replace(' ', "+")).await;
        assert_eq!(answer.status, if told.is_empty() { 200 } else { 422 }, "{redirect}");
        assert!(answer.body.contains(told), "{}", answer.body);
    }
}

#[tokio::test]
async fn moderators_mark_an_account_as_sensitive_and_media_have_an_extension() {
    let server = start("mastodon@4.6.4").await;
    let mona = server.account("mona").expect("an account").id;
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x58\0\0\x01\x2c\x08\x02";
    let id = server.post(&mona, Post::new("Look").media(*picture, "")).expect("posted");
    let path = format!("/api/v1/statuses/{id}");
    let seen = get(&server, &path).await;
    assert_eq!(seen["sensitive"], false);
    let url = seen["media_attachments"][0]["url"].as_str().expect("a URL");
    assert_eq!(url.rsplit_once('.').map(|(_, extension)| extension), Some("png"), "{url}");
    let file = ask(server.url(), "HEAD", url.trim_start_matches(server.url()), None, "").await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("image/png")));
    post(&server, &format!("/api/v1/admin/accounts/{mona}/action"), "type=sensitive").await;
    assert_eq!(get(&server, &path).await["sensitive"], true);
}

#[tokio::test]
async fn an_old_release_drops_what_filters_hide_for_good() {
    for (release, left) in [("mastodon@3.5.3", 1), ("mastodon@4.6.4", 2)] {
        let server = start(release).await;
        let mona = server.account("mona").expect("an account").id;
        post(&server, &format!("/api/v1/accounts/{mona}/follow"), "").await;
        let filter = "phrase=secret&context[]=home&irreversible=true";
        post(&server, "/api/v1/filters", filter).await;
        for text in ["a secret", "a word"] {
            server.post(&mona, text).expect("posted");
        }
        let home = get(&server, "/api/v1/timelines/home").await;
        assert_eq!(home.as_array().map(Vec::len), Some(left), "{release}: {home}");
    }
}

#[tokio::test]
async fn the_focus_of_a_picture_is_edited() {
    let server = start("mastodon@4.6.4").await;
    let me = get(&server, "/api/v1/accounts/verify_credentials").await["id"].clone();
    let me = fedispec::server::Id::new(me.as_str().expect("an id"));
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x58\0\0\x01\x2c\x08\x02";
    let id = server.post(&me, Post::new("Look").media(*picture, "")).expect("posted");
    let path = format!("/api/v1/statuses/{id}");
    let medium = get(&server, &path).await["media_attachments"][0]["id"].clone();
    let edit = json!({"status": "Look", "media_ids": [medium], "media_attributes": [{"id": medium, "focus": "0.5,-0.5"}]});
    let edited = call(&server, "PUT", &path, &edit.to_string()).await.json();
    assert_eq!(edited["media_attachments"][0]["meta"]["focus"], json!({"x": 0.5, "y": -0.5}));
}

#[tokio::test]
async fn each_program_has_its_own_limits() {
    for (release, characters, options, fields, url, approval) in
        [("mastodon@4.6.4", 500, 4, 4, 23, false), ("gotosocial@0.19.2", 5000, 6, 6, 25, true)]
    {
        let server = start(release).await;
        for path in ["/api/v1/instance", "/api/v2/instance"] {
            let told = get(&server, path).await["configuration"].clone();
            assert_eq!(told["statuses"]["max_characters"], characters, "{path}");
            assert_eq!(told["statuses"]["characters_reserved_per_url"], url, "{path}");
            assert_eq!(told["polls"]["max_options"], options, "{path}");
            if release.starts_with("gotosocial") {
                let types = json!(["text/plain", "text/markdown"]);
                assert_eq!(told["statuses"]["supported_mime_types"], types, "{path}");
                assert_eq!(told["accounts"]["max_profile_fields"], fields, "{path}");
                assert_eq!(told["accounts"]["allow_custom_css"], true, "{path}");
                assert_eq!(told["media_attachments"]["image_size_limit"], 41_943_040, "{path}");
            }
        }
        let v1 = get(&server, "/api/v1/instance").await;
        assert_eq!(v1["approval_required"], approval);
        let status = |length: usize| format!("status={}", "a".repeat(length));
        post(&server, "/api/v1/statuses", &status(characters)).await;
        let refused = call(&server, "POST", "/api/v1/statuses", &status(characters + 1)).await;
        assert!([400, 422].contains(&refused.status), "{}", refused.body);
        let poll = |count: usize| {
            let options = (0..count).map(|option| format!("&poll[options][]={option}"));
            format!("status=?&poll[expires_in]=600{}", options.collect::<String>())
        };
        post(&server, "/api/v1/statuses", &poll(options)).await;
        let refused = call(&server, "POST", "/api/v1/statuses", &poll(options + 1)).await;
        assert!([400, 422].contains(&refused.status), "{}", refused.body);
    }
}

#[tokio::test]
async fn texts_are_as_long_as_the_release_takes_them() {
    let mastodon = start("mastodon@4.5.0").await;
    let gotosocial = start("gotosocial@0.13.0").await;
    let status = async |server: &Running, text: String| {
        call(server, "POST", "/api/v1/statuses", &format!("status={text}")).await.status
    };
    let link =
        |before: usize| format!("{}+https://a.example/{}", "x".repeat(before), "b".repeat(300));
    assert_eq!(status(&mastodon, link(476)).await, 200);
    assert_eq!(status(&mastodon, link(477)).await, 422);
    let address = |before: usize| format!("{}+@bob@a-long.example", "x".repeat(before));
    assert_eq!(status(&mastodon, address(495)).await, 200);
    assert_eq!(status(&mastodon, address(496)).await, 422);
    let family = |count| "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}".repeat(count);
    assert_eq!(status(&mastodon, family(500)).await, 200);
    assert_eq!(status(&gotosocial, link(4681)).await, 200);
    assert_eq!(status(&gotosocial, link(4700)).await, 400);
    let warned = format!("status=Hi&spoiler_text={}", "x".repeat(101));
    assert_eq!(call(&gotosocial, "POST", "/api/v1/statuses", &warned).await.status, 400);
    let edit = async |server: &Running, form: &str| {
        call(server, "PATCH", "/api/v1/accounts/update_credentials", form).await.status
    };
    let name = format!("display_name={}", "x".repeat(31));
    assert_eq!(edit(&mastodon, &name).await, 422);
    assert_eq!(edit(&start("mastodon@4.6.4").await, &name).await, 200);
    assert_eq!(edit(&gotosocial, &name).await, 200);
    let nameless = "fields_attributes[0][value]=here";
    assert_eq!(edit(&mastodon, nameless).await, 422);
    assert_eq!(edit(&start("mastodon@3.5.3").await, nameless).await, 200);
    let told = async |release: &str| {
        let instance = get(&start(release).await, "/api/v1/instance").await;
        instance["configuration"]["media_attachments"]["image_size_limit"].clone()
    };
    assert_eq!(told("mastodon@3.5.3").await, 10_485_760);
    assert_eq!(told("mastodon@4.5.0").await, 16_777_216);
}

#[tokio::test]
async fn refusals_name_what_was_asked_for() {
    let server = start("gotosocial@0.19.2").await;
    let error = async |method: &str, path: &str| {
        let answer = call(&server, method, path, "").await;
        (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
    };
    let told = |status: u16, text: &str| (status, text.to_owned());
    assert_eq!(
        error("POST", "/api/v1/accounts/01X/block").await,
        told(404, "Not Found: getBlockTarget: target account 01X not found in the db")
    );
    assert_eq!(
        error("POST", "/api/v1/accounts//block").await,
        told(400, "Bad Request: no account id specified")
    );
    assert_eq!(
        error("POST", "/api/v1/polls//votes").await,
        told(400, "Bad Request: required key id was not set or had empty value")
    );
    assert_eq!(
        error("GET", "/api/v1/blocks?limit=abc").await,
        told(400, "Bad Request: bad integer limit value")
    );
    assert_eq!(get(&server, "/api/v1/accounts/01X/statuses").await, json!([]));
    let mastodon = start("mastodon@4.5.0").await;
    let answer = call(&mastodon, "POST", "/api/v1/accounts//follow", "").await;
    assert_eq!((answer.status, &answer.json()["error"]), (404, &json!("Record not found")));
}

#[tokio::test]
async fn somebody_approves_who_signs_up_with_gotosocial() {
    let server = start("gotosocial@0.17.0").await;
    let app = "client_name=A&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=read+write";
    let app = post(&server, "/api/v1/apps", app).await;
    let [id, secret] = ["client_id", "client_secret"].map(|key| app[key].as_str().expect("a text"));
    let form = format!(
        "grant_type=client_credentials&client_id={id}&client_secret={secret}&redirect_uri=urn:ietf:wg:oauth:2.0:oob&scope=read+write"
    );
    let token = post(&server, "/oauth/token", &form).await;
    let token = token["access_token"].as_str().expect("a token").to_owned();
    let form = "username=mona&email=mona@a.example&agreement=true&locale=en&reason=I+like+to+write+posts+that+nobody+else+reads";
    let sign_up = async |password: &str| {
        let form = format!("{form}&password={password}");
        ask(server.url(), "POST", "/api/v1/accounts", Some(&token), &form).await
    };
    let weak = sign_up("password").await;
    assert_eq!(weak.status, 400);
    assert!(weak.body.contains("password is only 62% strength"), "{}", weak.body);
    let signed_up = sign_up("a-password-that-is-long").await;
    assert_eq!(signed_up.status, 200, "{}", signed_up.body);
    let own = signed_up.json()["access_token"].as_str().expect("a token").to_owned();
    let asked = async || {
        let path = "/api/v1/accounts/verify_credentials";
        ask(server.url(), "GET", path, Some(&own), "").await
    };
    assert_eq!(asked().await.status, 401);
    let pending = get(&server, "/api/v2/admin/accounts?status=pending").await;
    let id = pending[0]["id"].as_str().expect("somebody waits");
    post(&server, &format!("/api/v1/admin/accounts/{id}/approve"), "").await;
    assert_eq!(asked().await.json()["username"], "mona");
}

/// Statuses and words from the programs' sources, of what a request lacks or cannot be read.
#[tokio::test]
async fn what_is_missing_or_unreadable_is_refused_as_the_release_does() {
    let statuses = "/api/v1/statuses";
    let block = "ip=10.0.0.1&severity=no_access&expires_in=never";
    let blank = "Validation failed: Text can't be blank";
    let soon = "status=a&scheduled_at=2026-01-01T00:01:00Z";
    let drafts = "/api/v1/admin/domain_permission_subscriptions";
    let german = format!("lang=de&status={}", "a".repeat(501));
    let nobody = "01ZZZZZZZZZZZZZZZZZZZZZZZZ";
    let none = "01M8BGXST0000AYZ9TNJPM6MNW";
    let marked = format!("title=a&context[]=home&statuses_attributes[][status_id]={none}");
    let action = format!("/api/v1/admin/accounts/{nobody}/action");
    let push = "subscription[endpoint]=https://a.b&subscription[keys][auth]=AAAAAAAAAAAAAAAAAAAAAA";
    for (release, asked) in [
        (
            "mastodon@4.5.0",
            &[
                ("POST", statuses, "", 422, blank),
                ("POST", statuses, &german, 422, "Begrenzung von 500 Zeichen überschritten"),
                ("POST", "/api/v1/emails/confirmations", "", 403, "the application the user orig"),
                ("POST", statuses, "status=a&scheduled_at=banana", 422, "Record invalid"),
                ("POST", statuses, soon, 422, ": Scheduled at date must be in the future"),
                ("POST", statuses, "status=a&visibility=b", 422, "Visibility is not included in"),
                ("POST", statuses, "status=a&media_ids[]=7", 422, "\"Media 7 not found or already"),
                ("POST", "/api/v2/filters", "title=a&context[]=b", 422, "None or invalid context"),
                ("GET", "/api/v1/admin/accounts?a=b", "", 200, "["),
                ("GET", "/api/v2/admin/accounts?origin=b", "", 400, "Unknown origin: b"),
                ("POST", statuses, "status=a&poll[options][]=b", 422, "Deadline can't be blank"),
                ("POST", "/oauth/token", "", 400, "Missing required parameter: grant_type."),
                ("POST", "/oauth/token", "grant_type=client_credentials", 401, "invalid_client"),
                ("POST", "/oauth/revoke", "token=a", 403, "unauthorized_client"),
                ("GET", "/api/v1/streaming/hashtag", "", 400, "Missing tag name parameter"),
                ("GET", "/api/v1/directory?local=perhaps", "", 200, "["),
                ("POST", "/api/v1/admin/ip_blocks", block, 200, "no_access"),
                (
                    "PATCH",
                    "/api/v1/accounts/update_credentials",
                    "fields_attributes=x",
                    200,
                    "acct",
                ),
            ][..],
        ),
        (
            "mastodon@3.5.3",
            &[
                ("GET", "/api/v2/search", "", 200, "\"statuses\":[]"),
                ("POST", statuses, soon, 422, "Scheduled at The scheduled date must be in the"),
                ("POST", "/api/v1/push/subscription", "", 422, "Endpoint can't be blank"),
                ("POST", "/api/v1/admin/measures", "keys[]=tag_uses", 400, "tag_uses"),
            ],
        ),
        ("mastodon@2.9.1", &[("POST", "/oauth/revoke", "token=a", 200, "{}")]),
        (
            "gotosocial@0.19.2",
            &[
                ("POST", "/oauth/revoke", "token=a", 400, "Bad Request: client_id not set"),
                (
                    "POST",
                    statuses,
                    "visibility=public",
                    400,
                    "status contains no text, media or poll",
                ),
                ("POST", "/api/v1/lists", "title=a&replies_policy=b", 400, "Bad Request: "),
                ("POST", statuses, "status=a&poll[expires_in]=600", 400, "poll cannot have no opt"),
                ("GET", "/api/v1/accounts/lookup?acct=b", "", 404, "Not Found: @b not found"),
                ("POST", drafts, "priority=b&permission_type=block&uri=c", 400, "priority must be"),
                (
                    "POST",
                    "/oauth/finalize",
                    "username=a",
                    400,
                    "Bad Request: If you arrived at this",
                ),
                ("POST", "/api/v1/user/2fa/disable", "password=a", 409, "2fa already disabled"),
                ("POST", "/api/v1/user/2fa/enable", "code=1", 403, "no 2fa secret stored yet"),
                ("POST", "/api/v1/admin/domain_blocks", "", 400, "Bad Request: "),
                ("GET", "/api/v2/admin/accounts?origin=b", "", 400, "choices are [local remote]"),
                ("GET", "/api/v2/search?q=a&type=b", "", 400, "type b was not recognized"),
                ("GET", "/api/v1/markers?timeline[]=b", "", 400, "options are 'home', 'notific"),
                ("POST", "/api/v2/filters", &marked, 200, none),
                ("POST", &action, "type=suspend", 500, "Internal Server Error"),
                ("POST", "/api/v1/push/subscription", push, 422, "p256dh must be a valid"),
            ],
        ),
    ] {
        let server = start(release).await;
        server.set_time(&"2026-01-01T00:00:00Z".into());
        for (method, path, body, status, told) in asked {
            let answer = call(&server, method, path, body).await;
            assert_eq!(answer.status, *status, "{release} {path} {body}: {}", answer.body);
            assert!(answer.body.contains(told), "{release} {path} {body}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn roles_are_told_to_moderators_as_the_release_tells_them() {
    for (release, role) in [("mastodon@3.5.3", json!("admin")), ("mastodon@4.0.0", json!("Owner"))]
    {
        let server = start(release).await;
        let me = get(&server, "/api/v1/accounts/verify_credentials").await["id"].clone();
        let path = format!("/api/v1/admin/accounts/{}", me.as_str().expect("an id"));
        let told = get(&server, &path).await["role"].clone();
        assert_eq!(told.get("name").unwrap_or(&told), &role, "{release}");
    }
}

#[tokio::test]
async fn a_subscription_tells_what_it_is_alerted_of() {
    let server = start("mastodon@4.5.0").await;
    let body = "subscription[endpoint]=https://a.example&subscription[keys][p256dh]=a&subscription[keys][auth]=b\
                &data[alerts][follow]=true&data[alerts][admin.sign_up]=true";
    let told = post(&server, "/api/v1/push/subscription", body).await;
    let alerts = &told["alerts"];
    assert_eq!((&alerts["follow"], &alerts["admin.sign_up"]), (&json!(true), &json!(true)));
    assert_eq!(alerts["mention"], false);
}

#[tokio::test]
async fn a_status_is_not_posted_at_what_is_no_time() {
    let server = start("mastodon@4.6.4").await;
    let answer = call(&server, "POST", "/api/v1/statuses", "status=Hi&scheduled_at=banana").await;
    assert_eq!((answer.status, answer.json()), (422, json!({"error": "Record invalid"})));
    assert_eq!(get(&server, "/api/v1/timelines/home").await, json!([]));
}

#[tokio::test]
async fn operators_narrow_a_search_where_the_release_has_them() {
    let found = async |server: &Running, q: &str| {
        let found = get(server, &format!("/api/v2/search?type=statuses&q={q}")).await;
        let texts = found["statuses"].as_array().expect("statuses").iter();
        texts.map(|one| one["content"].as_str().expect("HTML").to_owned()).collect::<Vec<_>>()
    };
    let server = start("mastodon@4.6.4").await;
    let mona = server.account("mona").expect("an account");
    for body in [
        "status=tea one&language=en",
        "status=tea https://a.example/&language=de&sensitive=true",
        "status=tea @mona&poll[options][]=a&poll[options][]=b&poll[expires_in]=600",
    ] {
        post(&server, "/api/v1/statuses", &body.replace(' ', "+")).await;
    }
    server.post(&mona.id, "tea @owner").expect("posted");
    let today = server.now().to_string()[..10].to_owned();
    for (q, count) in [
        ("tea", 4),
        ("tea+from:me", 3),
        ("tea+from:@mona", 1),
        ("tea+-from:mona", 3),
        ("from:nobody", 0),
        ("from:mona", 1),
        ("language:de", 1),
        ("tea+has:poll", 1),
        ("has:link+is:sensitive", 1),
        ("tea+has:media", 0),
        ("tea+-is:reply", 4),
        ("tea+in:library", 4),
        ("in:public", 0),
        (&format!("tea+during:{today}"), 4),
        (&format!("tea+before:{today}"), 0),
        ("tea+after:2024-05-01", 4),
        ("tea+has:nothing", 0),
    ] {
        assert_eq!(found(&server, q).await.len(), count, "{q}");
    }
    // Here they are words as any other.
    let older = start("mastodon@3.4.0").await;
    post(&older, "/api/v1/statuses", "status=tea+from:me").await;
    assert_eq!(found(&older, "from:me").await.len(), 1);
    assert_eq!(found(&older, "from:me+has:poll").await.len(), 0);
    let older = start("mastodon@3.5.0").await;
    post(&older, "/api/v1/statuses", "status=tea").await;
    assert_eq!(found(&older, "tea+from:owner").await.len(), 1);
    assert_eq!(found(&older, "tea+has:poll").await.len(), 0);
}

#[tokio::test]
async fn a_registration_is_refused_with_every_reason() {
    let server = start("mastodon@4.5.0").await;
    let app = "client_name=a&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=read+write";
    let app = post(&server, "/api/v1/apps", app).await;
    let text = |key: &str| app[key].as_str().expect("a text").to_owned();
    let (id, secret) = (text("client_id"), text("client_secret"));
    let asked = format!(
        "grant_type=client_credentials&scope=read+write&client_id={id}&client_secret={secret}"
    );
    let token = post(&server, "/oauth/token", &asked).await["access_token"].clone();
    let body =
        json!({"username": "", "email": "", "password": "", "agreement": false, "locale": "en"});
    let token = token.as_str();
    for body in [body.to_string(), "locale=en".to_owned()] {
        let answer = ask(server.url(), "POST", "/api/v1/accounts", token, &body).await;
        assert_eq!(answer.status, 422);
        let codes = |key: &str| -> Vec<String> {
            let answer = answer.json();
            let reasons = answer["details"][key].as_array().expect(key).iter();
            reasons.map(|one| one["error"].as_str().expect("a code").to_owned()).collect()
        };
        assert_eq!(codes("email"), ["ERR_BLANK", "ERR_BLANK", "ERR_INVALID"]);
        assert_eq!(codes("password"), ["ERR_BLANK"]);
        assert_eq!(codes("username"), ["ERR_BLANK"]);
        assert_eq!(codes("agreement"), ["ERR_ACCEPTED"]);
    }
    let body = "username=mona&email=a@b.c&password=swordfish&agreement=true&locale=en";
    let mona = ask(server.url(), "POST", "/api/v1/accounts", token, body).await.json();
    let mona = mona["access_token"].as_str();
    let again = async || ask(server.url(), "POST", "/api/v1/emails/confirmations", mona, "").await;
    assert_eq!(again().await.status, 200);
    let check = "/api/v1/emails/check_confirmation";
    assert_eq!(ask(server.url(), "GET", check, mona, "").await.body, "true");
    assert!(again().await.body.contains("awaiting confirmation"));
}

#[tokio::test]
async fn a_link_has_a_card_where_the_program_makes_any() {
    for (release, url) in
        [("mastodon@4.6.4", json!("https://example.org/a?b=c")), ("gotosocial@0.19.2", Value::Null)]
    {
        let server = start(release).await;
        let posted =
            post(&server, "/api/v1/statuses", "status=See https://example.org/a?b%3Dc").await;
        assert_eq!(posted["card"]["url"], url, "{release}");
        let warned = "status=https://example.org/&spoiler_text=cw";
        assert_eq!(post(&server, "/api/v1/statuses", warned).await["card"], Value::Null);
    }
}

#[tokio::test]
async fn whoever_has_set_no_language_is_answered_that_of_the_interface() {
    for (release, language) in [("mastodon@4.5.0", json!("en")), ("mastodon@3.5.0", Value::Null)] {
        let server = start(release).await;
        let shown = get(&server, "/api/v1/preferences").await;
        assert_eq!(shown["posting:default:language"], language, "{release}");
    }
}

#[tokio::test]
async fn a_note_may_be_of_the_own_account() {
    let server = start("gotosocial@0.19.2").await;
    let me = get(&server, "/api/v1/accounts/verify_credentials").await["id"].clone();
    let path = format!("/api/v1/accounts/{}/note", me.as_str().expect("an id"));
    assert_eq!(post(&server, &path, "comment=Me").await["note"], "Me");
}

#[tokio::test]
async fn moderators_measure_what_was_posted() {
    let server = start("mastodon@4.6.4").await;
    let bob = server.remote_account("bob@other.example");
    let today = server.now().to_string()[..10].to_owned();
    for text in ["#tea", "#tea and milk", "milk"] {
        server.post(&bob, Post::new(text).language("de")).expect("posted");
    }
    let mine = post(&server, "/api/v1/statuses", "status=%23tea&language=en").await;
    post(
        &server,
        &format!("/api/v1/statuses/{}/favourite", mine["id"].as_str().expect("an id")),
        "",
    )
    .await;
    let tags = get(&server, "/api/v1/admin/tags").await;
    let tag = tags[0]["id"].as_str().expect("an id");
    let of = |keys: &[&str], tag: &str| {
        let keys = keys.iter().map(|key| format!("keys[]={key}&")).collect::<Vec<_>>().concat();
        let named = ["tag_uses", "tag_accounts", "tag_servers", "tag_languages"];
        let named = named.map(|key| format!("{key}[id]={tag}&")).concat();
        let domain =
            "instance_statuses[domain]=other.example&instance_languages[domain]=other.example";
        format!("{keys}{named}{domain}&start_at={today}&end_at={today}")
    };
    let keys = [
        "active_users",
        "interactions",
        "instance_statuses",
        "tag_uses",
        "tag_accounts",
        "tag_servers",
    ];
    let measures = post(&server, "/api/v1/admin/measures", &of(&keys, tag)).await;
    let totals: Vec<_> = (0..keys.len()).map(|place| measures[place]["total"].clone()).collect();
    assert_eq!(totals, ["1", "1", "3", "3", "2", "2"]);
    let keys =
        ["languages", "servers", "tag_servers", "tag_languages", "instance_languages", "sources"];
    let dimensions = post(&server, "/api/v1/admin/dimensions", &of(&keys, tag)).await;
    let found = |place: usize| {
        let rows = dimensions[place]["data"].as_array().expect("rows").iter();
        rows.map(|row| format!("{} {}", row["key"], row["value"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    let own = server.url().trim_start_matches("http://");
    assert_eq!(found(0), ["en 1"]);
    assert_eq!(found(1), ["other.example 3".to_owned(), format!("{own} 1")]);
    assert_eq!(found(2), ["other.example 2".to_owned(), format!("{own} 1")]);
    assert_eq!(
        (found(3), found(4), found(5)),
        (
            vec!["de 2".to_owned(), "en 1".to_owned()],
            vec!["de 3".to_owned()],
            vec!["web 1".to_owned()]
        )
    );
    let picture = b"\x89PNG\r\n\x1a\n".repeat(200);
    server.post(&bob, Post::new("Look").media(&*picture, "")).expect("posted");
    let domain = "instance_media_attachments[domain]=other.example";
    let asked =
        format!("keys[]=instance_media_attachments&{domain}&start_at={today}&end_at={today}");
    let sizes = post(&server, "/api/v1/admin/measures", &asked).await[0].clone();
    assert_eq!(
        (&sizes["total"], &sizes["unit"], &sizes["human_value"]),
        (&json!("1600"), &json!("bytes"), &json!("1.56 KB"))
    );
    // A tag that there is not is not found, and has no servers.
    let unknown = call(&server, "POST", "/api/v1/admin/measures", &of(&["tag_uses"], "7")).await;
    assert_eq!(unknown.status, 404);
    let none = post(&server, "/api/v1/admin/dimensions", &of(&["tag_servers"], "7")).await;
    assert_eq!(none[0]["data"], json!([]));
}

#[tokio::test]
async fn a_film_has_a_length_and_a_size() {
    // A segment with a duration of five seconds, a track of 560 by 320, and one of sound.
    let film = b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff\
        \x15\x49\xa9\x66\x87\x44\x89\x84\x45\x9c\x40\x00\x16\x54\xae\x6b\x91\
        \xae\x8a\xe0\x88\xb0\x82\x02\x30\xba\x82\x01\x40\xae\x83\x83\x81\x02";
    let silent = &film[..film.len() - 5];
    for (release, bytes, kind, end, size) in [
        ("mastodon@4.6.4", &film[..], "video", ".mp4", Value::Null),
        ("mastodon@4.6.4", silent, "gifv", ".mp4", Value::Null),
        ("gotosocial@0.19.2", silent, "video", ".webm", json!("560x320")),
    ] {
        let server = start(release).await;
        let mona = server.account("mona").expect("an account").id;
        let id = server.post(&mona, Post::new("Look").media(bytes, "")).expect("posted");
        let status = get(&server, &format!("/api/v1/statuses/{id}")).await;
        let medium = &status["media_attachments"][0];
        let original = &medium["meta"]["original"];
        assert_eq!(medium["type"], kind, "{release}");
        assert!(medium["url"].as_str().expect("an address").ends_with(end), "{medium}");
        assert_eq!((&original["width"], &original["height"]), (&json!(560), &json!(320)));
        assert_eq!((&original["duration"], &original["size"]), (&json!(5.0), &size), "{release}");
        assert!(original["bitrate"].as_i64() > Some(0), "{original}");
    }
}
