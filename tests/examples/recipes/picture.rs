//! Posts a picture with its description.

use std::io::Write;
use std::path::Path;

use fedispec::client::{Attachment, Client, Draft, Policy};
use fedispec::runtime::File;
use fedispec::{media, statuses};

use super::Outcome;

pub async fn run(
    client: &Client,
    path: &str,
    description: &str,
    text: &str,
    out: &mut impl Write,
) -> Outcome {
    // A picture that the server would refuse is reported before anything is sent.
    let file = File::from_path(path)?.with_content_type(media_type(path)?);
    let attachments = [Attachment {
        media_type: media_type(path)?,
        bytes: file.len(),
        description,
        ..Attachment::default()
    }];
    let limits = client.remote().unwrap_or_default().limits();
    let excess = limits.check(&Draft { attachments: &attachments, ..Draft::text(text) });
    if !excess.is_empty() {
        let lines: Vec<_> = excess.iter().map(ToString::to_string).collect();
        return Err(lines.join("\n").into());
    }

    // An older server without the newer upload is sent the older one.
    let client = client.clone().policy(Policy::Adapt);
    let uploaded = client.send(media::Upload::new(file).description(description)).await?;
    let post = statuses::Create::media([uploaded.into_value().id]).status(text);
    let status = client.send(post).await?.into_value();
    writeln!(out, "{}", status.url.unwrap_or(status.uri))?;
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
