//! The contents of each output format.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use serde_json::Value;

use super::{AUTH, BOOKS, PROVEN, RELEASE, SINCE, TEXT, TYPE, edited};
use fedispec_tests::commands::{self, Ran};
use fedispec_tests::repository::Repository;
use fedispec_tests::{python, root};

fn told(edits: &[(&str, &str)], args: &[&str]) -> Ran {
    edited(edits).diff(args).succeeded()
}

#[test]
fn the_text_tells_what_and_where_and_why() {
    let text = told(&[AUTH, TYPE, SINCE, RELEASE, TEXT], &[]).stdout;
    for part in [
        "catalogue  HEAD ",
        ".. worktree (edited)    floors gotosocial 0.16.0, mastodon 4.0.0",
        " BREAKING  Book.pages  field",
        "   field-type-changed (response)  has the type string, was integer",
        "     breaks   C your code, W running calls, S servers: ",
        "     rust     - entities::Book::pages: i64\n              + entities::Book::pages: String\n",
        " BREAKING  books.search  GET /api/v1/books/search",
        " RISKY     books.delete  DELETE /api/v1/books/:id",
        "     gate     opens on gotosocial 0.16.0",
        "     evidence B source",
        " ok        gotosocial  program",
        "; 1 only text, hidden (--show docs)",
        " bump implied major, measured major",
        "declared none: too small",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let (breaking, risky) =
        (text.find(" BREAKING ").expect("one"), text.find(" RISKY ").expect("one"));
    assert!(breaking < risky, "worst first: {text}");
    assert!(!text.contains("docs-only-changed"), "{text}");
    assert!(!text.contains('\x1b'), "colours in a pipe: {text}");
    let coloured = told(&[AUTH, TEXT], &["--color", "always", "--show", "docs"]).stdout;
    assert!(coloured.contains("\x1b[1;31mBREAKING "), "{coloured}");
    assert!(coloured.contains("docs-only-changed"), "{coloured}");
}

#[test]
fn what_happened_to_many_is_told_once() {
    let repository = Repository::new();
    let path = repository.spec().join(BOOKS);
    let text = fs::read_to_string(&path).expect("there");
    fs::write(
        &path,
        text.replace(
            "since: {mastodon: \"4.0.0\", gotosocial: \"0.16.0\"}, type",
            "since: {mastodon: \"4.1.0\", gotosocial: \"0.16.0\"}, type",
        ),
    )
    .expect("writes");
    let told = repository.diff(&["--no-measure", "--only", "since-moved-later"]).succeeded();
    assert_eq!(told.stdout.matches("   since-moved-later  ").count(), 1, "{}", told.stdout);
    assert!(
        told.stdout.contains("fields") && told.stdout.contains("Book.pages"),
        "{}",
        told.stdout
    );
}

#[test]
fn what_a_rule_says_of_one_owner_is_one_block() {
    let repository = Repository::new();
    for (name, version) in [("title", "4.3.0"), ("author", "4.2.0"), ("isbn", "4.4.0")] {
        let param = format!("      {name}: {{in: form");
        let deprecated =
            format!("      {name}: {{deprecated: {{mastodon: \"{version}\"}}, in: form");
        repository.edit(BOOKS, &param, &deprecated);
    }
    let text = repository.diff(&["--no-measure"]).succeeded().stdout;
    assert_eq!(text.matches("deprecated-added").count(), 2, "{text}");
    for part in [
        "3 parameters of books.create",
        "  author  mastodon discourages it since 4.2.0  spec/supplement/books.yaml:",
        "--accept 'deprecated-added:books.create.*'",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let of =
        |format: &str| repository.diff(&["--no-measure", "--format", format]).succeeded().stdout;
    let markdown = of("markdown");
    assert_eq!(markdown.matches("deprecated-added").count(), 1, "{markdown}");
    assert!(
        markdown.contains("| `3 parameters of books.create` | deprecated-added: `author`"),
        "{markdown}"
    );
    let page = of("html");
    assert_eq!(page.matches("<article ").count(), 1, "{page}");
    assert_eq!(page.matches("<li id=").count(), 3, "{page}");
    let lines = of("lines");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let first = lines.lines().next().expect("a line");
    let (place, rest) = first.split_once(' ').expect("a place");
    assert!(place.starts_with("spec/supplement/books.yaml:"), "{first}");
    assert_eq!(
        rest,
        "deprecated-added compatible books.create.author: mastodon discourages it since 4.2.0"
    );
}

#[test]
fn globs_choose() {
    let edits = [AUTH, TYPE, SINCE];
    for (args, there, gone) in [
        (["--only", "books.*"], "books.search", "Book.pages"),
        (["--only", "since-*,Book.pages"], "Book.pages", "auth-added"),
        (["--skip", "*-added"], "Book.pages", "auth-added"),
    ] {
        for format in ["text", "lines", "json", "markdown", "html", "github"] {
            let told =
                told(&edits, &[&args[..], &["--format", format, "--no-measure"]].concat()).stdout;
            assert!(told.contains(there) && !told.contains(gone), "{args:?} {format}: {told}");
        }
    }
    // Findings that are not shown still count.
    assert_eq!(edited(&edits).diff(&["--only", "nothing", "--fail-on", "breaking"]).code, Some(1));
}

#[test]
fn one_run_writes_many_outputs() {
    let repository = edited(&[AUTH, SINCE]);
    let folder = repository.around().join("reports of a run");
    let file = |name: &str| folder.join(name).display().to_string();
    let (html, json, comment, guide) =
        (file("a.html"), file("a.json"), file("comment"), file("guide.md"));
    let args = [
        "--output", &html, "--format", "html", "--output", &comment, "--format", "markdown",
        "--format", "upgrade", "--output", &guide, "--output", "-", "--format", "text", "--output",
        &json,
    ];
    let told = repository.diff(&args).succeeded();
    assert!(told.stdout.starts_with("catalogue  HEAD"), "{}", told.stdout);
    let read = |path: &str| fs::read_to_string(path).expect("written");
    assert!(read(&html).starts_with("<!DOCTYPE html>"));
    assert!(read(&comment).starts_with("<!-- xtask-diff -->\n"));
    assert!(read(&guide).starts_with("# Upgrading from 0.1.0"));
    let report: Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!(report["schema"], "fedispec-diff/1");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 4, "something was left beside");
    let again = repository.diff(&args).succeeded();
    assert_eq!(told.stdout, again.stdout);
}

#[test]
fn what_cannot_be_written_is_told() {
    let repository = edited(&[AUTH]);
    let below_a_file = repository.path().join("Cargo.toml/report.html").display().to_string();
    let told = repository.diff(&["--output", &below_a_file]);
    assert_eq!(told.code, Some(2), "{}", told.stdout);
    assert!(told.stderr.contains("Cargo.toml"), "{}", told.stderr);
    #[cfg(unix)]
    {
        // A device is written to, not replaced by a file.
        use std::os::unix::fs::FileTypeExt as _;
        repository.diff(&["--format", "json", "--output", "/dev/null"]).succeeded();
        let null = fs::metadata("/dev/null").expect("it is still there");
        assert!(null.file_type().is_char_device(), "the device was replaced");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let repository = edited(&[AUTH, TYPE, SINCE]);
    for format in ["text", "json", "html"] {
        let mut command = repository.command(&["--format", format, "--no-measure"]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
        let status = child.wait().expect("ends");
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{format}");
    }
}

/// The JSON paths of all texts that look like an absolute path of this machine.
fn absolute(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with('/') && !text.starts_with("/api"),
        Value::Array(list) => list.iter().any(absolute),
        Value::Object(map) => map.values().any(absolute),
        _ => false,
    }
}

#[test]
fn the_json_is_what_its_schema_says() {
    let repository = edited(&[AUTH, TYPE, SINCE, RELEASE, TEXT]);
    let file = |name: &str| repository.around().join(name).display().to_string();
    let (schema, state, program, parity) =
        (file("schema.json"), file("state.json"), file("program.json"), file("parity.json"));
    repository.diff(&["--format", "json-schema", "--output", &schema]).succeeded();
    let used = root().join("xtask/src").display().to_string();
    repository.diff(&["--output", &state, "--used-by", &used]).succeeded();
    repository.diff(&["--program", "mastodon", "4.0.0..4.4.0", "--output", &program]).succeeded();
    repository.diff(&["mastodon@4.4.0", "gotosocial@0.17.0", "--output", &parity]).succeeded();
    let report: Value =
        serde_json::from_str(&fs::read_to_string(&state).expect("written")).expect("JSON");
    assert_eq!(
        (&report["mode"], &report["head"]["dirty"]),
        (&Value::from("state"), &Value::from(true))
    );
    let change = &report["changes"][0];
    assert_eq!(change["rule"], "field-type-changed");
    assert_eq!(change["fp"].as_str().map(str::len), Some(12));
    assert_eq!(change["head_at"]["file"], "spec/supplement/books.yaml");
    for at in ["base_at", "head_at"] {
        assert!(
            change[at]["line"].as_u64() > Some(1) && change[at]["col"].as_u64() > Some(1),
            "{change:#}"
        );
    }
    assert!(!absolute(&report["changes"]), "{report:#}");
    let Some(python) = python::python("the_json_is_what_its_schema_says") else {
        return;
    };
    let validate = root().join("tests/python/validate.py");
    python::run(python, &validate, &[&schema, &state, &program, &parity], "").succeeded();
    // The schema must also refuse something, or the check above proves nothing.
    let broken = fs::read_to_string(&state)
        .expect("written")
        .replace("\"severity\": \"breaking\"", "\"severity\": \"dire\"");
    fs::write(&state, broken).expect("writes");
    assert_eq!(python::run(python, &validate, &[&schema, &state], "").code, Some(1));
}

/// The small catalogue with `count` more parameters, each of which changes its type.
fn many(count: usize) -> Repository {
    let repository = Repository::new();
    let param = |number: usize, kind: &str| {
        format!("      p{number}: {{in: query, type: {kind}, required: false}}\n")
    };
    let with = |kind: &str| (0..count).map(|number| param(number, kind)).collect::<String>();
    let limit = "      limit: {in: query";
    repository.edit(BOOKS, limit, &format!("{}{limit}", with("string")));
    repository.commit("many");
    repository.edit(BOOKS, &with("string"), &with("integer"));
    repository
}

#[test]
fn github_is_told_the_worst_and_that_there_is_more() {
    let repository = many(15);
    repository.edit(BOOKS, PROVEN.0, PROVEN.1);
    let (summary, outputs) =
        (repository.around().join("summary"), repository.around().join("outputs"));
    fs::write(&summary, "before\n").expect("writes");
    let mut command = repository.command(&["--format", "github", "--no-measure"]);
    command.env("GITHUB_STEP_SUMMARY", &summary).env("GITHUB_OUTPUT", &outputs);
    let told = commands::finish(&mut command).succeeded();
    let of = |start: &str| {
        told.stdout.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>()
    };
    assert_eq!((of("::error ").len(), of("::warning ").len()), (10, 1), "{}", told.stdout);
    assert_eq!(of("::notice "), ["::notice title=xtask diff::5 more changes; see the job summary"]);
    assert_eq!(told.stdout.lines().count(), 12);
    let first = of("::error ")[0];
    assert!(
        first.starts_with("::error title=param-type-changed,file=spec/supplement/books.yaml,line="),
        "{first}"
    );
    assert!(first.contains("needs a major bump ["), "{first}");
    let summary = fs::read_to_string(summary).expect("there");
    assert!(summary.starts_with("before\n<!-- xtask-diff -->\n"), "{summary}");
    let outputs = fs::read_to_string(outputs).expect("there");
    assert!(outputs.contains("bump=major\nbreaking=15\nrisky=1\n"), "{outputs}");
}

#[test]
fn a_deletion_is_anchored_on_what_is_left() {
    let repository = Repository::new();
    let mood = "      mood: {in: query, type: string, words: Genre, required: false, nullable: true, evidence: {shape: docs}}\n";
    repository.edit(BOOKS, mood, "");
    let told = repository.diff(&["--format", "github", "--no-measure"]).succeeded();
    let line = told.stdout.lines().find(|line| line.contains("books.list.mood")).expect("told");
    let text = fs::read_to_string(repository.spec().join(BOOKS)).expect("there");
    let parent = text.lines().position(|line| line == "  books.list:").expect("there") + 1;
    assert!(line.contains(&format!("file=spec/supplement/books.yaml,line={parent}")), "{line}");
    // Where a whole operation is gone, the annotation points at the file.
    repository.edit("programs/extra/extra.yaml", ", shelves.vague", "");
    let start = text.find("  shelves.vague:").expect("there");
    let end = text.find("entities:").expect("there");
    fs::write(repository.spec().join(BOOKS), format!("{}{}", &text[..start], &text[end..]))
        .expect("writes");
    let told = repository.diff(&["--format", "github", "--no-measure"]);
    let line = told.stdout.lines().find(|line| line.contains("shelves.vague"));
    let line = line.unwrap_or_else(|| panic!("{}{}", told.stdout, told.stderr));
    assert!(line.contains("file=spec/supplement/books.yaml,line="), "{line}");
}

#[test]
fn markdown_sticks_folds_and_is_cut() {
    let text = told(&[AUTH, PROVEN, RELEASE, TEXT], &["--format", "markdown"]).stdout;
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("<!-- xtask-diff -->"));
    assert!(lines.next().is_some_and(|line| line.starts_with("### API catalogue: 1 breaking, 1 risky, 1 compatible — crate bump **patch** (declared none ❌)")), "{text}");
    let (before, folded) = text.split_once("<details>").expect("folded");
    assert!(before.contains("| 🔴 | `books.search` `GET /api/v1/books/search` |"), "{text}");
    assert!(!before.contains("🟢") && folded.contains("🟢"), "{text}");
    assert!(text.contains("cargo xtask diff --accept "), "{text}");

    let repository = many(900);
    let mut command = repository.command(&["--format", "markdown", "--no-measure"]);
    command
        .env("GITHUB_SERVER_URL", "https://github.com")
        .env("GITHUB_REPOSITORY", "a/b")
        .env("GITHUB_RUN_ID", "7");
    let told = commands::finish(&mut command).succeeded();
    assert!(told.stdout.chars().count() < 65_536, "{}", told.stdout.len());
    assert!(told.stdout.contains("and 880 more"), "{}", told.stdout);
    assert!(told.stdout.contains("more; the whole report is [among the job's artifacts](https://github.com/a/b/actions/runs/7)"));
}

#[test]
fn markdown_links_to_the_forge() {
    let repository = edited(&[SINCE]);
    repository.git(&["remote", "add", "origin", "git@github.com:someone/something.git"]);
    let told = repository.diff(&["--format", "markdown"]).succeeded();
    let link = "(https://github.com/someone/something/blob/";
    assert!(
        told.stdout.contains(link) && told.stdout.contains("/spec/supplement/books.yaml#L"),
        "{}",
        told.stdout
    );
}

#[test]
fn the_page_stands_alone() {
    let page = told(
        &[AUTH, TYPE, TEXT, ("summary: Removes a book.", "summary: Removes </script><b>a book.")],
        &["--format", "html"],
    )
    .stdout;
    for outside in ["src=", "<link", "@import", "url(", "http://"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
    assert_eq!(page.matches("</script>").count(), 1);
    assert_eq!(page.matches("<article ").count(), 4, "{page}");
    for filter in [
        "name=\"severity\" value=\"breaking\"",
        "name=\"who\" value=\"wire\"",
        "name=\"program\" value=\"gotosocial\"",
    ] {
        assert!(page.contains(filter), "{filter}");
    }
}

#[test]
fn the_guide_shows_before_and_after() {
    let guide = told(&[TYPE, AUTH], &["--format", "upgrade"]).stdout;
    for part in [
        "# Upgrading from 0.1.0 (HEAD ",
        "## Code that no longer compiles\n\n### Read the value as its new type\n\n- `Book.pages`: has the type string, was integer\n",
        "  - entities::Book::pages: i64\n  + entities::Book::pages: String\n",
        "## Calls that behave otherwise\n\n- `books.search`",
    ] {
        assert!(guide.contains(part), "no `{part}` in {guide}");
    }
    // Mechanical replacements come before changes that need a look.
    let renamed = ("    summary: One book.", "    summary: One book.\n    rust: Fetch");
    let guide = told(&[TYPE, renamed], &["--format", "upgrade"]).stdout;
    let (name, value) = (guide.find("### Use the new name"), guide.find("### Read the value"));
    assert!(name.is_some() && name < value, "{guide}");
    let guide = told(&[TEXT], &["--format", "upgrade"]).stdout;
    assert!(guide.contains("No code has to change."), "{guide}");
}

#[test]
fn a_program_is_told_what_hits_it() {
    let repository = edited(&[TYPE, AUTH]);
    let program = repository.around().join("program/src/main.rs");
    fedispec_tests::catalogue::write(
        &program,
        b"use fedispec::entities::Book;\nfn f(book: &Book) -> i64 { book.pages }\n",
    );
    let folder = repository.around().join("program").display().to_string();
    let told = repository.diff(&["--used-by", &folder]).succeeded();
    assert!(told.stdout.contains("1 Rust file with "), "{}", told.stdout);
    assert!(
        told.stdout.contains("field-type-changed Book.pages: ")
            && told.stdout.contains("main.rs:2"),
        "{}",
        told.stdout
    );
    assert!(!told.stdout.contains("auth-added books.search: "), "{}", told.stdout);
}
