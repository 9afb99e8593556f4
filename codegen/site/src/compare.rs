//! Two programs side by side, each at its newest release, and any two releases as the reader chooses.

use std::collections::BTreeMap;

use fedispec_diff::Compared;
use fedispec_diff::parity::{Difference, Parity, Relation};
use fedispec_model::api::Program;
use maud::{Markup, html};

use crate::File;
use crate::features;
use crate::page::{Page, Site, kind_word, link, options, parts};

/// Writes the pages, and returns what each pair of programs differs in.
pub(crate) fn pages(site: &Site<'_>, known: &Compared<'_>, files: &mut Vec<File>) -> Vec<Parity> {
    let programs = &site.api.programs;
    let (mut pairs, mut all) = (Vec::new(), Vec::new());
    for (i, a) in programs.iter().enumerate() {
        for b in &programs[i + 1..] {
            let newest = (a.newest_looked_at(), b.newest_looked_at());
            let (Some(of_a), Some(of_b)) = newest else {
                continue;
            };
            let Some(found) = known.parity((&a.key, of_a), (&b.key, of_b)) else {
                continue;
            };
            // A fork stands beside its base; beside any other it would differ as that does.
            let is_known = |fork: &Program, other: &Program| {
                fork.based_on.as_ref().is_none_or(|base| *base == other.key)
            };
            if is_known(a, b) && is_known(b, a) {
                let path = format!("compare/{}-{}/", a.key, b.key);
                let title = format!("{} {of_a} and {} {of_b}", a.name, b.name);
                let about = "What only one of both has, and in what they differ.";
                site.write(&Page::new(&path, &title, about), &sides(site, &path, &found), files);
                pairs.push((path, title));
            }
            all.push(found);
        }
    }
    let page = Page {
        scripts: &["programs.js", "items.js", "stages.js"],
        ..Page::new("compare/", "Side by side", "Any two releases, of one program or of two.")
    };
    site.write(&page, &any_two(site, &pairs), files);
    all
}

/// The choice of two releases. A script answers it; without one, the pages that were made beforehand are listed.
fn any_two(site: &Site<'_>, pairs: &[(String, String)]) -> Markup {
    let here = "compare/";
    let releases = |name: &str, label: &str| {
        html! {
            label { (label) " "
                select name=(name) {
                    @for program in &site.api.programs {
                        (options(program, |version| (format!("{}@{version}", program.key), format!("{} {version}", program.name))))
                    }
                }
            }
        }
    };
    html! {
        form #pair {
            fieldset {
                legend { "Two releases, of one program or of two" }
                (releases("left", "One"))
                (releases("right", "The other"))
                button type="submit" { "Compare" }
            }
        }
        noscript { p { "A choice of any two releases needs JavaScript. What each release changed stands on its own page:" }
            ul { @for program in &site.api.programs { li { a href=(link(here, "releases/")) { "Releases of " (program.name) } } } }
        }
        div #sides aria-live="polite" {}
        h2 { "The newest releases, with who had what first" }
        ul { @for (path, title) in pairs { li { a href=(link(here, path)) { (title) } } } }
    }
}

/// The item on whose page the item of a difference stands, if it has none of its own.
fn owner<'s>(site: &'s Site<'_>, one: &Difference) -> Option<&'s str> {
    let (page, _) = site.places.get(&one.item.id)?.split_once('#')?;
    page.trim_end_matches('/').rsplit('/').next()
}

/// An item that one of two programs has, by its name within what it is a part of.
fn listed(
    site: &Site<'_>,
    here: &str,
    relation: Relation,
    one: &Difference,
    owner: Option<&str>,
) -> Markup {
    let id = one.item.id.as_str();
    let name = owner.and_then(|owner| id.strip_prefix(owner)?.strip_prefix('.')).unwrap_or(id);
    let words = [
        owner.is_none().then(|| kind_word(&one.item.kind).to_owned()),
        (one.with > 0).then(|| parts(one.with)),
        (relation == Relation::UnknownInA).then(|| one.b.clone()),
        (relation == Relation::UnknownInB).then(|| one.a.clone()),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    html! { (features::linked(site, here, &one.item.kind, id, name)) @if !words.is_empty() { " " small { (words.join(", ")) } } }
}

fn sides(site: &Site<'_>, here: &str, found: &Parity) -> Markup {
    let (a, b) = (found.a.name.as_str(), found.b.name.as_str());
    let mut by_relation: BTreeMap<Relation, Vec<&Difference>> = BTreeMap::new();
    for difference in &found.differences {
        by_relation.entry(difference.relation).or_default().push(difference);
    }
    let count = |what: &str| found.counts.get(what).copied().unwrap_or_default();
    html! {
        p.lead { "Of the items " (count("both")) " are in both, " (count("only_a")) " in " (a) " alone and " (count("only_b")) " in " (b) " alone." }
        @for (relation, differences) in &by_relation {
            h2 { (relation.says(a, b)) " (" (differences.len()) ")" }
            @if matches!(relation, Relation::OnlyInA | Relation::OnlyInB | Relation::UnknownInA | Relation::UnknownInB) {
                // The parts of an item that both have stand beside it.
                ul.columns { @for row in differences.chunk_by(|one, next| owner(site, one).is_some_and(|id| owner(site, next) == Some(id))) { li {
                    @let of = owner(site, row[0]);
                    @if let Some(id) = of { (site.item(here, id, id)) ": " }
                    @for (i, one) in row.iter().enumerate() {
                        @if i > 0 { ", " }
                        (listed(site, here, *relation, one, of))
                    }
                } } }
            } @else {
                div.wide tabindex="0" role="region" aria-label=(relation.says(a, b)) { table {
                    thead { tr { th scope="col" { "Item" } th scope="col" { (a) } th scope="col" { (b) } } }
                    tbody { @for one in differences { tr {
                        th scope="row" { (site.item(here, &one.item.id, &one.item.id)) }
                        td data-side=(a) { (one.a) } td data-side=(b) { (one.b) }
                    } } }
                } }
            }
        }
        @if !found.lag.is_empty() {
            h2 { "Who had it first" }
            div.wide tabindex="0" role="region" aria-label="Who had it first" { table {
                thead { tr { th scope="col" { "Operations" } th scope="col" { (a) } th scope="col" { (b) } th scope="col" { "Days between" } } }
                // Items that came with the same two releases stand together.
                tbody { @for lags in found.lag.chunk_by(|one, next| (&one.a, &one.b) == (&next.a, &next.b)) { @let lag = &lags[0]; tr {
                    th scope="row" { @for (i, lag) in lags.iter().enumerate() { @if i > 0 { ", " } (site.item(here, &lag.item, &lag.item)) } }
                    td data-side=(a) { (lag.a.version.to_string()) } td data-side=(b) { (lag.b.version.to_string()) }
                    td data-side="Days between" { @if let Some(days) = lag.days { (days) } }
                } } }
            } }
        }
    }
}
