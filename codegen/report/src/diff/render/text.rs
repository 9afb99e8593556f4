//! The report as text for a terminal.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::View;
use super::footer::footer;
use super::paint::Paint;
use super::words::{counted, few, place, side, spans};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::{Cause, Change, Direction};
use fedispec_diff::rules::Severity;

/// The report as text.
pub fn text(report: &Report, view: &View) -> String {
    let paint = Paint(view.color);
    let floors = report.floors.iter();
    let floors: Vec<_> = floors
        .map(|(program, floor)| format!("{program} {floor}"))
        .collect();
    let mut text = format!(
        "catalogue  {} .. {}    floors {}\n",
        side(&report.base),
        side(&report.head),
        floors.join(", ")
    );
    let shown: Vec<&Entry> = view.changes(report).collect();
    for block in blocks(&shown) {
        text.push('\n');
        match block {
            Block::Item(changes) => item(&mut text, &changes, paint),
            Block::Alike(changes) => alike(&mut text, &changes, paint),
        }
    }
    text.push('\n');
    footer(&mut text, report, view, shown.len());
    text
}

/// What stands under one heading.
enum Block<'r> {
    /// All of a severity and cause that happened to an item.
    Item(Vec<&'r Entry>),
    /// Many items to which the same happened.
    Alike(Vec<&'r Entry>),
}

/// More items than that to which the same happened are one block.
const ALIKE: usize = 3;

/// What changes of one item must share to stand under one heading.
fn heading(change: &Change) -> (Severity, &str, &str, Cause) {
    (
        change.severity,
        &change.item.kind,
        &change.item.id,
        change.cause,
    )
}

/// What changes of many items must share to be told once.
fn event(change: &Change) -> (Severity, &str, &str, &str, Cause) {
    (
        change.severity,
        change.rule.rule().id,
        &change.message,
        &change.item.kind,
        change.cause,
    )
}

fn blocks<'r>(shown: &[&'r Entry]) -> Vec<Block<'r>> {
    let mut events: HashMap<_, usize> = HashMap::new();
    for entry in shown {
        *events.entry(event(&entry.change)).or_default() += 1;
    }
    let many = |change: &Change| {
        events
            .get(&event(change))
            .is_some_and(|count| *count > ALIKE)
    };
    let mut blocks: Vec<Block<'r>> = Vec::new();
    let mut told = HashSet::new();
    for entry in shown {
        let change = &entry.change;
        if many(change) {
            if told.insert(event(change)) {
                let same = shown
                    .iter()
                    .filter(|other| event(&other.change) == event(change));
                blocks.push(Block::Alike(same.copied().collect()));
            }
            continue;
        }
        match blocks.last_mut() {
            Some(Block::Item(entries)) if heading(&entries[0].change) == heading(change) => {
                entries.push(entry);
            }
            _ => blocks.push(Block::Item(vec![entry])),
        }
    }
    blocks
}

fn label(change: &Change, paint: Paint) -> String {
    let label = match change.severity {
        Severity::Breaking => "BREAKING",
        Severity::Risky => "RISKY",
        Severity::Compatible => "ok",
        Severity::Docs => "text",
    };
    paint.severity(change.severity, &format!("{label:<9}"))
}

fn item(text: &mut String, entries: &[&Entry], paint: Paint) {
    let Some(Entry { change: first, .. }) = entries.first() else {
        return;
    };
    let what = match (&first.item.method, &first.item.path) {
        (Some(method), Some(path)) => format!("{method} {path}"),
        _ => first.item.kind.clone(),
    };
    let room = 58_usize.saturating_sub(first.item.id.chars().count());
    let _ = writeln!(
        text,
        " {} {}  {}  {}",
        label(first, paint),
        paint.bold(&first.item.id),
        paint.dim(&format!("{what:<room$}")),
        first.cause.name()
    );
    let mut rust = None;
    for entry in entries {
        sentence(text, &entry.change, paint);
        details(text, &entry.change, paint);
        if entry.rust != rust {
            before_and_after(text, entry, paint);
        }
        rust.clone_from(&entry.rust);
        end(text, entry, paint);
    }
}

