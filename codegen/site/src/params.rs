//! The table of an operation's parameters.

use fedispec_model::api::Param;
use fedispec_model::sentences;
use fedispec_since::{Effect, Location, Required};
use maud::{Markup, html};

use crate::page::{Site, name};
use crate::places::anchor;
use crate::table::former;

impl Site<'_> {
    /// The parameters of an operation.
    pub(crate) fn params(&self, here: &str, params: &[&Param]) -> Markup {
        let changes = |param: &&Param| {
            let left_out = param.left_out.as_ref();
            left_out.is_some_and(|left_out| left_out.effect == Effect::ChangesMeaning)
        };
        html! {
            @if params.iter().any(changes) {
                p { "Where the table says what happens on a server that lacks a parameter, the Rust client refuses to leave it out, unless the call allows that by name." }
            }
            div.wide tabindex="0" role="region" aria-label="Parameters" { table {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Meaning" } (self.since_heads()) } }
                tbody {
                    @for param in params {
                        tr id=(anchor(&param.item.id)) {
                            th scope="row" { (former(&param.item)) (name(&param.item.wire))
                                small { (place(param)) @if param.required == Required::Always { ", required" } @if param.required == Required::Sometimes { ", sometimes required" } }
                            }
                            td { (self.ty(here, &param.r#type, param.format.as_deref())) (self.bounds(here, param)) }
                            td { (self.param_text(here, param)) }
                            (self.since_cells(here, &param.item))
                        }
                    }
                }
            } }
        }
    }

    fn param_text(&self, here: &str, param: &Param) -> Markup {
        let (item, programs) = (&param.item, self.api.programs.as_slice());
        html! {
            @if let Some(summary) = &item.summary { (self.words(here, summary)) }
            @if let Some(when) = &param.required_when { " " (self.words(here, &when.requirement())) }
            @for note in &item.notes { " " (self.words(here, note)) }
            @for told in param.several_values(programs)
                .into_iter()
                .chain(sentences::without(programs, param))
                .chain(sentences::safe_values(programs, param))
                .chain(sentences::unlisted_values(programs, param))
                .chain(sentences::held(programs, item)) { " " (self.words(here, &told)) }
            @if param.nullable { " Null may be sent." }
            (self.later(here, item, "ignores"))
            " " (self.line(item.at))
        }
    }

    fn bounds(&self, here: &str, param: &Param) -> Markup {
        let limits = &param.limits;
        html! {
            @if let Some(min) = limits.min { small { "at least " (min) } }
            @if let Some(max) = limits.max { small { "at most " (max) } }
            @if let Some(most) = limits.max_length { small { "at most " (most) " characters" } }
            @if let Some(least) = limits.min_items { small { "at least " (least) " elements" } }
            @if let Some(most) = limits.max_items { small { "at most " (most) " elements" } }
            @if let Some(from) = &limits.limit_from { small { "limit in " (self.item(here, from, from)) } }
            @if let Some(default) = param.default.as_ref().filter(|default| !default.is_null()) { small { "default " code { (default.to_string()) } } }
            @if !param.only.is_empty() { small { "only " code { (param.only.join(", ")) } } }
        }
    }
}

fn place(param: &Param) -> &'static str {
    match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Form => "body",
        Location::Header => "header",
        Location::Unknown => "place unknown",
    }
}
