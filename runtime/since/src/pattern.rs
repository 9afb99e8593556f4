//! Patterns of version strings: literals and number slots.

pub(crate) mod lex;

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Version;

/// The slots, as messages list them.
const SLOTS: &str = "`{own}`, `{claim}`, `{both}`, `{release}`, `{commit}`, `{marks}` and `{rest}`";

/// A pattern of a program's version strings, such as `{claim:1-49}+fork-{own}{rest}`.
///
/// - `{own}` is the program's own version, two numbers or more with a pre-release; `{claim}` the version of the reference program that it
///   claims; `{both}` is both. `{claim:1-49}` bounds the first number, `{claim:3.5.3}` takes that version alone.
/// - `{release}` is the program's own version in any format, up to what follows in the pattern.
/// - `{commit}` is an abbreviated commit, of seven hexadecimal digits or more.
/// - `{marks}` is anything without a space that begins and ends with one of `+`, `-`, `.` and `~`.
/// - `{rest}` is anything, and comes last. Without it the pattern is that of the whole string.
/// - `#` is a digit. Everything else is a literal, in any case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Digit,
    Number(Number, Bound),
    Release,
    Commit,
    Marks,
    Rest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Own,
    Claim,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    None,
    /// The least and the greatest first number.
    Major(u32, u32),
    Exactly(Version),
}

/// The versions that a pattern finds in a version string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Found<'a> {
    /// The program's own version, as it is written.
    pub(crate) own: Option<&'a str>,
    pub(crate) claim: Option<Version>,
    /// The slot that was last filled stands for a pre-release.
    pub(crate) prerelease: bool,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError(String);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Matches a whole version string.
    pub(crate) fn find<'a>(&self, text: &'a str) -> Option<Found<'a>> {
        find(&self.parts, text, Found::default())
    }

    /// Whether anything of a version string fills the pattern as well as a version does.
    fn takes_anything(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Marks | Part::Rest))
    }
}

fn find<'a>(parts: &[Part], text: &'a str, mut found: Found<'a>) -> Option<Found<'a>> {
    let Some((part, parts)) = parts.split_first() else {
        return text.is_empty().then_some(found);
    };
    let rest = match part {
        Part::Literal(literal) => {
            let start = text.get(..literal.len())?;
            start.eq_ignore_ascii_case(literal).then(|| text.get(literal.len()..))??
        }
        Part::Digit => text.strip_prefix(|c: char| c.is_ascii_digit())?,
        Part::Number(number, bound) => {
            let numbered = lex::numbered(text)?;
            let version = numbered.version().filter(|version| bound.has(version))?;
            found.prerelease |= version.is_pre_release() || lex::has_word(numbered.rest, "nightly");
            if *number != Number::Claim {
                found.own = Some(numbered.text);
            }
            if *number != Number::Own {
                found.claim = Some(version);
            }
            numbered.rest
        }
        Part::Release => return release(parts, text, found),
        Part::Commit => text.get(lex::commit(text)?..)?,
        Part::Marks => return marks(parts, text, found),
        Part::Rest => return Some(found),
    };
    find(parts, rest, found)
}

/// Tries the longest version first.
fn release<'a>(parts: &[Part], text: &'a str, found: Found<'a>) -> Option<Found<'a>> {
    let (text, token) = lex::token(text)?;
    let shortest = lex::numbered(token)?;
    let prerelease = found.prerelease || shortest.is_pre_release();
    (shortest.text.len()..=token.len()).rev().find_map(|end| {
        let (own, rest) = text.split_at_checked(end)?;
        find(parts, rest, Found { own: Some(own), prerelease, ..found })
    })
}

/// Tries the shortest marks first.
fn marks<'a>(parts: &[Part], text: &'a str, found: Found<'a>) -> Option<Found<'a>> {
    let is_separator = |c: char| matches!(c, '+' | '-' | '.' | '~');
    if !text.starts_with(is_separator) {
        return None;
    }
    let word = text.split_whitespace().next()?;
    word.match_indices(is_separator)
        .find_map(|(at, separator)| find(parts, text.get(at + separator.len()..)?, found))
}

impl Bound {
    fn has(self, version: &Version) -> bool {
        match self {
            Self::None => true,
            Self::Major(least, most) => (least..=most).contains(&version.major),
            Self::Exactly(only) => *version == only,
        }
    }
}

/// Reads `1-49` or `3.5.3`.
impl FromStr for Bound {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let wrong = || PatternError(format!("`{text}` is no bound: write `1-49` or `3.5.3`"));
        let Some((least, most)) = text.split_once('-') else {
            return text.parse().map(Self::Exactly).map_err(|_| wrong());
        };
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if least <= most => Ok(Self::Major(least, most)),
            _ => Err(wrong()),
        }
    }
}

