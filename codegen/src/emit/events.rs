//! Streams of events: each event with its payload, and how it is read and written.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::enums;
use super::file::File;
use super::names;
use super::types::Scope;
use fedispec_model::api::{Enumeration, Item, Type};

/// `events.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    File {
        module: vec!["events".into()],
        docs: Docs::default().markdown("Events of streams, each with what it brings."),
        items: context.events().map(|enumeration| one(context, enumeration)).collect(),
        ..File::default()
    }
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
    let written = context.options.server.then(|| written(context, enumeration));
    let read = read(enumeration);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// An event that the API does not list, or whose payload could not be decoded, as it came.
            Unrecognized(rt::RawEvent),
        }

        #read
        #written
    }
}

/// How a client reads the events.
fn read(enumeration: &Enumeration) -> TokenStream {
    let name = names::ident(&enumeration.item.rust);
    let arms = enumeration.values.iter().map(|value| {
        let (variant, wire) = (names::ident(&value.rust), &value.wire);
        let (from, make) = match &value.payload {
            None => return quote!(#wire => Self::#variant),
            Some(Type::Id(_)) => (quote!(text), quote!(|id| Self::#variant(id.into()))),
            Some(Type::String) => (quote!(text), quote!(Self::#variant)),
            Some(Type::Entity(_)) => {
                let boxed = quote!(|entity| Self::#variant(Box::new(entity)));
                (quote!(json), boxed)
            }
            Some(_) => (quote!(json), quote!(Self::#variant)),
        };
        quote!(#wire => event.#from().map_or_else(Self::Unrecognized, #make))
    });
    quote! {
        impl rt::FromEvent for #name {
            // Inlined, so that the readers of the entities are compiled only where events are read.
            #[inline]
            fn from_event(event: rt::RawEvent) -> Self {
                match event.name.as_str() {
                    #(#arms,)*
                    _ => Self::Unrecognized(event),
                }
            }
        }
    }
}

/// How a server writes the events.
fn written(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let name = names::ident(&enumeration.item.rust);
    let arms = enumeration.values.iter().map(|value| {
        let (variant, wire) = (names::ident(&value.rust), &value.wire);
        match &value.payload {
            None => quote!(#name::#variant => Self::new(#wire)),
            Some(Type::Id(_)) => quote!(#name::#variant(id) => Self::text(#wire, id.as_str())),
            Some(Type::String) => quote!(#name::#variant(text) => Self::text(#wire, &text)),
            Some(Type::Entity(_)) => quote!(#name::#variant(entity) => Self::json(#wire, *entity)),
            Some(_) => quote!(#name::#variant(value) => Self::json(#wire, value)),
        }
    });
    let only_server = context.only_server_item();
    quote! {
        #only_server
        impl From<#name> for rt::server::Event {
            fn from(event: #name) -> Self {
                match event {
                    #(#arms,)*
                    #name::Unrecognized(event) => Self::raw(event),
                }
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
