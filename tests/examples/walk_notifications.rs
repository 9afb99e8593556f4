//! Prints what is new since the last time:
//! `cargo run -p fedispec-tests --example walk_notifications -- https://social.example TOKEN place.json`

use std::error::Error;
use std::fs;
use std::io::Write;

use fedispec::client::{Client, Direction, PageCursor};
use fedispec::notifications::List;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout()).await
}

/// Runs the example with its arguments, and writes its output.
pub async fn run(args: &[String], out: &mut (impl Write + Send)) -> Outcome {
    let [origin, token, place] = args else {
        return Err("wanted: ORIGIN TOKEN FILE, where the file keeps the place".into());
    };
    let client = Client::new(origin)?.token(&**token).user_agent("fedispec-example/1.0");
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
