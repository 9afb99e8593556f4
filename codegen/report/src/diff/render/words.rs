//! The phrases that several formats use.

use std::fmt::Write as _;

use crate::diff::report::{Report, Side};
use fedispec_diff::change::{ItemRef, Place};
use fedispec_since::StableVersion;

/// `origin/main 3f9c2e1`
pub(super) fn side(side: &Side) -> String {
    let mut text = side.name.clone();
    if let Some(rev) = side.rev.as_ref().filter(|rev| !side.name.starts_with(rev.as_str())) {
        let _ = write!(text, " {rev}");
    }
    if side.dirty {
        text.push_str(" (edited)");
    }
    text
}

/// Returns a part's owner and its name there; `None` for items without an owner. The owner of an operation is its group.
pub(super) fn owner(item: &ItemRef) -> Option<(&str, &str)> {
    let depth = match item.kind.as_str() {
        // `accounts.lookup.acct`
        "param" | "response" => 2,
        // `Account.source.privacy`, `accounts.lookup`
        "field" | "value" | "operation" => 1,
        _ => return None,
    };
    let (at, _) = item.id.match_indices('.').nth(depth - 1)?;
    Some((&item.id[..at], &item.id[at + 1..]))
}

/// `spec/supplement/apps.yaml:14`
pub(super) fn place(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// `4.1.0 4.1.1 4.1.2`, or its ends where that is long.
pub(super) fn spans(releases: &[StableVersion]) -> String {
    match releases {
        [first, .., last] if releases.len() > 8 => {
            format!("{first} to {last} ({} releases)", releases.len())
        }
        _ => {
            let releases: Vec<_> = releases.iter().map(ToString::to_string).collect();
            releases.join(" ")
        }
    }
}

/// The first of a list, and how many more.
pub(super) fn few(list: &[String], count: usize) -> String {
    let shown = list.iter().take(count).cloned().collect::<Vec<_>>().join(", ");
    if list.len() > count { format!("{shown} and {} more", list.len() - count) } else { shown }
}

/// One line about how many changes there are.
pub(super) fn summary(report: &Report) -> String {
    let counts = report.counts;
    let mut parts = Vec::new();
    for (count, what) in
        [(counts.breaking, "breaking"), (counts.risky, "risky"), (counts.compatible, "compatible")]
    {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    if parts.is_empty() {
        parts.push("nothing that breaks".into());
    }
    parts.join(", ")
}

/// `1 part`, `2 parts`
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
