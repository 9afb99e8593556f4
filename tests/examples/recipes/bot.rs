//! A bot that answers everybody who mentions it, and then dismisses the notification.

use std::io::Write;

use fedispec::client::Client;
use fedispec::enums::NotificationType;
use fedispec::statuses::Create;
use fedispec::{accounts, notifications};

use super::{Outcome, text};

pub async fn run(client: &Client, out: &mut impl Write) -> Outcome {
    let me = client.send(accounts::VerifyCredentials::new()).await?;
    let mentions = notifications::List::new().types([NotificationType::Mention]);
    for notification in client.send(mentions).await?.into_value() {
        let Some(status) = &notification.status else { continue };
        writeln!(out, "@{}: {}", status.account.acct, text::plain(&status.content))?;
        // A repetition after a crash posts nothing twice.
        let reply = Create::reply(status, &me, "I heard you.").idempotency_key(status.id.as_str());
        client.send(reply).await?;
        client.send(notifications::Dismiss::new(notification.id)).await?;
    }
    Ok(())
}
