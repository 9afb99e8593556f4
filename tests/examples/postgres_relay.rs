//! Events across processes, over `PostgreSQL`: each process that serves streams has a hub, and this relay tells all of them.
//!
//! `NOTIFY` alone carries less than 8000 bytes and forgets who was away
//! (<https://www.postgresql.org/docs/current/sql-notify.html>), so the events stand in a table for a while.

#![allow(unreachable_pub, reason = "a test includes this file")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fedispec::server::{
    Caller, Error, Event, Hub, Listen, Publication, Relay, Result, Secret, Server, Topic,
};
use fedispec::streaming;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, NoTls, Row};

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS hub_events (
        id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), event text NOT NULL
    );
    DELETE FROM hub_events WHERE at < now() - interval '1 hour';
    LISTEN hub_events;";
const SEND: &str = "
    WITH sent AS (INSERT INTO hub_events (event) VALUES ($1) RETURNING id)
    SELECT pg_notify('hub_events', id::text) FROM sent";
const NEWER: &str = "SELECT id, event FROM hub_events WHERE id > $1 ORDER BY id";
const ONE: &str = "SELECT id, event FROM hub_events WHERE id = $1";
const LAST: &str = "SELECT coalesce(max(id), 0) FROM hub_events";

/// A relay over a database. Clones are the same.
#[derive(Clone, Default)]
pub struct Postgres(Arc<Mutex<Option<Arc<Client>>>>);

impl Relay for Postgres {
    async fn send(&self, text: String) -> Result<()> {
        let client = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let client = client.ok_or_else(Error::unavailable)?;
        let sent = client.query(SEND, &[&text]).await;
        sent.map_err(|error| Error::unavailable().with_source(error)).map(drop)
    }
}

impl Postgres {
    /// Brings a hub what all processes send, for as long as the future is polled. A connection that breaks is made anew, and what was sent
    /// meanwhile is delivered then.
    pub async fn run(self, config: String, hub: Hub) {
        let mut last = None;
        loop {
            if let Err(error) = self.listen(&config, &hub, &mut last).await {
                eprintln!("the relay of events: {error}");
            }
            self.set(None);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    async fn listen(
        &self,
        config: &str,
        hub: &Hub,
        last: &mut Option<i64>,
    ) -> std::result::Result<(), tokio_postgres::Error> {
        let (client, mut connection) = tokio_postgres::connect(config, NoTls).await?;
        let (told, mut notices) = mpsc::unbounded_channel::<i64>();
        let driver = tokio::spawn(async move {
            while let Some(message) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notification(notice) = message?
                    && let Ok(id) = notice.payload().parse()
                    && told.send(id).is_err()
                {
                    break;
                }
            }
            Ok(())
        });
        client.batch_execute(TABLE).await?;
        let seen = match *last {
            Some(seen) => seen,
            None => client.query_one(LAST, &[]).await?.get(0),
        };
        let mut caught_up = BTreeSet::new();
        for row in client.query(NEWER, &[&seen]).await? {
            caught_up.insert(row.get::<_, i64>(0));
            deliver(hub, &row);
        }
        *last = Some(caught_up.last().copied().unwrap_or(seen));
        let client = Arc::new(client);
        self.set(Some(Arc::clone(&client)));
        // Transactions end in another order than they take their numbers, so each event is asked for by its own.
        while let Some(id) = notices.recv().await {
            if !caught_up.remove(&id) {
                for row in client.query(ONE, &[&id]).await? {
                    deliver(hub, &row);
                }
                *last = (*last).max(Some(id));
            }
        }
        driver.await.unwrap_or(Ok(()))
    }

    fn set(&self, client: Option<Arc<Client>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = client;
    }
}

fn deliver(hub: &Hub, row: &Row) {
    if let Err(error) = hub.receive(row.get(1)) {
        eprintln!("event {} is none of a hub: {error}", row.get::<_, i64>(0));
    }
}

/// `cargo run -p fedispec-tests --example postgres_relay 'host=localhost user=postgres' 3001` serves the public stream, and publishes an event
/// a second. Run it twice, with two ports, and ask one: `curl -N http://127.0.0.1:3001/api/v1/streaming/public?access_token=any`.
#[tokio::main]
async fn main() -> std::io::Result<()> {
    let [_, config, port] = &std::env::args().collect::<Vec<_>>()[..] else {
        return Err(std::io::Error::other(
            "usage: postgres_relay 'host=localhost user=postgres' PORT",
        ));
    };
    let relay = Postgres::default();
    let hub = Hub::new().relay(relay.clone());
    tokio::spawn(relay.run(config.clone(), hub.clone()));
    let server = Server::of(hub.clone())
        .authenticator(async |_: Secret| Ok(Caller::user("1", "read")))
        .on_stream(async |hub: Hub, _: streaming::Public, _| {
            Ok(hub.subscribe([Topic::public(None, false)]))
        });
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    tokio::spawn(Listen::new(listener).serve(server.into_router()));
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let event = Publication::new(Event::text("delete", port));
        if let Err(error) = hub.publish(event.to(Topic::public(None, false))).await {
            eprintln!("not published: {error}");
        }
    }
}
