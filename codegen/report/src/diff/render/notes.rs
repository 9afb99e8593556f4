//! Release notes: what a program brought, changed and dropped between two of its releases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::paint::Paint;
use fedispec_diff::releases::{At, Event, Happened, Releases};
use fedispec_diff::rules::Severity;

/// How to write them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// For a terminal with colours.
    pub color: bool,
    /// For a page.
    pub markdown: bool,
    /// Also every item whose version nobody knows.
    pub unknown: bool,
}

/// Writes the events of a section, each with a sign before it.
type Write = fn(&mut Notes, &str, &[&Event]);

/// The section of the changes in place after which calls fail that succeeded; the others stand by themselves.
const BREAKS: &str = "What breaks";

/// The sections: title, events, kinds of items (all where none is listed), sign, and how the events are written.
const SECTIONS: [(&str, Happened, &[&str], &str, Write); 11] = [
    (BREAKS, Happened::Changed, &[], "!", Notes::changed),
    ("New features", Happened::Added, &["feature"], "+", Notes::features),
    ("New operations", Happened::Added, &["operation"], "+", Notes::operations),
    ("New parameters", Happened::Added, &["param"], "+", Notes::parts),
    ("New entities", Happened::Added, &["entity"], "+", Notes::names),
    ("New fields", Happened::Added, &["field", "response"], "+", Notes::parts),
    ("New enumerations", Happened::Added, &["enum"], "+", Notes::names),
    ("New values", Happened::Added, &["value"], "+", Notes::parts),
    ("Changed in place", Happened::Changed, &[], "~", Notes::changed),
    ("Discouraged", Happened::Deprecated, &[], "!", Notes::ended),
    ("Gone", Happened::Removed, &[], "-", Notes::ended),
];

/// More items of one sort than this are listed on one line.
const GROUPED: usize = 3;

/// The release notes.
pub fn notes(releases: &Releases, style: Style) -> String {
    let mut out = Notes {
        text: String::new(),
        // Where all of it came with the newest one, that need not be said of each.
        dated: releases
            .events
            .iter()
            .filter_map(|event| event.version)
            .any(|version| version != releases.to.version),
        style,
        paint: Paint(style.color && !style.markdown),
    };
    out.title(&format!("{} {} .. {}", releases.name, when(&releases.from), when(&releases.to)));
    for (title, happened, kinds, sign, write) in SECTIONS {
        let events = releases.events.iter().filter(|event| {
            let is_broken = event.severity == Severity::Breaking;
            event.happened == happened
                && (happened != Happened::Changed || is_broken == (title == BREAKS))
                && (kinds.is_empty() || kinds.contains(&event.item.kind.as_str()))
        });
        let events: Vec<&Event> = events.collect();
        if !events.is_empty() {
            out.heading(title, events.len());
            write(&mut out, sign, &events);
        }
    }
    if releases.events.is_empty() {
        out.line("nothing that is known");
    }
    out.unknown(releases);
    out.text
}

pub(super) fn when(at: &At) -> String {
    at.date
        .as_ref()
        .map_or_else(|| at.version.to_string(), |date| format!("{} ({date})", at.version))
}

struct Notes {
    text: String,
    /// Whether the release stands behind each item.
    dated: bool,
    style: Style,
    paint: Paint,
}

impl Notes {
    fn title(&mut self, title: &str) {
        let title = if self.style.markdown { format!("# {title}") } else { self.paint.bold(title) };
        let _ = writeln!(self.text, "{title}");
    }