/// The same of many items: once, then a line an item.
fn alike(text: &mut String, entries: &[&Entry], paint: Paint) {
    let Some(Entry { change: first, .. }) = entries.first() else {
        return;
    };
    let title = format!("{} {}", entries.len(), several(&first.item.kind));
    let _ = writeln!(
        text,
        " {} {:<60}  {}",
        label(first, paint),
        paint.bold(&title),
        first.cause.name()
    );
    sentence(text, first, paint);
    breaks(text, first);
    let width = entries
        .iter()
        .map(|entry| entry.change.item.id.chars().count())
        .max()
        .unwrap_or(0)
        .min(50);
    for entry in entries {
        let change = &entry.change;
        let at = change
            .head_at
            .as_ref()
            .or(change.base_at.as_ref())
            .map(place)
            .unwrap_or_default();
        let accepted = if entry.accepted.is_some() {
            "  accepted"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "     {}  {:<width$}  {}{accepted}",
            paint.dim(&entry.fp),
            change.item.id,
            paint.dim(&at)
        );
    }
    let _ = writeln!(
        text,
        "     {}",
        paint.dim(&format!("bump {}", first.bump.name()))
    );
}

fn several(kind: &str) -> String {
    match kind {
        "param" => "parameters".into(),
        "response" => "fields of answers".into(),
        "entity" => "entities".into(),
        "enum" => "enumerations".into(),
        kind => format!("{kind}s"),
    }
}

fn sentence(text: &mut String, change: &Change, paint: Paint) {
    let direction = match change.direction {
        Some(Direction::Request) => " (request)",
        Some(Direction::Response) => " (response)",
        None => "",
    };
    let rule = paint.bold(change.rule.rule().id);
    let _ = writeln!(text, "   {rule}{direction}  {}", change.message);
}

fn breaks(text: &mut String, change: &Change) {
    if change.severity < Severity::Risky || change.breaks.is_empty() {
        return;
    }
    let who = change
        .breaks
        .iter()
        .map(|audience| format!("{} {}", audience.letter(), audience.who()));
    let who: Vec<_> = who.collect();
    let _ = writeln!(
        text,
        "     breaks   {}: {}",
        who.join(", "),
        change.rule.rule().why
    );
}

fn details(text: &mut String, change: &Change, paint: Paint) {
    breaks(text, change);
    if change.with > 0 {
        let _ = writeln!(text, "     along    {}", counted(change.with, "part"));
    }
    let gate = change.gate.iter();
    for (what, releases) in
        gate.flat_map(|gate| [("opens on", &gate.opens), ("closes on", &gate.closes)])
    {
        if !releases.is_empty() {
            let program = change.implementation.as_deref().unwrap_or_default();
            let _ = writeln!(text, "     gate     {what} {program} {}", spans(releases));
        }
    }
    if !change.reach.is_empty() && change.severity > Severity::Docs {
        let _ = writeln!(text, "     reach    {}", few(&change.reach, 5));
    }
    let line = match (&change.base_at, &change.head_at) {
        (Some(base), Some(head)) if (&base.file, base.line) == (&head.file, head.line) => {
            place(head)
        }
        (Some(base), Some(head)) if base.file == head.file => {
            format!("{}, was line {}", place(head), base.line)
        }
        (Some(base), Some(head)) => format!("{}, was {}", place(head), place(base)),
        (Some(base), None) => format!("was {}", place(base)),
        (None, Some(head)) => place(head),
        (None, None) => String::new(),
    };
    if !line.is_empty() {
        let _ = writeln!(text, "     at       {}", paint.dim(&line));
    }
    for proof in change.evidence.iter().take(2) {
        let _ = writeln!(text, "     evidence {} {}", proof.class, proof.r#ref);
    }
}

fn before_and_after(text: &mut String, entry: &Entry, paint: Paint) {
    let mut label = "rust";
    let rust = entry.rust.iter();
    for (sign, line) in rust.flat_map(super::rust_lines) {
        let severity = if sign == '-' {
            Severity::Breaking
        } else {
            Severity::Compatible
        };
        let _ = writeln!(
            text,
            "     {label:<8} {}",
            paint.severity(severity, &format!("{sign} {line}"))
        );
        label = "";
    }
}

fn end(text: &mut String, entry: &Entry, paint: Paint) {
    if let Some(reason) = &entry.accepted {
        let _ = writeln!(text, "     accepted {reason}");
    }
    let mut line = format!("bump {}", entry.change.bump.name());
    if !entry.fp.is_empty() {
        line = format!("fp {}   {line}", entry.fp);
    }
    let _ = writeln!(text, "     {}", paint.dim(&line));
}
