//! Runs the commands of the README. Its Rust samples are doc tests of this crate.

use fedispec_tests::readme::{blocks, is_live, pages, sessions};
use fedispec_tests::{commands, root};

#[test]
fn the_commands_succeed() {
    let lines = blocks("sh");
    let (xtask, other): (Vec<_>, Vec<_>) =
        lines.iter().partition(|line| line.starts_with("cargo xtask "));
    assert!(xtask.len() >= 4, "only {xtask:?}");
    for line in xtask.into_iter().filter(|line| !is_live(line)) {
        let mut words: Vec<&str> = line.split_whitespace().skip(2).collect();
        if words == ["gen"] {
            // Beside running tests nothing may be written; the tests of `gen` write elsewhere.
            words.push("--check");
        }
        let told = commands::run(&words).succeeded();
        assert!(!told.stdout.is_empty(), "{line} prints nothing");
    }
    let gate = std::fs::read_to_string(root().join(".ci/run")).expect("the gate is there");
    assert!(!other.is_empty());
    for line in other {
        assert!(gate.contains(line.as_str()), "`{line}` is not run by the gate");
    }
}

#[test]
fn the_commands_print_what_the_readme_shows() {
    let sessions = sessions(false);
    assert!(sessions.len() >= 2, "only {sessions:?}");
    for (command, printed) in sessions {
        let told = commands::run(&command).succeeded();
        assert_eq!(told.stdout, printed, "{command:?}");
    }
}

#[test]
fn a_server_takes_thirty_lines() {
    let pages = pages();
    let sample = pages
        .split("```rust\n")
        .filter_map(|rest| rest.split("\n```").next())
        .find(|sample| sample.contains("Server::new()"))
        .expect("the server");
    let shown = sample.lines().filter(|line| !line.starts_with("# "));
    assert!(shown.count() <= 30);
}

#[test]
fn the_table_is_that_of_the_catalogue() {
    let exported = commands::run(["export"]).succeeded();
    let exported: serde_json::Value = serde_json::from_str(&exported.stdout).expect("JSON");
    let items = exported["items"].as_array().expect("items");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let rows: Vec<Vec<&str>> = { readme.lines().filter(|line| line.starts_with("| ")) }
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .filter(|cells: &Vec<&str>| cells.get(1).is_some_and(|id| id.starts_with('`')))
        .collect();
    assert!(rows.len() >= 5, "only {rows:?}");
    for row in rows {
        let id = row[1].trim_matches('`');
        let item = items.iter().find(|item| item["id"] == id).expect(id);
        let since = ["mastodon", "gotosocial"].map(|program| item["since"][program].as_str());
        assert_eq!(since, [Some(row[2]), Some(row[3])], "{id}");
    }
}

/// Compares the README's samples with the files that they are taken from.
#[test]
fn the_build_scripts_are_those_of_the_samples() {
    let shown = blocks("rust,no_run").join("\n") + "\n";
    let sample = |path: &str| {
        let text = std::fs::read_to_string(root().join("tests/samples").join(path));
        text.expect("the sample")
    };
    for path in ["client/build.rs", "server/build.rs"] {
        let text = sample(path);
        assert!(text.lines().count() <= 10, "{path}");
        assert!(shown.contains(&text), "{path} differs from the README");
    }
    let overlay = sample("server/catalogue/reactions.yaml");
    let lines = blocks("yaml");
    assert!(lines.len() >= 5, "only {lines:?}");
    for line in lines {
        assert!(overlay.contains(&line), "the overlay has no `{line}`");
    }
}

/// Compares the README's fragments with the files that they are taken from, whatever their indentation.
#[test]
fn the_fragments_are_those_of_the_tests() {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let files = ["tests/samples/client/src/main.rs", "xtask/standin/tests/running.rs"];
    let files = files.map(|file| packed(&std::fs::read_to_string(root().join(file)).expect(file)));
    let pages = pages();
    let fragments: Vec<_> = pages
        .split("```rust,ignore\n")
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .collect();
    assert!(fragments.len() >= 2);
    for fragment in fragments {
        let found = files.iter().any(|file| file.contains(&packed(fragment)));
        assert!(found, "no test has {fragment}");
    }
}
