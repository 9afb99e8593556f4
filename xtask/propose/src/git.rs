//! The program's source at a revision: objects of a git repository, without a checkout.

use std::path::Path;

use fedispec_git::{Entry, EntryKind, Error as Refusal, Repository};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::StableVersion;

use crate::error::Error;

/// A clone of a program, bare or with a work tree.
pub struct Clone {
    repository: Repository,
    shown: String,
}

impl Clone {
    /// Opens a clone.
    ///
    /// # Errors
    ///
    /// When the folder is not a git repository, or belongs to another user.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let shown = folder.display().to_string();
        let no_repository = || {
            Error(format!(
                "{shown} is not a git repository; name a clone of the program with --source"
            ))
        };
        let repository = Repository::at(folder).map_err(|_| no_repository())?;
        match repository.run(&["rev-parse", "--git-dir"]) {
            Ok(_) => Ok(Self { repository, shown }),
            Err(Refusal::Refused(why)) if why.contains("dubious ownership") => Err(Error(format!(
                "{shown} belongs to another user; if you trust it, run `git config --global --add safe.directory {shown}`"
            ))),
            Err(Refusal::Refused(why)) if why.contains("not a git repository") => {
                Err(no_repository())
            }
            Err(error) => Err(Error(format!("cannot read the repository {shown}: {error}"))),
        }
    }

    /// Finds a revision: a tag, a branch or a commit.
    ///
    /// # Errors
    ///
    /// When there is none of that name; the message names the nearest tag, or how to fetch what a shallow clone lacks.
    pub fn at(&self, revision: &str) -> Result<Snapshot<'_>, Error> {
        let commit = self.repository.commit(revision).map_err(|_| self.unknown(revision))?;
        let date = self.repository.day(&commit).map_err(|_| self.missing(revision))?;
        Ok(Snapshot { clone: self, revision: revision.to_owned(), date, commit })
    }

    /// The first of these revisions that the clone has.
    ///
    /// # Errors
    ///
    /// As of [`Clone::at`] for the first.
    pub fn first_of(&self, revisions: &[String]) -> Result<Snapshot<'_>, Error> {
        let found = revisions.iter().find_map(|revision| self.at(revision).ok());
        found.map_or_else(|| self.at(revisions.first().map_or("", String::as_str)), Ok)
    }

    fn unknown(&self, revision: &str) -> Error {
        let tags = self.repository.run(&["tag", "--list"]).unwrap_or_default();
        let tags: Vec<&str> = tags.lines().collect();
        let or_else = format!("the clone has {} tags", tags.len());
        // Of a version that is not there, the one before it is meant more often than one that looks alike.
        let version = |tag: &str| tag.trim_start_matches('v').parse::<StableVersion>().ok();
        let before = version(revision).and_then(|wanted| {
            let older = tags.iter().filter_map(|tag| Some((version(tag)?, tag)));
            older.filter(|(version, _)| *version < wanted).max()
        });
        let help = match before {
            Some((_, tag)) => format!("did you mean `{tag}`?"),
            None => did_you_mean(revision, tags.iter().copied(), &or_else),
        };
        let help = self.unshallow().unwrap_or(help);
        Error(format!("{} has no revision `{revision}`; {help}", self.shown))
    }

    fn missing(&self, revision: &str) -> Error {
        let partial = || {
            format!(
                "a partial clone lacks them: run `git -C {} fetch --refetch --no-filter`",
                self.shown
            )
        };
        let help = self.unshallow().unwrap_or_else(partial);
        Error(format!("{} lacks objects of `{revision}`; {help}", self.shown))
    }

    /// How to fetch the rest of a shallow clone.
    fn unshallow(&self) -> Option<String> {
        let fetch = format!("git -C {} fetch --tags --unshallow", self.shown);
        { self.repository.is_shallow() }.then(|| format!("it is a shallow clone: run `{fetch}`"))
    }
}

/// The files below a folder.
#[derive(Debug, Default)]
pub struct Texts {
    /// The files by their paths, with their texts.
    pub texts: Vec<(String, String)>,
    /// Names of the files that were not read, each with the reason.
    pub left_out: Vec<String>,
}

