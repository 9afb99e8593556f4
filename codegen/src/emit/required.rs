//! Structs of each entity's required fields: forgetting one does not compile, and a new optional field breaks nothing.

use proc_macro2::TokenStream;
use quote::quote;

use super::absence;
use super::blank;
use super::context::Context;
use super::docs::Docs;
use super::entities::{field_type, is_opaque, is_required};
use super::file::{File, Mod};
use super::names;
use super::types::Scope;
use fedispec_model::api::Entity;

/// The modules that have something required.
pub(super) fn modules<'a>(
    context: &'a Context<'a>,
) -> impl Iterator<Item = (&'a str, Vec<&'a Entity>)> {
    context.entity_modules.iter().filter_map(|(module, entities)| {
        let entities = with_required(context, entities);
        (!entities.is_empty()).then_some((module.as_str(), entities))
    })
}

fn with_required<'a>(context: &Context<'_>, entities: &[&'a Entity]) -> Vec<&'a Entity> {
    let mut entities = entities.to_vec();
    entities.retain(|entity| has_required(context, entity));
    entities
}

/// The numbers of these modules among the context's.
pub(super) fn numbers(context: &Context<'_>) -> impl Iterator<Item = usize> {
    (0..context.entity_modules.len()).filter(|number| {
        let (_, entities) = &context.entity_modules[*number];
        entities.iter().any(|entity| has_required(context, entity))
    })
}

/// `required.rs`
pub(super) fn index(context: &Context<'_>) -> File {
    let exports = modules(context).map(|(module, entities)| {
        let module = names::ident(module);
        let entities = entities.iter().map(|entity| names::ident(&entity.item.rust));
        quote!(pub use self::#module::{#(#entities),*};)
    });
    File {
        module: vec!["required".into()],
        docs: Docs::default()
            .markdown("The required fields of each entity, to build one of.")
            .markdown("A server writes `Account { noindex: Some(true), ..required::Account { id, .. }.into() }`: a required field that is forgotten does not compile, and a later optional one breaks nothing."),
        mods: modules(context).map(|(module, _)| Mod::private(module)).collect(),
        items: vec![exports.collect()],
        ..File::default()
    }
}

/// The entities of a module.
pub(super) fn module(context: &Context<'_>, module: &str, entities: &[&Entity]) -> File {
    File {
        module: vec!["required".into(), module.to_owned()],
        items: with_required(context, entities)
            .into_iter()
            .map(|entity| one(context, entity))
            .collect(),
        ..File::default()
    }
}

fn has_required(context: &Context<'_>, entity: &Entity) -> bool {
    !is_opaque(entity) && entity.fields.iter().any(|field| is_required(context, entity, field))
}

fn one(context: &Context<'_>, entity: &Entity) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let entity_name = &name;
    let docs =
        Docs::default().markdown(format!("The required fields of [`entities::{name}`].")).outer();
    let fields =
        entity.fields.iter().filter(|field| is_required(context, entity, field)).map(|field| {
            let name = names::ident(&field.item.rust);
            let ty = field_type(context, entity, field, &Scope::Outside);
            let docs = match &field.item.summary {
                Some(summary) => Docs::default().words(summary),
                None => Docs::default().markdown(format!("As in [`entities::{entity_name}`].")),
            }
            .outer();
            quote!(#docs pub #name: #ty,)
        });
    let values = entity.fields.iter().map(|field| {
        let name = names::ident(&field.item.rust);
        if is_required(context, entity, field) {
            quote!(#name: required.#name,)
        } else {
            let value = absence::empty(context, field);
            quote!(#name: #value,)
        }
    });
    let makers = blank::makers(context, entity);
    quote! {
        #docs
        #[derive(Debug, Clone)]
        pub struct #name { #(#fields)* }

        impl From<#name> for entities::#name {
            fn from(required: #name) -> Self {
                Self { #(#values)* non_exhaustive: rt::NonExhaustive::default() }
            }
        }

        #makers
    }
}
