//! The pages of features: since when each program has them, and the items that make them up.

use fedispec_model::api::{Feature, Item};
use fedispec_model::features::{FeatureLife, Features};
use fedispec_model::rows::rows;
use fedispec_model::sentences::capitalised;
use maud::{Markup, html};

use crate::File;
use crate::badges::{self, badge_path};
use crate::page::{Page, Site, link, since_text};

/// The folder of a feature's page.
pub(crate) fn place(id: &str) -> String {
    format!("features/{id}/")
}

/// A link to a feature by its name, or to another item by a text.
pub(crate) fn linked(site: &Site<'_>, here: &str, kind: &str, id: &str, text: &str) -> Markup {
    html! {
        @if kind == "feature" { a href=(link(here, &place(id))) { (id.replace('_', " ")) } }
        @else { (site.item(here, id, text)) }
    }
}

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let features = Features::over(site.api, &site.reach);
    let items: Vec<&Item> = rows(site.api).iter().map(|row| row.item).collect();
    for (feature, lives) in features.all() {
        let path = place(&feature.id);
        let heading = title(feature);
        let page =
            Page { heading: html! { (heading) }, ..Page::new(&path, &heading, &feature.summary) };
        site.write(&page, &one(site, &path, feature, &lives, &items), files);
    }
    let here = "features/";
    let about = "What people ask for, and since which release each program has it.";
    let main = html! {
        p.lead { (about) }
        div.wide tabindex="0" role="region" aria-label="Features" { table {
            thead { tr { th scope="col" { "Feature" } th scope="col" { "What it is" } (site.since_heads()) } }
            tbody { @for (feature, lives) in features.all() { tr {
                th scope="row" { a href=(link(here, &place(&feature.id))) { (title(feature)) } }
                td { (site.words(here, &feature.summary)) }
                (cells(site, here, &lives))
            } } }
        } }
    };
    site.write(&Page::new(here, "Features", about), &main, files);
}

/// `Edit history`
fn title(feature: &Feature) -> String {
    capitalised(&feature.name())
}

fn one(
    site: &Site<'_>,
    here: &str,
    feature: &Feature,
    lives: &[FeatureLife],
    items: &[&Item],
) -> Markup {
    let badge = badge_path(&feature.id);
    let text = badges::text_of_feature(site, lives);
    html! {
        p.lead { (site.words(here, &feature.summary)) }
        p {
            @if !feature.synonyms.is_empty() { "Also called " (feature.synonyms.join(", ")) ". " }
            (site.page_line(here))
        }
        div.wide tabindex="0" role="region" aria-label="Since" { table {
            thead { tr { (site.since_heads()) } }
            tbody { tr { (cells(site, here, lives)) } }
        } }
        @for (heading, ids) in [("Needs", &feature.all), ("Needs one of", &feature.one_of)] {
            @if !ids.is_empty() {
                h2 { (heading) }
                div.wide tabindex="0" role="region" aria-label=(heading) { table {
                    thead { tr { th scope="col" { "Item" } th scope="col" { "Meaning" } th scope="col" { "Since" } } }
                    tbody { @for item in ids.iter().filter_map(|id| items.iter().find(|item| item.id == *id)) { tr {
                        th scope="row" { (site.item(here, &item.id, &item.id)) }
                        td {
                            @if let Some(summary) = &item.summary { (site.words(here, summary)) }
                            (site.later(here, item, "does not heed"))
                        }
                        (site.since_cell(item))
                    } } }
                } }
            }
        }
        h2 { "In Rust" }
        pre tabindex="0" { code { "server.has(fedispec::features::" (feature.constant()) ")" } }
        h2 { "Badge" }
        p { img src=(link(here, &badge)) alt={ (feature.name()) ": " (text) }; }
    }
}

/// Since when each program has it, one cell a program.
fn cells(site: &Site<'_>, here: &str, lives: &[FeatureLife]) -> Markup {
    html! {
        @for (program, life) in site.api.programs.iter().zip(lives) {
            td data-program=(program.name) { (since_text(here, program, life.since))
                @for (from, until) in &life.absent {
                    small { " not from " (from.to_string()) " until " (until.to_string()) }
                }
                @if let Some(removed) = life.removed { small { " until " (removed.to_string()) } }
            }
        }
    }
}
