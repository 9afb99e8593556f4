//! How a request is made: constructors with what must be there, and a setter for everything else.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::context::Context;
use super::docs::{Docs, code};
use super::names;
use super::requests::Slot;
use super::types::{Scope, Taken};
use fedispec_model::api::{Alternative, Operation, Type};

/// A struct to make: its fields, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Made<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) slots: &'a [Slot<'a>],
    pub(super) scope: &'a Scope,
}

/// Where a constructor has the value of a field from.
enum Filled {
    Argument,
    Catalogue(TokenStream),
    Nowhere,
}

/// `new`, or a constructor for each way of calling the operation.
pub(super) fn constructors(made: Made<'_>, operation: &Operation) -> TokenStream {
    if operation.alternatives.is_empty() {
        return new(made);
    }
    let alternatives = operation.alternatives.iter();
    alternatives
        .map(|alternative| constructor(made, alternative))
        .collect()
}

/// The names of the constructors, which no setter can have.
pub(super) fn constructor_names(operation: &Operation) -> Vec<String> {
    if operation.alternatives.is_empty() {
        return vec!["new".into()];
    }
    operation
        .alternatives
        .iter()
        .map(|alternative| alternative.rust.clone())
        .collect()
}

/// `new`, with the parameters that are always required.
pub(super) fn new(made: Made<'_>) -> TokenStream {
    if made.slots.iter().any(|slot| slot.required) {
        let docs = Docs::default().markdown("A request with its required parameters.");
        return function(made, &docs, "new", |slot| {
            if slot.required {
                Filled::Argument
            } else {
                Filled::Nowhere
            }
        });
    }
    // A setter of that name would come before the trait's function.
    let default = if made.slots.iter().any(|slot| slot.item.rust == "default") {
        quote!(<Self as Default>::default())
    } else {
        quote!(Self::default())
    };
    quote! {
        /// A request without parameters; the setters add them.
        pub fn new() -> Self { #default }
    }
}

fn constructor(made: Made<'_>, alternative: &Alternative) -> TokenStream {
    let docs = match &alternative.summary {
        Some(summary) => Docs::default().words(summary),
        None => Docs::default().markdown(format!(
            "A request with the parameters that {} requires.",
            code(&alternative.rust)
        )),
    };
    function(made, &docs, &alternative.rust, |slot| {
        let wire = &slot.item.wire;
        if let Some((_, value)) = alternative.sets.iter().find(|(set, _)| set == wire) {
            Filled::Catalogue(literal(&slot.ty, value))
        } else if slot.required || alternative.requires.contains(wire) {
            Filled::Argument
        } else {
            Filled::Nowhere
        }
    })
}

fn function(
    made: Made<'_>,
    docs: &Docs,
    name: &str,
    from: impl Fn(&Slot<'_>) -> Filled,
) -> TokenStream {
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for slot in made.slots {
        let field = &slot.name;
        let value = match from(slot) {
            Filled::Argument => {
                parameters.push(argument(made, slot));
                given(slot)
            }
            Filled::Catalogue(value) => value,
            Filled::Nowhere if slot.is_list() => quote!(Vec::new()),
            Filled::Nowhere => {
                values.push(quote!(#field: None));
                continue;
            }
        };
        values.push(if !slot.required && !slot.is_list() {
            quote!(#field: Some(#value))
        } else if *field == value.to_string() {
            // `new(limit: i64)` with the field `limit`
            quote!(#field)
        } else {
            quote!(#field: #value)
        });
    }
    let many = (parameters.len() > 7).then(
        || quote!(#[allow(clippy::too_many_arguments, reason = "the operation requires them all")]),
    );
    let (docs, name) = (docs.outer(), names::ident(name));
    quote! {
        #docs
        #many
        pub fn #name(#(#parameters),*) -> Self { Self { #(#values),* } }
    }
}

/// A setter for each field that a constructor may leave open; none has a name that is `taken`.
pub(super) fn setters(made: Made<'_>, taken: &[String]) -> TokenStream {
    let optional = made.slots.iter().filter(|slot| !slot.required);
    optional.map(|slot| setter(made, slot, taken)).collect()
}

fn setter(made: Made<'_>, slot: &Slot<'_>, taken: &[String]) -> TokenStream {
    let field = &slot.name;
    let name = if taken.contains(&slot.item.rust) {
        format_ident!("with_{}", slot.item.rust)
    } else {
        field.clone()
    };
    let docs = match &slot.item.summary {
        Some(summary) => Docs::default().words(summary),
        None => Docs::default().markdown(format!("Sets {}.", code(&slot.item.wire))),
    }
    .outer();
    let argument = argument(made, slot);
    let given = given(slot);
    let value = if slot.is_list() {
        given
    } else {
        quote!(Some(#given))
    };
    quote! {
        #docs
        pub fn #name(mut self, #argument) -> Self {
            self.#field = #value;
            self
        }
    }
}

/// `acct: impl Into<String>`
fn argument(made: Made<'_>, slot: &Slot<'_>) -> TokenStream {
    let name = &slot.name;
    let value = slot.value();
    let one = value.element().unwrap_or(value);
    let ty = made.context.value(one, made.scope);
    let ty = match one.taken() {
        Taken::Into => quote!(impl Into<#ty>),
        Taken::Plainly => ty,
    };
    if slot.is_list() {
        quote!(#name: impl IntoIterator<Item = #ty>)
    } else {
        quote!(#name: #ty)
    }
}

/// The argument as the field's value.
fn given(slot: &Slot<'_>) -> TokenStream {
    let name = &slot.name;
    let value = slot.value();
    match (value.element(), value.element().unwrap_or(value).taken()) {
        (None, Taken::Into) => quote!(#name.into()),
        (None, Taken::Plainly) => quote!(#name),
        (Some(_), Taken::Into) => quote!(#name.into_iter().map(Into::into).collect()),
        (Some(_), Taken::Plainly) => quote!(#name.into_iter().collect()),
    }
}

/// A value that the catalogue fixes.
fn literal(ty: &Type, text: &str) -> TokenStream {
    let plain = match ty {
        Type::Boolean => text.parse::<bool>().ok().map(|value| quote!(#value)),
        Type::Integer => text
            .parse::<i64>()
            .ok()
            .map(proc_macro2::Literal::i64_unsuffixed)
            .map(|v| quote!(#v)),
        Type::Number => text
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .map(proc_macro2::Literal::f64_unsuffixed)
            .map(|v| quote!(#v)),
        _ => Some(quote!(#text.into())),
    };
    plain.unwrap_or_else(|| quote!(Default::default()))
}
