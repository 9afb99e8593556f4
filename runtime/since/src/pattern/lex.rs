//! Lexing of version strings.

use crate::Version;

/// Words that mark a pre-release; a word must come before its own prefixes.
const PRE_RELEASE_WORDS: &[&str] = &[
    "alpha",
    "beta",
    "rc",
    "nightly",
    "develop",
    "dev",
    "preview",
    "prerelease",
    "pre",
    "snapshot",
    "testrig",
    "canary",
    "edge",
];

/// A text that starts with a version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered<'a> {
    /// The numbers and the pre-release.
    pub(crate) text: &'a str,
    numbers: &'a str,
    before: &'a str,
    /// The text after the version: forks' marks, commits, remarks.
    pub(crate) rest: &'a str,
}

/// Splits off the version at the start of a text: `4.0.0rc1`, `v0.19.3-SNAPSHOT`.
pub(crate) fn numbered(text: &str) -> Option<Numbered<'_>> {
    let text = without_v(text.trim_start());
    let numbers = numbers(text);
    if numbers.is_empty() {
        return None;
    }
    let behind = text.get(numbers.len()..)?;
    let before = before(behind).unwrap_or_default();
    let skipped = behind.len() - behind.trim_start_matches(['-', '.']).len();
    let end = match before {
        "" => numbers.len(),
        word => numbers.len() + skipped + word.len(),
    };
    Some(Numbered { text: text.get(..end)?, numbers, before, rest: text.get(end..)? })
}

impl Numbered<'_> {
    /// The number of numeric components.
    pub(crate) fn parts(&self) -> usize {
        self.numbers.split('.').count()
    }

    pub(crate) fn is_pre_release(&self) -> bool {
        !self.before.is_empty()
    }

    /// Converts to a [`Version`]; `None` for a single number and for numbers that overflow.
    pub(crate) fn version(&self) -> Option<Version> {
        let mut parts = self.numbers.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?.parse().ok()?;
        let patch = parts.next().map_or(Some(0), |patch| patch.parse().ok())?;
        let release = Version::new(major, minor, patch);
        if self.before.is_empty() {
            return Some(release);
        }
        let whole = format!("{release}-{}", self.before);
        // A pre-release too long for `Version` is replaced by a short one.
        whole.parse().or_else(|_| format!("{release}-pre").parse()).ok()
    }
}

fn without_v(text: &str) -> &str {
    match text.strip_prefix(['v', 'V']) {
        Some(rest) if starts_with_digit(rest) => rest,
        _ => text,
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// `4.3.0` in `4.3.0.rc1`
fn numbers(text: &str) -> &str {
    let mut end = digits(text).len();
    while end > 0 {
        let next = text.get(end..).and_then(|rest| rest.strip_prefix('.')).map_or("", digits);
        if next.is_empty() {
            break;
        }
        end += 1 + next.len();
    }
    text.get(..end).unwrap_or_default()
}

/// The pre-release after the numbers: a word with its number or date, and `-security`.
fn before(behind: &str) -> Option<&str> {
    let at_word = match behind.strip_prefix(['-', '.']) {
        Some(rest) => rest,
        // `4.0.0rc1`
        None => behind,
    };
    let word = PRE_RELEASE_WORDS.iter().find(|word| starts_with(at_word, word))?;
    let behind_word = at_word.get(word.len()..)?;
    // `devout` is a name, not a `dev` release.
    if behind_word.starts_with(|c: char| c.is_alphabetic()) {
        return None;
    }
    let mut end = word.len() + count(behind_word);
    if starts_with(at_word.get(end..)?, "-security") {
        end += "-security".len();
    }
    at_word.get(..end)
}

/// The length of the number or date after a word: `.2025-02-07`, `.1`, `4`, `-3`.
fn count(text: &str) -> usize {
    let rest = text.strip_prefix(['.', '-']).unwrap_or(text);
    let number = digits(rest);
    if number.is_empty() || (text.starts_with('-') && !is_date(rest) && number.len() > 3) {
        return 0;
    }
    let hash = rest
        .get(number.len()..)
        .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_alphabetic()));
    if hash {
        return 0;
    }
    let length = if is_date(rest) { "2025-02-07".len() } else { number.len() };
    text.len() - rest.len() + length
}

