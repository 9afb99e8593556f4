//! The report as a table.

use std::io::{self, Write};

use super::{Report, Verdict, differ};

/// Prints a report: what contradicts the release, what could not be found out, or everything.
///
/// # Errors
///
/// When writing fails.
pub(crate) fn print(report: &Report, all: bool, to: &mut impl Write) -> io::Result<()> {
    let token = if report.server.with_token { "with a token" } else { "without a token" };
    writeln!(to, "{}, {} requests {token}", report.server.shown, report.requests)?;
    if let Some(why) = &report.stopped {
        writeln!(to, "ended early: {why}")?;
    }
    let operations = report.operations.iter().map(|row| (row.expected, row.found));
    let fields = report.fields.iter().map(|row| (row.expected, row.found));
    writeln!(to, "\n            as expected   differ   not found out   new to the catalogue")?;
    counts("operations", &operations.collect::<Vec<_>>(), to)?;
    counts("fields", &fields.collect::<Vec<_>>(), to)?;
    writeln!(to, "\n{:9} {:9} {:7} {:7} id", "", "expected", "found", "status")?;
    for row in &report.operations {
        let because = row.because.as_deref().unwrap_or_default();
        // An operation that cannot be called is of no interest where nobody expects it.
        let open = row.found == Verdict::Unknown && row.expected != Verdict::No;
        let mark = mark(row.expected, row.found);
        if all || open || !mark.is_empty() {
            let status = row.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
            let (expected, found) = (row.expected.name(), row.found.name());
            let line = format!("{mark:9} {expected:9} {found:7} {status:7} {}  {because}", row.id);
            writeln!(to, "{}", line.trim_end())?;
        }
    }
    for row in &report.fields {
        let mark = mark(row.expected, row.found);
        if all || !mark.is_empty() {
            let (expected, found) = (row.expected.name(), row.found.name());
            writeln!(to, "{mark:9} {expected:9} {found:7} {:7} {}", "", row.id)?;
        }
    }
    Ok(())
}

fn mark(expected: Verdict, found: Verdict) -> &'static str {
    match (expected, found) {
        _ if differ(expected, found) => "differs",
        (Verdict::Unknown, Verdict::Yes) => "new",
        _ => "",
    }
}

fn counts(what: &str, rows: &[(Verdict, Verdict)], to: &mut impl Write) -> io::Result<()> {
    let count = |of: &dyn Fn(Verdict, Verdict) -> bool| {
        rows.iter().filter(|(expected, found)| of(*expected, *found)).count()
    };
    let as_expected = count(&|expected, found| expected == found && found != Verdict::Unknown);
    let differing = count(&differ);
    let open = count(&|_, found| found == Verdict::Unknown);
    let new = count(&|expected, found| mark(expected, found) == "new");
    writeln!(to, "{what:11} {as_expected:11} {differing:8} {open:15} {new:22}")
}
