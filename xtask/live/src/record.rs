//! `record`: what a running server answers, as `verify` reads it.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use fedispec::client::{Recorded, Recorder, Transport};
use fedispec_model::api::Api;
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::asker::Asker;
use crate::bodies::Catalogue;
use crate::walk::Walk;

/// How many different things each operation is asked for.
const VARIETY: usize = 3;

/// One line of a recording.
#[derive(Debug, Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    recorded: &'a Recorded,
    software: Option<&'a str>,
    version: Option<&'a str>,
}

/// The result of recording.
#[derive(Debug)]
pub(crate) struct Done {
    /// The program and release.
    pub(crate) server: String,
    /// The number of answers.
    pub(crate) answers: usize,
    /// Why the walk ended early.
    pub(crate) stopped: Option<String>,
    /// The operations that were not asked, and why.
    pub(crate) not_asked: Vec<(String, String)>,
}

/// Walks a server and writes down what it answers. The file is replaced in one step, and only where the walk did not fail.
///
/// # Errors
///
/// When the server cannot be reached, is no server of this API, or refuses the token, and when the file cannot be written.
pub(crate) async fn record<T: Transport>(
    api: &Api,
    asker: &mut Asker<Recorder<T>>,
    recorder: &Recorder<T>,
    file: &Path,
) -> Result<Done, String> {
    // Before the walk: it may take minutes.
    let mut beside = beside(file).map_err(|error| unwritable(file, &error))?;
    let server = asker.introduce().await?;
    let catalogue = Catalogue::new(api);
    let mut walk = Walk::new(&catalogue);
    let stopped = walk.run(asker, VARIETY, |_, _, _| ()).await?;
    let not_asked = walk.asked().into_iter();
    let not_asked =
        not_asked.filter_map(|asked| Some((asked.operation.item.id.clone(), asked.why_not?)));
    let heard = recorder.recorded();
    let answers = heard.iter().filter(|one| one.status != 429);
    let identity = &server.identity;
    let mut lines = 0;
    let write = || {
        let mut to = BufWriter::new(&mut beside);
        for recorded in answers {
            let (software, version) = (identity.program.as_deref(), identity.version.as_deref());
            serde_json::to_writer(&mut to, &Line { recorded, software, version })?;
            to.write_all(b"\n")?;
            lines += 1;
        }
        to.flush()?;
        drop(to);
        beside.as_file().sync_all()
    };
    write().map_err(|error| unwritable(file, &error))?;
    beside.persist(file).map_err(|error| unwritable(file, &error.error))?;
    Ok(Done { server: server.to_string(), answers: lines, stopped, not_asked: not_asked.collect() })
}

fn beside(file: &Path) -> io::Result<NamedTempFile> {
    if file.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; name a file in it"));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
}

fn unwritable(file: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", file.display())
}

/// Prints what was recorded.
///
/// # Errors
///
/// When writing fails.
pub(crate) fn print(done: &Done, file: &Path, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "{}: {} answers in {}", done.server, done.answers, file.display())?;
    if let Some(why) = &done.stopped {
        writeln!(to, "ended early: {why}")?;
    }
    for (id, why) in &done.not_asked {
        writeln!(to, "not asked   {id}: {why}")?;
    }
    Ok(())
}
