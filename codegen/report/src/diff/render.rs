//! The formats of a report: for a terminal, a pull request, programs, annotations of GitHub, and a page.

use std::fmt::{self, Write as _};

mod document;
mod footer;
pub mod github;
pub mod html;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod notes;
mod paint;
pub mod parity;
pub mod text;
pub mod upgrade;
mod words;

use crate::diff::report::{Entry, Report, Rust};
use fedispec_diff::change::{Change, Place};
use fedispec_diff::rules::{Audience, Mirror, RULES, Rule, Severity};

pub use words::counted;

/// Options for printing a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Include changes of documentation.
    pub docs: bool,
    /// Colours.
    pub color: bool,
    /// Only rules and items like these; all where empty.
    pub only: Vec<String>,
    /// No rules and items like these.
    pub skip: Vec<String>,
    /// Where a line of a file can be looked at: `https://../blob/main/{file}#L{line}`.
    pub link: Option<String>,
    /// Where the whole report is found, for outputs that are cut.
    pub more: Option<String>,
}

impl View {
    /// Whether a change is shown.
    pub fn shows(&self, change: &Change) -> bool {
        (self.docs || change.severity > Severity::Docs)
            && self.admits(change.rule.rule().id, &change.item.id)
    }

    /// Whether something that a rule says of an item is among what was asked for.
    pub fn admits(&self, rule: &str, item: &str) -> bool {
        let like = |patterns: &[String]| {
            patterns.iter().any(|pattern| glob(pattern, rule) || glob(pattern, item))
        };
        (self.only.is_empty() || like(&self.only)) && !like(&self.skip)
    }

    /// The changes that are shown.
    pub fn changes<'r>(&'r self, report: &'r Report) -> impl Iterator<Item = &'r Entry> {
        let entries = report.changes.iter();
        entries.filter(|entry| self.shows(&entry.change))
    }
}

/// `*` stands for anything. The last star takes one letter more whenever what stands behind it does not fit, so that
/// the time grows with the product of both lengths only.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, read));
            at += 1;
        } else if pattern.get(at) == Some(&text[read]) {
            at += 1;
            read += 1;
        } else if let Some((behind, taken)) = star {
            star = Some((behind, taken + 1));
            at = behind + 1;
            read = taken + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

/// The Rust before and after, with their signs.
pub(super) fn rust_lines(rust: &Rust) -> impl Iterator<Item = (char, &String)> {
    let before = rust.before.iter().map(|line| ('-', line));
    before.chain(rust.after.iter().map(|line| ('+', line)))
}

/// Where a line can be looked at. Nothing in it ends a link in markdown.
pub(super) fn address(view: &View, at: &Place) -> Option<String> {
    let escaped = |letter: char| match letter {
        ' ' => "%20".to_owned(),
        '(' => "%28".to_owned(),
        ')' => "%29".to_owned(),
        '#' => "%23".to_owned(),
        '?' => "%3F".to_owned(),
        '%' => "%25".to_owned(),
        plain => plain.to_string(),
    };
    let file: String = at.file.chars().map(escaped).collect();
    let link = view.link.as_ref()?;
    Some(link.replace("{file}", &file).replace("{line}", &at.line.to_string()))
}

/// A rule's text, with the assumptions behind it.
pub struct Explained(pub &'static Rule);

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.0;
        writeln!(f, "{}: {}, bump {}", rule.id, rule.severity.name(), rule.bump.name())?;
        writeln!(f, "  {}", rule.why)?;
        let who: Vec<_> = rule
            .breaks
            .iter()
            .map(|audience| format!("{} ({})", audience.letter(), audience.who()))
            .collect();
        writeln!(
            f,
            "  breaks   {}",
            if who.is_empty() { "nobody".into() } else { who.join(", ") }
        )?;
        if rule.breaks.contains(&Audience::Source) {
            let (_, severity) = rule.without_code();
            let severity = severity.name();
            writeln!(f, "  alike    {severity}, where both states generate the same public items")?;
        }
        if let Some((severity, bump)) = rule.proven {
            writeln!(
                f,
                "  proven   {}, bump {}, where a correction brings new evidence of class A or B",
                severity.name(),
                bump.name()
            )?;
        }
        match rule.mirror {
            Mirror::Is(other) => writeln!(f, "  backward {}", other.rule().id)?,
            Mirror::Itself => writeln!(f, "  backward the same")?,
            Mirror::None(reason) => writeln!(f, "  backward {reason}")?,
        }
        f.write_str(ASSUMPTIONS)
    }
}

const ASSUMPTIONS: &str = "
Assumed of generated code:
  G1  required parameters are arguments of a constructor, optional ones setters; requests are `#[non_exhaustive]`
  G2  entities can gain optional fields, enumerations are open
  G3  a field is `T` only if every release at or above each program's floor has it, and it is never null or absent;
      what nobody knows guarantees nothing
  G4  `since` drives a gate at run time
  G5  under 0.y, `major` means y
";

/// Every rule on a line.
pub fn rules() -> String {
    let mut text = String::new();
    for rule in RULES {
        let (severity, bump) = (rule.severity.name(), rule.bump.name());
        let _ = writeln!(text, "{:34} {severity:10} {bump:5} {}", rule.id, rule.why);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn a_star_is_anything() {
        for (pattern, text, expected) in [
            ("since-*", "since-moved-earlier", true),
            ("*-added", "auth-added", true),
            ("*.limit", "books.list.limit", true),
            ("since", "since-moved-earlier", false),
            ("*", "", true),
            ("a*ä*c", "axäyc", true),
            ("a*b", "ac", false),
            ("a*b*c", "abcbc", true),
            ("", "", true),
            ("", "a", false),
            (
                "****************************************b",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                false,
            ),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        }
    }
}
