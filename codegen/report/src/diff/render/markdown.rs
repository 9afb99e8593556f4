//! The report as a comment on a pull request.

use std::fmt::Write as _;

use super::View;
use super::document::{Block, Document, Finding};
use super::words::{counted, side, summary};
use crate::diff::report::Report;
use fedispec_diff::change::Change;
use fedispec_diff::rules::Severity;

/// GitHub refuses comments of more than 65,536 characters; the rest is for what stands around the tables.
const LONGEST: usize = 60_000;

/// How many items of a finding are named at most.
const NAMED: usize = 20;

/// The first line, by which a bot finds its former comment.
pub const MARK: &str = "<!-- xtask-diff -->";

/// The report as markdown.
pub fn markdown(report: &Report, view: &View) -> String {
    let mut text = format!(
        "{MARK}\n### API catalogue: {} — crate bump **{}**{}\n\n{} → {}\n",
        summary(report),
        report.bump.needed().name(),
        declared(report),
        cell(&side(&report.base)),
        cell(&side(&report.head)),
    );
    if report.changes.is_empty() {
        text.push_str("\nNothing differs.\n");
        return text;
    }
    let document = Document::new(report, view);
    let findings = document.blocks.iter().flat_map(|block| {
        let findings = block.findings.iter();
        findings.map(move |finding| (block, finding))
    });
    let (grave, light): (Vec<_>, Vec<_>) = findings.partition(|(_, finding)| {
        finding.first.severity >= Severity::Risky && !finding.is_accepted()
    });
    table(&mut text, view, &grave);
    if !light.is_empty() || report.counts.docs > 0 {
        let _ = writeln!(text, "\n<details><summary>{}</summary>", folded(report));
        table(&mut text, view, &light);
        text.push_str("\n</details>\n");
    }
    for line in &report.bump.unclaimed {
        let _ = writeln!(text, "\n**No rule claims this:** `{}`", line.replace('`', "'"));
    }
    if let Some((_, first)) = grave.first() {
        let accept = first.accept(report);
        if !accept.is_empty() {
            let _ = writeln!(
                text,
                "\nAccept one: `cargo xtask diff --accept '{}' --reason \"…\"`",
                code(&accept)
            );
        }
    }
    text
}

fn folded(report: &Report) -> String {
    let counts = report.counts;
    let mut parts = vec![format!("{} compatible", counts.compatible)];
    if counts.accepted > 0 {
        parts.push(format!("{} accepted", counts.accepted));
    }
    parts.push(format!("{} docs-only", counts.docs));
    parts.join(", ")
}

fn declared(report: &Report) -> String {
    let declared = report.bump.declared.map(|declared| {
        let sign = if report.bump.ok { "✅" } else { "❌" };
        format!(" (declared {} {sign})", declared.name())
    });
    declared.unwrap_or_default()
}

/// A finding with the block that it stands in.
type Row<'d, 'r> = (&'d Block<'r>, &'d Finding<'r>);

fn table(text: &mut String, view: &View, rows: &[Row<'_, '_>]) {
    if rows.is_empty() {
        return;
    }
    text.push_str("\n| | item | change | who | cause | bump | fp |\n|--|--|--|--|--|--|--|\n");
    for (number, row) in rows.iter().enumerate() {
        let line = self::row(view, *row);
        if text.len() + line.len() > LONGEST {
            let left = rows[number..].iter().map(|(_, finding)| finding.entries.len());
            let left = counted(left.sum(), "change");
            let _ = writeln!(text, "\n… and {left} more; {}.", whole(view));
            return;
        }
        text.push_str(&line);
    }
}

/// Tells where the whole report is found when this one is cut.
fn whole(view: &View) -> String {
    match &view.more {
        Some(more) => format!("the whole report is [among the job's artifacts]({more})"),
        None => "the whole report is among the job's artifacts".to_owned(),
    }
}

fn row(view: &View, (block, finding): Row<'_, '_>) -> String {
    let change = finding.first;
    let sign = match (finding.is_accepted(), change.severity) {
        (true, _) => "☑️",
        (_, Severity::Breaking) => "🔴",
        (_, Severity::Risky) => "🟡",
        (_, Severity::Compatible) => "🟢",
        (_, Severity::Docs) => "⚪",
    };
    let route = match (&change.item.method, &change.item.path) {
        (Some(method), Some(path)) if finding.only().is_some() => {
            format!(" `{}`", code(&format!("{method} {path}")))
        }
        _ => String::new(),
    };
    let who: Vec<_> = change.breaks.iter().map(|audience| audience.who()).collect();
    let (said, fp) = match finding.only() {
        Some(entry) => (
            format!("{}{}", cell(&entry.change.sentence()), place(view, &entry.change)),
            format!("`{}`", entry.fp),
        ),
        None => (many(view, finding), String::new()),
    };
    format!(
        "| {sign} | `{}`{route} | {said} | {} | {} | {} | {fp} |\n",
        code(&block.title),
        who.join(", "),
        change.cause.name(),
        change.bump.name(),
    )
}

/// Describes a finding about many items: the shared message, then each item with its line.
fn many(view: &View, finding: &Finding<'_>) -> String {
    let mut said = match finding.message() {
        Some(message) => format!("{}: ", cell(&message)),
        None => format!("{}: ", finding.first.rule.rule().id),
    };
    let named = finding.entries.iter().take(NAMED).map(|entry| {
        let own = match finding.message() {
            Some(_) => String::new(),
            None => format!(" {}", cell(&entry.change.sentence())),
        };
        let at = place(view, &entry.change);
        format!("`{}`{own}{at}", code(finding.name(entry)))
    });
    said.push_str(&named.collect::<Vec<_>>().join("; "));
    let more = finding.entries.len().saturating_sub(NAMED);
    if more > 0 {
        let _ = write!(said, "; and {more} more; {}", whole(view));
    }
    said
}

/// Text that neither ends a cell nor becomes markup.
pub(super) fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '\n' | '\r' => safe.push(' '),
            '|' | '*' | '_' | '[' | ']' | '`' | '\\' | '@' => safe.extend(['\\', letter]),
            plain => safe.push(plain),
        }
    }
    safe
}

/// Text between backticks.
fn code(text: &str) -> String {
    text.replace('`', "'").replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn place(view: &View, change: &Change) -> String {
    let Some(at) = &change.head_at else {
        return String::new();
    };
    let file = at.file.rsplit('/').next().unwrap_or(&at.file);
    let short = cell(&format!("{file}:{}", at.line));
    match super::address(view, at) {
        Some(address) => format!(" ([{short}]({address}))"),
        None => format!(" ({short})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, code};

    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(cell("a|b\n<c> `x` @all"), "a\\|b &lt;c> \\`x\\` \\@all");
        assert_eq!(code("a|`b`"), "a\\|'b'");
    }
}