fn is_date(text: &str) -> bool {
    let shape = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() >= 10 && text.bytes().take(10).enumerate().all(shape)
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a word occurs between the separators of a text's first part.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part.eq_ignore_ascii_case(word))
}

/// A version in a program's own format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own<'a> {
    pub(crate) text: &'a str,
    pub(crate) prerelease: bool,
}

/// A text from its version on, and the start of it that may belong to the version.
pub(crate) fn token(text: &str) -> Option<(&str, &str)> {
    let start = without_v(text.trim_start());
    let end = start
        .find(|c: char| !(c.is_ascii_alphanumeric() || "._+~-".contains(c)))
        .unwrap_or(start.len());
    Some((start, start.get(..end)?))
}

/// The version at the start of a text, in any format: `2.0.5-6-ga36eb5ea`, `2023.05`, `20241205.fork`. Packagers' additions are removed.
pub(crate) fn own(text: &str) -> Option<Own<'_>> {
    let numbered = numbered(text)?;
    let (_, token) = token(text)?;
    let behind = token.get(numbered.text.len()..).unwrap_or_default();
    let kept = numbered.before.is_empty() && is_mark(behind, numbered.parts());
    Some(Own {
        text: if kept { numbered.text } else { token },
        prerelease: numbered.is_pre_release(),
    })
}

/// Whether the text after the numbers is not part of the version: a packager's `_2`, or a commit after four numbers (not semantic versioning).
fn is_mark(behind: &str, parts: usize) -> bool {
    let Some(word) = behind.strip_prefix('-') else {
        return behind.starts_with(['_', '~']);
    };
    let word = word.split(['-', '+', '.', '~']).next().unwrap_or_default();
    parts > 3 && is_commit(word)
}

/// Whether a word looks like an abbreviated commit hash.
fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The length of the abbreviated commit at the start of a text.
pub(crate) fn commit(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    text.get(..end).is_some_and(is_commit).then_some(end)
}

/// A name and a version.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    pub(crate) name: String,
    pub(crate) version: &'a str,
}

/// The text before `(compatible; ..)`, and the name and version inside.
pub(crate) fn compatible(text: &str) -> Option<(&str, Named<'_>)> {
    let open = text
        .match_indices('(')
        .find(|(at, _)| {
            text.get(at + 1..).is_some_and(|inside| starts_with(inside.trim_start(), "compatible"))
        })?
        .0;
    let inside = text.get(open + 1..)?.trim_start();
    let inside = inside.get("compatible".len()..)?;
    let inside =
        inside.trim_start_matches(|c: char| matches!(c, ';' | ':' | ',') || c.is_whitespace());
    let end = inside.find([')', ';']).unwrap_or(inside.len());
    Some((text.get(..open)?.trim_end(), name_and_version(inside.get(..end)?.trim())))
}

/// Splits `Pleroma 2.7.0`, `Mastodon/4.2.0`, `Two Words v1.0`.
fn name_and_version(text: &str) -> Named<'_> {
    let boundary =
        text.char_indices().filter(|(_, c)| *c == '/' || c.is_whitespace()).find(|(at, c)| {
            let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
            starts_with_digit(without_v(behind))
        });
    let (name, version) = match boundary {
        Some((at, c)) => (text.get(..at), text.get(at + c.len_utf8()..)),
        None => (Some(text), None),
    };
    let words: Vec<_> = name.unwrap_or_default().split_whitespace().collect();
    Named { name: words.join(" "), version: version.unwrap_or_default() }
}

/// Splits off a name before the version: `takahe/0.11.0`.
pub(crate) fn without_name(text: &str) -> (Option<&str>, &str) {
    let Some((name, rest)) = text.split_once(['/', ' ']) else {
        return (None, text);
    };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && numbered(name).is_none()
        && !name.starts_with("git-");
    if is_name && numbered(rest).is_some_and(|rest| rest.parts() > 1) {
        (Some(name), rest.trim_start())
    } else {
        (None, text)
    }
}
