//! How a command ends when it does not succeed.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use fedispec_reader::diagnostic::{Diagnostic, Report};
use fedispec_reader::load;

use crate::output;

/// Why a command did not succeed, and with which code it exits.
pub(crate) enum Failure {
    /// The generated files are not what the catalogue makes; exit 1.
    Stale(String),
    /// The catalogue has mistakes; exit 2.
    Invalid(Box<load::Failure>),
    /// A program that was started for this has said why, and its code is passed on.
    Told(u8),
    /// Something asked for is not there, or a file cannot be read or written; exit 2.
    Other(String),
    /// What to compare with cannot be reached; exit 3.
    Unreachable(String),
}

impl Failure {
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` gives a value")]
    pub(crate) fn other(error: impl ToString) -> Self {
        Self::Other(error.to_string())
    }

    /// What the resolver found in a catalogue that could be read.
    pub(crate) fn invalid(catalogue: &load::Catalogue, problems: Vec<Diagnostic>) -> Self {
        let report = Report::new(problems);
        Self::Invalid(Box::new(load::Failure {
            sources: catalogue.sources.clone(),
            report,
        }))
    }

    /// A file or folder that could not be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Other(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// Says on stderr what is wrong.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Stale(message) => {
                output::error(&message);
                ExitCode::from(1)
            }
            Self::Told(code) => ExitCode::from(code),
            Self::Other(message) => {
                output::error(&message);
                ExitCode::from(2)
            }
            Self::Unreachable(message) => {
                output::error(&message);
                ExitCode::from(3)
            }
            Self::Invalid(failure) => {
                output::stderr(
                    &failure
                        .report
                        .render(&failure.sources, output::colour_on_stderr()),
                );
                output::error("the catalogue is invalid, and nothing was written");
                ExitCode::from(2)
            }
        }
    }
}
