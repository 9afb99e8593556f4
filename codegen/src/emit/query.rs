//! Builders of texts with operators, such as those of a search.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, EmittedGroup};
use super::docs::Docs;
use super::{enums, names};
use fedispec_model::api::Item;
use fedispec_model::names::{NameRole, QUERY, rust_name};

/// Writes the builder of a group that has texts with operators: a method for each.
pub(super) fn builder(context: &Context<'_>, node: &EmittedGroup<'_>) -> Option<TokenStream> {
    let texts = node.operations.iter().flat_map(|operation| {
        operation.params.iter().filter_map(move |param| Some((operation, param.words.as_deref()?)))
    });
    let (operation, words) = { texts }.find(|(_, words)| context.enumeration(words).is_some())?;
    let (enumeration, list) = (context.enum_path(words)?, context.enumeration(words)?);
    let name = names::ident(QUERY);
    let methods = list.values.iter().map(|value| method(context, &enumeration, value));
    let first = list.values.first().map(|value| call(value, "\"..\"")).unwrap_or_default();
    let example = format!(
        "`{}::{}::new({}::{QUERY}::new(\"cats\"){first})`",
        node.module, operation.item.rust, node.module
    );
    let docs = Docs::default()
        .markdown(format!("A text with operators: {example}."))
        .markdown(
            "Each operator is held to what the server has, as any value of a parameter is: a client refuses or tells one that the server \
             lacks, by its policy. A plain text is a person's, and nothing in it is held to anything.",
        )
        .outer();
    Some(quote! {
        #docs
        #[derive(Debug, Clone, Default)]
        #[must_use]
        pub struct #name(rt::Words<#enumeration>);

        #[allow(clippy::should_implement_trait, clippy::wrong_self_convention, reason = "the methods are called like the operators")]
        impl #name {
            /// A text as a person wrote it, which may be empty.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into().into())
            }

            #(#methods)*
        }

        impl From<#name> for rt::Words<#enumeration> {
            fn from(query: #name) -> Self {
                query.0
            }
        }
    })
}

/// Whether an operator takes a value: it is a prefix alone.
fn takes_value(operator: &Item) -> bool {
    !operator.wire.contains(':')
}

/// Whether an operator is a sign before another one.
fn is_sign(operator: &Item) -> bool {
    !operator.wire.contains(char::is_alphanumeric)
}

fn function(operator: &Item) -> String {
    rust_name(&operator.rust, NameRole::Param).unwrap_or_default()
}

/// `.from("..")`
fn call(operator: &Item, value: &str) -> String {
    let value = if takes_value(operator) { value } else { "" };
    format!(".{}({value})", function(operator))
}

fn method(context: &Context<'_>, enumeration: &TokenStream, operator: &Item) -> TokenStream {
    let docs = enums::docs(context, operator, &operator.wire);
    let (name, variant) = (names::ident(&function(operator)), names::ident(&operator.rust));
    if is_sign(operator) {
        quote! {
            #docs
            pub fn #name(self) -> Self {
                Self(self.0.sign(#enumeration::#variant))
            }
        }
    } else if takes_value(operator) {
        quote! {
            #docs
            pub fn #name(self, value: impl ::core::fmt::Display) -> Self {
                Self(self.0.with(#enumeration::#variant, &value))
            }
        }
    } else {
        quote! {
            #docs
            pub fn #name(self) -> Self {
                Self(self.0.word(#enumeration::#variant))
            }
        }
    }
}
