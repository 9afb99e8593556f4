//! The front page of the crate: a first program, its features, and where things are.

use super::context::Context;

const SENDING: &str = "\
# Quick start

A request is a value, and a client sends it:

```no_run
# #[cfg(feature = \"client\")]
# async fn quick_start() -> Result<(), Box<dyn std::error::Error>> {
use fedispec::{client, timelines};

let client = client::connect(\"https://social.example\").await?.token(\"..\");
for status in client.send(timelines::Home::new().limit(20)).await? {
    println!(\"{} {:?}\", status.account.acct, status.content);
}
# Ok(())
# }
# fn main() {}
```

";

const SIGNING_IN: &str = "\
A token comes from signing in, with the feature `oauth`; `loopback` catches the redirect on this machine:

```no_run
# #[cfg(all(feature = \"client\", feature = \"oauth\"))]
# async fn sign_in(code: fn() -> String) -> Result<(), Box<dyn std::error::Error>> {
use fedispec::client::login::{Login, OUT_OF_BAND, Random, Registration};
use fedispec::{client, statuses};

let client = client::connect(\"https://social.example\").await?;
let registration = Registration::new(\"elephant\", [OUT_OF_BAND]).scopes([\"write:statuses\"]);
let app = client.register(registration).await?; // once; it serialises, and so does the session
let login = Login::new(&client, &app, OUT_OF_BAND, Random::from_os()?)?;
println!(\"Open {}, and type in the code that it shows.\", login.url());
let session = login.finish_with_code(&client, code()).await?;

let client = client.signed_in(&session)?;
client.send(statuses::Create::text(\"Hello.\")).await?;
# Ok(())
# }
# fn main() {}
```

";

const FEATURES: &str = "\
# Features

None is on by default.

| feature | brings |
|---|---|
";

const CLIENT: &str = "\
| `client` | `client-core`, and reqwest with rustls as its transport |
| `client-core` | calls over a transport of your own, without IO, for WebAssembly too |
| `oauth` | signing in: registration, PKCE, tokens, sessions |
| `loopback` | `oauth`, and a listener that catches the redirect of a sign-in |
| `push` | `oauth`, and the keys of Web Push, and what a server sends for them |
| `streaming` | live streams of events, over a WebSocket or as server-sent events |
| `tracing` | a span for each request of a client, without secrets |
";

const SERVER: &str = "\
| `server` | traits to implement, and an axum router of them |
| `listen` | `server`, and a listener that bounds what a slow client holds |
| `websocket` | `server`, and streams of events over WebSockets |
| `sniff` | `server`, and the media type that an upload has by its content |
";

const BOTH: &str = "\
| `serde` | serde's traits for entities |
| `chrono`, `jiff`, `time` | conversions of timestamps |

# Where things are

- A module for each group of operations, such as `statuses`, has a struct for each operation: its parameters are its fields.
- [`entities`] are what servers answer, [`enums`] the values of both.
- [`items`] is the table of all items with their releases; each item's documentation says them too.
";

const NAMED: &str = "\
- [`features`] names what people ask for, and `RemoteServer::has` tells whether a server has it.
";

/// The text. Halves are no links: the documentation may be built without them.
pub(super) fn page(context: &Context<'_>) -> String {
    let (client, server) = (context.options.client, context.options.server);
    let has = |id: &str| context.api.operations.iter().any(|operation| operation.item.id == id);
    let parts = [
        (client && has("timelines.home"), SENDING),
        (client && has("statuses.create"), SIGNING_IN),
        (true, FEATURES),
        (client, CLIENT),
        (server, SERVER),
        (true, BOTH),
        (!context.told.features.is_empty(), NAMED),
        (
            client,
            "- `client` sends requests, walks lists, follows streams, signs in, and knows what a server lacks.\n",
        ),
        (
            server,
            "- `server` has a trait for each group, and `current` a struct of the fields of each entity that the newest release always sends.\n",
        ),
    ];
    let parts = parts.iter().filter(|(is_there, _)| *is_there);
    parts.map(|(_, text)| *text).collect()
}
