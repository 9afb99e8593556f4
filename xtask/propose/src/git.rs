//! The program's source at a revision: objects of a git repository, without a checkout.

use std::path::Path;

use fedispec_model::suggest::did_you_mean;
use fedispec_since::StableVersion;
use git2::{ErrorCode, ObjectType, Oid, Repository, Tree, TreeEntry};

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
        match Repository::open(folder) {
            Ok(repository) => Ok(Self { repository, shown }),
            Err(error) if error.code() == ErrorCode::NotFound => {
                Err(Error::NotARepository { folder: shown })
            }
            Err(error) if error.code() == ErrorCode::Owner => Err(Error::Owner { folder: shown }),
            Err(error) => Err(Error::git(&shown, &error)),
        }
    }

    /// Finds a revision: a tag, a branch or a commit.
    ///
    /// # Errors
    ///
    /// When there is none of that name; the message names the nearest tag, or how to fetch what a shallow clone lacks.
    pub fn at(&self, revision: &str) -> Result<Snapshot<'_>, Error> {
        let object = match self.repository.revparse_single(revision) {
            Ok(object) => object,
            Err(error)
                if error.code() == ErrorCode::NotFound
                    || error.code() == ErrorCode::InvalidSpec =>
            {
                return Err(self.unknown(revision));
            }
            Err(error) => return Err(Error::git(&self.shown, &error)),
        };
        let commit = object.peel_to_commit().map_err(|_| self.unknown(revision))?;
        let tree = commit.tree().map_err(|_| self.missing(revision))?;
        Ok(Snapshot {
            clone: self,
            revision: revision.to_owned(),
            date: day(commit.time().seconds()),
            tree,
        })
    }

    /// The first of these revisions that the clone has.
    ///
    /// # Errors
    ///
    /// As of [`Clone::at`] for the first.
    pub fn first_of(&self, revisions: &[String]) -> Result<Snapshot<'_>, Error> {
        let mut first = None;
        for revision in revisions {
            match self.at(revision) {
                Ok(snapshot) => return Ok(snapshot),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_else(|| self.unknown("")))
    }

    /// The tags, without what stands before a name.
    ///
    /// # Errors
    ///
    /// When the repository cannot be read.
    pub fn tags(&self) -> Result<Vec<String>, Error> {
        let names = self.repository.tag_names(None);
        let names = names.map_err(|error| Error::git(&self.shown, &error))?;
        let names = names.iter().filter_map(|name| Some(name.ok()??.to_owned()));
        Ok(names.collect())
    }

    fn unknown(&self, revision: &str) -> Error {
        let tags = self.tags().unwrap_or_default();
        let or_else = format!("the clone has {} tags", tags.len());
        // Of a version that is not there, the one before it is meant more often than one that looks alike.
        let version = |tag: &str| tag.trim_start_matches('v').parse::<StableVersion>().ok();
        let before = version(revision).and_then(|wanted| {
            let older = tags.iter().filter_map(|tag| Some((version(tag)?, tag)));
            older.filter(|(version, _)| *version < wanted).max()
        });
        let help = match before {
            Some((_, tag)) => format!("did you mean `{tag}`?"),
            None => did_you_mean(revision, tags.iter().map(String::as_str), &or_else),
        };
        Error::UnknownRevision {
            folder: self.shown.clone(),
            revision: revision.to_owned(),
            help: if self.repository.is_shallow() {
                format!(
                    "it is a shallow clone: run `git -C {} fetch --tags --unshallow`",
                    self.shown
                )
            } else {
                help
            },
        }
    }

    fn missing(&self, revision: &str) -> Error {
        Error::MissingObjects {
            folder: self.shown.clone(),
            revision: revision.to_owned(),
            help: if self.repository.is_shallow() {
                format!(
                    "it is a shallow clone: run `git -C {} fetch --tags --unshallow`",
                    self.shown
                )
            } else {
                format!(
                    "a partial clone lacks them: run `git -C {} fetch --refetch --no-filter`",
                    self.shown
                )
            },
        }
    }
}

/// What stands below a folder.
#[derive(Debug, Default)]
pub struct Texts {
    /// The files by their paths, with their texts.
    pub texts: Vec<(String, String)>,
    /// What was not read, and why.
    pub left_out: Vec<String>,
}

