//! Shows the pictures of the home timeline as their placeholders, a few coloured fields of the terminal each, before any is loaded.

use std::fmt::Write as _;
use std::io::Write;

use fedispec::client::Client;
use fedispec::timelines;

use super::Outcome;

pub async fn run(client: &Client, out: &mut impl Write) -> Outcome {
    let page = client.send(timelines::Home::new()).await?.into_value();
    for picture in page.iter().flat_map(|status| &status.media_attachments) {
        if let Some(hash) = &picture.blurhash {
            writeln!(out, "{}", picture.description.as_deref().unwrap_or("(no description)"))?;
            out.write_all(fields(hash, 16, 5)?.as_bytes())?;
        }
    }
    Ok(())
}

/// A hash as lines of fields with backgrounds of 24 bits. A server may send anything as one.
pub fn fields(hash: &str, columns: u32, lines: u32) -> Outcome<String> {
    let pixels = blurhash::decode(hash, columns, lines, 1.0)?;
    let mut text = String::new();
    for line in pixels.chunks_exact(columns as usize * 4) {
        for pixel in line.chunks_exact(4) {
            if let [red, green, blue, _] = pixel {
                write!(text, "\x1b[48;2;{red};{green};{blue}m ")?;
            }
        }
        text.push_str("\x1b[0m\n");
    }
    Ok(text)
}
