//! Sides of a comparison that are missing or unreadable: each error says how to mend it.

use std::fs;

use super::{AUTH, BOOKS, TYPE, edited};
use fedispec_tests::catalogue::write;
use fedispec_tests::commands::{self, Ran};
use fedispec_tests::repository::{Repository, git};

fn unreachable(told: &Ran, parts: &[&str]) {
    assert_eq!(told.code, Some(3), "{}{}", told.stdout, told.stderr);
    assert_eq!(told.stdout, "");
    for part in parts {
        assert!(told.stderr.contains(part), "no `{part}` in {}", told.stderr);
    }
}

#[test]
fn an_invalid_side_is_named() {
    let repository = Repository::new();
    repository.edit(BOOKS, "since: {mastodon: \"4.1.0\"", "since: {mastodon: 4.1");
    let told = repository.diff(&[]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("the files on disk"), "{}", told.stderr);
    assert!(told.stderr.contains("supplement/books.yaml:"), "{}", told.stderr);

    repository.commit("broken");
    let told = repository.diff(&["HEAD~1..HEAD", "--fail-on", "none"]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("the catalogue of HEAD "), "{}", told.stderr);
}

#[test]
fn a_revision_of_another_form_is_read_from_its_resolved_form() {
    let repository = Repository::unborn();
    let out = repository.around().join("out");
    let mut generate = commands::command(["gen", "--spec"]);
    generate.arg(repository.spec()).arg("--out").arg(out);
    commands::finish(&mut generate).succeeded();
    repository.commit("base");
    let books = fs::read(repository.spec().join(BOOKS)).expect("a file");
    repository.edit(BOOKS, "summary: Lists books.", "title: Lists books.");
    repository.commit("broken");
    let told = repository.diff(&["HEAD"]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);

    // YAML of an older schema is reported as older, not as broken.
    repository.edit("schema/layer.json", "\"summary\"", "\"title\"");
    repository.commit("older");
    write(&repository.spec().join(BOOKS), &books);
    let told = repository.diff(&["HEAD"]).succeeded();
    assert!(told.stdout.contains("no difference"), "{}", told.stdout);
    assert!(told.stderr.contains("spec/api.json stands for it"), "{}", told.stderr);
}

/// A deprecation after the removal is refused in the newer state; in a base it was valid when the base was made.
const OUT_OF_ORDER: (&str, &str) = (
    "deprecated: {mastodon: \"4.3.0\"}",
    "deprecated: {mastodon: \"4.3.0\"}\n    removed: {mastodon: \"4.2.0\"}",
);

#[test]
fn an_old_base_that_is_refused_today_is_compared() {
    let repository = Repository::unborn();
    let out = repository.around().join("out");
    let mut generate = commands::command(["gen", "--spec"]);
    generate.arg(repository.spec()).arg("--out").arg(out);
    commands::finish(&mut generate).succeeded();
    let unquoted = ("since: {mastodon: \"4.1.0\"", "since: {mastodon: 4.1");
    repository.edit(BOOKS, unquoted.0, unquoted.1);
    repository.commit("refused");
    repository.git(&["tag", "v0.1.0"]);
    repository.edit(BOOKS, unquoted.1, unquoted.0);
    let told = repository.diff(&["v0.1.0", "--fail-on", "unbumped"]).succeeded();
    assert!(told.stdout.contains("no difference"), "{}", told.stdout);
    assert!(
        told.stderr.contains("does not pass today's checks; its spec/api.json stands for it"),
        "{}",
        told.stderr
    );
    // The newer side has to be valid.
    repository.edit(BOOKS, unquoted.0, unquoted.1);
    assert_eq!(repository.diff(&["v0.1.0"]).code, Some(2));
}

#[test]
fn an_old_base_without_its_resolved_form_is_read_leniently() {
    let repository = Repository::new();
    repository.edit(BOOKS, OUT_OF_ORDER.0, OUT_OF_ORDER.1);
    repository.commit("refused");
    repository.edit(BOOKS, OUT_OF_ORDER.1, OUT_OF_ORDER.0);
    let told = repository.diff(&["HEAD"]).succeeded();
    assert!(told.stdout.contains("removed-withdrawn"), "{}", told.stdout);
    assert!(told.stderr.contains("does not pass today's checks (1 problem)"), "{}", told.stderr);
    let old = repository.around().join("old");
    fs::create_dir_all(&old).expect("a folder");
    let mut archive = git(repository.path());
    archive.args(["worktree", "add", "--quiet"]).arg(old.join("checkout"));
    commands::finish(archive.args(["HEAD"])).succeeded();
    let spec = repository.spec().display().to_string();
    let base = old.join("checkout/spec").display().to_string();
    let told = repository.diff(&["--files", &base, &spec]).succeeded();
    assert!(told.stdout.contains("removed-withdrawn"), "{}", told.stdout);
    assert_eq!(repository.diff(&["--files", &spec, &base]).code, Some(2));
}

#[test]
fn a_contradiction_in_one_state_is_invalid_whatever_fails() {
    let repository = Repository::new();
    repository.edit(
        BOOKS,
        "deprecated: {mastodon: \"4.3.0\"}",
        "deprecated: {mastodon: \"4.3.0\"}\n    removed: {mastodon: \"4.2.0\"}",
    );
    assert_eq!(repository.diff(&["--fail-on", "none"]).code, Some(2));
}