    fn heading(&mut self, title: &str, count: usize) {
        let title = format!("{title} ({count})");
        let title =
            if self.style.markdown { format!("## {title}\n") } else { self.paint.bold(&title) };
        let _ = writeln!(self.text, "\n{title}");
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn item(&mut self, sign: &str, name: &str, rest: &str) {
        let rest = if rest.is_empty() { String::new() } else { format!("  {rest}") };
        let line = if self.style.markdown {
            format!("- `{name}`{rest}")
        } else {
            format!(" {sign} {name}{rest}")
        };
        self.line(&line);
    }

    /// A name as it stands in running text.
    fn code(&self, name: &str) -> String {
        if self.style.markdown { format!("`{name}`") } else { name.to_owned() }
    }

    fn operations(&mut self, sign: &str, events: &[&Event]) {
        let width = events.iter().map(|event| event.item.id.len()).max().unwrap_or(0).min(48);
        for event in events {
            let route = match (&event.item.method, &event.item.path) {
                (Some(method), Some(path)) => self.code(&format!("{method} {path}")),
                _ => String::new(),
            };
            let name = if self.style.markdown {
                event.item.id.clone()
            } else {
                format!("{:<width$}", event.item.id)
            };
            let yet = event.what.as_ref().map(|what| format!("  {what}")).unwrap_or_default();
            self.item(sign, &name, &format!("{route}{yet}{}", self.between(event)));
        }
    }

    /// The release, where not all came with the same one.
    fn between(&self, event: &Event) -> String {
        let version = event.version.filter(|_| self.dated);
        version
            .map(|version| format!("  {}", self.paint.dim(&format!("({version})"))))
            .unwrap_or_default()
    }

    fn features(&mut self, sign: &str, events: &[&Event]) {
        for event in events {
            let name = event.item.id.replace('_', " ");
            self.item(sign, &name, self.between(event).trim_start());
        }
    }

    fn names(&mut self, sign: &str, events: &[&Event]) {
        let names: Vec<_> = events.iter().map(|event| event.item.id.as_str()).collect();
        let line = if self.style.markdown {
            format!("`{}`", names.join("`, `"))
        } else {
            format!(" {sign} {}", names.join(", "))
        };
        self.line(&line);
    }

    fn parts(&mut self, sign: &str, events: &[&Event]) {
        let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for event in events {
            owners.entry(&event.owner).or_default().push(&event.name);
        }
        for (owner, names) in owners {
            let names: Vec<_> = names.iter().map(|name| self.code(name)).collect();
            self.item(sign, owner, &names.join(", "));
        }
    }

    fn changed(&mut self, sign: &str, events: &[&Event]) {
        // Many items that changed alike are one line.
        let mut alike: BTreeMap<(std::cmp::Reverse<Severity>, String, &str), Vec<&Event>> =
            BTreeMap::new();
        for event in events {
            let rule = event.rule.rule().id;
            alike
                .entry((std::cmp::Reverse(event.severity), difference(event), rule))
                .or_default()
                .push(event);
        }
        for ((severity, difference, rule), events) in alike {
            let rule = self.paint.severity(severity.0, rule);
            let versions = if self.dated { versions(&events) } else { String::new() };
            if events.len() > GROUPED {
                self.item(
                    sign,
                    &format!("{} items", events.len()),
                    &format!("{difference}  {rule}{versions}"),
                );
                let names: Vec<_> = events.iter().map(|event| event.item.id.as_str()).collect();
                let indent = if self.style.markdown { "  " } else { "     " };
                self.line(&format!("{indent}{}", names.join(", ")));
                continue;
            }
            for event in events {
                self.item(sign, &event.item.id, &format!("{difference}  {rule}{versions}"));
            }
        }
    }

    fn ended(&mut self, sign: &str, events: &[&Event]) {
        // Items without a replacement are listed together, by owner.
        let mut together: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
        let alone = |event: &&&Event| event.replacement.is_some() || event.name.is_empty();
        for event in events.iter().filter(|event| !alone(event)) {
            together.entry((&event.owner, self.between(event))).or_default().push(&event.name);
        }
        for ((owner, version), names) in together {
            self.item(sign, owner, &format!("{}{version}", names.join(", ")));
        }
        for event in events.iter().filter(alone) {
            let instead =
                event.replacement.as_ref().map(|id| format!("-> {id}")).unwrap_or_default();
            self.item(sign, &event.item.id, &format!("{instead}{}", self.between(event)));
        }
    }

    fn unknown(&mut self, releases: &Releases) {
        if releases.unknown.is_empty() {
            return;
        }
        let count = releases.unknown.len();
        let items = if count == 1 { "1 item has" } else { &format!("{count} items have") };
        self.line("");
        let hint = if self.style.unknown { "" } else { " (list: --show unknown)" };
        self.line(&format!(
            " ? {items} no known since for {}: may belong here{hint}",
            releases.program
        ));
        if self.style.unknown {
            for id in &releases.unknown {
                self.item("?", id, "");
            }
        }
    }
}

/// `needs write:bookmarks, was write:statuses`
pub(super) fn difference(event: &Event) -> String {
    let what = event.what.as_deref().unwrap_or("it");
    match (&event.old, &event.new) {
        (Some(old), Some(new)) => format!("{what}: {new} (was {old})"),
        (None, Some(new)) => format!("{what}: {new}"),
        (Some(old), None) => format!("{what}: no longer {old}"),
        (None, None) => what.to_owned(),
    }
}

fn versions(events: &[&Event]) -> String {
    let versions: BTreeSet<_> = events.iter().filter_map(|event| event.version).collect();
    if versions.is_empty() {
        String::new()
    } else {
        let versions: Vec<_> = versions.iter().map(ToString::to_string).collect();
        format!("  ({})", versions.join(", "))
    }
}
