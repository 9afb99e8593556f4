//! Streams of events: each event with its payload, and how it is written.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::enums;
use super::file::File;
use super::names;
use super::types::Scope;
use fedispec_model::api::{Enumeration, Item, Type};

/// Whether an operation answers events.
pub(super) fn has(context: &Context<'_>) -> bool {
    answered(context).next().is_some()
}

/// `events.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    File {
        module: vec!["events".into()],
        docs: Docs::default().markdown("Events of streams, each with what it brings."),
        items: answered(context)
            .map(|enumeration| one(context, enumeration))
            .collect(),
        ..File::default()
    }
}

/// The enumerations whose values are events.
fn answered<'a>(context: &'a Context<'a>) -> impl Iterator<Item = &'a Enumeration> {
    let ids: BTreeSet<&str> = context
        .routed()
        .filter_map(|(_, operation)| match &operation.returns {
            Type::Events(id) => Some(id.as_str()),
            _ => None,
        })
        .collect();
    ids.into_iter().filter_map(|id| context.enumeration(id))
}

fn one(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let name = names::ident(&enumeration.item.rust);
    let docs = enums::docs(context, &enumeration.item, &enumeration.item.id);
    let variants = enumeration.values.iter().map(|value| {
        let docs = enums::docs(context, value, &value.wire);
        let variant = names::ident(&value.rust);
        let payload = payload(context, value).into_iter();
        quote!(#docs #variant #((#payload))*,)
    });
    let arms = enumeration.values.iter().map(|value| {
        let (variant, wire) = (names::ident(&value.rust), &value.wire);
        match &value.payload {
            None => quote!(#name::#variant => Self::new(#wire)),
            Some(Type::Id(_)) => quote!(#name::#variant(id) => Self::text(#wire, id.as_str())),
            Some(Type::String) => quote!(#name::#variant(text) => Self::text(#wire, &text)),
            Some(Type::Entity(_)) => quote!(#name::#variant(entity) => Self::json(#wire, &*entity)),
            Some(_) => quote!(#name::#variant(value) => Self::json(#wire, &value)),
        }
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
        }

        impl From<#name> for rt::server::Event {
            fn from(event: #name) -> Self {
                match event { #(#arms,)* }
            }
        }
    }
}

/// Entities are large, and stand apart.
fn payload(context: &Context<'_>, value: &Item) -> Option<TokenStream> {
    let ty = value.payload.as_ref()?;
    let plain = context.ty(ty, &Scope::Outside);
    Some(match ty {
        Type::Entity(_) => quote!(Box<#plain>),
        _ => plain,
    })
}
