//! Output. Results go to stdout or a file, and errors to stderr; a closed pipe (`| head`) is not an error.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use fedispec_codegen::write;
use fedispec_model::registered::Registered;

use crate::failure::Failure;

/// Prints a result.
pub fn stdout(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a file, whole or not at all.
pub fn file(path: &Path, text: &str) -> Result<(), Failure> {
    write::file(path, text).map(drop).map_err(Failure::other)
}

/// Prints text as it is. Write errors are ignored, for lack of another place to report them.
pub fn stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says for which release another one stands, where it does.
pub fn stands_for(found: &Registered<'_>) {
    if let Some(other) = found.stands_for() {
        stderr(&format!("{} {other}\n", found.program.name));
    }
}

/// Prints an error.
pub fn error(message: &str) {
    let (red, reset) = if colour_on_stderr() { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
    stderr(&format!("{red}error{reset}: {message}\n"));
}

/// Whether stderr is a terminal with colours and `NO_COLOR` is unset.
pub fn colour_on_stderr() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Prints a failure to stderr and returns the exit code that goes with it.
pub fn failure(failure: Failure) -> ExitCode {
    match failure {
        Failure::Stale(message) => {
            error(&message);
            ExitCode::from(1)
        }
        Failure::Reported(code) => ExitCode::from(code),
        Failure::Other(message) => {
            error(&message);
            ExitCode::from(2)
        }
        Failure::Unreachable(message) => {
            error(&message);
            ExitCode::from(3)
        }
        Failure::Invalid(failure) => {
            stderr(&failure.report.render(&failure.sources, colour_on_stderr()));
            error("the catalogue is invalid; nothing was written");
            ExitCode::from(2)
        }
    }
}