/// Reads the inside of a slot: `claim:1-49`.
fn slot(text: &str) -> Result<Part, PatternError> {
    let (name, bound) = match text.split_once(':') {
        Some((name, bound)) => (name, Some(bound.parse()?)),
        None => (text, None),
    };
    let number = |number| Part::Number(number, bound.unwrap_or(Bound::None));
    Ok(match name {
        "own" => number(Number::Own),
        "claim" => number(Number::Claim),
        "both" => number(Number::Both),
        "release" | "commit" | "marks" | "rest" if bound.is_some() => {
            let told = format!("the slot `{{{name}}}` has no bounds; remove them");
            return Err(PatternError(told));
        }
        "release" => Part::Release,
        "commit" => Part::Commit,
        "marks" => Part::Marks,
        "rest" => Part::Rest,
        _ => {
            let told = format!("there is no slot `{{{name}}}`; the slots are {SLOTS}");
            return Err(PatternError(told));
        }
    })
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut parts = Vec::new();
        let mut left = text;
        while let Some(first) = left.chars().next() {
            let end = left.find(['{', '}', '#']).unwrap_or(left.len());
            let (literal, behind) = left.split_at(end);
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
                left = behind;
                continue;
            }
            left = behind.get(1..).unwrap_or_default();
            if first == '#' {
                parts.push(Part::Digit);
                continue;
            }
            let Some((inside, behind)) = left.split_once('}').filter(|_| first == '{') else {
                return Err(PatternError(
                    "a slot is not closed, or not opened; write it as `{own}`".to_owned(),
                ));
            };
            parts.push(slot(inside)?);
            left = behind;
        }
        let pattern = Self { text: text.to_owned(), parts };
        if pattern.takes_anything() {
            return Err(PatternError(
                "it has neither a version nor a literal, and takes everything".to_owned(),
            ));
        }
        let is_rest = |part: &Part| *part == Part::Rest;
        if pattern.parts.iter().rev().skip(1).any(is_rest) {
            return Err(PatternError("`{rest}` takes everything, so it must come last".to_owned()));
        }
        Ok(pattern)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Text)
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Pattern;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pattern in quotes")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Pattern, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Pattern {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"description": format!("A pattern of literals, `#` for a digit, and the slots {SLOTS}."), "type": "string", "examples": ["{claim:1-49}+fork-{own}{rest}"]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> String {
        let pattern: Pattern = pattern.parse().expect(pattern);
        let Some(found) = pattern.find(text) else {
            return "-".to_owned();
        };
        let claim = found.claim.map_or("none".to_owned(), |claim| claim.to_string());
        let mark = if found.prerelease { " !" } else { "" };
        format!("{} {claim}{mark}", found.own.unwrap_or("none"))
    }

    #[test]
    fn slots_are_filled() {
        for (pattern, text, meaning) in [
            ("{both}{rest}", "4.3.0rc1+x", "4.3.0rc1 4.3.0-rc1 !"),
            ("{both}", "4.3.0+x", "-"),
            ("{own:0-1}+{claim:2-49}", "1.0.5+3.5.2", "1.0.5 3.5.2"),
            ("{own:0-1}+{claim:2-49}", "2.0.5+3.5.2", "-"),
            ("{claim:3.5.3}+{own}{rest}", "3.5.3+0.19.2+git-1a2b3c4", "0.19.2 3.5.3"),
            ("{claim:3.5.3}+{own}{rest}", "3.5.4+0.19.2", "-"),
            ("{own} {commit}{rest}", "0.2.1 1a2b3c4", "0.2.1 none"),
            ("{own} {commit}{rest}", "0.2.1 1a2b3c4x", "-"),
            ("{own} {commit}{rest}", "0.2.1 1a2b3", "-"),
            ("{claim}{marks}Fork-{own}{rest}", "4.2.0-a+b.fork-5.15-LTS", "5.15 4.2.0"),
            ("{both}{marks}fork{rest}", "4.2.0+afork", "-"),
            ("{both}{marks}fork{rest}", "4.2.0+a fork", "-"),
            ("{release}-####", "2026.01-4-1586", "2026.01-4 none"),
            ("{release}-####", "2026.01-4", "-"),
            (
                "{release}+mark",
                " 2.4.53-7-g0d08f049.develop+mark",
                "2.4.53-7-g0d08f049.develop none",
            ),
            ("{both}{rest}", "4.2.0+nightly-2023-08-12", "4.2.0 4.2.0 !"),
            ("{both}{rest}", "99999999999.1", "-"),
            ("{own}é", "1.0é", "1.0 none"),
        ] {
            assert_eq!(found(pattern, text), meaning, "{pattern} of {text:?}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for (text, told) in [
            ("", "neither a version nor a literal"),
            ("{rest}", "neither a version nor a literal"),
            ("{own", "not closed"),
            ("own}", "not closed, or not opened"),
            ("{word}", "no slot `{word}`"),
            ("{own:x}", "no bound"),
            ("{own:9-1}", "no bound"),
            ("{commit:1-2}", "has no bounds"),
            ("{boht:1-2}", "there is no slot"),
            ("{rest}+{own}", "must come last"),
        ] {
            let error = text.parse::<Pattern>().expect_err(text).to_string();
            assert!(error.contains(told), "{text:?}: {error}");
        }
    }
}
