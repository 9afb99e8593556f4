//! Small programs, each for one purpose: `cargo run -p fedispec-tests --example recipes -- NAME ORIGIN TOKEN ..`. They are one program,
//! since linking each on its own takes longer than compiling them all.
#![allow(missing_docs, reason = "each file says at its head what its one function does")]

use std::error::Error;
use std::io::Write;

use fedispec::client::{Client, connect};

pub mod bot;
pub mod compare;
pub mod edit;
pub mod follow_tag;
pub mod follows;
pub mod moderation;
pub mod notifications;
pub mod offline;
pub mod picture;
pub mod placeholders;
pub mod poll;
pub mod post;
pub mod redraft;
pub mod search;
pub mod stream;
pub mod text;
pub mod thread;

pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [name, origin, token, rest @ ..] = args.as_slice() else {
        return Err("wanted: NAME ORIGIN TOKEN, and what the example says".into());
    };
    let client = connect(origin.as_str()).await?.token(&**token).user_agent("fedispec-example/1.0");
    Box::pin(run(name, &client, rest, &mut std::io::stdout())).await
}

/// Runs an example by its name with its arguments, and writes its output.
pub async fn run(
    name: &str,
    client: &Client,
    args: &[String],
    out: &mut (impl Write + Send),
) -> Outcome {
    match (name, args) {
        ("bot", []) => Box::pin(bot::run(client, out)).await,
        ("compare", [other]) => compare::run(client, other, out).await,
        ("edit", [id, text]) => edit::run(client, id, text, out).await,
        ("follow_tag", [tag]) => follow_tag::run(client, tag, out).await,
        ("export", []) => follows::export(client, out).await,
        ("import", [file]) => follows::import(client, &std::fs::read_to_string(file)?, out).await,
        ("moderation", []) => moderation::run(client, out).await,
        ("notifications", [place]) => notifications::run(client, place, out).await,
        ("picture", [file, description, text]) => {
            picture::run(client, file, description, text, out).await
        }
        ("placeholders", []) => placeholders::run(client, out).await,
        ("poll", [question, options @ ..]) => poll::run(client, question, options, out).await,
        ("post", [text]) => post::run(client, text, out).await,
        ("redraft", [id, text]) => redraft::run(client, id, text, out).await,
        ("search", [words]) => search::run(client, words, out).await,
        ("stream", [count]) => stream::run(client, count.parse()?, out).await,
        ("thread", texts) => thread::run(client, texts, out).await,
        _ => Err(format!("there is no {name} with {} arguments", args.len()).into()),
    }
}
