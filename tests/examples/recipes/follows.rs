//! Writes whom an account follows, an address a line, and follows them from another.

use std::io::Write;

use fedispec::accounts::{Follow, Following, VerifyCredentials};
use fedispec::client::Client;
use fedispec::search;

use super::Outcome;

pub async fn export(client: &Client, out: &mut impl Write) -> Outcome {
    let me = client.send(VerifyCredentials::new()).await?.into_value().id;
    let host = client.origin().host().to_owned();
    let mut followed = client.pages(Following::new(me).limit(80)).elements();
    while let Some(account) = followed.next().await {
        writeln!(out, "{}", account?.address(&host))?;
    }
    Ok(())
}

pub async fn import(client: &Client, addresses: &str, out: &mut impl Write) -> Outcome {
    for address in addresses.lines() {
        // The server looks the address up on its own server, which `accounts::Lookup` does not.
        let found = client.send(search::All::new(address).resolve(true).limit(1)).await?;
        match found.accounts.first() {
            Some(account) => {
                client.send(Follow::new(account.id.clone())).await?;
            }
            None => writeln!(out, "{address} was not found")?,
        }
    }
    Ok(())
}
