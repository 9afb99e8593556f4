//! A guide for those who upgrade over a release that breaks code.

use std::fmt::Write as _;

use super::super::report::{Cause, Change, Report, Side};
use super::super::rules::{Audience, Bump, Severity};
use super::markdown::cell;
use super::{counted, rust_lines};

/// The guide, in markdown: what no longer compiles with the Rust before and after, then what behaves otherwise.
pub fn upgrade(report: &Report) -> String {
    let mut text = format!(
        "# Upgrading from {} to {}\n\n",
        cell(&version(&report.base)),
        cell(&version(&report.head))
    );
    let code = of(report, |change| {
        change.bump == Bump::Major && change.breaks.contains(&Audience::Source)
    });
    let _ = if code.is_empty() {
        writeln!(text, "No code has to change.")
    } else {
        writeln!(
            text,
            "{} may stop your code from compiling. `cargo xtask diff --used-by DIR` in a checkout of the catalogue tells \
             which of them a program meets.",
            counted(code.len(), "change")
        )
    };
    let wire = |change: &Change| {
        change.severity >= Severity::Risky && change.breaks.contains(&Audience::Wire)
    };
    let source = |change: &Change| change.breaks.contains(&Audience::Source);
    section(&mut text, "Code that no longer compiles", &code, true);
    section(
        &mut text,
        "Calls that behave otherwise",
        &of(report, |change| wire(change) && !source(change)),
        false,
    );
    section(
        &mut text,
        "For those who implement a server",
        &of(report, |change| {
            change.severity >= Severity::Risky && change.breaks.contains(&Audience::Server)
        }),
        false,
    );
    for (title, cause) in [
        ("New in the servers", Cause::Evolution),
        ("Known for the first time", Cause::Coverage),
        ("Corrected", Cause::Correction),
    ] {
        let gained = of(report, |change| {
            change.cause == cause && change.severity == Severity::Compatible
        });
        section(&mut text, title, &gained, false);
    }
    text
}

/// The crate's version is what users know; where both are the same, the state's name.
fn version(side: &Side) -> String {
    match &side.version {
        Some(version) => format!("{version} ({})", super::text::side(side)),
        None => super::text::side(side),
    }
}

fn of(report: &Report, test: impl Fn(&Change) -> bool) -> Vec<&Change> {
    report
        .changes
        .iter()
        .filter(|change| test(change))
        .collect()
}

/// A list, an entry an item.
fn section(text: &mut String, title: &str, changes: &[&Change], migrate: bool) {
    if changes.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n");
    for same in changes.chunk_by(|a, b| (&a.item.kind, &a.item.id) == (&b.item.kind, &b.item.id)) {
        let messages: Vec<_> = same.iter().map(|change| cell(&change.message)).collect();
        let _ = writeln!(text, "- `{}`: {}", same[0].item.id, messages.join("; "));
        if migrate {
            migration(text, same);
        }
    }
}

fn migration(text: &mut String, changes: &[&Change]) {
    let mut hints: Vec<&str> = changes
        .iter()
        .filter_map(|change| hint(change.rule.rule().id))
        .collect();
    hints.dedup();
    for hint in hints {
        let _ = writeln!(text, "  {hint}");
    }
    let mut lines: Vec<_> = changes
        .iter()
        .filter_map(|change| change.rust.as_ref())
        .flat_map(rust_lines)
        .collect();
    let mut seen = std::collections::HashSet::new();
    lines.retain(|line| seen.insert(*line));
    // All that goes stands before all that comes.
    lines.sort_by_key(|(sign, _)| *sign == '+');
    if lines.is_empty() {
        return;
    }
    text.push_str("\n  ```diff\n");
    for (sign, line) in lines {
        let _ = writeln!(text, "  {sign} {line}");
    }
    text.push_str("  ```\n\n");
}

