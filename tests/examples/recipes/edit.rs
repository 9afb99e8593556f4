//! Edits the text of a status, and keeps its pictures, its warning, its language and its poll.

use std::io::Write;

use fedispec::client::Client;
use fedispec::statuses::{Get, Source, Update};

use super::Outcome;

pub async fn run(client: &Client, id: &str, text: &str, out: &mut impl Write) -> Outcome {
    let status = client.send(Get::new(id)).await?;
    let source = client.send(Source::new(id)).await?;
    let edited = client.send(Update::keeping(&status, &source).status(text)).await?;
    writeln!(out, "{} with {} pictures", edited.uri, edited.media_attachments.len())?;
    Ok(())
}
