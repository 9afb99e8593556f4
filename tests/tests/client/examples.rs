//! Runs the examples against the stand-in.
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/blocking.rs"]
mod blocking;
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/recipes/main.rs"]
mod recipes;

use fedispec::client::{Client, connect};
use fedispec::enums::Visibility;
use fedispec::runtime::Id;
use fedispec::{admin_reports, reports, scheduled_statuses, statuses};
use fedispec_standin::{Login, NewAccount, Post, Running, StandIn};

/// A server with users, and the clients of two of them.
struct Site {
    server: Running,
    mona: Login,
    user: Client,
    bob: Login,
}

impl Site {
    async fn new(release: &str) -> Self {
        let server = StandIn::new().emulate(release).expect("a release").start().await;
        let server = server.expect("a server");
        let mona = server.account(NewAccount::new("mona").admin()).expect("an account");
        let bob = server.account("bob").expect("an account");
        let user = connect(server.url()).await.expect("a server").token(mona.token.clone());
        Self { server, mona, user, bob }
    }

    /// The output of an example, without the id at the end of an address.
    async fn run(&self, name: &str, args: &[&str]) -> Result<String, String> {
        let args: Vec<_> = args.iter().map(|&arg| arg.to_owned()).collect();
        let mut out = Vec::new();
        let ended = recipes::run(name, &self.user, &args, &mut out).await;
        ended.map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("text"))
    }

    async fn status(&self, address: &str) -> fedispec::entities::Status {
        let id = address.trim().rsplit('/').next().expect("an id");
        self.user.send(statuses::Get::new(id)).await.expect("a status").into_value()
    }
}

#[tokio::test]
async fn statuses_are_posted_edited_and_deleted() {
    let site = Site::new("mastodon@4.6.5").await;
    let posted = site.run("post", &["Hello."]).await.expect("posted");
    let status = site.status(&posted).await;
    assert_eq!(recipes::text::plain(&status.content), "Hello.");
    assert_eq!(status.visibility, Visibility::Unlisted);

    let thread = site.run("thread", &["One", "Two"]).await.expect("posted");
    let [one, two] = [0, 1].map(|line| thread.lines().nth(line).expect("two").to_owned());
    assert_eq!(site.status(&two).await.in_reply_to_id, Some(site.status(&one).await.id));

    let asked = site.run("poll", &["Which?", "this", "that"]).await.expect("asked");
    assert_eq!(asked, "this: 0\nthat: 0\n");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("garden.png");
    std::fs::write(&path, b"\x89PNG\r\n\x1a\n").expect("written");
    let path = path.to_str().expect("a path");
    let posted = site.run("picture", &[path, "A garden", "Look!"]).await.expect("posted");
    let id = site.status(&posted).await.id;
    let long = "a".repeat(501);
    let error = site.run("picture", &[path, "", &long]).await.expect_err("too long");
    assert!(error.contains("501 characters"), "{error}");

    let edited = site.run("edit", &[id.as_str(), "See!"]).await.expect("edited");
    assert!(edited.ends_with(" with 1 pictures\n"), "{edited}");
    let again = site.run("redraft", &[id.as_str(), "Behold!"]).await.expect("posted again");
    let again = site.status(&again).await;
    assert_eq!(recipes::text::plain(&again.content), "Behold!");
    assert_eq!(again.media_attachments[0].description.as_deref(), Some("A garden"));
    assert!(site.user.send(statuses::Get::new(id)).await.is_err(), "it is deleted");
}

#[tokio::test]
async fn scheduling_is_a_request_of_its_own() {
    let site = Site::new("mastodon@4.6.5").await;
    let later = statuses::Create::text("Later.").scheduled_at("2999-01-01T00:00:00.000Z");
    let scheduled = site.user.send(later).await.expect("scheduled").into_value().first();
    let scheduled = scheduled.expect("it is not posted yet");
    assert_eq!(scheduled.scheduled_at.unix(), Some(32_472_144_000));
    let list = site.user.send(scheduled_statuses::List::new()).await.expect("a list");
    assert_eq!(list[0], scheduled, "entities compare");
}

#[tokio::test]
async fn a_reply_names_all_and_is_seen_by_no_more() {
    let site = Site::new("mastodon@4.6.5").await;
    let ann = site.server.account("ann").expect("an account");
    let post = Post::new("@ann @mona @ann See <that> & https://a.example/b?c=d&e=f")
        .visibility(Visibility::Private)
        .spoiler_text("Gardens")
        .language("de");
    site.server.follow(&site.mona.id, &site.bob.id);
    site.server.post(&site.bob.id, post).expect("posted");
    let heard = site.run("bot", &[]).await.expect("answered");
    assert_eq!(heard, "@bob: @ann @mona @ann See <that> & https://a.example/b?c=d&e=f\n");
    let client = site.user.clone().token(ann.token);
    let notified = client.send(fedispec::notifications::List::new()).await.expect("a list");
    let found = notified.iter().filter_map(|one| one.status.as_ref());
    let reply = found.into_iter().find(|status| status.account.acct == "mona").expect("a reply");
    assert!(recipes::text::plain(&reply.content).starts_with("@bob @ann I heard you."));
    assert_eq!(reply.visibility, Visibility::Private);
    assert_eq!((reply.spoiler_text.as_str(), reply.language.as_deref()), ("Gardens", Some("de")));
    assert_eq!(site.run("bot", &[]).await.expect("nothing is new"), "");
}

