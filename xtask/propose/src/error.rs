//! Why nothing could be proposed.

/// Why nothing could be proposed. Nothing has been written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder holds no repository.
    #[error("{folder} is not a git repository; name a clone of the program with --source")]
    NotARepository {
        /// The folder.
        folder: String,
    },
    /// The folder belongs to another user, which git refuses.
    #[error(
        "{folder} belongs to another user; if you trust it, run `git config --global --add safe.directory {folder}`"
    )]
    Owner {
        /// The folder.
        folder: String,
    },
    /// No such tag or commit.
    #[error("{folder} has no revision `{revision}`; {help}")]
    UnknownRevision {
        /// The folder.
        folder: String,
        /// The revision that was asked for.
        revision: String,
        /// The nearest tag, or how to fetch it.
        help: String,
    },
    /// The objects of a revision are not in the clone.
    #[error("{folder} lacks objects of `{revision}`; {help}")]
    MissingObjects {
        /// The folder.
        folder: String,
        /// The revision that was asked for.
        revision: String,
        /// How to fetch them.
        help: String,
    },
    /// The source is another program's.
    #[error("{revision} is no source of {program}: it has no {lacks}{seems}")]
    AnotherProgram {
        /// The revision.
        revision: String,
        /// The program that was asked for.
        program: String,
        /// The file that every release of it has.
        lacks: String,
        /// The program that it seems to be instead, as a clause.
        seems: String,
    },
    /// Anything else: what is wrong and what to do.
    #[error("{0}")]
    Other(String),
}
