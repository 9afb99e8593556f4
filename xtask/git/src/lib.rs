//! Reads the objects of a git repository through the `git` command. Nothing is checked out, and nothing is fetched.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Why git did not answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Git is not installed, or the folder cannot be entered.
    #[error("cannot start git: {0}")]
    Start(#[from] io::Error),
    /// Git has refused, in its own words.
    #[error("{0}")]
    Refused(String),
    /// An object is not in the repository.
    #[error("git did not return all objects")]
    Missing,
    /// A folder has more entries than were asked for.
    #[error("there are more than {0} entries")]
    TooMany(usize),
}

/// A repository, by a folder of it.
#[derive(Debug)]
pub struct Repository {
    folder: PathBuf,
    /// The folder that git looks for a repository in, but not above.
    ceiling: Option<PathBuf>,
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A file, which is no link.
    File,
    /// A folder.
    Folder,
    /// A link or another repository.
    Other,
}

/// A file or folder in a commit.
#[derive(Debug)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// The name of its object.
    pub id: String,
    /// The size of a file; absent where the object is not in the repository.
    pub size: Option<usize>,
    /// Its path from the top, which need not be UTF-8.
    pub path: Vec<u8>,
}

impl Repository {
    /// The repository that a folder is part of.
    pub fn around(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), ceiling: None }
    }

    /// The repository that a folder is.
    pub fn at(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        Ok(Self { ceiling: folder.parent().map(Path::to_owned), folder })
    }

    /// Git in the folder: without a hook's variables, with paths taken literally, and in English.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.folder).arg("--literal-pathspecs").args(args);
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").env("TZ", "UTC").env("GIT_NO_LAZY_FETCH", "1");
        command.envs(self.ceiling.as_ref().map(|folder| ("GIT_CEILING_DIRECTORIES", folder)));
        command
    }

    /// Runs a command and returns its output.
    pub fn bytes(&self, args: &[&str]) -> Result<Vec<u8>, Error> {
        let output = self.command(args).output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let failed = || format!("git {} failed", args.first().unwrap_or(&""));
        Err(Error::Refused(if why.is_empty() { failed() } else { why }))
    }

    /// Runs a command and returns its output as text, without the white space around it.
    pub fn run(&self, args: &[&str]) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(&self.bytes(args)?).trim().to_owned())
    }

    /// The commit that a tag, a branch or another revision stands for.
    pub fn commit(&self, revision: &str) -> Result<String, Error> {
        let name = format!("{revision}^{{commit}}");
        self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
    }

    /// Whether the repository lacks older commits.
    pub fn is_shallow(&self) -> bool {
        self.run(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text == "true")
    }

    /// The day of a commit in UTC: `2025-02-14`.
    pub fn day(&self, commit: &str) -> Result<String, Error> {
        self.run(&["log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%d", commit])
    }

    /// A path in a commit, and with `below` what stands in the folders below it; at most that many entries.
    pub fn entries(
        &self,
        commit: &str,
        path: &str,
        below: bool,
        most: usize,
    ) -> Result<Vec<Entry>, Error> {
        let mut args = vec!["ls-tree", "-z", "-l", "--full-tree"];
        args.extend(if below { &["-r", "-t"][..] } else { &[] });
        args.push(commit);
        args.extend(["--", path].into_iter().filter(|_| !path.is_empty()));
        let mut child = self.started(&args)?;
        let mut found = Vec::new();
        let output = child.stdout.take().into_iter().flat_map(|from| BufReader::new(from).split(0));
        for line in output {
            found.push(entry(&line?).ok_or(Error::Missing)?);
            if found.len() > most {
                child.kill()?;
                child.wait()?;
                return Err(Error::TooMany(most));
            }
        }
        if child.wait()?.success() { Ok(found) } else { Err(Error::Missing) }
    }

    /// The contents of files, by the names of their objects or by `COMMIT:PATH`.
    pub fn blobs(&self, names: &[String]) -> Result<Vec<Vec<u8>>, Error> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut child = self.started(&["cat-file", "--batch"])?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let asked = names.join("\n");
        // Written from another thread: git answers while it reads, and a full pipe on either side would block both.
        let writer = std::thread::spawn(move || to.map(|mut to| writeln!(to, "{asked}")));
        let mut answer = Vec::new();
        let read = from.map(|mut from| from.read_to_end(&mut answer));
        let _ = writer.join();
        child.wait()?;
        read.transpose()?;
        let mut rest = answer.as_slice();
        let blobs = names.iter().map(|_| {
            let (content, after) = blob(rest).ok_or(Error::Missing)?;
            rest = after;
            Ok(content.to_owned())
        });
        blobs.collect()
    }

    fn started(&self, args: &[&str]) -> Result<Child, Error> {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(command.spawn()?)
    }
}

/// Parses a line of `ls-tree -l`: `<mode> <type> <id> <size>`, a tab, the path.
fn entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split_ascii_whitespace();
    let (mode, kind, id, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let kind = match kind {
        "tree" => EntryKind::Folder,
        _ if mode.starts_with("100") => EntryKind::File,
        _ => EntryKind::Other,
    };
    Some(Entry {
        kind,
        id: id.to_owned(),
        size: size.parse().ok(),
        path: line[tab + 1..].to_owned(),
    })
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

#[cfg(test)]
mod tests {
    use super::{EntryKind, Error, Repository, blob, entry};

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

    #[test]
    fn entries_of_a_folder_are_parsed() {
        let file = entry(b"100755 blob 0123      12\ta/b c\xff").expect("an entry");
        assert_eq!((file.kind, file.size), (EntryKind::File, Some(12)));
        assert_eq!(file.path, b"a/b c\xff");
        let link = entry(b"120000 blob 0123       3\ta").expect("an entry");
        assert_eq!(link.kind, EntryKind::Other);
        let lost = entry(b"100644 blob 0123     BAD\ta").expect("an entry");
        assert_eq!(lost.size, None);
        assert!(entry(b"100644 blob 0123").is_none());
    }

    #[test]
    fn a_folder_in_a_repository_is_none_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("made");
        Repository::around(folder.path()).run(&["init", "--quiet"]).expect("a repository");
        let top = ["rev-parse", "--git-dir"];
        assert!(Repository::around(&inner).run(&top).is_ok());
        let refused = Repository::at(&inner).expect("a folder").run(&top);
        assert!(
            matches!(refused, Err(Error::Refused(why)) if why.contains("not a git repository"))
        );
    }
}