#[tokio::test]
async fn people_and_hashtags_are_found_and_followed() {
    let site = Site::new("mastodon@4.6.5").await;
    site.server.post(&site.bob.id, "My #garden").expect("posted");
    let tagged = site.run("follow_tag", &["garden"]).await.expect("followed");
    assert_eq!(tagged, "#garden is followed\n@bob: My #garden\n");
    let found = site.run("search", &["bob"]).await.expect("found");
    assert!(found.starts_with("@bob\n"), "{found}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("follows.txt");
    std::fs::write(&file, "bob\nnobody\n").expect("written");
    let told = site.run("import", &[file.to_str().expect("a path")]).await.expect("followed");
    assert_eq!(told, "nobody was not found\n");
    assert_eq!(site.run("export", &[]).await.expect("followed"), "bob@127.0.0.1\n");
}

#[tokio::test]
async fn reports_are_taken() {
    let site = Site::new("mastodon@4.6.5").await;
    let bob = site.user.clone().token(site.bob.token.clone());
    let report = reports::Create::new(site.mona.id.as_str()).comment("Rude.");
    bob.send(report).await.expect("reported");
    let told = site.run("moderation", &[]).await.expect("listed");
    assert!(told.ends_with("(other): mona by bob: Rude.\n"), "{told}");
    let reports = site.user.send(admin_reports::List::new()).await.expect("a list");
    assert!(reports[0].assigned_account.is_some());
}

#[tokio::test]
async fn the_home_timeline_is_streamed() {
    let site = Site::new("mastodon@4.6.5").await;
    site.server.follow(&site.mona.id, &site.bob.id);
    let (control, bob) = (site.server.clone(), Id::new(site.bob.id.as_str()));
    let posts = tokio::spawn(async move {
        loop {
            control.post(&bob, "Now.").expect("posted");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    });
    let shown = site.run("stream", &["2"]).await.expect("streamed");
    assert_eq!(shown, "@bob: Now.\n@bob: Now.\n");
    posts.abort();
}

#[tokio::test]
async fn notifications_are_walked_and_then_what_is_newer() {
    let site = Site::new("mastodon@4.6.5").await;
    let mention = |count| {
        for _ in 0..count {
            site.server.post(&site.bob.id, "@mona").expect("posted");
        }
    };
    mention(45);
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("place.json");
    let shown = place.to_str().expect("a path");
    let out = site.run("notifications", &[shown]).await.expect("walked");
    assert_eq!(out.lines().filter(|line| line.ends_with(" mention: bob")).count(), 45);
    assert_eq!(site.run("notifications", &[shown]).await.expect("walked"), "", "nothing is new");
    mention(3);
    let out = site.run("notifications", &[shown]).await.expect("walked");
    assert_eq!(out.lines().count(), 3, "{out}");
    let kept = std::fs::read_to_string(&place).expect("a place");
    assert!(!kept.contains(&site.mona.token), "{kept}");
}

#[tokio::test]
async fn two_servers_are_compared() {
    let one = Site::new("mastodon@4.3.0").await;
    let other = StandIn::new().emulate("gotosocial@0.17.4").expect("a release").start().await;
    let other = other.expect("a server");
    let out = one.run("compare", &[other.url()]).await.expect("compared");
    let line =
        "grouped_notifications.list: yes | no (gotosocial: in no release; the server is 0.17.4)";
    assert!(out.lines().any(|found| found == line), "{out}");
    assert!(out.contains("characters of a post: 500 | 5000\n"), "{out}");
    assert!(!out.contains(": yes | yes"), "{out}");
}

#[tokio::test]
async fn a_program_is_tested_without_a_network() {
    recipes::offline::run().await.expect("a rule");
}

#[tokio::test]
async fn a_call_without_async_is_made() {
    let server = StandIn::new().emulate("mastodon@4.3.0").expect("a release").start().await;
    let server = server.expect("a server");
    let origin = server.url().to_owned();
    let run = move || {
        let mut out = Vec::new();
        blocking::run(&[origin, "garden".to_owned()], &mut out).expect("called");
        String::from_utf8(out).expect("text")
    };
    let out = tokio::task::spawn_blocking(run).await.expect("an end");
    assert!(out.contains(" runs 4.3.0") && out.contains("#garden is at "), "{out}");
}

#[tokio::test]
async fn pictures_have_placeholders() {
    let site = Site::new("mastodon@4.6.5").await;
    // The stand-in hashes no pictures.
    assert_eq!(site.run("placeholders", &[]).await.expect("a timeline"), "");
    // One component of white, as the algorithm's page describes it.
    let white = recipes::placeholders::fields("00TSUA", 2, 1).expect("fields");
    assert_eq!(white, "\x1b[48;2;255;255;255m \x1b[48;2;255;255;255m \x1b[0m\n");
    for rubbish in ["", "0", "00000", "é00TSU", "UBL_:rOpGG-oBUN"] {
        assert!(recipes::placeholders::fields(rubbish, 2, 1).is_err(), "{rubbish}");
    }
}

#[test]
fn html_is_shown_in_a_terminal() {
    for (html, text) in [
        ("<p>One<br />two</p><p>Three &amp; &lt;four&gt;</p>", "One\ntwo\n\nThree & <four>"),
        (
            r#"<a href="https://a.example/b"><span class="invisible">https://</span><span class="">a.example/b</span></a>!"#,
            "https://a.example/b!",
        ),
        (r#"<a href="https://a.example/?b&amp;c">here</a>"#, "here (https://a.example/?b&c)"),
        (
            r#"<a href="https://a.example/@mona" class="u-url mention">@<span>mona</span></a>"#,
            "@mona",
        ),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("no <tag", "no "),
        ("", ""),
    ] {
        assert_eq!(recipes::text::plain(html), text);
    }
}
