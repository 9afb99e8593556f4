//! The pages of entities and enumerations, and their lists.

use std::collections::BTreeSet;

use fedispec_model::api::{Entity, EntityRole, Enumeration, Item};
use maud::{Markup, html};

use crate::File;
use crate::page::{self, Page, Site};
use crate::places::anchor;
use crate::stages::{self, Staged};
use crate::table::former;

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    let named = || site.api.entities.iter().filter(|entity| entity.role == EntityRole::Named);
    for entity in named() {
        let path = format!("entities/{}/", entity.item.id);
        let page = of_item(&path, &entity.item);
        site.write(&page, &of_entity(site, &path, entity), files);
    }
    for enumeration in &site.api.enums {
        let path = format!("enums/{}/", enumeration.item.id);
        let page = of_item(&path, &enumeration.item);
        site.write(&page, &of_enumeration(site, &path, enumeration), files);
    }
    let list = |path: &'static str,
                title: &'static str,
                items: Vec<&Item>,
                files: &mut Vec<File>| {
        let page =
            Page::new(path, title, "Every one of them, with the first release of each program.");
        let main = html! {
            div.wide tabindex="0" role="region" aria-label=(title) { table {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Meaning" } th scope="col" { "Since" } } }
                tbody { @for item in &items { tr {
                    th scope="row" { (site.item(path, &item.id, &item.id)) }
                    td { @if let Some(summary) = &item.summary { (site.words(path, summary)) } }
                    (site.since_cell(item))
                } } }
            } }
        };
        site.write(&page, &main, files);
    };
    list("entities/", "Entities", named().map(|entity| &entity.item).collect(), files);
    list("enums/", "Enumerations", site.api.enums.iter().map(|one| &one.item).collect(), files);
}

fn of_item<'p>(path: &'p str, item: &'p Item) -> Page<'p> {
    let about = item.summary.as_deref().unwrap_or(&item.id);
    Page {
        heading: page::breakable(&item.id),
        scripts: stages::SCRIPTS,
        ..Page::new(path, &item.id, about)
    }
}

fn top<'a>(site: &Site<'a>, here: &str, item: &'a Item, parts: &[Staged<'a>]) -> Markup {
    html! {
        @if let Some(summary) = &item.summary { p.lead { (site.words(here, summary)) } }
        @for note in &item.notes { p { (site.words(here, note)) } }
        p {
            @if let Some(name) = &item.documented_as { "In the documents " (page::name(name)) ". " }
            @if let Some(replacement) = &item.replacement { "Use " (site.item(here, replacement, replacement)) " instead. " }
            (site.line(item.at))
        }
        (site.stages(Staged::Type(item), parts))
        h2 { "History" }
        (site.history(here, item))
    }
}

fn of_entity<'a>(site: &Site<'a>, here: &str, entity: &'a Entity) -> Markup {
    let (id, place) = (entity.item.id.as_str(), site.shown_first(&entity.item));
    html! {
        (top(site, here, &entity.item, &site.staged_fields(entity)))
        @if let Some(other) = &entity.includes { p { "It has all fields of " (site.item(here, other, other)) "." } }
        h2 { "Fields" }
        (site.fields(here, place, entity, id))
        h2 { "A sample, made from the types" }
        pre tabindex="0" { code { (format!("{:#}", site.examples.entity(entity))) } }
        (users(site, here, "Operations that answer it", site.users.answers.get(id)))
        (users(site, here, "Fields that hold it", site.users.holds.get(id)))
        (users(site, here, "Parameters that take it", site.users.takes.get(id)))
        @if let Some(evidence) = &entity.item.evidence {
            h2 { "Evidence of its shape" } p { (site.evidence(evidence)) }
        }
    }
}

fn users(site: &Site<'_>, here: &str, title: &str, ids: Option<&BTreeSet<&str>>) -> Markup {
    html! {
        @if let Some(ids) = ids {
            h2 { (title) }
            ul.columns { @for id in ids { li { (site.item(here, id, id)) } } }
        }
    }
}

fn of_enumeration<'a>(site: &Site<'a>, here: &str, enumeration: &'a Enumeration) -> Markup {
    let (id, place) = (enumeration.item.id.as_str(), site.shown_first(&enumeration.item));
    let values: Vec<_> = enumeration.values.iter().map(Staged::Value).collect();
    html! {
        (top(site, here, &enumeration.item, &values))
        p { @match (enumeration.sent, enumeration.received) {
            (true, true) => "Requests take it and answers hold it.",
            (true, false) => "Requests take it.",
            (false, true) => "Answers hold it; a newer server may send values that are not listed.",
            (false, false) => "No operation takes or answers it.",
        } }
        h2 { "Values" }
        @if enumeration.values.is_empty() { p { "No source lists them." } }
        @else { div.wide tabindex="0" role="region" aria-label="Values" { table {
            thead { tr { th scope="col" { "Value" } (site.stage_head(place)) th scope="col" { "Meaning" } th scope="col" { "Since" } } }
            tbody { @for value in &enumeration.values { tr id=(anchor(&value.id)) {
                th scope="row" { (former(value)) (page::name(&value.wire)) }
                (site.stage_cell(place, Staged::Value(value)))
                td {
                    @if let Some(summary) = &value.summary { (site.words(here, summary)) }
                    @for note in &value.notes { " " (site.words(here, note)) }
                    @if let Some(payload) = &value.payload { " Brings " (site.ty(here, payload, None)) "." }
                    " " (site.line(value.at))
                }
                (site.since_cell(value))
            } } }
        } } }
        (users(site, here, "Fields that hold it", site.users.holds.get(id)))
        (users(site, here, "Parameters that take it", site.users.takes.get(id)))
    }
}
