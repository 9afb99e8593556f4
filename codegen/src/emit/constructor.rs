//! The constructors of an entity. They take what the release at which they are frozen always sends, so that nothing of it drops out.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::absence;
use super::context::Context;
use super::docs::Docs;
use super::names;
use super::types::{Scope, field_type};
use fedispec_model::api::{Entity, Field, Type};
use fedispec_model::newest::{Newest, are_clear, as_argument};

/// `new`
pub(super) fn new(context: &Context<'_>, entity: &Entity, scope: &Scope) -> Option<TokenStream> {
    let frozen = context.newest()?.frozen();
    let constructor = Constructor { context, frozen, entity, scope };
    let parameters = frozen.arguments(entity)?.into_iter();
    let parameters = parameters.map(|field| constructor.parameter(field));
    let members = entity.fields.iter().map(|field| constructor.member(field));
    let name = names::ident(&entity.item.rust);
    let docs = Docs::default()
        .markdown(format!("With all that {} always sends of it.", frozen.name()))
        .outer();
    let only_server = context.only_server_item();
    let as_sent = absence::as_sent(context, frozen, entity);
    Some(quote! {
        #only_server
        impl #name {
            #docs
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#members,)* non_exhaustive: #as_sent }
            }
        }
    })
}

/// A function that makes an entity.
#[derive(Clone, Copy)]
pub(super) struct Constructor<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) frozen: Newest<'a>,
    pub(super) entity: &'a Entity,
    pub(super) scope: &'a Scope,
}

impl Constructor<'_> {
    /// The parameters for the fields that are always sent, of those that nothing else gives; `None` where they would be mixed up.
    pub(super) fn parameters(self, of: &[&Field]) -> Option<Vec<TokenStream>> {
        let sent = of.iter().copied().filter(|field| self.frozen.sends(self.entity, field));
        let sent: Vec<_> = sent.collect();
        are_clear(&sent).then(|| sent.into_iter().map(|field| self.parameter(field)).collect())
    }

    fn parameter(self, field: &Field) -> TokenStream {
        let name = names::ident(&field.item.rust);
        let ty = field_type(self.context, self.entity, field, self.scope);
        if self.is_option(field) {
            quote!(#name: Option<#ty>)
        } else if *as_argument(&field.r#type) == Type::String {
            quote!(#name: impl Into<#ty>)
        } else {
            quote!(#name: #ty)
        }
    }

    /// A field with its value: the argument where it is always sent, or else what its absence means.
    pub(super) fn member(self, field: &Field) -> TokenStream {
        let name = names::ident(&field.item.rust);
        if !self.frozen.sends(self.entity, field) {
            let value = absence::empty(self.context, field);
            return quote!(#name: #value);
        }
        if self.is_option(field) {
            return name.to_token_stream();
        }
        let is_text = *as_argument(&field.r#type) == Type::String;
        match (self.context.floors.is_plain(self.entity, field), is_text) {
            (true, true) => quote!(#name: #name.into()),
            (true, false) => name.to_token_stream(),
            (false, true) => quote!(#name: Some(#name.into())),
            (false, false) => quote!(#name: Some(#name)),
        }
    }

    /// Whether null is sent as `None`; a plain field has a value for it.
    fn is_option(self, field: &Field) -> bool {
        !self.context.floors.is_plain(self.entity, field) && self.frozen.is_nullable(field)
    }
}
