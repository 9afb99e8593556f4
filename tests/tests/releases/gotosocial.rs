//! Where GoToSocial (0.7.1 to 0.20.0-rc1) differs from Mastodon, and how the client handles it. The bodies are written for these
//! tests in the shapes that were observed.
mod bodies;
mod known;
mod refusals;
mod shapes;

use std::fmt::Debug;

use fedispec::client::{Answer, Client, Encode, Error, FromAnswer};
use fedispec::runtime::Request;
use fedispec_tests::raw::{Raw, response};
use serde_json::Value;

/// The version strings of the seven releases, as they report them.
pub(crate) const VERSIONS: [&str; 7] = [
    "0.7.1 git-adb5966",
    "0.10.0 git-89ee9d5",
    "0.13.3 git-fb3e3ca",
    "0.15.0+git-15733cd",
    "0.17.4+git-aebb846",
    "0.19.2+git-90851fc",
    "0.20.0-rc1+git-8221628",
];

/// A client of a server that gives each of its requests this answer.
pub(crate) async fn answering(status: &str, headers: &[(&str, &str)], body: &str) -> (Client, Raw) {
    let server = Raw::always(response(status, headers, body)).await;
    let client = Client::new(&*server.origin).expect("a client").token("t0ken");
    (client, server)
}

/// The client's reading of a body.
pub(crate) async fn read<R>(request: R, body: &Value) -> Answer<R::Answer>
where
    R: Request + Encode,
    R::Answer: FromAnswer,
{
    let (client, _server) =
        answering("200 OK", &[("content-type", "application/json")], &body.to_string()).await;
    let answer = client.send(request).await.unwrap_or_else(|error| panic!("{error}\n{body}"));
    assert!(answer.rejected.is_empty(), "{:?}", answer.rejected);
    answer
}

/// The error of an answer.
pub(crate) async fn refused<R>(
    request: R,
    status: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Error
where
    R: Request + Encode,
    R::Answer: FromAnswer + Debug,
{
    let (client, _server) = answering(status, headers, body).await;
    client.send(request).await.expect_err(status)
}
