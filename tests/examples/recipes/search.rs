//! Searches for accounts, hashtags and statuses at once.

use std::io::Write;

use fedispec::client::Client;
use fedispec::search;

use super::{Outcome, text};

pub async fn run(client: &Client, words: &str, out: &mut impl Write) -> Outcome {
    let found = client.send(search::All::new(words).limit(5)).await?;
    for account in &found.accounts {
        writeln!(out, "@{}", account.acct)?;
    }
    for tag in &found.hashtags {
        writeln!(out, "#{}", tag.name)?;
    }
    for status in &found.statuses {
        writeln!(out, "{}: {}", status.uri, text::plain(&status.content))?;
    }
    Ok(())
}
