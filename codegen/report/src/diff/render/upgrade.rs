//! A guide for those who upgrade over a release that breaks code.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::markdown::cell;
use super::rust_lines;
use super::words::{counted, side};
use crate::diff::report::{Entry, Report, Side};
use fedispec_diff::change::{Cause, Change};
use fedispec_diff::rules::{Audience, Bump, Fact, RuleId, Severity};

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
    work(&mut text, &code);
    section(
        &mut text,
        "Calls that behave otherwise",
        &of(report, |change| wire(change) && !source(change)),
    );
    section(
        &mut text,
        "For those who implement a server",
        &of(report, |change| {
            change.severity >= Severity::Risky && change.breaks.contains(&Audience::Server)
        }),
    );
    for (title, cause) in [
        ("New in the servers", Cause::Evolution),
        ("Known for the first time", Cause::Coverage),
        ("Corrected", Cause::Correction),
    ] {
        let gained =
            of(report, |change| change.cause == cause && change.severity == Severity::Compatible);
        section(&mut text, title, &gained);
    }
    text
}

/// The crate's version is what users know; where both are the same, the state's name.
fn version(state: &Side) -> String {
    match &state.version {
        Some(version) => format!("{version} ({})", side(state)),
        None => side(state),
    }
}

fn of(report: &Report, test: impl Fn(&Change) -> bool) -> Vec<&Entry> {
    let entries = report.changes.iter();
    entries.filter(|entry| test(&entry.change)).collect()
}

/// Writes the code that no longer compiles in the order of work: replacements throughout, then places to look at one by
/// one, then code to remove.
fn work(text: &mut String, entries: &[&Entry]) {
    if entries.is_empty() {
        return;
    }
    text.push_str("\n## Code that no longer compiles\n");
    let mut steps: BTreeMap<(usize, &str), Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let rule = entry.change.rule;
        let step = (place(rule), hint(rule).unwrap_or("Look at it."));
        steps.entry(step).or_default().push(entry);
    }
    for ((_, step), entries) in steps {
        let _ = writeln!(text, "\n### {}\n", step.trim_end_matches('.'));
        for same in entries.chunk_by(|a, b| a.is_about_same(b)) {
            item(text, same);
            migration(text, same);
        }
    }
}

/// When a reader does what a rule asks for.
fn place(rule: RuleId) -> usize {
    match rule.fact() {
        Fact::Existence if matches!(rule, RuleId::ItemDeleted | RuleId::ItemRetracted) => 4,
        Fact::WireName | Fact::RustName | Fact::Existence => 0,
        Fact::Constructor | Fact::Required | Fact::Combination => 1,
        Fact::Type | Fact::Format | Fact::Returns | Fact::Paging | Fact::Members => 2,
        Fact::Nullable | Fact::Presence | Fact::Since | Fact::Floor => 3,
        _ => 5,
    }
}

fn item(text: &mut String, same: &[&Entry]) {
    let messages: Vec<_> = same.iter().map(|entry| cell(&entry.change.sentence())).collect();
    let _ = writeln!(text, "- `{}`: {}", same[0].change.item.id, messages.join("; "));
}

/// A list, an entry an item.
fn section(text: &mut String, title: &str, entries: &[&Entry]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n");
    for same in entries.chunk_by(|a, b| a.is_about_same(b)) {
        item(text, same);
    }
}