/// The files of a revision.
pub struct Snapshot<'c> {
    clone: &'c Clone,
    /// The revision, as it was asked for.
    pub revision: String,
    /// The day of its commit: `2025-02-14`.
    pub date: String,
    commit: String,
}

impl Snapshot<'_> {
    fn entries(&self, path: &str, below: bool) -> Result<Vec<Entry>, Error> {
        let found = self.clone.repository.entries(&self.commit, path, below, MOST);
        found.map_err(|error| match error {
            Refusal::TooMany(_) => Error(format!(
                "{path} at `{}` has more than {MOST} entries: it is no source of a known program",
                self.revision
            )),
            _ => self.clone.missing(&self.revision),
        })
    }

    /// Whether it has a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.entries(path, false).is_ok_and(|found| !found.is_empty())
    }

    /// Reads a file; nothing where it is not there, or is none.
    ///
    /// # Errors
    ///
    /// When the clone lacks the object, or the file is too large to be a source.
    pub fn text(&self, path: &str) -> Result<Option<String>, Error> {
        let found = self.entries(path, false)?;
        let Some(entry) = found.into_iter().find(|entry| entry.kind == EntryKind::File) else {
            return Ok(None);
        };
        if entry.size.is_some_and(|size| size > LARGEST) {
            return Err(Error(format!(
                "{path} at `{}` has more than {} MiB: it is no source",
                self.revision,
                LARGEST >> 20
            )));
        }
        Ok(self.blobs(&[entry.id])?.pop())
    }

    /// Reads the files below a folder whose paths are wanted, in the order of their paths; none where there is no such folder. Files that
    /// are too large or too deep for a source are named and left out.
    ///
    /// # Errors
    ///
    /// When the clone lacks an object, or there is more than any program has.
    pub fn below(&self, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<Texts, Error> {
        let (mut found, mut left_out) = (Vec::new(), Vec::new());
        for entry in self.entries(folder, true)? {
            let Ok(path) = String::from_utf8(entry.path) else {
                left_out.push(format!("a name in {folder} is no UTF-8; it was left out"));
                continue;
            };
            let Some(inner) = path.strip_prefix(folder).filter(|inner| inner.starts_with('/'))
            else {
                continue;
            };
            let depth = inner.matches('/').count();
            match entry.kind {
                EntryKind::Folder if depth == DEEPEST => {
                    left_out.push(format!("{path} is nested too deeply; it was left out"));
                }
                EntryKind::File if depth > DEEPEST || !wanted(&path) => {}
                EntryKind::File if entry.size.is_some_and(|size| size > LARGEST) => {
                    left_out.push(format!("{path} is too large for a source; it was left out"));
                }
                EntryKind::File => found.push((path, entry.id)),
                EntryKind::Folder | EntryKind::Other => {}
            }
        }
        found.sort();
        let (paths, ids): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        Ok(Texts { texts: paths.into_iter().zip(self.blobs(&ids)?).collect(), left_out })
    }

    /// Reads the files of an ending below some folders, and some files by themselves.
    ///
    /// # Errors
    ///
    /// As of [`Snapshot::below`] and [`Snapshot::text`].
    pub fn sources(
        &self,
        folders: &[&str],
        files: &[&str],
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Texts, Error> {
        let mut found = Texts::default();
        for folder in folders {
            let below = self.below(folder, &wanted)?;
            found.texts.extend(below.texts);
            found.left_out.extend(below.left_out);
        }
        for file in files {
            found.texts.extend(self.text(file)?.map(|text| ((*file).to_owned(), text)));
        }
        Ok(found)
    }

    /// The texts of files.
    fn blobs(&self, ids: &[String]) -> Result<Vec<String>, Error> {
        let blobs = self.clone.repository.blobs(ids);
        let blobs = blobs.map_err(|_| self.clone.missing(&self.revision))?;
        Ok(blobs.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
    }
}

/// The largest file that is read. The largest of the known programs has a tenth of it.
const LARGEST: usize = 2 << 20;

/// How deep folders may stand in each other.
const DEEPEST: usize = 33;

/// How many entries a folder may have, with those below. The largest of the known programs has some thousands.
const MOST: usize = 50_000;
