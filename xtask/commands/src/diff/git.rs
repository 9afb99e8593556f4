//! The revisions of the checkout that the catalogue stands in.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use fedispec_git::{EntryKind, Repository as Git};
use fedispec_reader::load;

use crate::failure::Failure;

/// A file that every catalogue contains.
const MARKER_FILE: &str = "implementations.yaml";

/// A checkout.
pub(super) struct Repository {
    git: Git,
    top: PathBuf,
}

/// How many files a revision may have.
const MOST: usize = 1_000_000;

impl Repository {
    /// The checkout that contains a folder.
    pub(super) fn around(folder: &Path) -> Result<Self, Failure> {
        if !folder.is_dir() {
            return Err(Failure::Other(format!(
                "there is no folder {}; name the catalogue's with --spec DIR",
                folder.display()
            )));
        }
        let top = Git::around(folder).run(&["rev-parse", "--show-toplevel"]).map_err(|why| {
            Failure::Unreachable(format!(
                "{} is not in a git checkout ({why}); compare two folders with `cargo xtask diff --files OLD NEW`",
                folder.display()
            ))
        })?;
        let top = PathBuf::from(top);
        Ok(Self { git: Git::around(&top), top })
    }

    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// The path of a folder relative to the checkout: `spec`.
    pub(super) fn relative(&self, folder: &Path) -> Result<String, Failure> {
        let folder =
            fs::canonicalize(folder).map_err(|error| Failure::file("find", folder, &error))?;
        let top = fs::canonicalize(&self.top)
            .map_err(|error| Failure::file("find", &self.top, &error))?;
        let inside = folder.strip_prefix(&top).map_err(|_| {
            Failure::Unreachable(format!(
                "{} is outside the checkout {}; compare two folders with `--files OLD NEW`",
                folder.display(),
                top.display()
            ))
        })?;
        Ok(inside.to_string_lossy().replace('\\', "/"))
    }

    /// Resolves a revision to a commit.
    pub(super) fn commit(&self, rev: &str) -> Result<String, Failure> {
        if rev.starts_with('-') || rev.contains("..") || rev.contains(char::is_whitespace) {
            let rev = rev.escape_debug();
            return Err(Failure::Other(format!("`{rev}` is not a revision; write `A` or `A..B`")));
        }
        self.git.commit(rev).map_err(|_| Failure::Unreachable(self.missing(rev)))
    }

    /// The message for a revision that does not exist, with a command that may help.
    fn missing(&self, rev: &str) -> String {
        if rev == "HEAD" {
            return "there is no commit to compare with yet; compare two folders with `--files OLD NEW`".into();
        }
        let remotes = self.git.run(&["remote"]).unwrap_or_default();
        let remote = remotes.lines().next().unwrap_or("origin");
        let what = match rev.strip_prefix(&format!("{remote}/")) {
            Some(branch) => format!("{remote} {branch}:refs/remotes/{remote}/{branch}"),
            None if rev.starts_with('v') && rev.contains('.') => format!("{remote} tag {rev}"),
            None => format!("{remote} {rev}"),
        };
        // An expression such as `v1~2` cannot be fetched by name.
        let named = !rev.contains(['~', '^', '@', ':', ' ']);
        if self.git.is_shallow() {
            let alone =
                if named { format!("`git fetch --depth=1 {what}`, or ") } else { String::new() };
            return format!(
                "there is no revision `{rev}` in this shallow clone; run {alone}`git fetch --unshallow {remote}` (on GitHub: \
                 `fetch-depth: 0`)"
            );
        }
        let (fetched, hint) = if named { (&*what, "") } else { (remote, " if it should be there") };
        format!("there is no revision `{rev}`; run `git fetch {fetched}`{hint}")
    }

    /// Whether files below a folder differ from HEAD.
    pub(super) fn is_dirty(&self, folder: &str) -> bool {
        let folder = if folder.is_empty() { "." } else { folder };
        let status = self.git.run(&["status", "--porcelain", "--", folder]);
        status.is_ok_and(|text| !text.is_empty())
    }

