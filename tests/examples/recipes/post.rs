//! Posts a text.

use std::io::Write;

use fedispec::client::Client;
use fedispec::enums::Visibility;
use fedispec::statuses;

use super::Outcome;

pub async fn run(client: &Client, text: &str, out: &mut impl Write) -> Outcome {
    let post = statuses::Create::text(text).visibility(Visibility::Unlisted).language("en");
    let status = client.send(post).await?;
    writeln!(out, "{}", status.url.as_ref().unwrap_or(&status.uri))?;
    Ok(())
}
