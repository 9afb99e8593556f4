//! Live streams of a client: against a server from the traits, over real sockets, and against servers that break off, lie or stall.

use crate::entities;

mod amounts;
mod faults;
mod feed;
mod filling;
mod following;
mod logs;
mod places;
mod script;
mod wire;

use std::time::Duration;

use fedispec::client::{Client, Error, Live, Notice, Origin, Reqwest};
use fedispec::events::StreamEvent;
use fedispec::runtime::FromEvent;

/// The token, which nothing may show.
pub(crate) const TOKEN: &str = "t0ken-of-nobody";

/// The longest wait of any test.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

/// A client with a token.
pub(crate) fn client(origin: &str) -> Client {
    let transport = Reqwest::new().expect("a transport");
    let origin = Origin::insecure(origin).expect("an origin");
    Client::with_transport(origin, transport).token(TOKEN).timeout(Duration::from_secs(10))
}

/// Short waits, so that a test need not wait.
pub(crate) fn soon<E: FromEvent>(live: Live<E>) -> Live<E> {
    live.waits(Duration::from_millis(5), Duration::from_millis(20))
}

pub(crate) async fn next(live: &mut Live<StreamEvent>) -> StreamEvent {
    let next = tokio::time::timeout(HANGS, live.next()).await;
    next.expect("it hangs").expect("it has ended").expect("an event")
}

pub(crate) async fn error(live: &mut Live<StreamEvent>) -> Error {
    let next = tokio::time::timeout(HANGS, live.next()).await;
    let error = next.expect("it hangs").expect("an end").expect_err("an error");
    assert!(live.next().await.is_none(), "an error is the end");
    let shown = format!("{error}\n{error:?}\n{live:?}");
    assert!(!shown.contains(TOKEN), "{shown}");
    error
}

pub(crate) async fn notice(live: &mut Live<StreamEvent>) -> Notice<StreamEvent> {
    let next = tokio::time::timeout(HANGS, live.next_notice()).await;
    let notice = next.expect("it hangs").expect("it has ended");
    let notice = notice.expect("a notice");
    let shown = format!("{notice:?}\n{live:?}");
    assert!(!shown.contains(TOKEN), "{shown}");
    notice
}

/// A notice in a word: `event delete 31 of user`, `connected again over WebSocket`.
pub(crate) async fn told(live: &mut Live<StreamEvent>) -> String {
    match notice(live).await {
        Notice::Event { stream, event, .. } => format!("{} of {stream}", short(&event)),
        Notice::Connected { over, again, .. } => {
            format!("connected{} over {over:?}", if again { " again" } else { "" })
        }
        Notice::Lost { why, .. } => format!("lost: {why}"),
        Notice::Refused { why, .. } => format!("refused: {why}"),
        other => panic!("{other:?}"),
    }
}

/// An event in a word: `update 31`.
pub(crate) fn short(event: &StreamEvent) -> String {
    match event {
        StreamEvent::Update(status) => format!("update {}", status.id),
        StreamEvent::StatusUpdate(status) => format!("edit {}", status.id),
        StreamEvent::Delete(id) => format!("delete {id}"),
        StreamEvent::Notification(notification) => format!("notification {}", notification.id),
        StreamEvent::FiltersChanged => "filters".to_owned(),
        other => format!("{other:?}"),
    }
}
