//! The absence of fields: what it means, how it is written in Rust, and the sentence about it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value as Json;

use super::context::Context;
use super::docs::code;
use super::names;
use super::types::Value;
use fedispec_model::api::{Entity, Field, Since, Type};

/// What a field is where an answer lacks it, as an expression.
pub(super) fn empty(context: &Context<'_>, field: &Field) -> TokenStream {
    let means = field.absent_means.as_ref();
    means.map_or_else(|| quote!(None), |means| value(context, field, &means.value))
}

fn value(context: &Context<'_>, field: &Field, json: &Json) -> TokenStream {
    let secret = Value::new(&field.r#type, &field.item.wire, field.format.as_deref()).secret;
    match json {
        Json::String(text) if secret => quote!(rt::Secret::from(#text)),
        json => of_type(context, &field.r#type, json),
    }
}

/// A value of the catalogue as an expression.
pub(super) fn of_type(context: &Context<'_>, ty: &Type, json: &Json) -> TokenStream {
    match (ty, json) {
        (Type::Integer, Json::Number(number)) => {
            let number = Literal::i64_unsuffixed(number.as_i64().unwrap_or_default());
            quote!(#number)
        }
        (_, Json::Number(number)) => {
            let number = Literal::f64_unsuffixed(number.as_f64().unwrap_or_default());
            quote!(#number)
        }
        (_, Json::Bool(value)) => quote!(#value),
        (Type::Enum(id), Json::String(text)) => variant(context, id, text),
        (_, Json::String(text)) if text.is_empty() => quote!(String::new()),
        (_, Json::String(text)) => quote!(String::from(#text)),
        (Type::List(element), Json::Array(list)) if !list.is_empty() => {
            let elements = list.iter().map(|json| of_type(context, element, json));
            quote!(vec![#(#elements),*])
        }
        (_, Json::Object(_)) => quote!(rt::Map::new()),
        (_, Json::Array(_) | Json::Null) => quote!(Vec::new()),
    }
}

/// A value of an enumeration, which a ceiling may have taken out of it.
fn variant(context: &Context<'_>, id: &str, text: &str) -> TokenStream {
    let Some(enumeration) = context.enumeration(id) else {
        return quote!(String::from(#text));
    };
    let name = names::ident(&enumeration.item.rust);
    let listed = enumeration.values.iter().find(|value| value.wire == text);
    let variant = listed.map(|value| names::ident(&value.rust));
    variant.map_or_else(
        || quote!(enums::#name::from(#text)),
        |variant| quote!(enums::#name::#variant),
    )
}

/// Whether the value that absence means is also the default of its type in Rust.
pub(super) fn is_rust_default(field: &Field) -> bool {
    let Some(means) = &field.absent_means else {
        return true;
    };
    match &means.value {
        Json::Bool(value) => !value,
        Json::Number(number) => number.as_f64() == Some(0.0),
        Json::String(text) => text.is_empty() && matches!(field.r#type, Type::String),
        Json::Array(list) => list.is_empty(),
        Json::Object(_) | Json::Null => true,
    }
}

/// What programs do that differs from the others, a sentence each: `GoToSocial may leave it out.`
pub(super) fn by_program(context: &Context<'_>, field: &Field) -> Option<String> {
    let programs = context.api.programs.iter().enumerate();
    let sentences = programs.filter_map(|(place, program)| {
        let own = field.own_presence(place)?;
        let does = match (own.optional, own.nullable) {
            _ if own == field.common_presence() => return None,
            (false, false) => "always sends it",
            (true, false) => "may leave it out",
            (false, true) => "may send null",
            (true, true) => "may leave it out or send null",
        };
        Some(format!("{} {does}.", program.name))
    });
    let sentences: Vec<_> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The sentence of the documentation: `Absent before Mastodon 2.4.0, which means false.`
pub(super) fn sentence(context: &Context<'_>, entity: &Entity, field: &Field) -> Option<String> {
    let means = field.absent_means.as_ref()?;
    let value = match &means.value {
        Json::String(text) if !text.is_empty() => code(text),
        value => code(&value.to_string()),
    };
    let lives = context.api.programs.iter();
    let lives = lives.zip(field.item.life.iter().zip(&entity.item.life));
    let lacking = lives.filter_map(|(program, (field, entity))| {
        let name = &program.name;
        match (field.effective, entity.effective) {
            (Since::Since(field), Since::Since(entity)) if field > entity => {
                Some(format!("before {name} {field}"))
            }
            (Since::Never, Since::Since(_)) => Some(format!("in {name}")),
            _ => None,
        }
    });
    let lacking: Vec<_> = lacking.collect();
    let lacking = lacking.join(" and ");
    let sentence = match (means.omitted, lacking.is_empty()) {
        (true, true) => format!("Left out where it is {value}."),
        (true, false) => {
            format!("Left out where it is {value}; absent {lacking}, which means the same.")
        }
        (false, true) => format!("Its absence means {value}."),
        (false, false) => format!("Absent {lacking}, which means {value}."),
    };
    Some(if means.or_null {
        format!("{sentence} Null means the same.")
    } else {
        sentence
    })
}
