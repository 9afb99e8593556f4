//! The blocks of commands in the README and the pages behind it, for the tests that run them.

use std::path::Path;

use crate::commands::LIVE;
use crate::root;

/// The README, and the pages in `docs/` by name.
///
/// # Panics
/// Where they cannot be read.
pub fn pages() -> String {
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path);
        text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let docs = std::fs::read_dir(root().join("docs")).expect("the pages are there").flatten();
    let mut docs: Vec<_> = docs.map(|entry| entry.path()).collect();
    docs.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    docs.sort();
    docs.insert(0, root().join("README.md"));
    docs.iter().map(|path| read(path)).collect()
}

/// The lines of every fenced block of that language.
pub fn blocks(language: &str) -> Vec<String> {
    let readme = pages();
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
