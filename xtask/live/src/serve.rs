//! A stand-in server that runs until it is told to stop.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use fedispec_standin::{OWNER_EMAIL, PASSWORD, StandIn};
use serde::Serialize;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The release to present, or a program's name for its newest [default: the newest Mastodon].
    #[arg(long = "as", value_name = "PROGRAM@VERSION")]
    release: Option<String>,
    /// The port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The address or name to listen on. Whoever reaches it can sign in.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// The origin that links and documents name, such as `https://social.example` where a proxy is in front [default: the host and port].
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Speak TLS with cert.pem and key.pem of this folder; where both are missing they are made, with the ca.pem that clients have to trust.
    #[arg(long, value_name = "DIR")]
    tls: Option<PathBuf>,
    /// Make ids, tokens and times the same at every run; the clock stands still at 2026-01-01 until it is moved.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Load the state from this file, if it is there, and save it after each change.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

/// The line that whoever has started the server reads.
#[derive(Serialize)]
struct Started<'s> {
    url: &'s str,
    token: &'s str,
    r#as: &'s str,
    control: &'s str,
    email: &'s str,
    password: &'s str,
}

/// Serves until the process is interrupted or told to end.
pub(crate) fn run(args: Serve) -> io::Result<()> {
    let mut server = StandIn::new().port(args.port).host(args.host);
    if let Some(release) = &args.release {
        server = server.emulate(release).map_err(io::Error::other)?;
    }
    if let Some(url) = args.public_url {
        server = server.public_url(url);
    }
    if let Some(folder) = args.tls {
        server = server.tls(folder);
    }
    if let Some(seed) = args.seed {
        server = server.seed(seed);
    }
    if let Some(file) = args.data {
        server = server.data(file);
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build()?.block_on(async {
        // Before anybody is told that it runs: who stops it at once must not kill it.
        let end = end()?;
        let running = server.start().await.map_err(io::Error::other)?;
        if let Some(told) = running.stands_for() {
            eprintln!("{told}");
        }
        let mut out = io::stdout();
        let started = Started {
            url: running.url(),
            token: running.token(),
            r#as: &running.presents(),
            control: running.control_token(),
            email: OWNER_EMAIL,
            password: PASSWORD,
        };
        writeln!(out, "{}", serde_json::to_string(&started)?)?;
        out.flush()?;
        end.await;
        running.stop().await.map_err(io::Error::other)
    })
}

/// Completes when the process is interrupted or told to end.
fn end() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
