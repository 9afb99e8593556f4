//! The version attribute of Fedispec.
//!
//! `#[since(mastodon = "3.4.0", gotosocial = never)]` says since when each server program has an item. It is a helper attribute of the
//! derive macro [`Since`](macro@Since), which reads it on a type and on the type's fields or variants, and an attribute macro
//! [`since`](macro@since), for everything else. The two share a name, so do not import the attribute macro where the derive is used.

use proc_macro::TokenStream;

mod args;
mod entity;
mod expand;

/// Implements the trait `Since` from the attributes `#[since(..)]` on the type and on its fields or variants.
#[proc_macro_derive(Since, attributes(since))]
pub fn derive_since(input: TokenStream) -> TokenStream {
    expand::derive(input.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a struct an entity: implements `Entity`, `Since`, reading from JSON and writing as JSON, and with
/// the runtime's feature `serde` serde's traits by way of these.
///
/// `#[entity(..)]` tells of the struct its id in the catalogue (`name = "Instance.usage"`), and of a field its key where that is spelled otherwise
/// (`key = "@1x"`), whether `None` leaves the key out (`optional`), whether other kinds of values are put up with (`lenient`), or that it is no
/// field of the entity (`skip`).
#[proc_macro_derive(Entity, attributes(entity, since))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    entity::derive(input.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Says since when each server program has an item.
///
/// On a struct, an enumeration or a union it implements the trait `Since`, and may stand on fields and variants too. On anything else (a
/// function, a method, a module) it is checked and changes nothing.
#[proc_macro_attribute]
pub fn since(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(args.into(), item.into()).into()
}
