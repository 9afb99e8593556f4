//! Posts a picture:
//! `cargo run -p fedispec-tests --example post_with_media -- https://social.example TOKEN garden.png "What is to be seen" "What I say"`

use std::error::Error;
use std::io::Write;
use std::path::Path;

use fedispec::client::{Attachment, Client, Draft, Policy, gate};
use fedispec::runtime::{Either, File};
use fedispec::{media, statuses};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout()).await
}

/// Runs the example with its arguments, and writes its output.
pub async fn run(args: &[String], out: &mut (impl Write + Send)) -> Outcome {
    let [origin, token, path, description, text] = args else {
        return Err("wanted: ORIGIN TOKEN FILE DESCRIPTION TEXT".into());
    };
    let client = Client::new(origin)?.token(&**token).user_agent("fedispec-example/1.0");
    let server = client.discover().await?;
    writeln!(out, "{origin} is {server}")?;

    // What the server would refuse is told before anything is sent.
    let file = File::from_path(path)?.with_content_type(media_type(path)?);
    let attachments = [Attachment {
        media_type: media_type(path)?,
        bytes: file.len(),
        description,
        ..Attachment::default()
    }];
    let excess =
        server.limits().check(&Draft { text, attachments: &attachments, ..Draft::default() });
    if !excess.is_empty() {
        let lines: Vec<_> = excess.iter().map(ToString::to_string).collect();
        return Err(lines.join("\n").into());
    }

    // An older server without the newer upload is sent the older one.
    let client = client.knowing(gate(server), Policy::Adapt);
    let uploaded = client.send(media::Upload::new(file).description(description)).await?;
    let post = statuses::Create::media([uploaded.into_value().id]).status(text);
    match client.send(post).await?.into_value() {
        Either::First(scheduled) => writeln!(out, "it waits under {}", scheduled.id)?,
        Either::Second(status) => writeln!(out, "{}", status.url.unwrap_or(status.uri))?,
    }
    Ok(())
}

fn media_type(path: &str) -> Outcome<&'static str> {
    let extension = Path::new(path).extension().unwrap_or_default().to_ascii_lowercase();
    Ok(match extension.to_str().unwrap_or_default() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        other => return Err(format!("no picture ends in .{other}").into()),
    })
}
