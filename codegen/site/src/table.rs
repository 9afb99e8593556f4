//! Types in words with links, and tables of fields.

use fedispec_model::api::{Entity, EntityRole, Field, Item, Since, Type};
use fedispec_model::change::{Change, still_do};
use fedispec_model::notation::type_text;
use fedispec_model::sentences;
use fedispec_since::scopes;
use maud::{Markup, html};

use crate::page::{Site, name};
use crate::phrases::sent;
use crate::places::{anchor, object_anchor};
use crate::stages::Staged;

impl Site<'_> {
    /// A type with links to what it names.
    pub(crate) fn ty(&self, here: &str, ty: &Type, format: Option<&str>) -> Markup {
        html! {
            @match ty {
                Type::Entity(id) | Type::Enum(id) => {
                    @let is_object = self.index.entity(id).is_some_and(|one| one.role != EntityRole::Named);
                    (self.item(here, id, if is_object { "object" } else { id }))
                }
                Type::Id(Some(id)) => { "id of " (self.item(here, id, id)) }
                Type::Id(None) => "id",
                Type::List(element) => { "list of " (self.ty(here, element, format)) }
                Type::Map(value) => { "map of " (self.ty(here, value, format)) }
                Type::OneOf(types) => {
                    @for (i, ty) in types.iter().enumerate() { @if i > 0 { " or " } (self.ty(here, ty, format)) }
                }
                Type::Events(id) => { "stream of " (self.item(here, id, id)) }
                Type::Timestamp if format == Some("date") => "date",
                Type::Json => "any JSON",
                Type::Empty => "nothing",
                other => {
                    (type_text(other))
                    @if let Some(format) = format { small { " " (format) } }
                }
            }
        }
    }

    /// Renders the history of an item since its first release, in short.
    ///
    /// A release that has it without effect `neglects` it: it ignores a parameter, and does not fill a field.
    pub(crate) fn later(&self, here: &str, item: &Item, neglects: &str) -> Markup {
        html! {
            @for (program, life) in self.api.programs.iter().zip(&item.life) {
                @match life.works_since {
                    Some(Since::Since(works)) => {
                        " Before " (crate::page::since_text(here, program, Since::Since(works))) " " (program.name) " " (neglects) " it."
                    },
                    Some(Since::Never) => { " " (program.name) " " (neglects) " it." },
                    Some(Since::Unknown) | None => {},
                }
                @if let Some(version) = life.deprecated { " Discouraged since " (program.name) " " (version.to_string()) "." }
                @for change in &life.changed {
                    " Since " (program.name) " " (change.r#in.to_string()) ": " (changed(change)) "."
                }
            }
            @if let Some(replacement) = &item.replacement { " Use " (self.item(here, replacement, replacement)) " instead." }
        }
    }

    /// The fields of an entity, and after them those of each object inside it, as the newest release of the program at that place has them
    /// and since when each program does.
    pub(crate) fn fields(&self, here: &str, place: usize, entity: &Entity, label: &str) -> Markup {
        let inside = self.api.entities.iter();
        let inside = inside.filter(|one| one.role == EntityRole::Nested(entity.item.id.clone()));
        html! {
            @if entity.fields.is_empty() { p { "No source lists its fields." } }
            @else {
                div.wide tabindex="0" role="region" aria-label={ "Fields of " (label) } { table {
                    thead { tr { th scope="col" { "Field" } th scope="col" { "Type" } (self.stage_head(place)) th scope="col" { "Meaning" } th scope="col" { "Since" } } }
                    tbody {
                        @for field in entity.fields.iter().flat_map(Field::with_entries) { (self.field(here, place, entity, field)) }
                    }
                } }
            }
            @for object in inside {
                h3 id=(object_anchor(&object.item.id)) { "Inside " (name(&object.item.id)) }
                (self.fields(here, place, object, &object.item.id))
            }
        }
    }

    fn field(&self, here: &str, place: usize, entity: &Entity, field: &Field) -> Markup {
        let item = &field.item;
        let presence =
            if field.presence_known { field.widest_presence().name() } else { "presence unknown" };
        html! {
            tr id=(anchor(&item.id)) {
                th scope="row" { (former(item)) (name(&item.wire)) small { (presence) } }
                td { (self.ty(here, &field.r#type, field.format.as_deref())) }
                (self.stage_cell(place, Staged::Field(field)))
                td {
                    @if let Some(summary) = &item.summary { (self.words(here, summary)) }
                    @if let Some(when) = &field.when { " " (self.words(here, &when.presence(&entity.item.id))) }
                    @if let Some(told) = sentences::presence_by_program(&self.api.programs, field) { " " (told) }
                    @if let Some(told) = sentences::absence(&self.api.programs, entity, field) { " " (self.words(here, &told)) }
                    @for note in &item.notes { " " (self.words(here, note)) }
                    @for quirk in field.departures() {
                        " " span.quirk {
                            (self.name(&quirk.program)) " sends " (sent(&quirk.sends))
                            @if let Some(since) = quirk.since { " since " (since.to_string()) }
                            @if let Some(until) = quirk.until { " until " (until.to_string()) } "."
                        }
                    }
                    (self.later(here, item, "does not fill"))
                    @if let Some(from) = &field.inherited_from { " From " (self.item(here, from, from)) "." }
                    " " (self.line(item.at))
                }
                (self.since_cell(item))
            }
        }
    }

    pub(crate) fn name<'s>(&'s self, program: &'s str) -> &'s str {
        let mut programs = self.api.programs.iter();
        let known = programs.find(|known| known.key == program);
        known.map_or(program, |known| &known.name)
    }
}

/// A change in place: ``type `id`, no longer `integer` ``.
pub(crate) fn changed(change: &Change) -> Markup {
    let (from, to) = (change.from_text(), change.to_text());
    html! {
        (change.what.name().replace('_', " "))
        @if from.is_none() && to.is_none() { " changed" }
        (instead(from.as_deref(), to.as_deref()))
    }
}

/// A value in place of another: `` `id`, no longer `integer` ``.
pub(crate) fn instead(old: Option<&str>, new: Option<&str>) -> Markup {
    html! {
        @match (old, new) {
            (Some(old), Some(new)) if still_do(old, new) => {
                " " code { (scopes::names(new)) } " suffices, " code { (scopes::names(old)) } " still does"
            },
            (Some(old), Some(new)) => { " " code { (new) } ", no longer " code { (old) } },
            (None, Some(new)) => { " " code { (new) } },
            (Some(old), None) => { " no longer " code { (old) } },
            (None, None) => {},
        }
    }
}

/// An anchor of the name that an item had, for links to it.
pub(crate) fn former(item: &Item) -> Markup {
    html! { @if let Some(before) = &item.renamed_from { span id=(anchor(before)) {} } }
}
