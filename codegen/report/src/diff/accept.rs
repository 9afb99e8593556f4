//! The file of accepted changes, `spec/diff-accept.toml`: what a keeper has looked at.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use fedispec_since::StableVersion;
use serde::Deserialize;

use crate::diff::render::glob;
use crate::diff::report::{Entry, Report};

/// The content of the file of accepted changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepts {
    /// By program, the release up to which versions are frozen.
    #[serde(default)]
    pub freeze: BTreeMap<String, StableVersion>,
    /// The accepted changes.
    #[serde(default)]
    pub accept: Vec<Accept>,
}

/// An accepted change.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accept {
    /// Its fingerprint.
    pub fp: String,
    /// The reason for accepting it.
    pub reason: String,
    /// `release`: until the crate's version is no longer [`Accept::version`].
    #[serde(default)]
    pub until: Option<Until>,
    /// The crate's version when it was accepted.
    #[serde(default)]
    pub version: Option<String>,
    /// Only against this base.
    #[serde(default)]
    pub base: Option<String>,
}

/// When it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// With the next release of the crate.
    Release,
}

/// The state that entries are checked against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Now<'a> {
    /// The crate's version in the newer state.
    pub version: Option<&'a str>,
    /// The name of the base and its revision.
    pub base: [Option<&'a str>; 2],
}

/// A file that cannot be used: the line and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake(String);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}

impl Accepts {
    /// Reads the file.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let accepts: Self = toml::from_str(text).map_err(|error| Mistake(error.to_string()))?;
        for accept in &accepts.accept {
            if accept.fp.len() != 12 || !accept.fp.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(Mistake(format!(
                    "`{}` is no fingerprint; it has 12 hexadecimal digits, as the report prints them",
                    accept.fp
                )));
            }
            if accept.reason.trim().is_empty() {
                return Err(Mistake(format!(
                    "{} is accepted without a reason; write one",
                    accept.fp
                )));
            }
            if accept.until.is_none() && accept.base.is_none() {
                return Err(Mistake(format!(
                    "{} never ends; write `until = \"release\"` or `base = \"<revision>\"`",
                    accept.fp
                )));
            }
        }
        Ok(accepts)
    }

    /// The reason for which the change with a fingerprint is accepted; the last entry that counts says it.
    pub(super) fn reason(&self, fp: &str, now: Now<'_>) -> Option<&str> {
        let entries = self.accept.iter().rev();
        let mut of_change = entries.filter(|accept| accept.fp == fp && accept.counts(now));
        of_change.next().map(|accept| accept.reason.as_str())
    }

    /// The entries that accept none of these changes, or whose time is over.
    pub(super) fn stale(&self, entries: &[Entry], now: Now<'_>) -> Vec<String> {
        let of_base = self.accept.iter().filter(|accept| accept.is_about(now));
        of_base
            .filter(|accept| accept.is_over(now) || !entries.iter().any(|one| one.fp == accept.fp))
            .map(|accept| accept.fp.clone())
            .collect()
    }

    /// The file's text with more changes accepted, until the crate's next release: each is named by its fingerprint, or many
    /// by a rule and a glob of items, `since-moved-later:Account.*`. What said so before of the same changes goes; comments
    /// behind fingerprints are made anew.
    pub fn add(
        text: &str,
        report: &Report,
        which: &[String],
        reason: &str,
    ) -> Result<(String, Vec<String>), Mistake> {
        let mut fps: Vec<String> = Vec::new();
        for which in which {
            let found = meant(report, which)?;
            fps.extend(found.into_iter().filter(|fp| !fps.contains(fp)).collect::<Vec<_>>());
        }
        if reason.trim().is_empty() {
            return Err(Mistake("an accepted change needs a reason: --reason TEXT".into()));
        }
        let mut text = if text.trim().is_empty() { HEAD.to_owned() } else { text.to_owned() };
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        for fp in &fps {
            text = without(&text, fp);
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let _ = write!(text, "\n[[accept]]\nfp = {}\n", quoted(fp));
            let _ = writeln!(text, "reason = {}\nuntil = \"release\"", quoted(&one_line(reason)));
            if let Some(version) = &report.head.version {
                let _ = writeln!(text, "version = {}", quoted(version));
            }
        }
        let text = commented(&text, report);
        Self::read(&text).map(|_| (text, fps))
    }
}

