//! The relay of the examples, over a real `PostgreSQL` that the test starts and stops.
#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../examples/postgres_relay.rs"]
mod program;

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fedispec::client::{Client, Origin};
use fedispec::events::StreamEvent;
use fedispec::server::{Caller, Event, Hub, Listen, Publication, Secret, Server, Topic};
use fedispec::streaming;
use fedispec_tests::skip;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use self::program::Postgres;

const HANGS: Duration = Duration::from_secs(60);

/// A database that is empty, and reached over a socket in its folder.
pub(crate) struct Database {
    folder: TempDir,
    running: Option<Child>,
}

/// A program of `PostgreSQL`, which does not run as root.
fn tool(name: &str) -> Command {
    let mut command = Command::new(name);
    if let Some((user, group)) = postgres() {
        command.uid(user).gid(group);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

/// The ids of the user `postgres`, where this runs as root.
fn postgres() -> Option<(u32, u32)> {
    let id = |args: &[&str]| -> Option<u32> {
        let told = Command::new("id").args(args).output().ok()?;
        String::from_utf8(told.stdout).ok()?.trim().parse().ok()
    };
    (id(&["-u"])? == 0).then_some(())?;
    Some((id(&["-u", "postgres"])?, id(&["-g", "postgres"])?))
}

impl Database {
    /// Creates and starts it; `None` where `PostgreSQL` is not installed.
    pub(crate) async fn start() -> Option<Self> {
        if tool("initdb").arg("--version").status().is_err() {
            skip::skipped("postgres_relay", "initdb of PostgreSQL is not on the PATH");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        if let Some((user, group)) = postgres() {
            chown(folder.path(), Some(user), Some(group)).expect("it runs as root");
        }
        let mut made = tool("initdb");
        made.arg("-D").arg(folder.path().join("data"));
        made.args(["-U", "postgres", "-A", "trust", "--no-sync"]);
        assert!(made.status().expect("it is installed").success(), "initdb failed");
        let mut database = Self { folder, running: None };
        database.run().await;
        Some(database)
    }

    async fn run(&mut self) {
        let mut server = tool("postgres");
        server.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        server.args(["-c", "listen_addresses=", "-c", "fsync=off"]);
        self.running = Some(server.spawn().expect("it is installed"));
        let ready = async {
            while tokio_postgres::connect(&self.config(), tokio_postgres::NoTls).await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(HANGS, ready).await.expect("it starts");
    }

    fn stop(&mut self) {
        if let Some(mut server) = self.running.take() {
            let _ =
                tool("pg_ctl").args(["stop", "-m", "immediate", "-D"]).arg(self.data()).status();
            let _ = server.wait();
        }
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn config(&self) -> String {
        let folder: &Path = self.folder.path();
        format!("host={} user=postgres", folder.display())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A server with a hub of its own stands for a process.
async fn serve(config: &str) -> (Hub, String) {
    let relay = Postgres::default();
    let hub = Hub::new().relay(relay.clone());
    tokio::spawn(relay.run(config.to_owned(), hub.clone()));
    let server = Server::of(hub.clone())
        .authenticator(async |_: Secret| Ok(Caller::user("1", "read")))
        .on_stream(async |hub: Hub, _: streaming::Public, _| {
            Ok(hub.subscribe([Topic::public(None, false)]))
        });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(Listen::new(listener).serve(server.into_router()));
    (hub, origin)
}

/// A client, and the ids of the deleted statuses that it hears of.
fn listen(origin: &str) -> mpsc::Receiver<String> {
    let origin = Origin::insecure(origin).expect("an origin");
    let client = Client::new(origin).expect("a client").token("any");
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(async move {
        let mut live = client.stream(streaming::Public::new());
        while let Some(event) = live.next().await {
            if let StreamEvent::Delete(id) = event.expect("an event") {
                sender.send(id.to_string()).await.expect("the test goes on");
            }
        }
    });
    receiver
}

fn deleted(id: &str) -> Publication {
    Publication::new(Event::text("delete", id)).to(Topic::public(None, false))
}

/// Publishes as soon as the relay can.
async fn publish(hub: &Hub, id: &str) {
    let published = async {
        while hub.publish(deleted(id)).await.is_err() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(HANGS, published).await.expect("the relay works");
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_hear_each_other_through_a_database() {
    let Some(mut database) = Database::start().await else {
        return;
    };
    let ((one, first), (two, second)) =
        (serve(&database.config()).await, serve(&database.config()).await);
    publish(&two, "0").await;
    publish(&one, "0").await;
    let (mut here, mut there) = (listen(&first), listen(&second));
    for hub in [&one, &two] {
        let opened = async {
            while hub.is_empty() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(HANGS, opened).await.expect("a client connects");
    }
    // Beyond the 8000 bytes of a notification.
    let long = "9".repeat(20_000);
    for id in ["1", &long, "3"] {
        one.publish(deleted(id)).await.expect("the database runs");
        for heard in [&mut here, &mut there] {
            assert_eq!(timeout(HANGS, heard.recv()).await.expect("it hangs").as_deref(), Some(id));
        }
    }
    // While it is down the publisher is told; when it is back, so are both processes.
    database.stop();
    assert_eq!(one.publish(deleted("4")).await.expect_err("it is down").status(), 503);
    database.run().await;
    publish(&two, "5").await;
    for heard in [&mut here, &mut there] {
        assert_eq!(timeout(HANGS, heard.recv()).await.expect("it hangs").as_deref(), Some("5"));
    }
}
