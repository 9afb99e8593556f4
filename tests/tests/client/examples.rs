//! Runs the examples against a server on the generated traits.
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/blocking.rs"]
mod blocking;
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/compare_servers.rs"]
mod compare_servers;
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/post_with_media.rs"]
mod post_with_media;
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../examples/walk_notifications.rs"]
mod walk_notifications;

use std::sync::{Arc, Mutex, PoisonError};

use fedispec::entities::{
    MediaAttachment, NodeInfo, NodeInfoDiscovery, Notification, ScheduledStatus, Status, Tag,
    V1Instance,
};
use fedispec::runtime::server::{Call, Error, Result, Router};
use fedispec::runtime::{Either, Id, Page};
use fedispec::server::{self, Server};
use fedispec::{current, instance, media, nodeinfo, notifications, statuses, tags};

use crate::entities;

/// A small server: its instance document, the ids of its notifications, and the posted statuses.
#[derive(Clone)]
struct App {
    software: (&'static str, &'static str),
    notifications: Arc<Mutex<Vec<usize>>>,
    posted: Arc<Mutex<Vec<String>>>,
}

impl App {
    fn new(software: &'static str, version: &'static str) -> Self {
        Self {
            software: (software, version),
            notifications: Arc::default(),
            posted: Arc::default(),
        }
    }

    fn router(&self) -> Router {
        let app = || self.clone();
        Server::new()
            .instance(app())
            .nodeinfo(app())
            .media(app())
            .statuses(app())
            .notifications(app())
            .tags(app())
            .into_router()
    }

