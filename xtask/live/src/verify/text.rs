//! The report as text.

use std::io::{self, Write};

use super::{Finding, Report};

/// Prints a report.
///
/// # Errors
///
/// When writing fails.
pub(crate) fn print(report: &Report, to: &mut impl Write) -> io::Result<()> {
    writeln!(
        to,
        "{} responses, {} of known operations, {} bodies decoded",
        report.total, report.matched, report.decoded
    )?;
    for failure in &report.failed {
        writeln!(
            to,
            "failed      line {}: {} at {}: {}",
            failure.line, failure.operation, failure.json_path, failure.message
        )?;
    }
    for (request, count) in &report.unmatched {
        writeln!(to, "unmatched   {request} ({count}x)")?;
    }
    let none = Vec::new();
    for (title, findings) in [
        ("too early", &report.too_early),
        ("absent", &report.promised_but_absent),
        ("null", &report.promised_but_null),
        ("floor", report.fails_with_floor.as_ref().unwrap_or(&none)),
        ("new field", &report.unknown_fields),
        ("new value", &report.unknown_values),
    ] {
        findings.iter().try_for_each(|finding| row(title, finding, to))?;
    }
    Ok(())
}

fn row(title: &str, finding: &Finding, to: &mut impl Write) -> io::Result<()> {
    write!(to, "{title:11} {}", finding.id)?;
    if let Some(since) = &finding.since {
        write!(to, ", since {since}")?;
    }
    let program = finding.program.as_deref().unwrap_or("server");
    let version = finding.version.as_deref().unwrap_or("without version");
    writeln!(to, " ({program} {version}, line {}, {}x)", finding.line, finding.count)
}
