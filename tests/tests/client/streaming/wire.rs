//! Connections of a transport of one's own, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use fedispec::client::{
    BoxFuture, Client, Exchange, Frame, Line, Message, Opened, Transport, TransportError,
    bytes::Bytes,
};
use fedispec::streaming;

use crate::streaming::told;

/// A transport whose sockets send what they are told, and keep what is said.
#[derive(Clone, Default)]
struct Own(Arc<Mutex<Vec<String>>>);

struct Wire {
    frames: VecDeque<Frame>,
    said: Own,
}

impl Line for Wire {
    fn poll_next(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Frame, TransportError>>> {
        match self.frames.pop_front() {
            Some(frame) => Poll::Ready(Some(Ok(frame))),
            None => Poll::Pending,
        }
    }

    fn send(&mut self, message: Message) -> Result<(), TransportError> {
        let said = format!("{message:?}");
        self.said.0.lock().expect("no panic").push(said);
        Ok(())
    }
}

impl Transport for Own {
    fn call(&self, _: Exchange) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async { Ok(http::Response::new(Bytes::from_static(b"{}"))) })
    }

    fn open(&self, exchange: Exchange) -> BoxFuture<'_, Result<Opened, TransportError>> {
        let uri = exchange.request.uri().to_string();
        self.0.lock().expect("no panic").push(uri);
        let event = r#"{"stream":["list","12"],"event":"delete","payload":"31"}"#;
        let wire = Wire {
            frames: [Frame::Alive, Frame::Text(event.to_owned())].into(),
            said: self.clone(),
        };
        Box::pin(async { Ok(Opened::Line(Box::new(wire))) })
    }
}

#[tokio::test]
async fn a_transport_of_ones_own_has_streams() {
    let own = Own::default();
    let origin = "https://social.example".parse().expect("an origin");
    let client = Client::with_transport(origin, own.clone());
    let live = client.stream(streaming::List::new("12"));
    let mut live = live.and(streaming::UserNotification::new());
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    assert_eq!(told(&mut live).await, "delete 31 of list:12");
    live.unsubscribe(streaming::List::new("12")).expect("it is sent");
    let said = own.0.lock().expect("no panic").clone();
    let subscription = |kind: &str| {
        let message = serde_json::json!({"type": kind, "stream": "list", "list": "12"});
        format!("{:?}", Message::Text(message.to_string()))
    };
    // GoToSocial opens `user:notification` with the connection only.
    assert_eq!(
        said,
        [
            "https://social.example/api/v1/streaming?stream=user%3Anotification".to_owned(),
            subscription("subscribe"),
            subscription("unsubscribe"),
        ]
    );
}

/// One that has calls alone.
struct Calls;

impl Transport for Calls {
    fn call(&self, _: Exchange) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async { Ok(http::Response::new(Bytes::from_static(b"{}"))) })
    }
}

#[tokio::test]
async fn a_transport_without_streams_says_so() {
    let origin = "https://social.example".parse().expect("an origin");
    let client = Client::with_transport(origin, Calls);
    let mut live = client.stream(streaming::User::new());
    let told = crate::streaming::error(&mut live).await;
    let wanted = "the transport does not have a connection that stays open";
    assert!(told.to_string().contains(wanted), "{told}");
    assert!(!told.is_sent());
}
