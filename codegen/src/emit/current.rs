//! Structs of the fields of each entity that the newest release of one program always sends: a server's author who forgets one is told by
//! the compiler.

use proc_macro2::TokenStream;
use quote::quote;

use super::absence;
use super::context::Context;
use super::docs::Docs;
use super::file::File;
use super::names;
use super::types::{Scope, field_type};
use fedispec_model::api::Entity;
use fedispec_model::newest::Newest;

/// `current.rs`; empty where no program counts.
pub(super) fn file(context: &Context<'_>) -> File {
    let Some(newest) = context.newest() else {
        return File::default();
    };
    let entities = context.entity_modules.iter();
    let entities = entities.flat_map(|(_, entities)| entities.iter().copied());
    let items = entities
        .filter(|entity| newest.fields(entity).next().is_some())
        .map(|entity| one(context, newest, entity));
    File {
        module: vec!["current".into()],
        docs: Docs::default()
            .markdown(format!(
                "The fields of each entity that {} always sends, to build one of.",
                newest.name()
            ))
            .markdown("A server writes `current::Account { id, .. }.into()` with every field, so that one which is forgotten does not compile. What the release sends only under a condition is set on the entity: `Account { suspended: true, ..current::Account { id, .. }.into() }`.")
            .markdown("These structs follow the newest release: a minor version of the crate may add fields to them."),
        items: items.collect(),
        ..File::default()
    }
}

fn one(context: &Context<'_>, newest: Newest<'_>, entity: &Entity) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let docs = Docs::default()
        .markdown(format!(
            "The fields of [`entities::{name}`] that the newest release always sends."
        ))
        .outer();
    let mut declarations = Vec::new();
    let values = entity.fields.iter().map(|field| {
        let name = names::ident(&field.item.rust);
        if !newest.sends(entity, field) {
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
    let as_sent = absence::as_sent(context, newest, entity);
    quote! {
        #docs
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "the entity's fields are documented")]
        pub struct #name { #(#declarations)* }

        impl From<#name> for entities::#name {
            fn from(current: #name) -> Self {
                Self { #(#values,)* non_exhaustive: #as_sent }
            }
        }
    }
}
