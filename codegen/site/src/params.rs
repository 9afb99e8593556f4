//! The table of an operation's parameters.

use fedispec_model::api::Param;
use fedispec_model::sentences;
use fedispec_since::{Effect, Required};
use maud::{Markup, html};

use crate::page::{Site, name};
use crate::phrases::{bounds, place as place_of};
use crate::places::anchor;
use crate::stages::Staged;
use crate::table::former;

impl Site<'_> {
    /// The parameters of an operation, as the newest release of the program at that place has them and since when each program does.
    pub(crate) fn params(&self, here: &str, place: usize, params: &[&Param]) -> Markup {
        let changes = |param: &&Param| {
            let left_out = param.left_out.as_ref();
            left_out.is_some_and(|left_out| left_out.effect == Effect::ChangesMeaning)
        };
        html! {
            @if params.iter().any(changes) {
                p { "Where the table says what happens on a server that lacks a parameter, the Rust client refuses to leave it out, unless the call allows that by name." }
            }
            div.wide tabindex="0" role="region" aria-label="Parameters" { table {
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } (self.stage_head(place)) th scope="col" { "Meaning" } th scope="col" { "Since" } } }
                tbody {
                    @for param in params {
                        tr id=(anchor(&param.item.id)) {
                            th scope="row" { (former(&param.item)) (name(&param.item.wire))
                                small { (place_of(param.location)) @if param.required == Required::Always { ", required" } @if param.required == Required::Sometimes { ", sometimes required" } }
                            }
                            td { (self.ty(here, &param.r#type, param.format.as_deref())) (self.bounds(here, param)) }
                            (self.stage_cell(place, Staged::Param(param)))
                            td { (self.param_text(here, param)) }
                            (self.since_cell(&param.item))
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
            @for bound in bounds(limits) { small { (bound) } }
            @if let Some(from) = &limits.limit_from { small { "limit in " (self.item(here, from, from)) } }
            @if let Some(default) = param.default.as_ref().filter(|default| !default.is_null()) { small { "default " code { (default.to_string()) } } }
            @if let Some(words) = &param.words { small { "words of " (self.item(here, words, words)) } }
            @if !param.only.is_empty() { small { "only " code { (param.only.join(", ")) } } }
        }
    }
}