/// The fingerprints that an argument of `--accept` means.
fn meant(report: &Report, which: &str) -> Result<Vec<String>, Mistake> {
    let of = |test: &dyn Fn(&Entry) -> bool| -> Vec<String> {
        let entries = report.changes.iter().filter(|entry| test(entry));
        entries.map(|entry| entry.fp.clone()).collect()
    };
    let (found, nothing) = if let Some((rule, items)) = which.split_once(':') {
        let found = of(&|Entry { change, .. }| {
            glob(rule, change.rule.rule().id) && glob(items, &change.item.id)
        });
        let nothing = format!(
            "no change is of the rule `{rule}` and about an item like `{items}`; `--format lines` lists them"
        );
        (found, nothing)
    } else {
        let found = of(&|entry| entry.fp.eq_ignore_ascii_case(which));
        let nothing = format!(
            "no change has the fingerprint `{which}`; the report names it behind `fp`, and `RULE:GLOB` means all of a rule"
        );
        (found, nothing)
    };
    if found.is_empty() {
        return Err(Mistake(nothing));
    }
    Ok(found)
}

impl Accept {
    /// Whether it is about this base: an entry for another one says nothing here.
    fn is_about(&self, now: Now<'_>) -> bool {
        let Some(base) = self.base.as_deref() else {
            return true;
        };
        let mut names = now.base.iter().flatten();
        names.any(|name| *name == base || abbreviates(base, name))
    }

    /// Whether the release up to which it counts has come.
    fn is_over(&self, now: Now<'_>) -> bool {
        let versions = self.version.as_deref().zip(now.version);
        self.until.is_some() && versions.is_some_and(|(then, now)| then != now)
    }

    fn counts(&self, now: Now<'_>) -> bool {
        self.is_about(now) && !self.is_over(now)
    }
}

/// Whether a text is the beginning of a commit's id, by at least as many digits as git shows. A tag such as `v0.1.1` does
/// not stand for `v0.1.10`.
fn abbreviates(base: &str, revision: &str) -> bool {
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // The lengths of SHA-1 and SHA-256.
    matches!(revision.len(), 40 | 64)
        && is_hexadecimal(revision)
        && base.len() >= 7
        && revision.starts_with(base)
}

const HEAD: &str = "\
# Changes of the catalogue that were looked at and accepted; `cargo xtask diff --accept FP --reason TEXT` adds one.
# An entry ends with the crate's next release (`until`), or counts only against one base (`base`).
";

/// The fingerprint that a line gives.
fn given(line: &str) -> Option<&str> {
    line.trim_start()
        .strip_prefix("fp")?
        .trim_start()
        .strip_prefix('=')?
        .trim_start()
        .strip_prefix('"')?
        .split('"')
        .next()
}

/// The text without the entry of a change.
fn without(text: &str, fp: &str) -> String {
    let mut entries: Vec<String> = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            entries.push(String::new());
        }
        if let Some(entry) = entries.last_mut() {
            entry.push_str(line);
        }
    }
    entries.retain(|entry| {
        !(entry.trim_start().starts_with("[[accept]]")
            && entry.lines().any(|line| given(line) == Some(fp)))
    });
    entries.concat().trim_end().to_owned()
}

/// The text with what each entry is about behind its fingerprint.
fn commented(text: &str, report: &Report) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let entry = given(line).and_then(|fp| report.changes.iter().find(|entry| entry.fp == fp));
        match entry {
            Some(Entry { fp, change, .. }) => {
                let _ = writeln!(
                    lines,
                    "fp = \"{fp}\"  # {} {}: {}",
                    change.rule.rule().id,
                    change.item.id,
                    one_line(&change.message)
                );
            }
            None => {
                let _ = writeln!(lines, "{line}");
            }
        }
    }
    lines
}

fn one_line(text: &str) -> String {
    text.split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_wrong_with_it() {
        let entry =
            |rest: &str| format!("[[accept]]\nfp = \"5c0e91ab22d7\"\nreason = \"seen\"\n{rest}");
        assert!(Accepts::read(&entry("until = \"release\"")).is_ok());
        assert_eq!(given(" fp  = \"ab\"  # x"), Some("ab"));
        assert_eq!(
            without("# a\n[[accept]]\nfp = \"ab\"\n\n[freeze]\nx = \"1\"\n", "ab"),
            "# a\n[freeze]\nx = \"1\""
        );
        assert!(Accepts::read("[freeze]\nmastodon = \"4.3.0\"").is_ok());
        for (text, expected) in [
            ("[freeze]\nmastodon = \"4.3\"".into(), "three numbers"),
            (entry(""), "never ends"),
            (entry("until = \"always\""), "always"),
            (entry("unti = \"release\""), "unti"),
            (entry("until = \"release\"").replace("5c0e91ab22d7", "5c0e"), "no fingerprint"),
            (entry("until = \"release\"").replace("seen", " "), "without a reason"),
        ] {
            let mistake = Accepts::read(&text).expect_err(&text).to_string();
            assert!(mistake.contains(expected), "{mistake}");
        }
    }
}