fn migration(text: &mut String, entries: &[&Entry]) {
    let mut lines: Vec<_> =
        entries.iter().filter_map(|entry| entry.rust.as_ref()).flat_map(rust_lines).collect();
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

/// Returns advice on a change for the author of a program that uses the crate.
#[rustfmt::skip]
fn hint(rule: RuleId) -> Option<&'static str> {
    use RuleId as R;
    Some(match rule {
        R::ItemDeleted =>
            "Take its use out; where servers still have it, send the request by hand.",
        R::ItemRetracted =>
            "Take its use out: no server ever answered it.",
        R::RouteBecameUnknown =>
            "Take the call out, or send the request by hand.",
        R::ItemKeyReused =>
            "Read its documentation anew: the id means something else now.",
        R::ItemRenamed | R::RustNameChanged =>
            "Use the new name; nothing on the wire differs.",
        R::ItemRenamedGuess =>
            "If the new item is the one you mean, use its name; else take the use out.",
        R::ItemMovedModule =>
            "Import it from its new module.",
        R::PathArgAdded | R::ParamAddedRequired =>
            "Give the constructor the new argument.",
        R::PathArgRemoved =>
            "Give the constructor one argument less.",
        R::ParamBecameRequired =>
            "Move the value from the setter to the constructor.",
        R::ParamBecameOptional =>
            "Move the value from the constructor to the setter.",
        R::ParamTypeWidened | R::ParamTypeNarrowed | R::ParamTypeChanged | R::WordsChanged =>
            "Give the setter or constructor a value of the new type.",
        R::ParamFormatChanged =>
            "Send the value in the new format.",
        R::ParamBecameNotNullable =>
            "Do not send null; leave the parameter out.",
        R::ConstructorChanged =>
            "Look up the constructor's arguments and their order.",
        R::FieldBecameOptional =>
            "Handle `None`: it may be missing.",
        R::FieldBecameRequired =>
            "Take the `Option` away: it is always there.",
        R::FieldBecameNullable =>
            "Handle `None`: it may be null.",
        R::FieldBecameNotNullable =>
            "Take the `Option` away: it is never null.",
        R::AbsentMeansAdded =>
            "Take the `Option` away: where it is missing, it has the value that absence means.",
        R::AbsentMeansRemoved =>
            "Handle `None`: absence means no value any more.",
        R::FieldTypeWidened | R::FieldTypeNarrowed | R::FieldTypeChanged | R::FieldFormatChanged =>
            "Read the value as its new type.",
        R::FieldMovedEntity =>
            "Read it from the entity that has it now.",
        R::ResponseEntityChanged | R::ResponseEntitySupersetted | R::ResponseTypeWidened | R::ResponseTypeNarrowed | R::ResponseCardinalityChanged | R::ResponseBodyAdded =>
            "Take the answer as its new type.",
        R::PayloadChanged =>
            "Read from the event what it brings now.",
        R::UnsetChanged =>
            "Make the update with `keeping` or `replacing` where it resets, with `new` where it keeps.",
        R::IncludedEntityChanged =>
            "Convert from and to the entity that it takes its fields from now.",
        R::ResponseBodyRemoved =>
            "Do not read the answer: it is empty.",
        R::EntityBecameKnown =>
            "Read the fields of the struct instead of the JSON value.",
        R::EntityBecameOpaque =>
            "Read the JSON value by hand.",
        R::EnumValueRemovedRequest | R::EnumValueRemovedResponse =>
            "Take the variant out; a value that still comes is kept as an unknown one.",
        R::StringBecameEnum =>
            "Use a variant of the enumeration; other text goes in as an unknown value.",
        R::EnumBecameString =>
            "Use `as_str()` of the old variants, or plain text.",
        R::SinceCrossedFloorDown =>
            "Take the `Option` away: every supported release sends it.",
        R::SinceCrossedFloorUp =>
            "Handle `None`: not every supported release sends it.",
        R::ImplementationRemoved =>
            "Ask nothing about that program any more.",
        R::FloorRaised =>
            "Take `Option`s away, and what older releases alone had.",
        R::FloorLowered =>
            "Handle `None` where older releases lack a field.",
        R::PaginationAdded =>
            "Take a page instead of a list; the page has the elements and the way on.",
        R::PaginationRemoved =>
            "Take the list; there is no next page.",
        R::PaginationCursorChanged =>
            "Throw stored positions away and begin anew.",
        R::ErrorEntityChanged =>
            "Read the error's body as its new type.",
        R::FeatureRemoved =>
            "Ask for the items that made it up; its constant is gone.",
        R::UnclassifiedChange | R::RustChanged =>
            "Compare the Rust before and after.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::hint;
    use fedispec_diff::rules::{Audience, Bump, RULES};

    #[test]
    fn whoever_breaks_code_says_what_to_do() {
        for rule in RULES {
            let breaks = rule.bump == Bump::Major && rule.breaks.contains(&Audience::Source);
            assert!(!breaks || hint(rule.rule).is_some(), "{} has no hint", rule.id);
        }
    }
}
