//! JSON paths.

use std::fmt::Write as _;

use crate::Json;

/// A step into a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// Writes a path: `$.accounts[3]["@1x"]`.
pub(super) fn show(path: &[Step]) -> String {
    let mut text = String::from("$");
    for step in path {
        let _ = match step {
            Step::Index(index) => write!(text, "[{index}]"),
            Step::Key(key) if is_plain(key) => write!(text, ".{key}"),
            Step::Key(key) => write!(text, "[{key:?}]"),
        };
    }
    text
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What stands at a path.
pub(super) fn find<'a>(tree: &'a Json, path: &[Step]) -> Option<&'a Json> {
    path.iter().try_fold(tree, |tree, step| match step {
        Step::Key(key) => tree.get(key),
        Step::Index(index) => tree.get(index),
    })
}
