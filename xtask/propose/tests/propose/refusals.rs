//! Sources and requests that cannot be read.

use std::fs;
use std::path::Path;

use crate::repository::Scratch;
use fedispec_propose::{Request, Router, propose};
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
    let request =
        Request { program, source, tag, from, version, router: Router::Read, unlearn: false };
    let error = propose(&scratch.spec(), &request).expect_err("no proposal").to_string();
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
    assert!(told.contains("is not a git repository") && told.contains("--source"), "{told}");
}

#[test]
fn an_unknown_tag_names_the_nearest() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(&scratch, &scratch.source(), "gotosocial", "v0.2.1", None, None);
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
    let cloned = RepoBuilder::new().bare(true).fetch_options(fetch).clone(&url, &clone);
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
    let told =
        refused(&scratch, &clone, "gotosocial", &head.to_string(), Some("0.1.0"), Some("0.2.0"));
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
    let tree = repository.find_tree(index.write_tree().expect("written")).expect("a tree");
    let who = git2::Signature::now("A", "a@example.org").expect("a name");
    let parent = repository.head().expect("a head").peel_to_commit().expect("a commit");
    repository.commit(Some("HEAD"), &who, &who, "empty", &tree, &[&parent]).expect("a commit");
    let told = refused(&scratch, &source, "gotosocial", "HEAD", None, Some("0.3.0"));
    assert!(told.contains("is no source of GoToSocial: it has no internal/api/client"), "{told}");
}

#[test]
fn a_program_that_nobody_reads() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(&scratch, &scratch.source(), "gotosocal", "v0.2.0", None, None);
    assert!(told.contains("did you mean `gotosocial`?"), "{told}");
}

#[test]
fn a_revision_that_is_no_version_needs_one() {
    let scratch = Scratch::new("gotosocial");
    let told = refused(&scratch, &scratch.source(), "gotosocial", "HEAD", None, None);
    assert!(told.contains("--as VERSION"), "{told}");
    let told = refused(&scratch, &scratch.source(), "gotosocial", "v0.2.0", Some("v0.2.0"), None);
    assert!(told.contains("0.2.0 is not before 0.2.0"), "{told}");
}

/// Commits a tree that is made by hand under the tag `v0.3.0`.
fn commit(scratch: &Scratch, tree: git2::Oid) {
    let repository = Repository::open(scratch.source()).expect("a repository");
    let tree = repository.find_tree(tree).expect("a tree");
    let who = git2::Signature::now("A", "a@example.org").expect("a name");
    let parent = repository.head().and_then(|head| head.peel_to_commit());
    let parent = parent.expect("a commit");
    let made = repository.commit(None, &who, &who, "made", &tree, &[&parent]);
    let made = repository.find_object(made.expect("a commit"), None);
    repository.tag_lightweight("v0.3.0", &made.expect("the commit"), false).expect("a tag");
}

#[test]
fn what_is_no_source_is_named_and_the_rest_is_read() {
    let scratch = Scratch::new("gotosocial");
    let repository = Repository::open(scratch.source()).expect("a repository");
    let head = repository.head().and_then(|head| head.peel_to_commit());
    let root = head.and_then(|head| head.tree()).expect("a tree");
    let model = Path::new("internal/api/model");
    let entry = root.get_path(model).expect("the model");
    let old = repository.find_tree(entry.id()).expect("a tree");
    let blob = |bytes: &[u8]| repository.blob(bytes).expect("a blob");
    let mut builder = repository.treebuilder(Some(&old)).expect("a builder");
    let mut insert = |name: &[u8], id: git2::Oid, mode: i32| {
        builder.insert(name, id, mode).expect("inserted");
    };
    insert(b"large.go", blob(&vec![b' '; 3 << 20]), 0o100_644);
    let deep = format!("package model\n\nvar x {}int\n", "*".repeat(20_000));
    insert(b"deep.go", blob(deep.as_bytes()), 0o100_644);
    insert(b"itself.go", blob(b"itself.go"), 0o120_000);
    insert(b"\xff\xfe.go", blob(b"package model\n"), 0o100_644);
    insert(b"bytes.go", blob(b"package model\n\n// \xff\xfe\n"), 0o100_644);
    insert(b"module", head_of(&repository), 0o160_000);
    let mut inner = old.id();
    for _ in 0..100 {
        let mut nested = repository.treebuilder(None).expect("a builder");
        nested.insert("a", inner, 0o040_000).expect("inserted");
        inner = nested.write().expect("written");
    }
    insert(b"nested", inner, 0o040_000);
    let new = builder.write().expect("written");
    let mut index = git2::build::TreeUpdateBuilder::new();
    index.upsert("internal/api/model", new, git2::FileMode::Tree);
    let tree = index.create_updated(&repository, &root).expect("a tree");
    commit(&scratch, tree);
    let source = scratch.source();
    let request = Request {
        program: "gotosocial",
        source: &source,
        tag: "v0.3.0",
        from: None,
        version: None,
        router: Router::Read,
        unlearn: false,
    };
    let proposal = propose(&scratch.spec(), &request).expect("a proposal");
    let unread = proposal.unread.join("\n");
    for told in [
        "model/large.go is too large",
        "model/deep.go is nested too deeply",
        "is no UTF-8",
        "a/a/a is nested too deeply",
    ] {
        assert!(unread.contains(told), "{told}: {unread}");
    }
    assert!(!unread.contains("itself.go"), "{unread}");
    let mut rows = proposal.rows.iter();
    assert!(rows.any(|row| row.id == "notes.create"), "{:#?}", proposal.rows);
}

fn head_of(repository: &Repository) -> git2::Oid {
    let head = repository.head().expect("a head");
    head.target().expect("a commit")
}
