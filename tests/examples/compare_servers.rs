//! What one server has and another has not:
//! `cargo run -p fedispec-tests --example compare_servers -- https://a.example https://b.example`

use std::error::Error;

use fedispec::client::{Client, Server, Support, Verdict};
use fedispec::runtime::Kind;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [one, other] = args.as_slice() else {
        return Err("wanted: two origins".into());
    };
    let (one, other) = (discover(one).await?, discover(other).await?);
    println!("{one} | {other}");
    let limit = |server: &Server| {
        server
            .limits()
            .characters
            .map_or("unknown".to_owned(), |limit| limit.to_string())
    };
    println!("characters of a post: {} | {}", limit(&one), limit(&other));

    let items = fedispec::items();
    let operations = items
        .rows()
        .iter()
        .filter(|item| item.kind() == Kind::Operation);
    for item in operations {
        let (here, there) = (
            one.supports_item(&items, item),
            other.supports_item(&items, item),
        );
        if here.verdict != there.verdict {
            println!("{}: {} | {}", item.id(), word(here), word(there));
        }
    }
    Ok(())
}

async fn discover(origin: &str) -> Result<Server, Box<dyn Error>> {
    Ok(Client::new(origin)?
        .user_agent("fedispec-example/1.0")
        .discover()
        .await?)
}

fn word(support: Support) -> String {
    match support.verdict {
        Verdict::Yes => "yes".to_owned(),
        Verdict::Unknown => "perhaps".to_owned(),
        Verdict::No => format!("no ({})", support.evidence),
    }
}
