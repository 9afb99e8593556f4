//! Runs the README's commands that need the generated crate.

use std::io::{BufRead as _, BufReader};
use std::process::{ChildStdout, Stdio};

use fedispec_tests::commands;
use fedispec_tests::readme::{blocks, is_live, sessions, words};
use serde_json::{Map, Value};

#[test]
fn the_commands_succeed() {
    let lines = blocks("sh");
    let live: Vec<_> = lines.iter().filter(|line| is_live(line)).collect();
    assert!(!live.is_empty(), "only {lines:?}");
    for line in live {
        let told = commands::run(words(&line["cargo xtask ".len()..])).succeeded();
        assert!(!told.stdout.is_empty(), "{line} prints nothing");
    }
}

#[test]
fn the_commands_print_what_the_readme_shows() {
    let sessions = sessions(true);
    assert!(!sessions.is_empty());
    for (command, printed) in sessions {
        let told = commands::run(&command).succeeded();
        assert_eq!(told.stdout, printed, "{command:?}");
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
        // A server of one's own needs no rest between its requests.
        let pause: &[&str] = if line.contains("https://") { &["--pause", "0"] } else { &[] };
        let mut command = commands::command(words);
        command.current_dir(folder.path()).args(pause);
        command.envs(token.map(|token| ("FEDISPEC_TOKEN", token)));
        let ran = commands::finish(&mut command);
        // 1 says that the server differs from its release, as a stand-in without every operation does.
        assert!(matches!(ran.code, Some(0 | 1)), "{line}: {}", ran.stderr);
    }
    assert!(folder.path().join("recording.jsonl").exists());
}
