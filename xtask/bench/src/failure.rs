//! Failures of a measurement, and output.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use fedispec_reader::diagnostic::{Diagnostic, Report};
use fedispec_reader::load;

/// Why a measurement failed.
pub(crate) enum Failure {
    /// The catalogue is invalid.
    Invalid(Box<load::Failure>),
    /// A file cannot be read or written, or a process cannot be started.
    Other(String),
}

impl Failure {
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` gives a value")]
    pub(crate) fn other(error: impl ToString) -> Self {
        Self::Other(error.to_string())
    }

    /// Problems that the resolver found in a catalogue.
    pub(crate) fn invalid(catalogue: &load::Catalogue, problems: Vec<Diagnostic>) -> Self {
        Self::Invalid(Box::new(load::Failure {
            sources: catalogue.sources.clone(),
            report: Report::new(problems),
        }))
    }

    /// A file or folder that cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Other(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// Prints it, and gives the exit code that goes with it.
    pub(crate) fn report(self) -> ExitCode {
        let mut err = AutoStream::auto(io::stderr());
        // There is no other place to tell of an error in writing this one.
        let _ = match self {
            Self::Invalid(failure) => {
                let is_coloured = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
                let text = failure.report.render(&failure.sources, is_coloured);
                err.write_all(text.as_bytes())
            }
            Self::Other(message) => writeln!(err, "\x1b[1;31merror\x1b[0m: {message}"),
        };
        ExitCode::from(2)
    }
}

/// Prints a result; a closed pipe (`| head`) is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
