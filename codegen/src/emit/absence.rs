//! The value that the absence of a field means, in Rust.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value as Json;

use super::context::Context;
use super::names;
use super::types::Value;
use fedispec_model::api::{Entity, Field, Type};
use fedispec_model::newest::Newest;
use fedispec_since::Presence;

/// Returns the value of a field that an answer lacks, as an expression.
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
pub(super) fn variant(context: &Context<'_>, id: &str, text: &str) -> TokenStream {
    let Some(enumeration) = context.enumeration(id) else {
        return quote!(String::from(#text));
    };
    let name = names::ident(&enumeration.item.rust);
    let listed = enumeration.values.iter().find(|value| value.wire == text);
    let variant = listed.map(|value| names::ident(&value.rust));
    variant.map_or_else(
        || quote!(enums::#name::custom(#text)),
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

/// Whether the key is left out where there is no value, or the one that absence means.
pub(super) fn is_optional(context: &Context<'_>, entity: &Entity, field: &Field) -> bool {
    match &field.absent_means {
        Some(means) => means.omitted,
        None => !context.floors.is_plain(entity, field) && is_left_out(field),
    }
}

/// The state of an entity that is made as a release sends it: keys that it always sends are written with nothing in them too.
pub(super) fn as_sent(context: &Context<'_>, newest: Newest<'_>, entity: &Entity) -> TokenStream {
    let fields = entity.fields.iter().enumerate();
    let fields = fields.filter(|(_, field)| is_sent_as_null(context, newest, entity, field));
    let mut places = fields.map(|(place, _)| Literal::usize_unsuffixed(place)).peekable();
    if places.peek().is_none() {
        return quote!(rt::NonExhaustive::default());
    }
    quote!(rt::NonExhaustive::sending(&[#(#places),*]))
}

/// Whether an entity that is made as a release sends it has `null` where another one leaves the key out.
pub(super) fn is_sent_as_null(
    context: &Context<'_>,
    newest: Newest<'_>,
    entity: &Entity,
    field: &Field,
) -> bool {
    newest.sends(entity, field) && is_optional(context, entity, field)
}

/// Whether nothing is sent by leaving the key out, not as `null`.
fn is_left_out(field: &Field) -> bool {
    let Presence { optional, nullable } = field.widest_presence();
    if nullable == optional { !field.none_is_null } else { optional }
}
