//! Follows a hashtag where the server can, and shows what was posted with it.

use std::io::Write;

use fedispec::client::Client;
use fedispec::{features, tags, timelines};

use super::{Outcome, text};

pub async fn run(client: &Client, tag: &str, out: &mut impl Write) -> Outcome {
    if client.remote().is_some_and(|server| server.has(features::FOLLOWED_HASHTAGS).is_yes()) {
        client.send(tags::Follow::new(tag)).await?;
        writeln!(out, "#{tag} is followed")?;
    }
    for status in client.send(timelines::Tag::new(tag).limit(20)).await? {
        writeln!(out, "@{}: {}", status.account.acct, text::plain(&status.content))?;
    }
    Ok(())
}
