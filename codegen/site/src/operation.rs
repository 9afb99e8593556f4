//! The pages of operations.

use fedispec_model::api::{Entity, EntityRole, Operation, Since, Type};
use fedispec_model::auth::{scopes, states, token};
use fedispec_model::sentences;
use fedispec_since::Paging;
use maud::{Markup, html};

use crate::File;
use crate::code;
use crate::page::{Page, Site, breakable, link, name};
use crate::places::object_anchor;
use crate::stages::{self, Staged};

pub(crate) fn pages(site: &Site<'_>, files: &mut Vec<File>) {
    for operation in &site.api.operations {
        let item = &operation.item;
        let path = format!("operations/{}/", item.id);
        let about = item.summary.clone().unwrap_or_else(|| item.id.clone());
        let route = operation.route.as_ref();
        let title = route.map(|route| format!("{} {} · {}", route.method, route.path, item.id));
        let title = title.as_deref().unwrap_or(&item.id);
        let page = Page {
            heading: breakable(&item.id),
            scripts: stages::SCRIPTS,
            ..Page::new(&path, title, &about)
        };
        site.write(&page, &main(site, &path, operation), files);
    }
}

fn main<'a>(site: &Site<'a>, here: &str, operation: &'a Operation) -> Markup {
    let item = &operation.item;
    let params: Vec<_> = operation.params.iter().filter(|param| !param.item.implied).collect();
    let place = site.shown_first(item);
    html! {
        @if let Some(route) = &operation.route {
            p.route { b { (route.method) } " " (name(&route.path)) }
            @for told in [sentences::twins(&site.api.programs, operation), sentences::held(&site.api.programs, &operation.item)].into_iter().flatten() { p { (site.words(here, &told)) } }
        }
        @if let Some(summary) = &item.summary { p.lead { (site.words(here, summary)) } }
        @for note in &item.notes { p { (site.words(here, note)) } }
        p {
            "Group " a href=(link(here, &format!("groups/{}/", operation.group))) { (operation.group) } "."
            @if let Some(key) = &item.documented_as { " In the documents " code { (key) } "." }
            @if let Some(replacement) = &item.replacement { " Use " (site.item(here, replacement, replacement)) " instead." }
            " " (site.line(item.at))
        }
        (site.stages(Staged::Operation(operation), &parts(site, operation)))
        h2 { "History" }
        (site.history(here, item))
        h2 { "Who may call" }
        (callers(site, here, operation))
        h2 { "Parameters" }
        @if params.is_empty() { p { "None." } } @else { (site.params(here, place, &params)) }
        @if !operation.alternatives.is_empty() {
            h3 { "Ways of calling it" }
            ul { @for way in &operation.alternatives {
                li { code { (way.rust) } @if let Some(summary) = &way.summary { ": " (site.words(here, summary)) }
                    @if !way.requires.is_empty() { " Needs " code { (way.requires.join(", ")) } "." }
                    @if !way.excludes.is_empty() { " Not with " code { (way.excludes.join(", ")) } "." }
                }
            } }
        }
        h2 { "Answer" }
        (answer(site, here, operation))
        @if !operation.stands_in.is_empty() {
            h2 { "Standing in" }
            p { "On servers that lack " @if let Some(other) = &item.replacement { (site.item(here, other, other)) } @else { "its replacement" } ", a client may call this instead:" }
            ul { @for (to, from) in &operation.stands_in { li { code { (to) } " is made of " code { (from) } } } }
        }
        h2 { "In code" }
        h3 { "The Rust client" } pre tabindex="0" { code { (code::client(operation)) } }
        @if let Some(group) = site.api.groups.iter().find(|group| group.id == operation.group) {
            h3 { "The server's stub" } pre tabindex="0" { code { (code::server(operation, &group.rust)) } }
        }
        @if let Some(curl) = code::curl(&site.examples, operation) { h3 { "curl" } pre tabindex="0" { code { (curl) } } }
        @if let Some(evidence) = &item.evidence {
            h2 { "Evidence of its shape" } p { (site.evidence(evidence)) }
        }
    }
}