    /// The content of a file in a revision.
    pub(super) fn file(&self, commit: &str, path: &str) -> Option<String> {
        let bytes = self.git.bytes(&["cat-file", "blob", &format!("{commit}:{path}")]);
        String::from_utf8(bytes.ok()?).ok()
    }

    /// The web address of the repository, for links.
    pub(super) fn web(&self) -> Option<String> {
        let url = self.git.run(&["config", "--get", "remote.origin.url"]).ok()?;
        let path = url
            .strip_prefix("git@github.com:")
            .or_else(|| url.strip_prefix("https://github.com/"))?;
        Some(format!("https://github.com/{}", path.trim_end_matches(".git")))
    }

    /// The catalogue's folder in a revision: the same one, or else the one most similar to the one on disk.
    pub(super) fn catalogue(
        &self,
        rev: &str,
        commit: &str,
        folder: &str,
    ) -> Result<String, Failure> {
        let files = self.files(commit, "")?;
        let paths: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
        if paths.contains(&join(folder, MARKER_FILE)) {
            return Ok(folder.to_owned());
        }
        let now = yaml_names(&self.top.join(folder));
        let mut others: Vec<(usize, &str)> = paths
            .iter()
            .filter_map(|path| path.strip_suffix(MARKER_FILE))
            .filter(|other| other.is_empty() || other.ends_with('/'))
            .map(|other| {
                let inside = paths.iter().filter_map(|path| path.strip_prefix(other));
                (inside.filter(|path| now.contains(*path)).count(), other.trim_end_matches('/'))
            })
            .filter(|(alike, _)| *alike > 1)
            .collect();
        others.sort_unstable();
        match others.as_slice() {
            [.., (second, _), (first, _)] if second == first => {
                let names: Vec<_> = others.iter().map(|(_, other)| format!("{other}/")).collect();
                Err(Failure::Unreachable(format!(
                    "{rev} has no catalogue in `{folder}/`, but several elsewhere ({}); check that revision out beside this \
                     one and use `--files OLD NEW`",
                    names.join(", ")
                )))
            }
            [.., (_, one)] => {
                crate::output::stderr(&format!(
                    "note: the catalogue was in `{one}/` in {rev}, and is in `{folder}/` now\n"
                ));
                Ok((*one).to_owned())
            }
            [] => Err(Failure::Unreachable(format!(
                "{rev} has no catalogue in `{folder}/`; name a revision that has one, or compare two folders with `--files \
                 OLD NEW`"
            ))),
        }
    }

    /// Lists the files below a folder in a revision, with the names of their objects.
    fn files(&self, commit: &str, folder: &str) -> Result<Vec<(String, String)>, Failure> {
        let entries = self.git.entries(commit, folder, true, MOST);
        let entries = entries.map_err(|why| {
            Failure::Unreachable(format!("git cannot list the files of {commit}: {why}"))
        })?;
        let files = entries.into_iter().filter(|entry| entry.kind != EntryKind::Folder);
        Ok(files.map(|entry| (String::from_utf8_lossy(&entry.path).into(), entry.id)).collect())
    }

    /// Writes the YAML files below a folder of a revision into another folder.
    pub(super) fn extract(&self, commit: &str, folder: &str, into: &Path) -> Result<(), Failure> {
        let files = self.files(commit, folder)?.into_iter().filter(|(path, _)| is_yaml(path));
        let (paths, ids): (Vec<_>, Vec<_>) = files.unzip();
        let contents = self.git.blobs(&ids).map_err(|why| {
            Failure::Unreachable(format!(
                "git cannot read the files of {commit}: {why}; a partial clone needs `git fetch --refetch`"
            ))
        })?;
        for (path, content) in paths.iter().zip(contents) {
            let inside = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
            write(&into.join(inside), &content)?;
        }
        Ok(())
    }
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    fs::write(path, content).map_err(|error| Failure::file("write", path, &error))
}

fn is_yaml(path: &str) -> bool {
    let ending = Path::new(path).extension();
    ending.is_some_and(|ending| ending == "yaml" || ending == "yml")
}

/// The relative paths of the YAML files below a folder on disk.
fn yaml_names(folder: &Path) -> HashSet<String> {
    let files = load::files(folder).unwrap_or_default().into_iter();
    files.map(|path| path.to_string_lossy().into_owned()).collect()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
