//! Access to git through the `git` command. Nothing is checked out.

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// A file that every catalogue contains.
const MARKER_FILE: &str = "implementations.yaml";

/// A checkout.
pub(super) struct Repository {
    top: PathBuf,
}

impl Repository {
    /// The checkout that contains a folder.
    pub(super) fn around(folder: &Path) -> Result<Self, Failure> {
        if !folder.is_dir() {
            return Err(Failure::Other(format!(
                "there is no folder {}; name the catalogue's with --spec DIR",
                folder.display()
            )));
        }
        let top = run(folder, &["rev-parse", "--show-toplevel"]).map_err(|why| {
            Failure::Unreachable(format!(
                "{} is not in a git checkout ({why}); compare two folders with `cargo xtask diff --files OLD NEW`",
                folder.display()
            ))
        })?;
        Ok(Self { top: PathBuf::from(top) })
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
        let name = format!("{rev}^{{commit}}");
        run(&self.top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
            .map_err(|_| Failure::Unreachable(self.missing(rev)))
    }

    /// The message for a revision that does not exist, with a command that may help.
    fn missing(&self, rev: &str) -> String {
        if rev == "HEAD" {
            return "there is no commit to compare with yet; compare two folders with `--files OLD NEW`".into();
        }
        let remotes = run(&self.top, &["remote"]).unwrap_or_default();
        let remote = remotes.lines().next().unwrap_or("origin");
        let what = match rev.strip_prefix(&format!("{remote}/")) {
            Some(branch) => format!("{remote} {branch}:refs/remotes/{remote}/{branch}"),
            None if rev.starts_with('v') && rev.contains('.') => format!("{remote} tag {rev}"),
            None => format!("{remote} {rev}"),
        };
        // An expression such as `v1~2` cannot be fetched by name.
        let named = !rev.contains(['~', '^', '@', ':', ' ']);
        let shallow = run(&self.top, &["rev-parse", "--is-shallow-repository"])
            .is_ok_and(|text| text == "true");
        match (shallow, named) {
            (true, true) => format!(
                "there is no revision `{rev}` in this shallow clone; run `git fetch --depth=1 {what}`, or `git fetch \
                 --unshallow {remote}` (on GitHub: `fetch-depth: 0`)"
            ),
            (true, false) => format!(
                "there is no revision `{rev}` in this shallow clone; run `git fetch --unshallow {remote}` (on GitHub: \
                 `fetch-depth: 0`)"
            ),
            (false, true) => format!("there is no revision `{rev}`; run `git fetch {what}`"),
            (false, false) => format!(
                "there is no revision `{rev}`; run `git fetch {remote}` if it should be there"
            ),
        }
    }

    /// Whether files below a folder differ from HEAD.
    pub(super) fn is_dirty(&self, folder: &str) -> bool {
        run(&self.top, &["status", "--porcelain", "--", or_root(folder)])
            .is_ok_and(|text| !text.is_empty())
    }

    /// The content of a file in a revision.
    pub(super) fn file(&self, commit: &str, path: &str) -> Option<String> {
        run_raw(&self.top, &["cat-file", "blob", &format!("{commit}:{path}")])
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
    }

    /// The web address of the repository, for links.
    pub(super) fn web(&self) -> Option<String> {
        let url = run(&self.top, &["config", "--get", "remote.origin.url"]).ok()?;
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
        let paths = self.paths(commit, "")?;
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

    /// Lists the files below a folder in a revision.
    fn paths(&self, commit: &str, folder: &str) -> Result<Vec<String>, Failure> {
        let text = run_raw(
            &self.top,
            &["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, "--", or_root(folder)],
        );
        let text = text.map_err(|why| {
            Failure::Unreachable(format!("git cannot list the files of {commit}: {why}"))
        })?;
        Ok(String::from_utf8_lossy(&text)
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(str::to_owned)
            .collect())
    }

    /// Writes the YAML files below a folder of a revision into another folder.
    pub(super) fn extract(&self, commit: &str, folder: &str, into: &Path) -> Result<(), Failure> {
        let paths: Vec<String> =
            self.paths(commit, folder)?.into_iter().filter(|path| is_yaml(path)).collect();
        let mut child = git(&self.top)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::Unreachable(format!("cannot start git: {error}")))?;
        let (Some(mut to), Some(mut from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::Unreachable("cannot write to git cat-file".into()));
        };
        let asked: Vec<_> = paths.iter().map(|path| format!("{commit}:{path}\n")).collect();
        // Written from another thread: git answers while it reads, and a full pipe on either side would block both.
        let writer = std::thread::spawn(move || to.write_all(asked.concat().as_bytes()));
        let mut answer = Vec::new();
        let read = from.read_to_end(&mut answer);
        let _ = writer.join();
        let _ = child.wait();
        read.map_err(|error| Failure::Unreachable(format!("git cat-file broke off: {error}")))?;
        let broken = || {
            Failure::Unreachable(format!(
                "git did not return the files of {commit}; a partial clone needs `git fetch --refetch`"
            ))
        };
        let mut rest = answer.as_slice();
        for path in &paths {
            let (content, after) = blob(rest).ok_or_else(broken)?;
            rest = after;
            let inside = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
            write(&into.join(inside), content)?;
        }
        Ok(())
    }
}

/// Parses one answer of `cat-file --batch`: `<id> blob <size>`, the content, a line break.
fn blob(answer: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = answer.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(&answer[..end]).ok()?;
    let mut words = header.rsplit(' ');
    let size: usize = words.next()?.parse().ok()?;
    if words.next() != Some("blob") {
        return None;
    }
    let start = end + 1;
    let content = answer.get(start..start.checked_add(size)?)?;
    Some((content, answer.get(start + size + 1..)?))
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
    let mut names = HashSet::new();
    for (prefix, at) in [("", folder.to_owned())]
        .into_iter()
        .chain(["documents", "supplement"].map(|layer| (layer, folder.join(layer))))
    {
        let entries = fs::read_dir(at).into_iter().flatten().flatten();
        let files = entries.map(|entry| join(prefix, &entry.file_name().to_string_lossy()));
        names.extend(files.filter(|name| is_yaml(name)));
    }
    names
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn or_root(folder: &str) -> &str {
    if folder.is_empty() { "." } else { folder }
}

/// git in a folder, without a hook's `GIT_*` variables and with pathspecs taken literally.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).arg("--literal-pathspecs");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &Path, args: &[&str]) -> Result<String, String> {
    run_raw(folder, args).map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
}

fn run_raw(folder: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output =
        git(folder).args(args).output().map_err(|error| format!("cannot start git: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(if why.is_empty() { format!("git {} failed", args.first().unwrap_or(&"")) } else { why })
}

#[cfg(test)]
mod tests {
    use super::blob;

    #[test]
    fn answers_of_cat_file_are_parsed() {
        let answer = b"0123 blob 3\na\nb\n4567 blob 0\n\nrest";
        let (first, rest) = blob(answer).expect("a blob");
        assert_eq!(first, b"a\nb");
        let (second, rest) = blob(rest).expect("an empty one");
        assert_eq!((second, rest), (&b""[..], &b"rest"[..]));
        for bad in [
            &b"0123 missing\n"[..],
            b"0123 blob 9\nab\n",
            b"0123 tree 2\nab\n",
            b"",
            b"x blob 99999999999999999999\n",
        ] {
            assert_eq!(blob(bad), None);
        }
    }
}
