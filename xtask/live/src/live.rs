//! The running server that `probe` and `record` ask, as people name it.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use fedispec::client::{Origin, Recorder, Reqwest, Token};
use fedispec_model::api::Api;

use crate::asker::{Asker, Budget, origin};
use crate::probe;
use crate::record;

/// The variable that a token is read from.
const VARIABLE: &str = "FEDISPEC_TOKEN";

/// The running server, and how much is asked of it.
#[derive(Debug, Args)]
pub(crate) struct Server {
    /// The server: `https://social.example`, or `http://localhost:8080` on this machine.
    url: String,
    /// A token to ask with. Other users of the machine see it in the list of processes: rather set `FEDISPEC_TOKEN`, or use
    /// `--token-file`.
    #[arg(long, conflicts_with = "token_file")]
    token: Option<Hidden>,
    /// A file with the token; `-` reads it from standard input.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The most requests to send.
    #[arg(long, value_name = "NUMBER", default_value_t = 600)]
    calls: u32,
    /// The most to read, in MiB.
    #[arg(long, value_name = "NUMBER", default_value_t = 64)]
    megabytes: u32,
    /// The most time to take, waiting included.
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    minutes: u32,
    /// The pause between two requests, in milliseconds.
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pause: u32,
}

/// A token, which `Debug` does not show.
#[derive(Debug, Clone)]
struct Hidden(Token);

impl From<String> for Hidden {
    fn from(text: String) -> Self {
        Self(Token::new(text))
    }
}

impl Server {
    fn budget(&self) -> Budget {
        Budget {
            calls: self.calls,
            bytes: u64::from(self.megabytes) * 1024 * 1024,
            time: Duration::from_secs(u64::from(self.minutes) * 60),
            pause: Duration::from_millis(self.pause.into()),
        }
    }

    /// The token of the argument, the file or the environment.
    fn token(&self) -> Result<Option<Token>, String> {
        let token = match (&self.token, &self.token_file) {
            (Some(Hidden(token)), _) => Some(token.expose().to_owned()),
            (None, Some(file)) => Some(read(file).map_err(|error| {
                format!("cannot read the token from {}: {error}", file.display())
            })?),
            (None, None) => std::env::var(VARIABLE).ok(),
        };
        let token = token.map(|token| token.trim().to_owned());
        match token {
            Some(token)
                if token.is_empty() && (self.token.is_some() || self.token_file.is_some()) =>
            {
                Err("the token is empty".to_owned())
            }
            token => Ok(token.filter(|token| !token.is_empty()).map(Token::new)),
        }
    }
}

fn read(file: &Path) -> io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().take(64 * 1024).read_to_string(&mut text)?;
        return Ok(text);
    }
    fs::read_to_string(file)
}

/// Probes a server.
///
/// # Errors
///
/// When it cannot be reached, is no server of this API, or refuses the token.
pub(crate) fn probe(api: &Api, server: &Server) -> Result<probe::Report, String> {
    let (origin, token) = named(server)?;
    let mut asker = Asker::new(transport()?, origin.clone(), token.as_ref(), server.budget())?;
    wait(probe::probe(api, fedispec::items(), &origin, &mut asker))
}

/// Records a server.
///
/// # Errors
///
/// As [`probe`], and when the file cannot be written.
pub(crate) fn record(api: &Api, server: &Server, out: &Path) -> Result<record::Done, String> {
    let (origin, token) = named(server)?;
    let recorder = Recorder::new(transport()?);
    let mut asker = Asker::new(recorder.clone(), origin, token.as_ref(), server.budget())?;
    wait(record::record(api, &mut asker, &recorder, out))
}

fn named(server: &Server) -> Result<(Origin, Option<Token>), String> {
    Ok((origin(&server.url)?, server.token()?))
}

fn transport() -> Result<Reqwest, String> {
    Reqwest::new().map_err(|error| error.to_string())
}

/// Runs a future to its end on this thread.
pub(crate) fn wait<T>(future: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(future)
}
