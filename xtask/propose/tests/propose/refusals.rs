//! Sources and requests that cannot be read.

use std::fs;
use std::path::Path;

use crate::repository::{Scratch, git, given};
use fedispec_propose::{Request, propose};

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
    let request = Request { program, source, tag, from, version, unlearn: false };
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
    let url = format!("file://{}", scratch.source().display());
    let options = ["clone", "--quiet", "--bare", "--depth=1", "--no-tags"];
    git(scratch.path(), &[&options[..], &[&url, "shallow"]].concat());
    let head = git(&clone, &["rev-parse", "HEAD"]);
    let told = refused(&scratch, &clone, "gotosocial", &head, Some("0.1.0"), Some("0.2.0"));
    assert!(
        told.contains("it is a shallow clone") && told.contains("fetch --tags --unshallow"),
        "{told}"
    );
}

#[test]
fn another_programs_source() {
    let scratch = Scratch::new("gotosocial");
    let source = scratch.source();
    git(&source, &["rm", "-r", "--quiet", "."]);
    git(&source, &["commit", "--quiet", "--message=empty"]);
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

#[test]
fn what_is_no_source_is_named_and_the_rest_is_read() {
    let scratch = Scratch::new("gotosocial");
    let source = scratch.source();
    let run = |args: &[&str], input: &[u8]| {
        String::from_utf8_lossy(&given(&source, args, 2, input)).trim().to_owned()
    };
    let blob = |bytes: &[u8]| run(&["hash-object", "-w", "--stdin"], bytes);
    let model = "internal/api/model";
    let mut entries = given(&source, &["ls-tree", "-z", &format!("HEAD:{model}")], 2, b"");
    let mut insert = |name: &[u8], id: &str, kind: &str| {
        entries.extend(format!("{kind} {id}\t").into_bytes());
        entries.extend([name, b"\0"].concat());
    };
    insert(b"large.go", &blob(&vec![b' '; 3 << 20]), "100644 blob");
    let deep = format!("package model\n\nvar x {}int\n", "*".repeat(20_000));
    insert(b"deep.go", &blob(deep.as_bytes()), "100644 blob");
    insert(b"itself.go", &blob(b"itself.go"), "120000 blob");
    insert(b"\xff\xfe.go", &blob(b"package model\n"), "100644 blob");
    insert(b"bytes.go", &blob(b"package model\n\n// \xff\xfe\n"), "100644 blob");
    insert(b"module", &git(&source, &["rev-parse", "HEAD"]), "160000 commit");
    let mut inner = git(&source, &["rev-parse", &format!("HEAD:{model}")]);
    for _ in 0..100 {
        inner = run(&["mktree", "-z"], format!("040000 tree {inner}\ta\0").as_bytes());
    }
    insert(b"nested", &inner, "040000 tree");
    let new = run(&["mktree", "-z"], &entries);
    git(&source, &["rm", "-r", "--quiet", "--cached", model]);
    git(&source, &["read-tree", &format!("--prefix={model}/"), &new]);
    let tree = git(&source, &["write-tree"]);
    let commit = git(&source, &["commit-tree", "-p", "HEAD", "-m", "made", &tree]);
    git(&source, &["tag", "v0.3.0", &commit]);
    let request = Request {
        program: "gotosocial",
        source: &source,
        tag: "v0.3.0",
        from: None,
        version: None,
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
