//! Asks a question for a day, and tells how it stands.

use std::io::Write;

use fedispec::client::Client;
use fedispec::statuses;

use super::Outcome;

pub async fn run(
    client: &Client,
    question: &str,
    options: &[String],
    out: &mut impl Write,
) -> Outcome {
    let asked = statuses::Create::poll(question, options, 24 * 60 * 60).poll_multiple(true);
    let status = client.send(asked).await?;
    let poll = status.poll.as_ref().ok_or("the server made no poll")?;
    for option in &poll.options {
        writeln!(out, "{}: {}", option.title, option.votes_count.unwrap_or_default())?;
    }
    Ok(())
}
