//! Reports of what breaks between two lines of releases of a program: of neighbours, and of any two of the latest lines that generated
//! types are made for. All pairs would be most of the site.

use std::collections::BTreeMap;

use fedispec_diff::Compared;
use fedispec_diff::releases::{Event, Releases};
use fedispec_diff::rules::Severity;
use fedispec_model::api::Program;
use fedispec_since::StableVersion;
use maud::{Markup, html};

use crate::File;
use crate::page::{Page, Site, link, newest_of_lines};
use crate::release::{counts, listed, said};

/// The lines of a program that each have a report with each other.
const LATEST: usize = 8;

/// The folder of the reports.
const FOLDER: &str = "upgrades/";

/// `4.2`
pub(crate) fn line(version: StableVersion) -> String {
    format!("{}.{}", version.0, version.1)
}

/// The page of a report.
fn place(program: &Program, (from, to): (StableVersion, StableVersion)) -> String {
    format!("{FOLDER}{}-{}-{}/", program.key, line(from), line(to))
}

/// The pairs of releases that have a report, each the newest of its line.
pub(crate) fn pairs(site: &Site<'_>, place: usize) -> Vec<(StableVersion, StableVersion)> {
    let lines = newest_of_lines(&site.api.programs[place]);
    let floor = site.api.floors().nth(place).flatten();
    let each = lines.iter().enumerate();
    let pairs = each.flat_map(|(i, from)| {
        let is_supported = floor.is_some_and(|floor| *from >= floor);
        let is_late = i + LATEST >= lines.len();
        let reached = if is_supported && is_late { lines.len() } else { i + 2 };
        let later = lines.get(i + 1..reached.min(lines.len())).unwrap_or_default();
        later.iter().map(|to| (*from, *to))
    });
    pairs.collect()
}

pub(crate) fn pages(site: &Site<'_>, known: &Compared<'_>, files: &mut Vec<File>) {
    let mut all = Vec::new();
    for (at, program) in site.api.programs.iter().enumerate() {
        let found = pairs(site, at)
            .into_iter()
            .filter_map(|pair| Some((pair, known.releases(&program.key, pair.0, pair.1)?)));
        let found: Vec<_> = found.collect();
        for (pair, done) in &found {
            let path = place(program, *pair);
            let title = format!("{} {} to {}", program.name, line(pair.0), line(pair.1));
            let about = format!(
                "What breaks from {} {} to {}, and what it brings.",
                program.name, pair.0, pair.1
            );
            site.write(
                &Page::new(&path, &title, &about),
                &report(site, &path, program, done),
                files,
            );
        }
        all.push((program, found));
    }
    let about = "What breaks from one line of releases to another, and what it brings.";
    let main = html! {
        p.lead { (about) }
        p { "Any two releases stand " a href=(link(FOLDER, "compare/")) { "side by side" } "." }
        @for (program, found) in &all {
            @if !found.is_empty() {
                h2 { (program.name) }
                ul.columns { @for (pair, done) in found.iter().rev() { li {
                    a href=(link(FOLDER, &place(program, *pair))) { (line(pair.0)) " to " (line(pair.1)) }
                    " " small { (broken(done)) }
                } } }
            }
        }
    };
    site.write(&Page::new(FOLDER, "Upgrades", about), &main, files);
}

/// `3 break, 1 may break`
fn broken(done: &Releases) -> String {
    let count = |severity| of(done, severity).count();
    let told = [
        (count(Severity::Breaking), "break", "breaks"),
        (count(Severity::Risky), "may break", "may break"),
    ];
    let told = told.into_iter().filter(|(count, ..)| *count > 0);
    let told: Vec<_> = told
        .map(|(count, many, one)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if told.is_empty() { "nothing breaks".to_owned() } else { told.join(", ") }
}

fn of(done: &Releases, severity: Severity) -> impl Iterator<Item = &Event> {
    done.events.iter().filter(move |event| event.severity == severity)
}

fn report(site: &Site<'_>, here: &str, program: &Program, done: &Releases) -> Markup {
    let (from, to) = (done.from.version, done.to.version);
    let release = |version: StableVersion| {
        html! { a href=(link(here, &format!("releases/{}/{version}/", program.key))) { (program.name) " " (version.to_string()) } }
    };
    let lines = newest_of_lines(program);
    let steps: Vec<_> = { lines.windows(2) }
        .map(|pair| (pair[0], pair[1]))
        .filter(|(first, last)| from <= *first && *last <= to)
        .collect();
    let sides = format!("#left={0}@{from}&right={0}@{to}", program.key);
    html! {
        p.lead { "From " (release(from)) " to " (release(to)) ": " (broken(done)) @if !done.events.is_empty() { "; " (counts(done)) } "." }
        p { "The same in a terminal: " code { "cargo xtask diff --program " (program.key) " " (from) ".." (to) } ". "
            a href={ (link(here, "compare/")) (sides) } { "Both side by side" } "." }
        @for (severity, title) in [(Severity::Breaking, "Breaks"), (Severity::Risky, "May break")] {
            @let events: Vec<&Event> = of(done, severity).collect();
            @if !events.is_empty() {
                h2 { (title) " (" (events.len()) ")" }
                @for (why, events) in by_rule(&events) {
                    h3 { (site.words(here, why)) }
                    ul { @for event in events { li { (said(site, here, event)) } } }
                }
            }
        }
        @if steps.len() > 1 {
            h2 { "Line by line" }
            p { "What they bring without breaking anything stands with each of them." }
            ul { @for step in &steps { li { a href=(link(here, &place(program, *step))) { (program.name) " " (line(step.0)) " to " (line(step.1)) } } } }
        } @else { (listed(site, here, done, |event| event.severity < Severity::Risky)) }
    }
}

/// The events by the reason why they break.
fn by_rule<'e>(events: &[&'e Event]) -> BTreeMap<&'static str, Vec<&'e Event>> {
    let mut rules: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for event in events {
        rules.entry(event.rule.rule().why).or_default().push(event);
    }
    rules
}
