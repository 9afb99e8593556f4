//! Types in words with links, and tables of parameters and fields.

use fedispec_model::api::{Entity, EntityRole, Field, Item, Param, Required, Type};
use fedispec_model::notation::type_text;
use maud::{Markup, html};

use crate::page::Site;
use crate::places::{anchor, object_anchor, with_entries};

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

    /// The parameters of an operation.
    pub(crate) fn params(&self, here: &str, params: &[&Param]) -> Markup {
        html! {
            div.wide tabindex="0" role="region" aria-label="Parameters" { table {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "What it says" } (self.since_heads()) } }
                tbody {
                    @for param in params {
                        tr id=(anchor(&param.item.id)) {
                            th scope="row" { (former(&param.item)) code { (param.item.wire) }
                                small { (place(param)) @if param.required == Required::Always { ", required" } @if param.required == Required::Sometimes { ", sometimes required" } }
                            }
                            td { (self.ty(here, &param.r#type, param.format.as_deref())) (bounds(param)) }
                            td { (self.param_text(here, param)) }
                            (self.since_cells(here, &param.item))
                        }
                    }
                }
            } }
        }
    }

    fn param_text(&self, here: &str, param: &Param) -> Markup {
        let item = &param.item;
        html! {
            @if let Some(summary) = &item.summary { (self.words(here, summary)) }
            @if let Some(when) = &param.required_when { " " (self.words(here, &when.requirement())) }
            @for note in &item.notes { " " (self.words(here, note)) }
            @if let Some(several) = param.several_values(&self.api.programs) { " " (several) }
            @if let Some(so) = param.left_out.as_ref().and_then(|left_out| left_out.so.as_ref()) {
                " Without it, " (self.words(here, so)) "."
            }
            @for (program, refused) in self.api.programs.iter().zip(&param.refused) {
                @if let Some(refused) = refused {
                    " " (program.name) " answers " (refused.status) " where it is sent, from " (refused.since.to_string())
                    @if let Some(until) = refused.until { " until " (until.to_string()) } "."
                }
            }
            (self.later(here, item))
            " " (self.line(item.at))
        }
    }

    /// What happened to an item since it came, in short.
    fn later(&self, here: &str, item: &Item) -> Markup {
        html! {
            @for (program, life) in self.api.programs.iter().zip(&item.life) {
                @if let Some(works) = life.works_since {
                    " " (program.name) " ignores it before " (crate::page::since_text(here, &program.key, works)) "."
                }
                @if let Some(version) = life.deprecated { " Discouraged since " (program.name) " " (version.to_string()) "." }
                @for change in &life.changed {
                    " In " (program.name) " " (change.r#in.to_string()) ": " (change.what.name().replace('_', " "))
                    @if let (Some(from), Some(to)) = (change.from_text(), change.to_text()) { " from " code { (from) } " to " code { (to) } } "."
                }
            }
            @if let Some(replacement) = &item.replacement { " Use " (self.item(here, replacement, replacement)) " instead." }
        }
    }

    /// The fields of an entity, and after them those of each object inside it.
    pub(crate) fn fields(&self, here: &str, entity: &Entity, label: &str) -> Markup {
        let inside = self.api.entities.iter();
        let inside = inside.filter(|one| one.role == EntityRole::Nested(entity.item.id.clone()));
        html! {
            @if entity.fields.is_empty() { p { "No source lists its fields." } }
            @else {
                div.wide tabindex="0" role="region" aria-label={ "Fields of " (label) } { table {
                    thead { tr { th scope="col" { "Field" } th scope="col" { "Type" } th scope="col" { "Meaning" } (self.since_heads()) } }
                    tbody {
                        @for field in entity.fields.iter().flat_map(with_entries) { (self.field(here, entity, field)) }
                    }
                } }
            }
            @for object in inside {
                h3 id=(object_anchor(&object.item.id)) { "Inside " code { (object.item.id) } }
                (self.fields(here, object, &object.item.id))
            }
        }
    }

    fn field(&self, here: &str, entity: &Entity, field: &Field) -> Markup {
        let item = &field.item;
        let presence = if field.presence_known {
            field.widest_presence().name()
        } else {
            "presence unknown"
        };
        html! {
            tr id=(anchor(&item.id)) {
                th scope="row" { (former(item)) code { (item.wire) } small { (presence) } }
                td { (self.ty(here, &field.r#type, field.format.as_deref())) }
                td {
                    @if let Some(summary) = &item.summary { (self.words(here, summary)) }
                    @if let Some(when) = &field.when { " " (self.words(here, &when.presence(&entity.item.id))) }
                    @for note in &item.notes { " " (self.words(here, note)) }
                    @for quirk in &field.quirks {
                        " " span.quirk {
                            (self.name(&quirk.program)) " sends "
                            @match quirk.sends.as_str() { "absent" => "nothing", other => (other.replace('_', " ")) }
                            @if let Some(since) = quirk.since { " since " (since.to_string()) }
                            @if let Some(until) = quirk.until { " until " (until.to_string()) } "."
                        }
                    }
                    (self.later(here, item))
                    @if let Some(from) = &field.inherited_from { " From " (self.item(here, from, from)) "." }
                    " " (self.line(item.at))
                }
                (self.since_cells(here, item))
            }
        }
    }

    pub(crate) fn name<'s>(&'s self, program: &'s str) -> &'s str {
        let mut programs = self.api.programs.iter();
        let known = programs.find(|known| known.key == program);
        known.map_or(program, |known| &known.name)
    }
}

/// An anchor of the name that an item had, for links to it.
pub(crate) fn former(item: &Item) -> Markup {
    html! { @if let Some(before) = &item.renamed_from { span id=(anchor(before)) {} } }
}

fn place(param: &Param) -> &'static str {
    use fedispec_model::api::Location;
    match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Form => "body",
        Location::Header => "header",
        Location::Unknown => "place unknown",
    }
}

fn bounds(param: &Param) -> Markup {
    let limits = &param.limits;
    html! {
        @if let Some(min) = limits.min { small { "at least " (min) } }
        @if let Some(max) = limits.max { small { "at most " (max) } }
        @if let Some(most) = limits.max_length { small { "at most " (most) " characters" } }
        @if let Some(least) = limits.min_items { small { "at least " (least) " elements" } }
        @if let Some(most) = limits.max_items { small { "at most " (most) " elements" } }
        @if let Some(from) = &limits.limit_from { small { "limit in " code { (from) } } }
        @if let Some(default) = param.default.as_ref().filter(|default| !default.is_null()) { small { "default " code { (default.to_string()) } } }
        @if !param.only.is_empty() { small { "only " code { (param.only.join(", ")) } } }
    }
}
