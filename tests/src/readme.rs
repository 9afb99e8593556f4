//! The README's blocks of commands, for the tests that run them.

use crate::commands::LIVE;
use crate::root;

/// The lines of every fenced block of that language.
///
/// # Panics
/// Where there is no README.
pub fn blocks(language: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md"))
        .unwrap_or_else(|error| panic!("README.md: {error}"));
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

/// Splits a line as a shell does, as far as double quotes go.
pub fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let split = |(number, part): (usize, &str)| -> Vec<String> {
        let quoted = number % 2 == 1;
        let words = part.split_whitespace().map(str::to_owned);
        if quoted { vec![part.to_owned()] } else { words.collect() }
    };
    parts.flat_map(split).collect()
}

/// Whether a line of the README runs a command of the binary `fedispec`.
pub fn is_live(line: &str) -> bool {
    let command = line.trim_start_matches("$ ").strip_prefix("cargo xtask ");
    command.is_some_and(|command| LIVE.iter().any(|live| command.starts_with(live)))
}

/// The commands of `console` blocks, without `cargo xtask`, each with the text that the README shows for it.
pub fn sessions(live: bool) -> Vec<(Vec<String>, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for line in blocks("console") {
        if line.starts_with("$ cargo xtask ") {
            sessions.push((line, String::new()));
        } else if let Some((_, printed)) = sessions.last_mut() {
            printed.push_str(&line);
            printed.push('\n');
        }
    }
    sessions.retain(|(line, _)| is_live(line) == live);
    let split = |line: &str| words(line.trim_start_matches("$ cargo xtask "));
    sessions.into_iter().map(|(line, printed)| (split(&line), printed)).collect()
}
