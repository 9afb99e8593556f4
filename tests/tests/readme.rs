//! Runs the commands of the README. Its Rust samples are doc tests of this crate.

use std::io::{BufRead as _, BufReader};
use std::process::{ChildStdout, Stdio};

use fedispec_tests::{commands, root};
use serde_json::{Map, Value};

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
    let (xtask, other): (Vec<_>, Vec<_>) =
        lines.iter().partition(|line| line.starts_with("cargo xtask "));
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
        assert!(gate.contains(line.as_str()), "`{line}` is not run by the gate");
    }
}

/// Splits a line as a shell does, as far as double quotes go.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let split = |(number, part): (usize, &str)| -> Vec<String> {
        let quoted = number % 2 == 1;
        let words = part.split_whitespace().map(str::to_owned);
        if quoted { vec![part.to_owned()] } else { words.collect() }
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
}

/// Compares the README's fragments with the files that they are taken from, whatever their indentation.
#[test]
fn the_fragments_are_those_of_the_tests() {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let files = ["tests/samples/client/src/main.rs", "xtask/standin/tests/running.rs"];
    let files = files.map(|file| packed(&std::fs::read_to_string(root().join(file)).expect(file)));
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let fragments: Vec<_> = readme
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

/// Starts the stand-in as the README does, and sends it what the README sends to a server.
#[test]
fn the_commands_that_need_a_server_succeed() {
    let shown = blocks("shell-session");
    let command = shown.first().expect("a command and its output");
    let command = command.strip_prefix("$ cargo xtask ").expect("a command");
    let mut server = commands::command(words(command));
    let mut server =
        server.args(["--port", "0"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let output = server.stdout.take().expect("its output");
    let ran = std::thread::spawn(move || ask_what_is_shown(output, &shown)).join();
    server.kill().expect("it was running");
    server.wait().expect("it ends");
    ran.expect("it succeeded");
}

/// Reads where the server is, and runs the README's commands with its address.
fn ask_what_is_shown(output: ChildStdout, shown: &[String]) {
    let mut first = String::new();
    let read = BufReader::new(output).read_line(&mut first);
    assert!(read.is_ok_and(|bytes| bytes > 0), "nothing printed");
    let parsed = |line: &str| serde_json::from_str::<Map<String, Value>>(line).expect(line);
    let told = parsed(&first);
    let keys = |object: &Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&told), keys(&parsed(&shown[1])));
    let folder = tempfile::tempdir().expect("a folder");
    for line in blocks("bash") {
        let (token, line) = match line.strip_prefix("FEDISPEC_TOKEN=.. ") {
            Some(line) => (told["token"].as_str(), line.to_owned()),
            None => (None, line),
        };
        let words = words(line.strip_prefix("cargo xtask ").expect(&line));
        let words = words.into_iter().map(|word| match word.as_str() {
            "https://social.example" => told["url"].as_str().expect("its address").to_owned(),
            _ => word,
        });
        let mut command = commands::command(words);
        command.current_dir(folder.path());
        command.envs(token.map(|token| ("FEDISPEC_TOKEN", token)));
        let ran = commands::finish(&mut command);
        // 1 says that the server differs from its release, as a stand-in without every operation does.
        assert!(matches!(ran.code, Some(0 | 1)), "{line}: {}", ran.stderr);
    }
    assert!(folder.path().join("recording.jsonl").exists());
}
