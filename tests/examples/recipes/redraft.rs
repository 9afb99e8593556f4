//! Deletes a status and posts it again with another text and the same pictures.

use std::io::Write;

use fedispec::client::Client;
use fedispec::statuses::{Create, Delete};

use super::Outcome;

pub async fn run(client: &Client, id: &str, text: &str, out: &mut impl Write) -> Outcome {
    // Mastodon answers nothing before 2.9.0.
    let deleted = client.send(Delete::new(id)).await?.into_value().first();
    let deleted = deleted.ok_or("deleted, and the server does not tell what it was")?;
    let mut again = Create::text(text)
        .media_ids(deleted.media_attachments.into_iter().map(|media| media.id))
        .visibility(deleted.visibility)
        .sensitive(deleted.sensitive)
        .spoiler_text(deleted.spoiler_text);
    (again.in_reply_to_id, again.language) = (deleted.in_reply_to_id, deleted.language);
    writeln!(out, "{}", client.send(again).await?.uri)?;
    Ok(())
}
