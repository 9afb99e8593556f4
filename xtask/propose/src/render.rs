//! A proposal as text, as Markdown for a pull request, and as JSON.

use std::fmt::Write as _;

use crate::row::{Change, Proposal, Row};

/// How a proposal is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For other tools.
    Json,
}

/// The parts of a proposal, in the order in which they are read.
struct Parts<'p> {
    /// Nothing is left to decide.
    ready: Vec<&'p Row>,
    /// A person must look.
    left: Vec<&'p Row>,
    /// Against what the catalogue says of the older release.
    against: Vec<&'p Row>,
}

impl<'p> Parts<'p> {
    fn of(proposal: &'p Proposal) -> Self {
        let (against, news): (Vec<_>, Vec<_>) = proposal
            .rows
            .iter()
            .partition(|row| row.change == Change::Contradicts);
        let (ready, left) = news.into_iter().partition(|row| row.is_ready());
        Self {
            ready,
            left,
            against,
        }
    }
}

impl Row {
    /// Whether it can be written down as it is.
    pub fn is_ready(&self) -> bool {
        self.sure && self.decide.is_none() && self.change != Change::Contradicts
    }
}

/// Prints a proposal.
pub fn render(proposal: &Proposal, format: Format) -> String {
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(proposal);
            text.map_or_else(
                |error| format!("{{\"error\": \"{error}\"}}"),
                |text| text + "\n",
            )
        }
        Format::Text => text(proposal),
        Format::Markdown => markdown(proposal),
    }
}

fn title(proposal: &Proposal) -> String {
    let from = proposal
        .from
        .as_ref()
        .map_or_else(String::new, |from| format!(" after {from}"));
    format!("{} {}{from}", proposal.program, proposal.version)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A row without its YAML.
fn line(row: &Row) -> String {
    let mut text = format!("{} {} {}", row.change.name(), row.kind.name(), row.id);
    if let (Some(method), Some(path)) = (&row.method, &row.path)
        && row.name.is_empty()
    {
        _ = write!(text, " ({method} {path})");
    }
    match (&row.from, &row.to) {
        (Some(from), Some(to)) => _ = write!(text, ": {from} -> {to}"),
        (Some(from), None) => _ = write!(text, ": was {from}"),
        (None, Some(to)) => _ = write!(text, ": {to}"),
        (None, None) => {}
    }
    text
}

fn text(proposal: &Proposal) -> String {
    let parts = Parts::of(proposal);
    let mut text = format!(
        "{}: {}\n",
        title(proposal),
        counted(proposal.rows.len(), "row")
    );
    let sections = [
        ("To be written down", &parts.ready, true),
        ("To be decided", &parts.left, true),
        (
            "Against the catalogue: mistakes of ours, or of this reading",
            &parts.against,
            false,
        ),
    ];
    for (name, rows, with_yaml) in sections {
        if rows.is_empty() {
            continue;
        }
        _ = writeln!(text, "\n{name} ({}):", rows.len());
        for row in rows {
            _ = writeln!(text, "  {}\n    {}", line(row), row.at);
            if let Some(decide) = &row.decide {
                _ = writeln!(text, "    decide: {decide}");
            }
            if with_yaml && !row.yaml.is_empty() {
                _ = writeln!(text, "    {}", row.file);
                for yaml in row.yaml.lines() {
                    _ = writeln!(text, "      {yaml}");
                }
            }
        }
    }
    if !proposal.unread.is_empty() {
        _ = writeln!(text, "\nNot read ({}):", proposal.unread.len());
        for unread in &proposal.unread {
            _ = writeln!(text, "  {unread}");
        }
    }
    text
}

fn markdown(proposal: &Proposal) -> String {
    let parts = Parts::of(proposal);
    let mut text = format!("## {}\n", title(proposal));
    let sections = [
        ("To be written down", &parts.ready),
        ("To be decided", &parts.left),
        ("Against the catalogue", &parts.against),
    ];
    for (name, rows) in sections {
        if rows.is_empty() {
            continue;
        }
        _ = writeln!(text, "\n### {name} ({})\n", rows.len());
        let check = if name == "To be written down" {
            ""
        } else {
            "[ ] "
        };
        for row in rows {
            _ = write!(
                text,
                "- {check}{} {} `{}`",
                row.change.name(),
                row.kind.name(),
                row.id
            );
            if let (Some(method), Some(path)) = (&row.method, &row.path)
                && row.name.is_empty()
            {
                _ = write!(text, " (`{method} {path}`)");
            }
            match (&row.from, &row.to) {
                (Some(from), Some(to)) => _ = write!(text, ": {from} → {to}"),
                (Some(from), None) => _ = write!(text, ": was {from}"),
                (None, Some(to)) => _ = write!(text, ": {to}"),
                (None, None) => {}
            }
            _ = writeln!(text, ", `{}`", row.at);
            if let Some(decide) = &row.decide {
                _ = writeln!(text, "  {decide}");
            }
        }
    }
    let yaml: Vec<&&Row> = parts
        .left
        .iter()
        .filter(|row| !row.yaml.is_empty())
        .collect();
    if !yaml.is_empty() {
        text.push_str("\n<details><summary>YAML of what is to be decided</summary>\n");
        for row in yaml {
            _ = writeln!(text, "\n`{}`\n```yaml\n{}```", row.file, row.yaml);
        }
        text.push_str("\n</details>\n");
    }
    if !proposal.unread.is_empty() {
        _ = writeln!(text, "\n### Not read ({})\n", proposal.unread.len());
        for unread in &proposal.unread {
            _ = writeln!(text, "- {unread}");
        }
    }
    text
}