    /// Serves on a loopback port and returns the origin.
    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = self.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    fn note(&self, text: String) {
        self.posted.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn posted(&self) -> Vec<String> {
        self.posted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn authorized(call: &Call) -> Result<()> {
    match call.bearer() {
        Some(token) if token.expose() == "t0ken" => Ok(()),
        _ => Err(Error::unauthorized()),
    }
}

impl server::Instance for App {
    async fn get_v1(&self, _: instance::GetV1, _: Call) -> Result<V1Instance> {
        Ok(V1Instance {
            configuration: None,
            uri: "a.example".into(),
            version: self.software.1.into(),
            max_toot_chars: Some(100),
            title: "A small server".into(),
            ..entities::v1_instance()
        })
    }
}

impl server::Nodeinfo for App {
    async fn links(&self, _: nodeinfo::Links, _: Call) -> Result<NodeInfoDiscovery> {
        let link = current::NodeInfoDiscoveryLinks {
            rel: "http://nodeinfo.diaspora.software/ns/schema/2.0".into(),
            href: "/nodeinfo/2.0".into(),
        };
        Ok(current::NodeInfoDiscovery { links: vec![link.into()] }.into())
    }

    async fn get(&self, _: nodeinfo::Get, _: Call) -> Result<NodeInfo> {
        let (name, version) = self.software;
        let users =
            current::NodeInfoUsageUsers { total: 1, active_month: 1, active_halfyear: 1 }.into();
        let metadata =
            current::NodeInfoMetadata { node_name: name.into(), node_description: name.into() };
        Ok(current::NodeInfo {
            version: "2.0".into(),
            software: current::NodeInfoSoftware { name: name.into(), version: version.into() }
                .into(),
            protocols: vec!["activitypub".into()],
            usage: current::NodeInfoUsage { users, local_posts: 0 }.into(),
            open_registrations: false,
            services: current::NodeInfoServices { outbound: Vec::new(), inbound: Vec::new() }
                .into(),
            metadata: metadata.into(),
        }
        .into())
    }
}

impl server::Media for App {
    async fn upload(&self, request: media::Upload, call: Call) -> Result<MediaAttachment> {
        authorized(&call)?;
        let kind = request.file.content_type().unwrap_or_default().to_owned();
        self.note(format!(
            "{} ({kind}, {} bytes): {}",
            request.file.name().unwrap_or_default(),
            request.file.len(),
            request.description.unwrap_or_default()
        ));
        Ok(entities::media("7"))
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        call: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        authorized(&call)?;
        self.note(format!("{:?}: {}", request.media_ids, request.status.unwrap_or_default()));
        let uri = "https://a.example/1".to_owned();
        let status = Status { uri, ..entities::status("1") };
        Ok(Either::Second(status))
    }
}

impl server::Notifications for App {
    /// Two elements a page, newest first.
    async fn list(&self, request: notifications::List, call: Call) -> Result<Page<Notification>> {
        authorized(&call)?;
        let number = |cursor: Option<Id<Notification>>| {
            cursor.and_then(|cursor| cursor.as_str().parse::<usize>().ok())
        };
        let (below, above) = (number(request.max_id), number(request.min_id));
        let all = self.notifications.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let fits = |id: &&usize| {
            below.is_none_or(|below| **id < below) && above.is_none_or(|above| **id > above)
        };
        let mut ids: Vec<_> = match above {
            Some(_) => all.iter().filter(fits).take(2).copied().collect(),
            None => all.iter().rev().filter(fits).take(2).copied().collect(),
        };
        ids.sort_unstable_by(|one, other| other.cmp(one));
        let page: Page<_> = ids.iter().map(|id| notification(*id)).collect();
        Ok(match (ids.first(), ids.last()) {
            (Some(first), Some(last)) => page
                .with_next([("max_id", last.to_string())])
                .with_prev([("min_id", first.to_string())]),
            _ => page,
        })
    }
}

fn notification(id: usize) -> Notification {
    Notification { id: id.to_string().into(), status: None, ..entities::notification("1") }
}

impl server::Tags for App {
    async fn get(&self, request: tags::Get, _: Call) -> Result<Tag> {
        Ok(current::Tag {
            url: format!("https://a.example/tags/{}", request.name),
            name: request.name,
            id: "1".into(),
            history: Vec::new(),
        }
        .into())
    }
}

/// Runs an example with these arguments and returns its output, or its error.
macro_rules! example {
    ($name:ident, $($arg:expr),+) => {{
        let mut out = Vec::new();
        let ended = $name::run(&[$($arg.to_string()),+], &mut out).await;
        ended.map(|()| String::from_utf8(out).expect("text"))
    }};
}

#[tokio::test]
async fn a_picture_is_posted() {
    let app = App::new("mastodon", "4.3.0");
    let origin = app.serve().await;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("garden.png");
    std::fs::write(&path, b"\x89PNG").expect("written");
    let path = path.display();
    let out = example!(post_with_media, origin, "t0ken", path, "A garden", "Look!");
    let out = out.expect("posted");
    assert!(out.ends_with("https://a.example/1\n"), "{out}");
    let posted = ["garden.png (image/png, 4 bytes): A garden", "[\"7\"]: Look!"];
    assert_eq!(app.posted(), posted);

    let long = "a".repeat(101);
    let error = example!(post_with_media, origin, "t0ken", path, "", long).expect_err("too long");
    assert!(error.to_string().contains("101 characters"), "{error}");
    assert_eq!(app.posted(), posted, "nothing was sent");
}

#[tokio::test]
async fn notifications_are_walked_and_then_what_is_newer() {
    let app = App::new("mastodon", "4.3.0");
    app.notifications.lock().expect("no panic").extend(1..=5);
    let origin = app.serve().await;
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("place.json");
    let shown = place.display();
    let numbers = |out: &str| -> Vec<String> {
        let number = |line: &str| line.split(' ').next().map(str::to_owned);
        out.lines().filter_map(number).collect()
    };
    let out = example!(walk_notifications, origin, "t0ken", shown).expect("walked");
    assert!(out.starts_with("5 mention: user7@example.org\n"), "{out}");
    assert_eq!(numbers(&out), ["5", "4", "3", "2", "1"]);
    let out = example!(walk_notifications, origin, "t0ken", shown).expect("walked");
    assert_eq!(out, "", "nothing is new");
    app.notifications.lock().expect("no panic").extend(6..=8);
    let out = example!(walk_notifications, origin, "t0ken", shown).expect("walked");
    let mut newer = numbers(&out);
    newer.sort();
    assert_eq!(newer, ["6", "7", "8"]);
    let kept = std::fs::read_to_string(&place).expect("a place");
    assert!(!kept.contains("t0ken"), "{kept}");
}

#[tokio::test]
async fn two_servers_are_compared() {
    let one = App::new("mastodon", "4.3.0").serve().await;
    let other = App::new("gotosocial", "0.17.4+git-aebb846").serve().await;
    let out = example!(compare_servers, one, other).expect("compared");
    for line in [
        "grouped_notifications.list: yes | no (gotosocial: in no release; the server is 0.17.4)",
        "characters of a post: 100 | 100",
    ] {
        assert!(out.lines().any(|found| found == line), "{out}");
    }
    assert!(!out.contains(": yes | yes"), "{out}");
}

#[tokio::test]
async fn a_call_without_async_is_made() {
    let origin = App::new("mastodon", "4.3.0").serve().await;
    let run = move || {
        let mut out = Vec::new();
        blocking::run(&[origin, "garden".to_owned()], &mut out).expect("called");
        out
    };
    let out = tokio::task::spawn_blocking(run).await.expect("an end");
    let lines = "A small server runs 4.3.0\n#garden is at https://a.example/tags/garden\n";
    assert_eq!(String::from_utf8_lossy(&out), lines);
}