/// What to do, by what a rule's name holds; the first that fits.
const HINTS: [(&str, &str); 40] = [
    (
        "item-deleted",
        "Take its use out; where servers still have it, send the request by hand.",
    ),
    (
        "item-retracted",
        "Take its use out: no server ever answered it.",
    ),
    (
        "item-key-reused",
        "Read its documentation anew: the id means something else now.",
    ),
    (
        "item-renamed-guess",
        "If the new item is the one you mean, use its name; else take the use out.",
    ),
    (
        "item-renamed",
        "Use the new name; nothing on the wire differs.",
    ),
    ("item-moved-module", "Import it from its new module."),
    (
        "rust-name-changed",
        "Use the new name; nothing on the wire differs.",
    ),
    ("path-arg-added", "Give the constructor the new argument."),
    (
        "path-arg-removed",
        "Give the constructor one argument less.",
    ),
    (
        "param-added-required",
        "Give the constructor the new argument.",
    ),
    (
        "param-became-required",
        "Move the value from the setter to the constructor.",
    ),
    (
        "param-became-optional",
        "Move the value from the constructor to the setter.",
    ),
    (
        "param-type-",
        "Give the setter or constructor a value of the new type.",
    ),
    ("param-format-", "Send the value in the new format."),
    (
        "param-became-not-nullable",
        "Do not send null; leave the parameter out.",
    ),
    (
        "constructor-changed",
        "Look up the constructor's arguments and their order.",
    ),
    (
        "field-added-guaranteed",
        "Name the field in literals of the `required` struct, or build it otherwise.",
    ),
    ("field-became-optional", "Handle `None`: it may be missing."),
    ("field-became-nullable", "Handle `None`: it may be null."),
    (
        "field-became-required",
        "Take the `Option` away: it is always there.",
    ),
    (
        "field-became-not-nullable",
        "Take the `Option` away: it is never null.",
    ),
    (
        "field-moved-entity",
        "Read it from the entity that has it now.",
    ),
    ("field-", "Read the value as its new type."),
    (
        "response-body-removed",
        "Do not read the answer: it is empty.",
    ),
    ("response-", "Take the answer as its new type."),
    (
        "entity-became-known",
        "Read the fields of the struct instead of the JSON value.",
    ),
    ("entity-became-opaque", "Read the JSON value by hand."),
    (
        "enum-value-removed",
        "Take the variant out; a value that still comes is kept as an unknown one.",
    ),
    (
        "string-became-enum",
        "Use a variant of the enumeration; other text goes in as an unknown value.",
    ),
    (
        "enum-became-string",
        "Use `as_str()` of the old variants, or plain text.",
    ),
    (
        "since-crossed-floor-up",
        "Handle `None`: not every supported release sends it.",
    ),
    (
        "since-crossed-floor-down",
        "Take the `Option` away: every supported release sends it.",
    ),
    (
        "pagination-added",
        "Take a page instead of a list; the page has the elements and the way on.",
    ),
    (
        "pagination-removed",
        "Take the list; there is no next page.",
    ),
    (
        "pagination-cursor-changed",
        "Throw stored positions away and begin anew.",
    ),
    (
        "error-entity-changed",
        "Read the error's body as its new type.",
    ),
    (
        "implementation-removed",
        "Ask nothing about that program any more.",
    ),
    (
        "floor-raised",
        "Take `Option`s away, and what older releases alone had.",
    ),
    (
        "floor-lowered",
        "Handle `None` where older releases lack a field.",
    ),
    ("unclassified-change", "Compare the Rust before and after."),
];

fn hint(rule: &str) -> Option<&'static str> {
    HINTS
        .iter()
        .find(|(part, _)| rule.starts_with(part))
        .map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::super::super::rules::{Audience, Bump, RULES};
    use super::{HINTS, hint};

    #[test]
    fn whoever_breaks_code_says_what_to_do() {
        for rule in RULES {
            let breaks = rule.bump == Bump::Major && rule.breaks.contains(&Audience::Source);
            if breaks {
                assert!(hint(rule.id).is_some(), "{} has no hint", rule.id);
            }
        }
        for (part, _) in HINTS {
            let used = RULES
                .iter()
                .any(|rule| hint(rule.id) == hint(part) && rule.id.starts_with(part));
            assert!(used, "no rule takes the hint of {part}");
        }
    }
}
