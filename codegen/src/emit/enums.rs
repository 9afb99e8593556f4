//! Enumerations. They are open, so that a value which the catalogue does not list is kept.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::{Docs, code, sentence};
use super::entities::alias;
use super::file::{File, Mod};
use super::names;
use super::stamp::Role;
use crate::by_hand::Helper;
use fedispec_model::api::{Enumeration, Item};

/// `enums.rs`
pub(super) fn index(context: &Context<'_>) -> File {
    let exports = context.enum_modules.iter().map(|(module, enums)| {
        let module = names::ident(module);
        let enums = enums.iter().map(|enumeration| names::ident(&enumeration.item.rust));
        quote!(pub use self::#module::{#(#enums),*};)
    });
    File {
        module: vec!["enums".into()],
        docs: Docs::default()
            .markdown("Enumerations. A value that is not listed is kept as it came."),
        mods: context.enum_modules.iter().map(|(module, _)| Mod::private(module)).collect(),
        items: vec![exports.collect()],
        ..File::default()
    }
}

/// The enumerations of a module: one, unless two share its name.
pub(super) fn module(context: &Context<'_>, module: &str, enums: &[&Enumeration]) -> File {
    File {
        module: vec!["enums".into(), module.to_owned()],
        items: enums.iter().map(|enumeration| one(context, enumeration)).collect(),
        ..File::default()
    }
}

fn one(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let name = names::ident(&enumeration.item.rust);
    let docs = docs(context, &enumeration.item, &enumeration.item.id);
    let attribute = context.stamp(&enumeration.item).attribute();
    let variants = enumeration.values.iter().map(|value| {
        let variant = names::ident(&value.rust);
        let docs = self::docs(context, value, &value.wire);
        let attribute = context.stamp(value).attribute();
        let alias = alias(value, &variant);
        quote!(#docs #alias #attribute #variant,)
    });
    let texts = enumeration.values.iter().map(|value| {
        let (variant, wire) = (names::ident(&value.rust), &value.wire);
        quote!(#variant = #wire)
    });
    let by_hand = context.by_hand(&enumeration.item.id).map(Helper::tokens);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq, Hash, rt::Since)]
        #attribute
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// A value that this enumeration does not list, as it was sent.
            Unrecognized(Box<str>),
        }

        rt::open_enum!(#name { #(#texts),* });

        #by_hand
    }
}

/// Documents an enumeration or one of its values, with its versions.
pub(super) fn docs(context: &Context<'_>, item: &Item, name: &str) -> TokenStream {
    let stamp = context.stamp(item);
    Docs::default()
        .words(item.summary.as_deref().unwrap_or_default())
        .all(item.notes.iter().map(|note| sentence(note)))
        .all(item.replacement.iter().map(|id| format!("Replaced by {}.", code(id))))
        .all(stamp.history(Role::Value))
        .all(stamp.line())
        .or(|| format!("{}.", code(name)))
        .outer()
}
