//! The history of an item: a line in time for each program, and its events in words.

use fedispec_model::api::{Item, Life, Program, Since};
use fedispec_since::{StableVersion, Verdict};
use maud::{Markup, html};

use crate::page::{Site, since_text};
use crate::table::changed;

/// The width of a line, in units of its picture.
const WIDTH: usize = 1000;

impl Site<'_> {
    /// The history of an item in every program.
    pub(crate) fn history(&self, here: &str, item: &Item) -> Markup {
        let lives = self.api.programs.iter().zip(&item.life).zip(self.reach.effective(item));
        let (never, others): (Vec<_>, Vec<_>) =
            lives.partition(|((_, life), since)| *since == Since::Never && life.removed.is_none());
        html! {
            div.history {
                @for ((program, life), since) in others {
                    div {
                        p { b { (program.name) } " " (summary(here, program, life, since)) }
                        (line(program, life, since))
                        (events(here, program, life))
                        @if let Some(evidence) = &life.evidence {
                            p { "Evidence: " (self.evidence(evidence)) }
                        }
                    }
                }
                // A line in time of a program that never had it would be empty.
                @for ((program, life), since) in never {
                    p { b { (program.name) } " " (summary(here, program, life, since)) "."
                        @if let Some(evidence) = &life.evidence { " Evidence: " (self.evidence(evidence)) }
                    }
                }
            }
        }
    }
}

fn events(here: &str, program: &Program, life: &Life) -> Markup {
    let release = |version: StableVersion| since_text(here, program, Since::Since(version));
    let some = life.works_since.is_some()
        || life.deprecated.is_some()
        || !life.absent.is_empty()
        || !life.changed.is_empty();
    html! {
        @if some {
            ul {
                @if let Some(works) = life.works_since {
                    li { @match works {
                        Since::Since(_) if life.stub.is_some() => { "Answers an empty list before " (since_text(here, program, works)) "." },
                        Since::Never if life.stub.is_some() => "Always answers an empty list.",
                        Since::Since(_) => { "Accepted and ignored before " (since_text(here, program, works)) "." },
                        Since::Never => "Accepted and ignored.",
                        Since::Unknown => "Accepted; no source says since when it is heeded.",
                    } }
                }
                @if let Some(version) = life.deprecated { li { "Discouraged since " (release(version)) "." } }
                @for (from, until) in &life.absent {
                    li { "Absent from " (release(*from)) " until " (release(*until)) "." }
                }
                @for change in &life.changed {
                    li {
                        "Since " (release(change.r#in)) ": " (changed(change)) "."
                        @for (from, until) in &change.absent {
                            " Not from " (release(*from)) " until " (release(*until)) "."
                        }
                    }
                }
            }
        }
    }
}

fn summary(here: &str, program: &Program, life: &Life, since: Since) -> Markup {
    html! {
        @match since {
            Since::Never => span.no { "never had it"
                @if let Some(newest) = program.newest_looked_at() { ", up to " (newest.to_string()) }
            },
            Since::Unknown => span.unsure { "may have it; no source says since when" },
            Since::Since(_) => {
                span.yes { "since " } (since_text(here, program, since))
                @if let Some(removed) = life.removed {
                    span.no { ", gone since " } (since_text(here, program, Since::Since(removed)))
                }
            },
        }
    }
}

/// A line that marks the releases that have the item. The words beside it say the same.
fn line(program: &Program, life: &Life, since: Since) -> Markup {
    let count = program.releases.len().max(1);
    let at = |i: usize| i * WIDTH / count;
    let presence = Life { effective: since, ..life.clone() }.presence();
    let mut runs: Vec<(usize, usize, Verdict)> = Vec::new();
    for (i, release) in program.releases.iter().enumerate() {
        let verdict = presence.present(&program.place(release.version)).verdict;
        match runs.last_mut() {
            Some(run) if run.2 == verdict => run.1 = i + 1,
            _ => runs.push((i, i + 1, verdict)),
        }
    }
    let place = |version: StableVersion| {
        let mut releases = program.releases.iter();
        releases.position(|release| release.version == version).map(at)
    };
    let marks = life.changed.iter().map(|change| change.r#in);
    let marks = marks.chain(life.deprecated).filter_map(place);
    html! {
        svg.line viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true" {
            @for (from, to, verdict) in runs {
                path class=(match verdict { Verdict::Yes => "yes", Verdict::Stub | Verdict::Unknown => "unsure", Verdict::No => "no" })
                    d={ "M" (at(from)) " 2h" (at(to) - at(from)) "v8H" (at(from)) } {}
            }
            @for x in marks { path.mark d={ "M" (x) " 0h3v12h-3" } {} }
        }
        p.ends aria-hidden="true" {
            span { (program.releases.first().map(|release| release.version.to_string()).unwrap_or_default()) }
            span { (program.releases.last().map(|release| release.version.to_string()).unwrap_or_default()) }
        }
    }
}
