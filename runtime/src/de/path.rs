//! JSON paths, as errors show them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A step from an object or a list to a value inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

impl From<&'static str> for Step {
    fn from(key: &'static str) -> Self {
        Self::Key(key.into())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Self {
        Self::Key(key.into())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Writes a path whose innermost step comes first: `$.accounts[3]["@1x"]`.
pub(super) fn show(inside_out: &[Step]) -> String {
    let mut text = String::from("$");
    for step in inside_out.iter().rev() {
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
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
