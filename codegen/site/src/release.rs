//! The pages of releases: what each brought, changed, discouraged and removed.

use std::collections::BTreeMap;

use fedispec_diff::Compared;
use fedispec_diff::releases::{Event, Happened, Releases};
use fedispec_model::api::{Life, Program};
use fedispec_since::StableVersion;
use maud::{Markup, html};

use crate::File;
use crate::charts::Counts;
use crate::features;
use crate::openapi::Documents;
use crate::page::{Page, Site, breakable, kind_word, link, parts};
use crate::table::instead;
use crate::turns::Named;

/// A program, and what its releases did; releases that did nothing are left out.
pub(crate) type Done<'a> = (&'a Program, BTreeMap<StableVersion, Releases>);

/// Returns the events of all releases of every program.
pub(crate) fn all<'a>(site: &Site<'a>, named: &Named, known: &Compared<'a>) -> Vec<Done<'a>> {
    let of = |program: &Program| {
        let pairs = program.releases.windows(2).map(|pair| (pair[0].version, pair[1].version));
        let pairs = pairs.filter(|(from, to)| named.may_differ(program, *from, *to));
        let done = pairs.filter_map(|(from, to)| {
            let mut done = known.releases(&program.key, from, to)?;
            // The page of a release need not say with each event which release it is.
            done.events.iter_mut().for_each(|event| event.version = None);
            Some((to, done))
        });
        done.collect()
    };
    site.api.programs.iter().map(|program| (program, of(program))).collect()
}

pub(crate) fn pages(
    site: &Site<'_>,
    done: &[Done<'_>],
    sizes: &[Vec<Counts>],
    documents: &Documents,
    files: &mut Vec<File>,
) {
    for (place, (program, done)) in done.iter().enumerate() {
        for (i, release) in program.releases.iter().enumerate() {
            let version = release.version;
            let path = format!("releases/{}/{version}/", program.key);
            let title = format!("{} {version}", program.name);
            let about = format!("What {title} brought, changed, discouraged and removed.");
            let page = Page::new(&path, &title, &about);
            let before = i.checked_sub(1).and_then(|i| program.releases.get(i));
            let after = program.releases.get(i + 1);
            let main = html! {
                p {
                    @if let Some(date) = &release.date { "Released on " time datetime=(date) { (date) } ". " }
                    @if let Some(api) = release.api { "It publishes the API number " (api) ". " }
                    @if Some(version) > program.newest_looked_at() { b { "Nobody has looked at it yet." } " " }
                    (site.page_line(&path))
                }
                p {
                    @if let Some(before) = before { a rel="prev" href=(link(&path, &format!("releases/{}/{}/", program.key, before.version))) { "Before: " (before.version.to_string()) } " " }
                    @if let Some(after) = after { a rel="next" href=(link(&path, &format!("releases/{}/{}/", program.key, after.version))) { "After: " (after.version.to_string()) } }
                }
                (whole(&path, program, version, sizes[place][i], documents))
                @match (before, done.get(&version)) {
                    (None, _) => { (first(site, &path, place, version)) },
                    (Some(_), Some(done)) if !done.events.is_empty() => { p { "Compared with " (done.from.version.to_string()) ": " (counts(done)) "." } (listed(site, &path, done, |_| true)) },
                    (Some(before), _) => p { "Nothing that the catalogue knows, compared with " (before.version.to_string()) "." },
                }
            };
            site.write(&page, &main, files);
        }
    }
    let page = Page::new(
        "releases/",
        "Releases",
        "Every release of each program, with how much it changed.",
    );
    let main = html! {
        @for (program, done) in done {
            h2 { (program.name) }
            ul.releases { @for release in program.releases.iter().rev() { li {
                a href=(link("releases/", &format!("releases/{}/{}/", program.key, release.version))) { (release.version.to_string()) }
                @if let Some(date) = &release.date { " " time datetime=(date) { (date) } }
                @if let Some(done) = done.get(&release.version).filter(|done| !done.events.is_empty()) { " " small { (counts(done)) } }
            } } }
        }
    };
    site.write(&page, &main, files);
}

/// `3 added, 1 changed`
pub(crate) fn counts(done: &Releases) -> String {
    let count = |happened| done.events.iter().filter(|event| event.happened == happened).count();
    let words = WORDS.iter().filter_map(|(happened, _, word)| {
        let count = count(*happened);
        (count > 0).then(|| format!("{count} {word}"))
    });
    words.collect::<Vec<_>>().join(", ")
}

pub(crate) const WORDS: [(Happened, &str, &str); 4] = [
    (Happened::Added, "Added", "added"),
    (Happened::Changed, "Changed", "changed"),
    (Happened::Deprecated, "Discouraged", "discouraged"),
    (Happened::Removed, "Removed", "removed"),
];

pub(crate) fn said(site: &Site<'_>, here: &str, event: &Event) -> Markup {
    html! {
        (features::linked(site, here, &event.item.kind, &event.item.id, &event.item.id)) " "
        small { (kind_word(&event.item.kind)) @if let (Some(method), Some(path)) = (&event.item.method, &event.item.path) { " " (method) " " (breakable(path)) } }
        @if let Some(what) = &event.what { ": " (what.replace('_', " ")) }
        (instead(event.old.as_deref(), event.new.as_deref()))
        @if event.with > 0 { small { ", " (parts(event.with)) } }
        @if let Some(replacement) = &event.replacement { "; use " (site.item(here, replacement, replacement)) }
        @if let Some(version) = event.version { " " i { (version.to_string()) } }
    }
}

/// The events of releases that are wanted, by what happened.
pub(crate) fn listed(
    site: &Site<'_>,
    here: &str,
    done: &Releases,
    is_wanted: fn(&Event) -> bool,
) -> Markup {
    html! {
        @for (happened, title, _) in WORDS {
            @let events: Vec<&Event> = { done.events.iter() }.filter(|event| event.happened == happened && is_wanted(event)).collect();
            @if !events.is_empty() {
                h2 { (title) " (" (events.len()) ")" }
                ul { @for event in events { li { (said(site, here, event)) } } }
            }
        }
    }
}

/// All that a release has: how much, and where it is found as data.
fn whole(
    here: &str,
    program: &Program,
    version: StableVersion,
    counts: Counts,
    documents: &Documents,
) -> Markup {
    let release = format!("{}@{version}", program.key);
    let of =
        |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    html! {
        p { "It has " (of(counts.operations, "operation")) ", " (of(counts.params, "parameter")) ", " (of(counts.fields, "field"))
            " and " (of(counts.values, "value")) " that the catalogue knows. "
            @if let Some(document) = documents.get(&(program.key.clone(), version)) {
                a href=(link(here, document)) { "OpenAPI of it" }
                @if !document.contains(&format!("-{version}.json")) { ", which it shares with an earlier release" }
            } @else { "Its OpenAPI: " code { "cargo xtask openapi --as " (release) } }
            ". A server that answers as it does: " code { "cargo xtask serve --as " (release) } "."
        }
    }
}

/// Renders the items that the first release had.
fn first(site: &Site<'_>, here: &str, place: usize, version: StableVersion) -> Markup {
    let program: &Program = &site.api.programs[place];
    let at = program.place(version);
    let operations = site.api.operations.iter().filter(|operation| {
        let life = operation.item.life.get(place).map(Life::presence);
        life.is_some_and(|life| life.present(&at).verdict == fedispec_since::Verdict::Yes)
    });
    html! {
        p { "The first registered release. It had:" }
        ul { @for operation in operations { li { (site.item(here, &operation.item.id, &operation.item.id)) } } }
    }
}
