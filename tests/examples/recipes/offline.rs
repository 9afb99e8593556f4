//! A program's own test without a network: the client asks a router.

use fedispec::client::{Client, Tower};
use fedispec::runtime::Map;
use fedispec::runtime::server::{Call, List, Result};
use fedispec::server::Server;
use fedispec::{current, instance};

use super::Outcome;

/// The part of a program that is tested.
async fn first_rule(client: &Client) -> Outcome<String> {
    let rules = client.send(instance::Rules::new()).await?.into_value();
    Ok(rules.into_iter().next().ok_or("there are no rules")?.text)
}

pub async fn run() -> Outcome {
    let rules = async |(), _: instance::Rules, _: Call| -> Result<_> {
        let (id, text) = ("1".into(), "Be kind.".into());
        let rule = current::Rule { id, text, hint: String::new(), translations: Map::default() };
        Ok(List::new([rule.into()]))
    };
    let router = Server::new().on(rules).into_router();
    let client = Client::with_transport("social.example".parse()?, Tower::new(router));
    match first_rule(&client).await?.as_str() {
        "Be kind." => Ok(()),
        other => Err(other.to_owned().into()),
    }
}
