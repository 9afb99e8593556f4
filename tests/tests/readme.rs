//! Runs the commands of the README. Its Rust samples are doc tests of this crate.

use fedispec_tests::{commands, root};

/// The lines of every fenced block of that language.
fn blocks(language: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.strip_prefix("```") {
            Some(fence) => inside = !inside && fence == language,
            None if inside => lines.push(line.to_owned()),
            None => {}
        }
    }
    lines
}

#[test]
fn the_commands_succeed() {
    let lines = blocks("sh");
    let (xtask, other): (Vec<_>, Vec<_>) = lines
        .iter()
        .partition(|line| line.starts_with("cargo xtask "));
    assert!(xtask.len() >= 4, "only {xtask:?}");
    for line in xtask {
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
        assert!(
            gate.contains(line.as_str()),
            "`{line}` is not run by the gate"
        );
    }
}

/// Splits a line as a shell does, as far as double quotes go.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let split = |(number, part): (usize, &str)| -> Vec<String> {
        let quoted = number % 2 == 1;
        let words = part.split_whitespace().map(str::to_owned);
        if quoted {
            vec![part.to_owned()]
        } else {
            words.collect()
        }
    };
    parts.flat_map(split).collect()
}

#[test]
fn the_commands_print_what_the_readme_shows() {
    let mut sessions: Vec<(Vec<String>, String)> = Vec::new();
    for line in blocks("console") {
        if let Some(command) = line.strip_prefix("$ cargo xtask ") {
            sessions.push((words(command), String::new()));
        } else if let Some((_, printed)) = sessions.last_mut() {
            printed.push_str(&line);
            printed.push('\n');
        }
    }
    assert!(sessions.len() >= 2, "only {sessions:?}");
    for (command, printed) in sessions {
        let told = commands::run(&command).succeeded();
        assert_eq!(told.stdout, printed, "{command:?}");
    }
}

#[test]
fn the_alias_is_there() {
    let mut command = commands::cargo();
    let told = commands::finish(command.args(["xtask", "--help"])).succeeded();
    assert!(told.stdout.contains("cargo xtask gen"), "{}", told.stdout);
}

#[test]
fn contributing_says_it_in_ten_lines() {
    let text = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("it is there");
    let section = text
        .split("## How to add an operation")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("the section");
    assert_eq!(section.trim().lines().count(), 10);
}

#[test]
fn a_server_takes_thirty_lines() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let sample = readme
        .split("```rust\n")
        .filter_map(|rest| rest.split("\n```").next())
        .find(|sample| sample.contains("Server::new()"))
        .expect("the server");
    let shown = sample.lines().filter(|line| !line.starts_with("# "));
    assert!(shown.count() <= 30);
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
    let module = blocks("rust,ignore").join("\n");
    assert!(sample("client/src/main.rs").contains(&module));
}
