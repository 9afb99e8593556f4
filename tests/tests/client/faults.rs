//! A client against servers that break off, lie or stall: each fault becomes an error with operation and place, and none shows the token.

mod answers;
mod connection;
mod redirects;
mod secrets;

use std::error::Error as _;
use std::fmt::Debug;
use std::time::Duration;

use fedispec::client::{Client, Encode, Error, FromAnswer};
use fedispec::runtime::Request;

/// The token, which no error may show.
pub(crate) const TOKEN: &str = "t0ken-of-nobody";

/// A client with a token and short time limits.
pub(crate) fn client(origin: &str) -> Client {
    Client::new(origin)
        .expect("a client")
        .token(TOKEN)
        .timeout(Duration::from_millis(400))
        .max_bytes(64 * 1024)
}

/// The error of a call. Asserts that it comes in time, names operation and address, and shows no secret.
pub(crate) async fn fault<R>(client: &Client, request: R) -> Error
where
    R: Request + Encode,
    R::Answer: FromAnswer + Debug,
{
    let id = R::OPERATION.id;
    let called = tokio::time::timeout(Duration::from_secs(20), client.send(request)).await;
    let error = called.expect("an end").expect_err(id);
    assert_eq!(error.operation(), id);
    let shown = shown(&error);
    assert!(shown.contains(id), "{shown}");
    assert!(!shown.contains(TOKEN), "{shown}");
    let mut source = error.source();
    let mut before = error.to_string();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        assert!(!before.contains(&cause_text), "{before} and {cause_text}");
        (source, before) = (cause.source(), cause_text);
    }
    let origin = client.origin().to_string();
    assert!(error.to_string().contains(&origin), "{error} names {origin}");
    error
}

/// The error's `Display` and `Debug`, and those of its sources.
pub(crate) fn shown(error: &Error) -> String {
    let mut shown = vec![format!("{error}\n{error:?}\n{error:#?}")];
    let mut source = error.source();
    while let Some(cause) = source {
        shown.push(format!("{cause}\n{cause:?}"));
        source = cause.source();
    }
    shown.join("\n")
}