#[test]
fn garbage_is_no_panic() {
    let repository = Repository::new();
    write(
        &repository.spec().join("supplement/garbage.yaml"),
        &[0, 159, 146, 150, b'\n', b':', 0xff],
    );
    let told = repository.diff(&[]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("garbage.yaml"), "{}", told.stderr);
    repository.commit("garbage");
    let told = repository.diff(&["HEAD~1..HEAD"]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(!told.stderr.contains("panicked"), "{}", told.stderr);
}

#[test]
fn a_missing_revision_says_what_to_fetch() {
    let repository = edited(&[AUTH]);
    unreachable(
        &repository.diff(&["origin/main"]),
        &["no revision `origin/main`", "git fetch origin main:refs/remotes/origin/main"],
    );
    unreachable(&repository.diff(&["v0.0.9"]), &["git fetch origin tag v0.0.9"]);
    unreachable(&repository.diff(&["HEAD~7..HEAD"]), &["no revision `HEAD~7`"]);
    unreachable(&repository.diff(&["HEAD..nowhere"]), &["no revision `nowhere`"]);
    let told = repository.diff(&["..--upload-pack=x"]);
    assert_eq!(told.code, Some(2), "{}", told.stderr);
}

#[test]
fn a_shallow_clone_says_how_to_deepen() {
    let repository = edited(&[AUTH]);
    repository.commit("second");
    let clone = repository.around().join("clone");
    let url = format!("file://{}", repository.path().display());
    let mut command = git(repository.around());
    command.args(["clone", "--quiet", "--depth=1", &url]).arg(&clone);
    commands::finish(&mut command).succeeded();
    let diff = |rev: &str| {
        let mut command = commands::command(["diff", rev, "--spec"]);
        commands::finish(command.arg(clone.join("spec")))
    };
    unreachable(
        &diff("HEAD~1"),
        &["shallow clone", "git fetch --unshallow origin", "fetch-depth: 0"],
    );
    unreachable(&diff("v0.1.0"), &["git fetch --depth=1 origin tag v0.1.0"]);
    diff("HEAD").succeeded();
}

#[test]
fn what_is_no_checkout_is_told() {
    let repository = Repository::unborn();
    unreachable(&repository.diff(&[]), &["no commit to compare with yet", "--files"]);
    fs::remove_dir_all(repository.path().join(".git")).expect("there was one");
    unreachable(&repository.diff(&[]), &["not in a git checkout", "--files OLD NEW"]);
    let spec = repository.spec().display().to_string();
    let told = repository.diff(&["--files", &spec, &spec]).succeeded();
    assert!(told.stdout.contains("no difference"), "{}", told.stdout);
    fs::remove_dir_all(repository.spec()).expect("there was one");
    let told = repository.diff(&[]);
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("there is no folder"), "{}", told.stderr);
}

#[test]
fn a_revision_without_a_catalogue_is_told() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "--orphan", "empty"]);
    repository.git(&["rm", "-r", "--cached", "--quiet", "."]);
    write(&repository.path().join("README"), b"nothing\n");
    repository.git(&["add", "README"]);
    repository.git(&["commit", "--quiet", "--message", "empty"]);
    unreachable(&repository.diff(&["empty"]), &["has no catalogue in `spec/`"]);
}

#[test]
fn a_renamed_folder_is_followed() {
    let repository = Repository::new();
    // Another catalogue, which is less similar.
    write(&repository.path().join("tests/tiny/implementations.yaml"), b"programs: {}\n");
    write(&repository.path().join("tests/tiny/documents/books.yaml"), b"area: books\n");
    repository.commit("another");
    let renamed = repository.path().join("catalogue");
    fs::rename(repository.spec(), &renamed).expect("renames");
    let text = fs::read_to_string(renamed.join(BOOKS)).expect("there");
    write(&renamed.join(BOOKS), text.replace(AUTH.0, AUTH.1).as_bytes());
    let mut command = commands::command(["diff", "--spec"]);
    let told = commands::finish(command.arg(&renamed).args(["--format", "json"])).succeeded();
    assert!(told.stderr.contains("was in `spec/` in HEAD"), "{}", told.stderr);
    let report: serde_json::Value = serde_json::from_str(&told.stdout).expect("JSON");
    let change = &report["changes"][0];
    assert_eq!(report["changes"].as_array().map(Vec::len), Some(1), "{report:#}");
    assert_eq!(change["base_at"]["file"], "spec/supplement/books.yaml");
    assert_eq!(change["head_at"]["file"], "catalogue/supplement/books.yaml");
}

#[test]
fn a_dirty_tree_is_told() {
    let repository = edited(&[AUTH]);
    repository.commit("second");
    repository.edit(BOOKS, TYPE.0, TYPE.1);
    let told = repository.diff(&["HEAD~1..HEAD"]).succeeded();
    assert!(told.stderr.contains("uncommitted changes in"), "{}", told.stderr);
    assert!(
        told.stdout.contains("auth-added") && !told.stdout.contains("Book.pages"),
        "{}",
        told.stdout
    );
    let told = repository.diff(&["HEAD~1"]).succeeded();
    assert!(told.stdout.contains("worktree (edited)"), "{}", told.stdout);
    assert!(
        told.stdout.contains("auth-added") && told.stdout.contains("Book.pages"),
        "{}",
        told.stdout
    );
}

#[test]
fn a_linked_catalogue_and_a_hook_work() {
    let repository = edited(&[AUTH]);
    let link = repository.around().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(repository.spec(), &link).expect("links");
    let mut command = commands::command(["diff", "--spec"]);
    command.arg(&link).env("GIT_DIR", ".git").env("GIT_INDEX_FILE", ".git/index");
    let told = commands::finish(&mut command).succeeded();
    assert!(told.stdout.contains("spec/supplement/books.yaml"), "{}", told.stdout);
}
