//! Entities to start from: all that has an empty value is empty, and the rest are arguments.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::entities::{field_type, is_opaque, is_required};
use super::names;
use super::types::{Scope, Value};
use fedispec_model::api::{Entity, Field, Type};

/// More arguments than these would be mixed up.
const MOST: usize = 5;
/// An entity with so few required fields takes them all.
const FEW: usize = 3;
/// How deep entities are looked into that lie in each other.
const DEEPEST: usize = 6;

/// `Account::new(created_at, id)`; a default where everything can be empty and there is no `new`, or where another entity starts with an
/// empty one. An entity of which nothing is required has a default anyway.
pub(super) fn makers(context: &Context<'_>, entity: &Entity) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let required = { entity.fields.iter() }.filter(|field| is_required(context, entity, field));
    let required: Vec<&Field> = required.collect();
    let has_empty = |field: &Field| is_empty(context, field, DEEPEST);
    let is_argument = |field: &Field| required.len() <= FEW || !has_empty(field);
    let arguments = required.iter().filter(|field| is_argument(field));
    let arguments: Vec<_> = arguments
        .map(|field| {
            let name = names::ident(&field.item.rust);
            let ty = field_type(context, entity, field, &Scope::Outside);
            if is_converted(field) { quote!(#name: impl Into<#ty>) } else { quote!(#name: #ty) }
        })
        .collect();
    let values = required.iter().map(|field| {
        let name = names::ident(&field.item.rust);
        if !is_argument(field) {
            let empty = empty(context, entity, field);
            quote!(#name: #empty)
        } else if is_converted(field) {
            quote!(#name: #name.into())
        } else {
            quote!(#name)
        }
    });
    let has_new = !arguments.is_empty() && arguments.len() <= MOST;
    let new = has_new.then(|| {
        let docs = if required.len() <= FEW {
            "With its required fields."
        } else {
            "To start from: other texts and lists are empty, numbers 0, truth values false, and what is optional is absent."
        };
        let docs = Docs::default().markdown(docs).outer();
        quote! {
            impl entities::#name {
                #docs
                pub fn new(#(#arguments),*) -> Self {
                    Self::from(#name { #(#values),* })
                }
            }
        }
    });
    let has_default = required.iter().all(|field| has_empty(field))
        && (!has_new || is_started_with(context, &entity.item.id));
    let default = has_default.then(|| {
        let values = required.iter().map(|field| {
            let name = names::ident(&field.item.rust);
            let empty = empty(context, entity, field);
            quote!(#name: #empty)
        });
        quote! {
            impl Default for entities::#name {
                fn default() -> Self {
                    Self::from(#name { #(#values),* })
                }
            }
        }
    });
    quote!(#new #default)
}

/// Whether the start of another entity has an empty one in it.
fn is_started_with(context: &Context<'_>, id: &str) -> bool {
    context.api.entities.iter().any(|entity| {
        let mut held = entity.fields.iter();
        held.any(|field| {
            matches!(&field.r#type, Type::Entity(held) if held == id)
                && is_required(context, entity, field)
        })
    })
}

/// Whether an argument may be what converts into the field.
fn is_converted(field: &Field) -> bool {
    matches!(field.r#type, Type::Id(_) | Type::Timestamp | Type::String)
}

/// The empty value of a field's type.
fn empty(context: &Context<'_>, entity: &Entity, field: &Field) -> TokenStream {
    match field.r#type {
        Type::String => quote!(String::new()),
        Type::Integer => quote!(0),
        Type::Number => quote!(0.0),
        Type::Boolean => quote!(false),
        Type::List(_) => quote!(Vec::new()),
        Type::Map(_) => quote!(rt::Map::new()),
        _ => {
            let ty = field_type(context, entity, field, &Scope::Outside);
            quote!(<#ty>::default())
        }
    }
}

/// Whether a field's type has a value that means nothing in particular.
fn is_empty(context: &Context<'_>, field: &Field, depth: usize) -> bool {
    match &field.r#type {
        Type::String => {
            !Value::new(&field.r#type, &field.item.wire, field.format.as_deref()).secret
        }
        Type::Integer | Type::Number | Type::Boolean | Type::List(_) | Type::Map(_) => true,
        Type::Entity(id) => context.entity(id).is_some_and(|placed| {
            let entity = placed.entity;
            let mut fields =
                entity.fields.iter().filter(|field| is_required(context, entity, field));
            depth > 0
                && !is_opaque(entity)
                && fields.all(|field| is_empty(context, field, depth - 1))
        }),
        _ => false,
    }
}
