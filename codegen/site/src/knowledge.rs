//! Pages of disputed and unknown facts, and of sources.

use fedispec_model::api::Since;
use fedispec_model::change::plain;
use fedispec_model::rows::rows;
use maud::html;

use crate::File;
use crate::page::{Page, Site, name};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    disputes(site, files);
    sources(site, files);
}

fn disputes(site: &Site<'_>, files: &mut Vec<File>) {
    let here = "disputes/";
    let page = Page::new(
        here,
        "Disputes and unknowns",
        "Where the two documents and other sources contradict each other, and what no source says.",
    );
    let items = rows(site.api);
    let unknown = items.iter().filter_map(|row| {
        let lives = site.api.programs.iter().zip(&row.item.life);
        let of = lives.filter(|(_, life)| life.effective == Since::Unknown);
        let names: Vec<&str> = of.map(|(program, _)| program.name.as_str()).collect();
        (!names.is_empty()).then(|| (row.item.id.as_str(), names.join(" and ")))
    });
    let unknown: Vec<_> = unknown.collect();
    let main = html! {
        p.lead { "Two documents describe the API. Where recorded answers or a program's own source contradict them, both values stand here, and which one holds." }
        h2 { "Disputes (" (site.api.disputes.len()) ")" }
        div.wide tabindex="0" role="region" aria-label="Disputes" { table {
            thead { tr { th scope="col" { "Item" } th scope="col" { "Fact" } th scope="col" { "The documents" } th scope="col" { "Other sources" } th scope="col" { "Why" } } }
            tbody { @for dispute in &site.api.disputes { tr {
                th scope="row" { (site.item(here, &dispute.item, &dispute.item)) }
                td { (fact(site, &dispute.fact)) }
                td data-side="The documents" { (name(&plain(&dispute.documents))) " " @if !dispute.supplement_holds { small { "holds" } } }
                td data-side="Other sources" { (name(&plain(&dispute.supplement))) " " @if dispute.supplement_holds { small { "holds" } } }
                td { @if let Some(why) = &dispute.why { (site.words(here, why)) " " } (site.evidence(&dispute.evidence)) " " (site.line(dispute.at)) }
            } } }
        } }
        h2 { "Unknown (" (unknown.len()) ")" }
        @if unknown.is_empty() { p { "Of every item a source says since when each program has it." } }
        @else { ul { @for (id, programs) in &unknown { li { (site.item(here, id, id)) ": " (programs) } } } }
    };
    site.write(&page, &main, files);
}

/// The name of a disputed fact, as people say it.
fn fact(site: &Site<'_>, fact: &str) -> String {
    match fact.split_once('.') {
        Some(("since", program)) => format!("first release of {}", site.name(program)),
        None if fact == "wire" => "spelling".to_owned(),
        _ => fact.replace('_', " "),
    }
}

fn sources(site: &Site<'_>, files: &mut Vec<File>) {
    let page = Page::new(
        "sources/",
        "Sources and licence",
        "Where the facts come from, when each program was last looked at, and under which licence all of it is.",
    );
    let main = html! {
        h2 { "Sources" }
        p { (site.page_line("sources/")) }
        div.wide tabindex="0" role="region" aria-label="Sources" { table {
            thead { tr { th scope="col" { "Source" } th scope="col" { "Class" } } }
            tbody { @for source in &site.options.sources { tr {
                th scope="row" { @match &source.url { Some(url) => a href=(url) { (source.title) }, None => (source.title) } }
                td data-side="Class" { (format!("{:?}", source.class)) }
            } } }
        } }
        p id="classes" { "The class says how much a source proves. A: recorded answers or running servers. B: a program's own source at a tag. C: documentation. D: inference." }
        h2 { "Last looked at" }
        ul { @for program in &site.api.programs { li {
            (program.name) ": "
            @match program.newest_looked_at() {
                Some(newest) => {
                    "up to " (newest.to_string())
                    @let mut releases = program.releases.iter();
                    @if let Some(date) = releases.find(|release| release.version == newest).and_then(|release| release.date.as_ref()) { " of " time datetime=(date) { (date) } }
                }
                None => "never",
            }
            @let later: Vec<String> = program.not_looked_at().map(|version| version.to_string()).collect();
            @if !later.is_empty() { "; registered and not looked at: " (later.join(", ")) }
            "."
        } } }
        h2 { "Licence" }
        p { "The catalogue, these pages and the data are under the MIT licence or the Apache License 2.0, as you like. Facts were taken from the sources; the descriptions are in our own words." }
    };
    site.write(&page, &main, files);
}