fn callers(site: &Site<'_>, here: &str, operation: &Operation) -> Markup {
    html! {
        @for (place, program) in site.api.programs.iter().enumerate() {
            @let states = states(operation, place);
            @if !states.is_empty() {
                h3 { (program.name) }
                ul {
                    @for state in &states {
                        li {
                            @match state.since {
                                Some(since) => { "Since " (crate::page::since_text(here, program, Since::Since(since))) ": " }
                                None if states.len() > 1 => "At first: ",
                                None => {}
                            }
                            (token(state.auth.token))
                            @if !state.auth.scopes.is_empty() { " with " code { (scopes(&state.auth)) } }
                            @if !state.auth.permissions.is_empty() { ", and a role with " code { (state.auth.permissions.join(" or ")) } }
                            "."
                        }
                    }
                }
            }
        }
        @if operation.auth.is_none() { p { "No source says." } }
    }
}

/// The entities that stand in the answers of this operation alone.
fn own_answers<'a>(site: &Site<'a>, operation: &'a Operation) -> impl Iterator<Item = &'a Entity> {
    site.api.entities.iter().filter(|entity| match &entity.role {
        EntityRole::Response(id) | EntityRole::Error(id, _) => *id == operation.item.id,
        _ => false,
    })
}

/// The items that a release may have otherwise than another.
fn parts<'a>(site: &Site<'a>, operation: &'a Operation) -> Vec<Staged<'a>> {
    let params = operation.params.iter().filter(|param| !param.item.implied).map(Staged::Param);
    let fields = own_answers(site, operation).flat_map(|entity| site.staged_fields(entity));
    params.chain(fields).collect()
}

fn answer(site: &Site<'_>, here: &str, operation: &Operation) -> Markup {
    let place = site.shown_first(&operation.item);
    html! {
        p {
            @for (i, status) in operation.success.iter().enumerate() { @if i > 0 { " or " } b { (status) } }
            @if !operation.success.is_empty() { ": " }
            @if let Some(kind) = &operation.media_type { code { (kind) } ", " }
            @match (&operation.returns, operation.returns_known) {
                (_, false) => "no source says what.",
                (Type::File, _) => "a file or text.",
                (ty, _) => { (site.ty(here, ty, None)) "." }
            }
            @match operation.paging {
                Paging::Link => " A page: the header Link holds the addresses of the next and the previous one.",
                Paging::Offset => " A page, chosen by offset and limit.",
                Paging::None | Paging::Unknown => {}
            }
        }
        @for entity in own_answers(site, operation) {
            h3 id=(object_anchor(&entity.item.id)) { @match &entity.role { EntityRole::Error(_, status) => { "With status " (status) } _ => "Its members" } }
            (site.fields(here, place, entity, &entity.item.id))
        }
        @if !operation.errors.is_empty() {
            h3 { "Errors" }
            ul { @for error in &operation.errors {
                li { b { (error.status) }
                    @for (program, when) in error.reasons() {
                        ": " @if let Some(program) = program { (site.api.programs[program].name) ": " }
                        (site.words(here, when))
                    }
                    @for (place, program) in site.api.programs.iter().enumerate() {
                        @if !error.is_of(place) && operation.item.life[place].effective != Since::Never { " Not in " (program.name) "." }
                        @if let Some(text) = error.text.get(place).and_then(Option::as_ref) {
                            " " (program.name) @if text.text.is_empty() { " sends no body" } @else { " says " q { (text.text) } } @if let Some(since) = text.since { " since " (since) } "."
                        }
                    }
                    @if let Some(returns) = &error.returns { " Answers " (site.ty(here, returns, None)) "." }
                }
            } }
        }
    }
}
