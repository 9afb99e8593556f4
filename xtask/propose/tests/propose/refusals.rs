//! Sources and requests that cannot be read.

use std::fs;
use std::path::Path;

use crate::repository::Scratch;
use fedispec_propose::{Request, propose};
use git2::{Repository, build::RepoBuilder};

fn refused(
    scratch: &Scratch,
    source: &Path,
    program: &str,
    tag: &str,
    from: Option<&str>,
    version: Option<&str>,
) -> String {
    let before =
        fs::read_to_string(scratch.spec().join("supplement/notes.yaml")).expect("the catalogue");
    let request = Request {
        program,
        source,
        tag,
        from,
        version,
    };
    let error = propose(&scratch.spec(), &request)
        .expect_err("no proposal")
        .to_string();
    let after =
        fs::read_to_string(scratch.spec().join("supplement/notes.yaml")).expect("the catalogue");
    assert_eq!(before, after, "something was written");
    error
}

#[test]
fn a_folder_without_a_repository() {
    let scratch = Scratch::new("gotosocial");
    let empty = scratch.path().join("empty");
    fs::create_dir(&empty).expect("made");
    let told = refused(&scratch, &empty, "gotosocial", "v0.2.0", None, None);
    assert!(
        told.contains("is not a git repository") && told.contains("--source"),
        "{told}"
    );
}

#[test]
fn an_unknown_tag_names_the_nearest() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(
        &scratch,
        &scratch.source(),
        "gotosocial",
        "v0.2.1",
        None,
        None,
    );
    assert!(
        told.contains("has no revision `v0.2.1`") && told.contains("did you mean `v0.2.0`?"),
        "{told}"
    );
}

#[test]
fn a_shallow_clone_says_how_to_fetch_the_rest() {
    let scratch = Scratch::new("gotosocial");
    let clone = scratch.path().join("shallow");
    let mut fetch = git2::FetchOptions::new();
    fetch.depth(1);
    let url = format!("file://{}", scratch.source().display());
    let cloned = RepoBuilder::new()
        .bare(true)
        .fetch_options(fetch)
        .clone(&url, &clone);
    // libgit2 fetches shallowly over networks alone: write what a shallow clone has.
    let repository =
        cloned.unwrap_or_else(|_| Repository::init_bare(&clone).expect("a repository"));
    let head = Repository::open(scratch.source())
        .expect("ours")
        .head()
        .expect("a head")
        .target()
        .expect("a commit");
    for tag in ["v0.1.0", "v0.2.0"] {
        if let Ok(mut tag) = repository.find_reference(&format!("refs/tags/{tag}")) {
            tag.delete().expect("deleted");
        }
    }
    fs::write(clone.join("shallow"), format!("{head}\n")).expect("written");
    drop(repository);
    let told = refused(
        &scratch,
        &clone,
        "gotosocial",
        &head.to_string(),
        Some("0.1.0"),
        Some("0.2.0"),
    );
    assert!(
        told.contains("it is a shallow clone") && told.contains("fetch --tags --unshallow"),
        "{told}"
    );
}

#[test]
fn another_programs_source() {
    let scratch = Scratch::new("gotosocial");
    let source = scratch.source();
    let work = source.join("internal");
    fs::remove_dir_all(work).expect("removed");
    let repository = Repository::open(&source).expect("ours");
    let mut index = repository.index().expect("an index");
    index.clear().expect("cleared");
    let tree = repository
        .find_tree(index.write_tree().expect("written"))
        .expect("a tree");
    let who = git2::Signature::now("A", "a@example.org").expect("a name");
    let parent = repository
        .head()
        .expect("a head")
        .peel_to_commit()
        .expect("a commit");
    repository
        .commit(Some("HEAD"), &who, &who, "empty", &tree, &[&parent])
        .expect("a commit");
    let told = refused(&scratch, &source, "gotosocial", "HEAD", None, Some("0.3.0"));
    assert!(
        told.contains("is no source of GoToSocial: it has no internal/api/client"),
        "{told}"
    );
}

#[test]
fn a_program_that_nobody_reads() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(
        &scratch,
        &scratch.source(),
        "gotosocal",
        "v0.2.0",
        None,
        None,
    );
    assert!(told.contains("did you mean `gotosocial`?"), "{told}");
}

#[test]
fn a_revision_that_is_no_version_needs_one() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(
        &scratch,
        &scratch.source(),
        "gotosocial",
        "HEAD",
        None,
        None,
    );
    assert!(told.contains("--as VERSION"), "{told}");
    let told = refused(
        &scratch,
        &scratch.source(),
        "gotosocial",
        "v0.2.0",
        Some("v0.2.0"),
        None,
    );
    assert!(told.contains("0.2.0 is not before 0.2.0"), "{told}");
}
