//! The front page with the search and the matrix of groups, and the pages of groups.

use fedispec_model::api::{Group, Operation};
use fedispec_model::rows::rows;
use fedispec_since::Verdict;
use maud::{Markup, PreEscaped, html};

use crate::File;
use crate::page::{Page, Site, breakable, link};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let title = format!("The {}, release by release", site.api.title());
    let summary = format!(
        "Since which release {} have each operation, parameter, field and value of the client API.",
        site.api.program_names()
    );
    let page = Page::new("", &title, &summary);
    site.write(&page, &front(site), files);
    // It is shown for any address that leads nowhere, so that its links and its style must not depend on where it stands.
    let base = site.options.base.as_deref().map_or("/", |base| base);
    let nowhere = Page {
        base: Some(base),
        ..Page::new("", "Not found", "There is no page at this address.")
    };
    files.push((
        "404.html".to_owned(),
        site.frame(&nowhere, &not_found()).into_string().into_bytes(),
    ));
    let list = Page::new(
        "groups/",
        "Operations",
        "Every operation by group, with the first release of each program.",
    );
    site.write(&list, &groups(site, "groups/"), files);
    for group in &site.api.groups {
        let path = format!("groups/{}/", group.id);
        let page =
            Page { heading: breakable(&group.id), ..Page::new(&path, &group.id, &group.summary) };
        let operations = site.groups().remove(group.id.as_str()).unwrap_or_default();
        let main = html! {
            p.lead { (site.words(&path, &group.summary)) }
            p { "In Rust the module " code { "fedispec::" (group.id) } " and the server's trait " code { (group.rust) } ". " (site.page_line(&path)) }
            (index(site, &path, &group.id, &operations))
        };
        site.write(&page, &main, files);
    }
}

/// Asks for what the address names: the release, item or feature.
const ASKED: &str = r#"{
  const { pathname } = location, root = new URL(document.baseURI).pathname;
  const [, ...named] = pathname.replace(root, "").replace(/(index)?(\.html)?$/, "").split("/").filter(Boolean);
  try { document.getElementById("search-all").value = decodeURIComponent(named.join(" ")); } catch {}
}"#;

fn groups(site: &Site<'_>, here: &str) -> Markup {
    let all = site.groups();
    let one = |group: &Group| {
        html! {
            @if let Some(operations) = all.get(group.id.as_str()) {
                h2 { a href=(link(here, &format!("groups/{}/", group.id))) { (group.id) } }
                p { (site.words(here, &group.summary)) }
                (index(site, here, &group.id, operations))
            }
        }
    };
    let count = |groups: &[&Group]| {
        groups.iter().filter_map(|group| Some(all.get(group.id.as_str())?.len())).sum::<usize>()
    };
    html! {
        @for (aside, groups) in site.sorted_groups() {
            @if aside.is_empty() { @for group in groups { (one(group)) } }
            @else if !groups.is_empty() { details {
                summary { "Operations " (aside) " (" (count(&groups)) ")" }
                @for group in groups { (one(group)) }
            } }
        }
    }
}

/// Operations with what they do and since when, in little room.
fn index(site: &Site<'_>, here: &str, label: &str, operations: &[&Operation]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label={ "Operations of " (label) } { table.index {
            thead { tr { th scope="col" { "Operation" } th scope="col" { "What it does" } th scope="col" { "Since" } } }
            tbody { @for operation in operations { tr {
                th scope="row" {
                    (site.item(here, &operation.item.id, &operation.item.id))
                    @if let Some(route) = &operation.route { small { (route.method) " " (breakable(&route.path)) } }
                }
                td { @if let Some(summary) = &operation.item.summary { (site.words(here, summary)) " " } (site.line(operation.item.at)) }
                (site.since_cell(&operation.item))
            } } }
        } }
    }
}

