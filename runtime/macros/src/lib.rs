//! The attribute `since` and the derive macros of Fedispec.
//!
//! `#[since(mastodon = "3.4.0", gotosocial = never)]` records the release in which each server program introduced an item. It is a helper
//! attribute of the derive macro [`Since`](macro@Since), which reads it on a type and on the type's fields or variants, and an attribute
//! macro [`since`](macro@since) for other items. The two share a name, so do not import the attribute macro where the derive is used.

use proc_macro::TokenStream;

mod args;
mod docs;
mod entity;
mod expand;

/// Implements the trait `Since` from the attributes `#[since(..)]` on the type and on its fields or variants.
#[proc_macro_derive(Since, attributes(since))]
pub fn derive_since(input: TokenStream) -> TokenStream {
    expand::derive(docs::without(input.into()))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a struct an entity: implements `Entity`, `Since` and the conversions from and to JSON, and with the runtime's feature `serde` also
/// serde's traits in terms of these.
///
/// `#[entity(..)]` on the struct takes its id in the catalogue (`name = "Instance.usage"`). On a field it takes the JSON key if that is spelled
/// differently (`key = "@1x"`), whether `None` omits the key (`optional`), whether values of other JSON types are tolerated (`lenient`), and
/// that the field is not part of the entity (`skip`).
#[proc_macro_derive(Entity, attributes(entity, since))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    entity::derive(docs::without(input.into()))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Records the release in which each server program introduced an item.
///
/// On a struct, an enumeration or a union it implements the trait `Since`, and may also be used on fields and variants. On any other item (a
/// function, a method, a module) it is checked and has no effect.
#[proc_macro_attribute]
pub fn since(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(args.into(), item.into()).into()
}
