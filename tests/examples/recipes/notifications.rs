//! Shows the notifications that are new since the last time; a file keeps the place.

use std::fs;
use std::io::Write;

use fedispec::client::{Client, Direction, PageCursor};
use fedispec::notifications::List;

use super::Outcome;

pub async fn run(client: &Client, place: &str, out: &mut impl Write) -> Outcome {
    // The first time from the newest to the oldest, afterwards from where it ended to what is newer.
    let mut pages = match fs::read(place) {
        Ok(kept) => {
            let cursor: PageCursor = serde_json::from_slice(&kept)?;
            client.resume::<List>(&cursor)?.backward()
        }
        Err(_) => client.pages(List::new().limit(40)),
    };
    let mut newest = None;
    while let Some(page) = pages.next().await {
        let page = page?;
        for notification in &*page {
            writeln!(
                out,
                "{} {}: {}",
                notification.id, notification.r#type, notification.account.acct
            )?;
        }
        for refused in &page.rejected {
            writeln!(out, "not understood: {}: {}", refused.path, refused.message)?;
        }
        newest = pages.cursor_to(Direction::Backward).or(newest);
    }
    if let Some(cursor) = newest {
        fs::write(place, serde_json::to_vec(&cursor)?)?;
    }
    Ok(())
}
