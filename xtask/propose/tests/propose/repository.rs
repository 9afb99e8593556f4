//! Git repositories made of folders, and the small catalogue that they are held against.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fedispec_propose::Request;
use tempfile::TempDir;

/// Asks what a tag brings, without a Ruby.
pub(crate) fn request_of<'r>(program: &'r str, source: &'r Path, tag: &'r str) -> Request<'r> {
    Request { program, source, tag, from: None, version: None, unlearn: false }
}

/// The folder of the tests.
pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Runs git in a folder, as somebody without settings of their own; what it prints.
pub(crate) fn git(at: &Path, args: &[&str]) -> String {
    String::from_utf8_lossy(&given(at, args, 0, b"")).trim().to_owned()
}

/// The same at a day, with something on stdin.
pub(crate) fn given(at: &Path, args: &[&str], day: u32, input: &[u8]) -> Vec<u8> {
    let date = format!("{} +0000", 1_600_000_000 + 86_400 * day);
    let mut child = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(at)
        .envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)])
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("taken");
    let output = child.wait_with_output().expect("git ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {told}");
    output.stdout
}

/// A repository with a commit and a tag for each folder, and a copy of the catalogue beside it.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Makes one of the folders of a program: `v0.1.0` of `old`, `v0.2.0` of `new`.
    pub(crate) fn new(program: &str) -> Self {
        Self::with(program, &[])
    }

    /// The same, with further files: `("new", "config/routes/more.rb", "..")`.
    pub(crate) fn with(program: &str, further: &[(&str, &str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = Self { folder };
        copy(&tests().join("catalogue"), &scratch.spec());
        git(scratch.path(), &["init", "--quiet", "source"]);
        let versions = match program {
            "mastodon" => ["v4.0.0", "v4.1.0"],
            _ => ["v0.1.0", "v0.2.0"],
        };
        for (place, (side, tag)) in ["old", "new"].into_iter().zip(versions).enumerate() {
            let work = scratch.source();
            for entry in fs::read_dir(&work).expect("readable") {
                let path = entry.expect("an entry").path();
                if path.file_name().is_some_and(|name| name != ".git") {
                    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
                        .expect("removed");
                }
            }
            copy(&tests().join("sources").join(program).join(side), &work);
            for (_, path, text) in further.iter().filter(|(of, _, _)| *of == side) {
                let path = work.join(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                fs::write(path, text).expect("written");
            }
            git(&work, &["add", "--all", "--force"]);
            let day = u32::try_from(place).expect("small");
            given(&work, &["commit", "--quiet", "--allow-empty", "--message", tag], day, b"");
            git(&work, &["tag", tag]);
        }
        scratch
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.folder.path().join("source")
    }

    pub(crate) fn spec(&self) -> PathBuf {
        self.folder.path().join("spec")
    }
}

/// Copies the files below a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("readable") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("copied");
        }
    }
}
