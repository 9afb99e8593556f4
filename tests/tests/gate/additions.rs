//! Counts the generated files and lines that an addition to the catalogue changes, and merges two branches with an addition each.

use std::path::Path;
use std::process::{Command, Output};

use fedispec_tests::catalogue::Scratch;
use fedispec_tests::commands;

/// An edit of the catalogue: the file, a text in it, and what is inserted before that text.
type Edit = (&'static str, &'static str, &'static str);

const PARAM_OF_GET: Edit = (
    "supplement/polls.yaml",
    "\n  polls.vote:\n",
    "      fresh: {summary: Counts the votes anew., since: {mastodon: \"4.5.0\", gotosocial: never}, in: query, type: boolean, required: false, left_out: harmless}
",
);
const PARAM_OF_VOTE: Edit = (
    "supplement/polls.yaml",
    "\n  polls.get_v2:\n",
    "      again: {summary: Replaces an earlier vote., since: {mastodon: \"4.4.0\", gotosocial: never}, in: form, type: boolean, required: false, left_out: harmless}
",
);
const FIELD: Edit = (
    "supplement/polls.yaml",
    "      expires_at:\n",
    "      closed_by: {summary: The account that closed the poll early., since: {mastodon: \"4.5.0\", gotosocial: never}, type: string, nullable: true, optional: false}
",
);
const VALUE: Edit = (
    "supplement/media.yaml",
    "      image: {summary",
    "      model: {summary: A model in three dimensions., since: {mastodon: \"4.5.0\", gotosocial: never}}
",
);
const OPERATION: Edit = (
    "supplement/polls.yaml",
    "  polls.get:\n",
    "  polls.close:
    summary: Closes a poll early.
    since: {mastodon: \"4.5.0\", gotosocial: never}
    method: POST
    path: /api/v1/polls/:id/close
    auth: {token: user, scopes: [\"write:statuses\"]}
    returns: Poll
    success: [200]
    paging: none
    errors: {}
    params:
      id: {in: path, type: id<Poll>, required: true}

",
);
const ANOTHER_OPERATION: Edit = (
    "supplement/polls.yaml",
    "  polls.get_v2:\n",
    "  polls.open:
    summary: Opens a poll again.
    since: {mastodon: \"4.5.0\", gotosocial: never}
    method: POST
    path: /api/v1/polls/:id/open
    auth: {token: user, scopes: [\"write:statuses\"]}
    returns: Poll
    success: [200]
    paging: none
    errors: {}
    params:
      id: {in: path, type: id<Poll>, required: true}

",
);
const ENTITY: Edit = (
    "supplement/polls.yaml",
    "  Poll:\n",
    "  PollNote:
    summary: What its author adds to a poll.
    since: {mastodon: \"4.5.0\", gotosocial: never}
    fields:
      text: {summary: What the author wrote., type: string, nullable: false, optional: false, evidence: {presence.mastodon: recordings}}

",
);

fn make(scratch: &Scratch, (file, from, more): Edit) {
    scratch.edit(file, from, &format!("{more}{from}"));
}

/// Added and removed lines by file.
fn changed(old: &Path, new: &Path) -> Vec<(String, usize)> {
    let compared = Command::new("git")
        .args(["diff", "--no-index", "--no-renames", "--numstat"])
        .args([old, new])
        .output()
        .expect("git runs");
    let text = String::from_utf8_lossy(&compared.stdout).into_owned();
    let line = |line: &str| {
        let mut words = line.split('\t');
        let mut number = || words.next()?.parse::<usize>().ok();
        let lines = number()? + number()?;
        Some((words.next()?.to_owned(), lines))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn an_addition_changes_little() {
    let before = Scratch::generated();
    for (what, edit, most_files, most_lines) in [
        ("a parameter", PARAM_OF_GET, 6, 30),
        ("a field", FIELD, 8, 20),
        ("a value", VALUE, 8, 20),
        ("an operation", OPERATION, 8, 80),
        ("an entity", ENTITY, 8, 60),
    ] {
        let after = Scratch::new();
        make(&after, edit);
        commands::run(after.gen_args(&[])).succeeded();
        let generated = changed(&before.out(), &after.out());
        let lines: usize = generated.iter().map(|(_, lines)| lines).sum();
        let json = [&before, &after].map(|scratch| scratch.spec().join("api.json"));
        let json: usize = changed(&json[0], &json[1]).iter().map(|(_, lines)| lines).sum();
        eprintln!("{what}: {} files, {lines} lines; api.json {json}", generated.len());
        assert!(!generated.is_empty(), "{what} changes nothing");
        assert!(generated.len() <= most_files, "{what}: {generated:?}");
        assert!(lines <= most_lines, "{what}: {generated:?}");
        assert!(json <= 12, "{what} changes {json} lines of api.json");
    }
}

fn git(scratch: &Scratch, args: &[&str]) -> Output {
    Command::new("git")
        .current_dir(scratch.path())
        .args(["-c", "user.name=keeper", "-c", "user.email=keeper@example.org"])
        .args(args)
        .output()
        .expect("git runs")
}

fn done(scratch: &Scratch, args: &[&str]) {
    let output = git(scratch, args);
    let told = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&told));
}

fn commit(scratch: &Scratch, message: &str) {
    done(scratch, &["add", "--all"]);
    done(scratch, &["commit", "--quiet", "--message", message]);
}

/// Makes an edit on a branch of the base, with what is generated of it.
fn branch(scratch: &Scratch, name: &str, edit: Edit) {
    done(scratch, &["switch", "--quiet", "--create", name, "main"]);
    make(scratch, edit);
    commands::run(scratch.gen_args(&[])).succeeded();
    commit(scratch, name);
}

/// Commits an edit on each of two branches and merges them: no file conflicts, and what they merge to is what `gen` writes.
fn merged(one: Edit, two: Edit) -> Scratch {
    let scratch = Scratch::generated();
    done(&scratch, &["init", "--quiet", "--initial-branch=main"]);
    commit(&scratch, "base");
    branch(&scratch, "one", one);
    branch(&scratch, "two", two);
    done(&scratch, &["merge", "--quiet", "--no-edit", "one"]);
    commands::run(scratch.gen_args(&["--check"])).succeeded();
    scratch
}

/// The operations stand two apart in their group; what stands side by side conflicts in the YAML already.
#[test]
fn two_branches_that_each_add_an_operation_to_a_group_merge() {
    let scratch = merged(OPERATION, ANOTHER_OPERATION);
    let mounted = std::fs::read_to_string(scratch.out().join("src/server/polls.rs"));
    let mounted = mounted.expect("the server's polls");
    for method in ["close", "open"] {
        let mount = format!("group.mount(T::{method});");
        assert!(mounted.contains(&mount), "{mounted}");
    }
}

#[test]
fn two_branches_that_each_add_a_parameter_merge() {
    // Neighbours in every file, so that a conflict would show.
    let scratch = merged(PARAM_OF_GET, PARAM_OF_VOTE);
    let merged = std::fs::read_to_string(scratch.out().join("src/polls.rs")).expect("polls");
    assert!(
        merged.contains("pub fresh: Option<bool>") && merged.contains("pub again: Option<bool>")
    );
}
