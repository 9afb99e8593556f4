//! A stream is sent as an ordinary call, which would wait for an end that never comes.

use fedispec::client::Client;
use fedispec::streaming;

fn gathers(client: Client) {
    let _ = client.send(streaming::User::new());
    let _ = client.send(streaming::Connect::new());
}

fn main() {
    let _ = gathers;
}
