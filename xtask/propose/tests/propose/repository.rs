//! Git repositories made of folders, and the small catalogue that they are held against.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_propose::{Request, Router};
use git2::{IndexAddOption, Repository, Signature, Time};
use tempfile::TempDir;

/// Asks what a tag brings, without a Ruby.
pub(crate) fn request_of<'r>(program: &'r str, source: &'r Path, tag: &'r str) -> Request<'r> {
    Request {
        program,
        source,
        tag,
        from: None,
        version: None,
        router: Router::Read,
        unlearn: false,
    }
}

/// The folder of the tests.
pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
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
        let repository = Repository::init(scratch.source()).expect("a repository");
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
            let mut index = repository.index().expect("an index");
            index.clear().expect("cleared");
            index.add_all(["."], IndexAddOption::DEFAULT, None).expect("added");
            let tree = repository.find_tree(index.write_tree().expect("written")).expect("a tree");
            let day = 1_600_000_000 + 86_400 * i64::try_from(place).expect("small");
            let who = Signature::new("A", "a@example.org", &Time::new(day, 0)).expect("a name");
            let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
            let parents: Vec<_> = parent.iter().collect();
            let commit = repository
                .commit(Some("HEAD"), &who, &who, tag, &tree, &parents)
                .expect("a commit");
            let commit = repository.find_object(commit, None).expect("the commit");
            repository.tag_lightweight(tag, &commit, false).expect("a tag");
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
