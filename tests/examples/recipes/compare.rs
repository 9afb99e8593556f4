//! Lists the items that one server has and another lacks.

use std::io::Write;

use fedispec::client::{Client, RemoteServer, Support, Verdict};
use fedispec::runtime::Kind;

use super::Outcome;

pub async fn run(client: &Client, other: &str, out: &mut impl Write) -> Outcome {
    let (one, other) = (client.discover().await?, Client::new(other)?.discover().await?);
    writeln!(out, "{one} | {other}")?;
    let limit = |server: &RemoteServer| {
        server.limits().characters.map_or("unknown".to_owned(), |limit| limit.to_string())
    };
    writeln!(out, "characters of a post: {} | {}", limit(&one), limit(&other))?;

    let items = fedispec::items();
    let operations = items.rows().iter().filter(|item| item.kind() == Kind::Operation);
    for item in operations {
        let (here, there) = (one.supports_item(items, item), other.supports_item(items, item));
        if here.verdict != there.verdict {
            writeln!(out, "{}: {} | {}", item.id(), word(here), word(there))?;
        }
    }
    Ok(())
}

fn word(support: Support) -> String {
    match support.verdict {
        Verdict::Yes => "yes".to_owned(),
        Verdict::Stub => "always empty".to_owned(),
        Verdict::Unknown => "perhaps".to_owned(),
        Verdict::No => format!("no ({})", support.evidence),
    }
}
