//! Structs of what the newest release of one program always sends of each entity: a server's author who forgets a field is told by the
//! compiler.

use proc_macro2::TokenStream;
use quote::quote;

use super::absence;
use super::context::Context;
use super::docs::Docs;
use super::entities::{field_type, is_required};
use super::file::File;
use super::names;
use super::newest::{Newest, has};
use super::types::Scope;
use fedispec_model::api::{Entity, Field};

/// `current.rs`; empty where no program counts.
pub(super) fn file(context: &Context<'_>) -> File {
    let Some(newest) = Newest::of(context) else {
        return File::default();
    };
    let entities = context.entity_modules.iter();
    let entities = entities.flat_map(|(_, entities)| entities.iter().copied());
    let items = entities
        .filter(|entity| has(context, newest, entity))
        .map(|entity| one(context, newest, entity));
    File {
        module: vec!["current".into()],
        docs: Docs::default()
            .markdown(format!(
                "What {} always sends of each entity, to build one of.",
                newest.name()
            ))
            .markdown("A server writes `current::Account { id, .. }.into()` with every field, so that one which is forgotten does not compile. What the release sends only under a condition is set on the entity: `Account { suspended: true, ..current::Account { id, .. }.into() }`. [`required`](super::required) has what every supported release sends.")
            .markdown("These structs follow the newest release: a minor version of the crate may add fields to them."),
        items: items.collect(),
        ..File::default()
    }
}

fn one(context: &Context<'_>, newest: Newest<'_>, entity: &Entity) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let is_one = |field: &&Field| is_required(context, entity, field) || newest.sends(field);
    let same =
        { entity.fields.iter() }.filter(is_one).all(|field| is_required(context, entity, field));
    if same {
        let required = names::path(&context.root(1));
        return quote!(pub use #required::required::#name;);
    }
    let docs = Docs::default()
        .markdown(format!("What the newest release always sends of [`entities::{name}`]."))
        .outer();
    let mut declarations = Vec::new();
    let values = entity.fields.iter().map(|field| {
        let name = names::ident(&field.item.rust);
        if !is_one(&field) {
            let value = absence::empty(context, field);
            return quote!(#name: #value);
        }
        let ty = field_type(context, entity, field, &Scope::Outside);
        let is_plain = context.floors.is_plain(entity, field);
        let (ty, value) = if is_plain {
            (ty, quote!(current.#name))
        } else if newest.is_nullable(field) {
            (quote!(Option<#ty>), quote!(current.#name))
        } else {
            (ty, quote!(Some(current.#name)))
        };
        declarations.push(quote!(pub #name: #ty,));
        quote!(#name: #value)
    });
    let values: Vec<_> = values.collect();
    quote! {
        #docs
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "the entity's fields are documented")]
        pub struct #name { #(#declarations)* }

        impl From<#name> for entities::#name {
            fn from(current: #name) -> Self {
                Self { #(#values,)* non_exhaustive: rt::NonExhaustive::default() }
            }
        }
    }
}