fn front(site: &Site<'_>) -> Markup {
    let items = rows(site.api).iter().filter(|row| !row.inherited()).count();
    html! {
        p.lead {
            "Since which release " (site.api.program_names()) " have each of " (items)
            " operations, parameters, fields and values of the client API, with the evidence."
        }
        form.search role="search" action="groups/index.html" {
            label for="search" { "Search by name, what it does, path or address, release, scope, or number in the documents (U24)" }
            input id="search" name="q" type="search" autocomplete="off" spellcheck="false" aria-describedby="found" aria-controls="results";
            button type="submit" { "Go" }
            p id="found" role="status" aria-live="polite" {}
            ul id="results" {}
            noscript { p { "The search needs JavaScript; " a href="groups/index.html" { "all operations" } ", " a href="entities/index.html" { "entities" } " and " a href="enums/index.html" { "enumerations" } " are listed." } }
        }
        h2 { "Also here" }
        ul {
            li { a href="features/index.html" { "Features" } ": what people ask for, such as edit history, and since when each program has it." }
            li { a href="baseline/index.html" { "A baseline" } ": what all releases have that you support." }
            li { a href="compare/index.html" { "Side by side" } ": any two releases, what only one has, and in what they differ." }
            li { a href="releases/index.html" { "Releases" } ": what each brought, changed, discouraged and removed." }
            li { a href="upgrades/index.html" { "Upgrades" } ": what breaks from one line of releases to another." }
            li { a href="charts/index.html" { "Charts" } ": how much each program has by date, and how long each took." }
            li { a href="disputes/index.html" { "Disputes and unknowns" } ": where sources contradict each other." }
            li { a href="data/index.html" { "Data" } ": everything as JSON, and OpenAPI of each minor release." }
        }
        h2 { "How much the newest releases have" }
        (matrix(site))
    }
}

fn not_found() -> Markup {
    html! {
        p.lead { "There is no page at this address. Addresses are the ids of items, which never change, so that one letter may be wrong." }
        form.search role="search" action="index.html" {
            label for="search-all" { "Search by name, what it does, or path" }
            input id="search-all" name="q" type="search" autocomplete="off" spellcheck="false";
            button type="submit" { "Go" }
        }
        script { (PreEscaped(ASKED)) }
        p { "All " a href="groups/index.html" { "operations" } ", " a href="entities/index.html" { "entities" } " and " a href="enums/index.html" { "enumerations" } " are listed." }
    }
}

/// The groups, each with the share of its operations that the newest release of each program has.
fn matrix(site: &Site<'_>) -> Markup {
    html! {
        @for (aside, groups) in site.sorted_groups() {
            @if aside.is_empty() { (shares(site, "Groups by program", &groups)) }
            @else if !groups.is_empty() { details {
                summary { "Groups " (aside) " (" (groups.len()) ")" }
                (shares(site, &format!("Groups {aside} by program"), &groups))
            } }
        }
    }
}

fn shares(site: &Site<'_>, label: &str, groups: &[&Group]) -> Markup {
    let all = site.groups();
    html! {
        div.wide tabindex="0" role="region" aria-label=(label) { table.matrix {
            thead { tr { th scope="col" { "Group" }
                @for program in &site.api.programs {
                    th scope="col" { (program.name) " " (program.newest_looked_at().map(|newest| newest.to_string()).unwrap_or_default()) }
                }
            } }
            tbody { @for group in groups {
                @if let Some(operations) = all.get(group.id.as_str()) {
                    tr {
                        th scope="row" { a href=(link("", &format!("groups/{}/", group.id))) { (breakable(&group.id)) } }
                        @for place in 0..site.api.programs.len() {
                            @let has = operations.iter().filter(|one| site.newest_has(&one.item, place) == Verdict::Yes).count();
                            td { span.share { (has) " of " (operations.len()) }
                                svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                                    rect class="no" width="100" height="8" {}
                                    rect class="yes" width=(has * 100 / operations.len().max(1)) height="8" {}
                                }
                            }
                        }
                    }
                }
            } }
        } }
    }
}
