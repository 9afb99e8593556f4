//! Shows the home timeline in a terminal while it grows.

use std::io::Write;

use fedispec::client::Client;
use fedispec::events::StreamEvent;
use fedispec::{streaming, timelines};

use super::{Outcome, text};

pub async fn run(client: &Client, count: usize, out: &mut impl Write) -> Outcome {
    // Posts that are missed while the connection is lost are read from the list.
    let mut home = client.stream(streaming::User::new()).fill("update", timelines::Home::new());
    let mut shown = 0;
    while shown < count {
        let Some(event) = home.next().await else { break };
        if let StreamEvent::Update(status) = event? {
            shown += 1;
            writeln!(out, "@{}: {}", status.account.acct, text::plain(&status.content))?;
        }
    }
    Ok(())
}
