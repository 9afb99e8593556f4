//! Posts a thread: each text answers the one before.

use std::io::Write;

use fedispec::client::Client;
use fedispec::statuses;

use super::Outcome;

pub async fn run(client: &Client, texts: &[String], out: &mut impl Write) -> Outcome {
    let mut last = None;
    for text in texts {
        let mut post = statuses::Create::text(text);
        post.in_reply_to_id = last;
        let status = client.send(post).await?.into_value();
        writeln!(out, "{}", status.uri)?;
        last = Some(status.id);
    }
    Ok(())
}
