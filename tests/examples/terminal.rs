//! A client for the terminal: it signs in with the browser, posts with a picture, tells what the server lacks, and follows the home timeline.
//!
//! `cargo run -p fedispec-tests --example terminal -- login https://social.example`, then `lacks`, `post "Hello." [FILE DESCRIPTION]` or
//! `live`. The session is kept in the file of the variable `SESSION`, or else in `session.json`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fedispec::client::login::{Login, Loopback, Random, Registration, Session};
use fedispec::client::{
    Client, Notice, Policy, RateLimits, RemoteServer, Retries, gate, scopes_for,
};
use fedispec::events::StreamEvent;
use fedispec::runtime::{File, Kind, Operation, Request as _};
use fedispec::{items, media, notifications, statuses, streaming, timelines};

#[allow(clippy::duplicate_mod, unreachable_pub, reason = "a test has both programs")]
#[path = "recipes/text.rs"]
mod text;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// How long the user may take to sign in, and the server to process a picture.
const PATIENCE: Duration = Duration::from_secs(300);

/// The operations that the program calls, for which it needs scopes.
const CALLED: [&Operation; 5] = [
    media::Upload::OPERATION,
    statuses::Create::OPERATION,
    streaming::User::OPERATION,
    timelines::Home::OPERATION,
    // A stream brings notifications only to who may list them.
    notifications::List::OPERATION,
];

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let place = std::env::var_os("SESSION").unwrap_or_else(|| "session.json".into());
    run(&args, &PathBuf::from(place), &mut std::io::stdout()).await
}

/// Runs the example with its arguments and the file of its session, and writes its output.
pub async fn run(args: &[String], place: &Path, out: &mut (impl Write + Send)) -> Outcome {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["login", origin] => login(origin, place, out).await,
        ["lacks"] => lacks(&signed_in(place).await?.0, out),
        ["post", text] => post(&signed_in(place).await?.1, text, None, out).await,
        ["post", text, path, description] => {
            let client = signed_in(place).await?.1;
            post(&client, text, Some((path, description)), out).await
        }
        ["live"] => live(&signed_in(place).await?.1, usize::MAX, out).await,
        ["live", count] => live(&signed_in(place).await?.1, count.parse()?, out).await,
        _ => {
            Err("wanted: login ORIGIN | lacks | post TEXT [FILE DESCRIPTION] | live [COUNT]".into())
        }
    }
}

/// A client that waits for rate limits and repeats what may be repeated.
fn client(origin: &str) -> Outcome<Client> {
    let client = Client::new(origin)?.user_agent("fedispec-example/1.0");
    Ok(client.rate_limits(RateLimits::Wait).retries(Retries::of(3)))
}

/// Signs in with the browser, and keeps the session.
async fn login(origin: &str, place: &Path, out: &mut impl Write) -> Outcome {
    let client = client(origin)?;
    let server = client.discover().await?;
    let scopes = scopes_for(CALLED, &server);
    let client = client.knowing(gate(server), Policy::Adapt);

    let loopback = Loopback::bind(0).await?;
    let registration = Registration::new("fedispec example", [loopback.redirect_uri()]);
    let app = client.register(registration.scopes(scopes)).await?;
    let login = Login::new(&client, &app, loopback.redirect_uri(), Random::from_os()?)?;
    writeln!(out, "Open this page, and come back:\n{}", login.url())?;
    let code = loopback.catch(&login, PATIENCE).await?;
    let session = login.finish_with_code(&client, code).await?;
    keep(&session, place)?;
    writeln!(out, "Signed in with: {}", session.scopes)?;
    Ok(())
}

/// Writes the session where nobody else can read it: it holds the token.
fn keep(session: &Session, place: &Path) -> Outcome {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    Ok(serde_json::to_writer(options.open(place)?, session)?)
}

/// The server as it says what it is, and a client with the session that was kept.
async fn signed_in(place: &Path) -> Outcome<(RemoteServer, Client)> {
    let kept =
        fs::read(place).map_err(|_| format!("sign in first: there is no {}", place.display()))?;
    let session: Session = serde_json::from_slice(&kept)?;
    let client = client(&session.app.server)?.signed_in(&session)?;
    let server = client.discover().await?;
    Ok((server.clone(), client.knowing(gate(server), Policy::Adapt)))
}

/// Tells which operations the server does not have, by group.
fn lacks(server: &RemoteServer, out: &mut impl Write) -> Outcome {
    let table = items();
    let operations = table.rows().iter().filter(|item| item.kind() == Kind::Operation);
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in operations.filter(|item| server.supports_item(table, item).is_no()) {
        let (group, name) = item.id().split_once('.').unwrap_or(("", item.id()));
        groups.entry(group).or_default().push(name);
    }
    let count: usize = groups.values().map(Vec::len).sum();
    writeln!(out, "{server} lacks {count} operations:")?;
    for (group, names) in groups {
        writeln!(out, "  {group}: {}", names.join(", "))?;
    }
    Ok(())
}

/// Posts a text, with a picture if there is one.
async fn post(
    client: &Client,
    text: &str,
    picture: Option<(&str, &str)>,
    out: &mut impl Write,
) -> Outcome {
    let request = match picture {
        None => statuses::Create::text(text),
        Some((path, description)) => {
            let file = File::from_path(path)?.with_content_type(media_type(path)?);
            let upload = client.upload(media::Upload::new(file).description(description));
            let medium = upload.progress(bar).ready(PATIENCE).await?;
            eprintln!();
            statuses::Create::media([medium.id.clone()]).status(text)
        }
    };
    // A second press of the button posts nothing twice where the server knows the key.
    let request = request.idempotency_key(format!("{:x}", hash(text)));
    let answer = client.send(request).await?;
    if let Some(plan) = &answer.adapted {
        writeln!(out, "{plan}")?;
    }
    writeln!(out, "Posted: {}", answer.uri)?;
    Ok(())
}

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Draws how much of an upload is done, over itself.
fn bar(sent: u64, whole: u64) {
    let done = usize::try_from(sent * 30 / whole.max(1)).unwrap_or_default();
    eprint!("\r[{:<30}] {} of {} KiB", "#".repeat(done), sent / 1024, whole / 1024);
}

/// Prints what happens in the home timeline, and what was posted while the connection was lost.
async fn live(client: &Client, count: usize, out: &mut impl Write) -> Outcome {
    let mut live = client.stream(streaming::User::new()).fill("update", timelines::Home::new());
    let mut shown = 0;
    while shown < count {
        let Some(notice) = live.next_notice().await else {
            break;
        };
        match notice? {
            Notice::Connected { again: false, .. } => writeln!(out, "Live.")?,
            Notice::Lost { why, wait, .. } => {
                writeln!(out, "{why}; again in {} s", wait.as_secs())?;
            }
            Notice::Event { event, .. } => {
                shown += 1;
                show(event, out)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn show(event: StreamEvent, out: &mut impl Write) -> Outcome {
    match event {
        StreamEvent::Update(status) => {
            writeln!(out, "@{}: {}", status.account.acct, text::plain(&status.content))?;
        }
        StreamEvent::Notification(notification) => {
            writeln!(out, "* {} from @{}", notification.r#type, notification.account.acct)?;
        }
        StreamEvent::Delete(id) => writeln!(out, "- {id}")?,
        _ => {}
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
