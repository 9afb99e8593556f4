//! The files of what a keeper has looked at: `spec/diff-accept.toml` has accepted changes, `spec/propose-accept.toml` decided rows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fedispec_since::StableVersion;
use serde::Deserialize;

use crate::diff::render::glob;
use crate::diff::report::Entry;

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
    /// The release of a program for which it was decided, `mastodon@4.6.5`: from then on.
    #[serde(default)]
    pub decided: Option<String>,
}

/// When it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// With the next release of the crate.
    Release,
}

/// Something that can be accepted.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its fingerprint.
    pub fp: &'a str,
    /// Its rule, or its kind.
    pub rule: &'a str,
    /// The id of the item.
    pub item: &'a str,
    /// Its message, for the comment behind the fingerprint.
    pub message: &'a str,
}

impl<'a> From<&'a Entry> for Subject<'a> {
    fn from(Entry { fp, change, .. }: &'a Entry) -> Self {
        Self { fp, rule: change.rule.rule().id, item: &change.item.id, message: &change.message }
    }
}

/// How long a new entry counts.
#[derive(Debug, Clone)]
pub enum End {
    /// Until the crate's version is no longer this one.
    Release(Option<String>),
    /// For good, from this release of a program on.
    Decided(String),
}

/// The state that entries are checked against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Now<'a> {
    /// The crate's version in the newer state.
    pub version: Option<&'a str>,
    /// The name of the base and its revision.
    pub base: [Option<&'a str>; 2],
}

impl Accepts {
    /// Reads the file.
    pub fn read(text: &str) -> Result<Self, String> {
        let accepts: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for accept in &accepts.accept {
            if accept.fp.len() != 12 || !accept.fp.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(format!(
                    "`{}` is no fingerprint; it has 12 hexadecimal digits, as the report prints them",
                    accept.fp
                ));
            }
            if accept.reason.trim().is_empty() {
                return Err(format!("{} is accepted without a reason; write one", accept.fp));
            }
            if accept.until.is_none() && accept.base.is_none() && accept.decided.is_none() {
                return Err(format!(
                    "{} never ends; write `until = \"release\"` or `base = \"<revision>\"`",
                    accept.fp
                ));
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

    /// The reason for which a row with a fingerprint was decided.
    pub fn decided(&self, fp: &str) -> Option<&str> {
        let mut entries = self.accept.iter().rev();
        let entry = entries.find(|accept| accept.fp == fp && accept.decided.is_some());
        entry.map(|accept| accept.reason.as_str())
    }

    /// The entries that accept none of these changes, or whose time is over.
    pub(super) fn stale(&self, entries: &[Entry], now: Now<'_>) -> Vec<String> {
        let of_base = self.accept.iter().filter(|accept| accept.is_about(now));
        of_base
            .filter(|accept| accept.is_over(now) || !entries.iter().any(|one| one.fp == accept.fp))
            .map(|accept| accept.fp.clone())
            .collect()
    }

    /// The file's text with more accepted: each is named by its fingerprint, or many by a rule and a glob of items,
    /// `since-moved-later:Account.*`. What said so before of the same goes; comments behind fingerprints are made anew. A new file begins
    /// with `head`.
    pub fn add(
        text: &str,
        head: &str,
        subjects: &[Subject<'_>],
        which: &[String],
        reason: &str,
        end: &End,
    ) -> Result<(String, Vec<String>), String> {
        let mut fps: Vec<String> = Vec::new();
        for which in which {
            let found = meant(subjects, which)?;
            fps.extend(found.into_iter().filter(|fp| !fps.contains(fp)).collect::<Vec<_>>());
        }
        if reason.trim().is_empty() {
            return Err("what is accepted needs a reason: --reason TEXT".into());
        }
        let mut text = if text.trim().is_empty() { head.to_owned() } else { text.to_owned() };
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        for fp in &fps {
            text = without(&text, fp);
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let _ = write!(text, "\n[[accept]]\nfp = {}\n", quoted(fp));
            let _ = writeln!(text, "reason = {}", quoted(&one_line(reason)));
            let _ = match end {
                End::Decided(release) => writeln!(text, "decided = {}", quoted(release)),
                End::Release(None) => writeln!(text, "until = \"release\""),
                End::Release(Some(version)) => {
                    writeln!(text, "until = \"release\"\nversion = {}", quoted(version))
                }
            };
        }
        let text = commented(&text, subjects);
        Self::read(&text).map(|_| (text, fps))
    }
}

/// The fingerprints that an argument of `--accept` means.
fn meant(subjects: &[Subject<'_>], which: &str) -> Result<Vec<String>, String> {
    let of = |test: &dyn Fn(&Subject<'_>) -> bool| -> Vec<String> {
        subjects.iter().filter(|one| test(one)).map(|one| one.fp.to_owned()).collect()
    };
    let (found, nothing) = if let Some((rule, items)) = which.split_once(':') {
        let found = of(&|one| glob(rule, one.rule) && glob(items, one.item));
        let nothing = format!(
            "nothing is of the rule `{rule}` and about an item like `{items}`; the report lists what there is"
        );
        (found, nothing)
    } else {
        let found = of(&|one| one.fp.eq_ignore_ascii_case(which));
        let nothing = format!(
            "nothing has the fingerprint `{which}`; the report names it behind `fp`, and `RULE:GLOB` means all of a rule"
        );
        (found, nothing)
    };
    if found.is_empty() {
        return Err(nothing);
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
fn commented(text: &str, subjects: &[Subject<'_>]) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let subject = given(line).and_then(|fp| subjects.iter().find(|subject| subject.fp == fp));
        let _ = match subject {
            Some(Subject { fp, rule, item, message }) => {
                writeln!(lines, "fp = \"{fp}\"  # {rule} {item}: {}", one_line(message))
            }
            None => writeln!(lines, "{line}"),
        };
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
    fn the_last_decision_about_a_row_counts() {
        let entry = |fp: &str, reason: &str, end: &str| {
            format!("[[accept]]\nfp = \"{fp}\"\nreason = \"{reason}\"\n{end}\n")
        };
        let [row, change] = ["5c0e91ab22d7", "0123456789ab"];
        let file = entry(row, "first", "decided = \"mastodon@4.6.0\"")
            + &entry(row, "then", "decided = \"mastodon@4.6.4\"")
            + &entry(row, "of the release", "until = \"release\"")
            + &entry(change, "a change of the catalogue", "until = \"release\"");
        let file = Accepts::read(&file).expect("a file");
        assert_eq!([row, change].map(|fp| file.decided(fp)), [Some("then"), None]);
    }

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
            let mistake = Accepts::read(&text).expect_err(&text);
            assert!(mistake.contains(expected), "{mistake}");
        }
    }
}
