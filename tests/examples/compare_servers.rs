//! What one server has and another has not:
//! `cargo run -p fedispec-tests --example compare_servers -- https://a.example https://b.example`

use std::error::Error;
use std::io::Write;

use fedispec::client::{Client, RemoteServer, Support, Verdict};
use fedispec::runtime::Kind;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout()).await
}

/// Runs the example with its arguments, and writes its output.
pub async fn run(args: &[String], out: &mut (impl Write + Send)) -> Outcome {
    let [one, other] = args else {
        return Err("wanted: two origins".into());
    };
    let (one, other) = (discover(one).await?, discover(other).await?);
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

async fn discover(origin: &str) -> Outcome<RemoteServer> {
    Ok(Client::new(origin)?.user_agent("fedispec-example/1.0").discover().await?)
}

fn word(support: Support) -> String {
    match support.verdict {
        Verdict::Yes => "yes".to_owned(),
        Verdict::Stub => "always empty".to_owned(),
        Verdict::Unknown => "perhaps".to_owned(),
        Verdict::No => format!("no ({})", support.evidence),
    }
}