/// The files of a revision.
pub struct Snapshot<'c> {
    clone: &'c Clone,
    /// The revision, as it was asked for.
    pub revision: String,
    /// The day of its commit: `2025-02-14`.
    pub date: String,
    tree: Tree<'c>,
}

impl Snapshot<'_> {
    /// Whether it has a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.tree.get_path(Path::new(path)).is_ok()
    }

    /// Reads a file; nothing where it is not there, or is none.
    ///
    /// # Errors
    ///
    /// When the clone lacks the object, or the file is too large to be a source.
    pub fn text(&self, path: &str) -> Result<Option<String>, Error> {
        let Ok(entry) = self.tree.get_path(Path::new(path)) else {
            return Ok(None);
        };
        if !is_file(&entry) {
            return Ok(None);
        }
        match self.blob(entry.id())? {
            Some(text) => Ok(Some(text)),
            None => Err(Error::Other(format!(
                "{path} at `{}` has more than {} MiB: it is no source",
                self.revision,
                LARGEST >> 20
            ))),
        }
    }

    /// Reads the files below a folder whose paths are wanted, in the order of their paths; none where there is no such folder. What is
    /// too large or too deep for a source is named and left out.
    ///
    /// # Errors
    ///
    /// When the clone lacks an object, or there is more than any program has.
    pub fn below(&self, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<Texts, Error> {
        let Ok(entry) = self.tree.get_path(Path::new(folder)) else {
            return Ok(Texts::default());
        };
        let mut found = Vec::new();
        let mut left_out = Vec::new();
        let mut next = vec![(folder.to_owned(), entry.id(), 0)];
        let mut seen = 0_usize;
        while let Some((path, id, depth)) = next.pop() {
            if depth > DEEPEST {
                left_out.push(format!("{path} is nested too deeply; it was left out"));
                continue;
            }
            let tree = self.clone.repository.find_tree(id);
            let tree = tree.map_err(|_| self.clone.missing(&self.revision))?;
            seen += tree.len();
            if seen > MOST {
                return Err(Error::Other(format!(
                    "{folder} at `{}` has more than {MOST} entries: it is no source of a known program",
                    self.revision
                )));
            }
            for entry in &tree {
                let Ok(name) = entry.name() else {
                    left_out.push(format!("a name in {path} is no UTF-8; it was left out"));
                    continue;
                };
                let path = format!("{path}/{name}");
                match entry.kind() {
                    Some(ObjectType::Tree) => next.push((path, entry.id(), depth + 1)),
                    Some(ObjectType::Blob) if is_file(&entry) && wanted(&path) => {
                        found.push((path, entry.id()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        let mut texts = Vec::with_capacity(found.len());
        for (path, id) in found {
            match self.blob(id)? {
                Some(text) => texts.push((path, text)),
                None => left_out.push(format!("{path} is too large for a source; it was left out")),
            }
        }
        Ok(Texts { texts, left_out })
    }

    /// The text of a file; nothing where it is too large.
    fn blob(&self, id: Oid) -> Result<Option<String>, Error> {
        let missing = |_| self.clone.missing(&self.revision);
        let repository = &self.clone.repository;
        // Its size first: the text of a large one is not even unpacked.
        let (size, _) = repository.odb().and_then(|odb| odb.read_header(id)).map_err(missing)?;
        if size > LARGEST {
            return Ok(None);
        }
        let blob = repository.find_blob(id).map_err(missing)?;
        Ok(Some(String::from_utf8_lossy(blob.content()).into_owned()))
    }
}

/// The largest file that is read. The largest of the known programs has a tenth of it.
const LARGEST: usize = 2 << 20;

/// How deep folders may stand in each other.
const DEEPEST: usize = 32;

/// How many entries a folder may have, with those below. The largest of the known programs has some thousands.
const MOST: usize = 50_000;

/// Whether an entry is a file, and no link to one.
fn is_file(entry: &TreeEntry<'_>) -> bool {
    entry.filemode() & 0o170_000 == 0o100_000
}

/// The day of a time in seconds since 1970, in UTC.
fn day(seconds: i64) -> String {
    // Howard Hinnant's civil_from_days, in years that begin in March.
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(-1), "1969-12-31");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(1_785_974_400), "2026-08-06");
    }
}
