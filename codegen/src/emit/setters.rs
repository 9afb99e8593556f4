//! The constructors and setters of requests.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::absence;
use super::context::Context;
use super::docs::{Docs, code};
use super::names;
use super::slot::Slot;
use super::types::{Scope, Taken};
use fedispec_model::api::{Alternative, Deciding, Type};
use fedispec_model::constructors::{Constructor, ValueSource, is_reset};

/// A request struct or argument struct: its fields, and the module that it stands in.
#[derive(Clone, Copy)]
pub(super) struct RequestShape<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) name: &'a Ident,
    pub(super) slots: &'a [Slot<'a>],
    pub(super) scope: &'a Scope,
    /// The requests that setters make of it.
    pub(super) requests: &'a [Deciding],
}

/// Writes each constructor.
pub(super) fn constructors(
    shape: RequestShape<'_>,
    constructors: &[Constructor<'_>],
) -> TokenStream {
    let constructors = constructors.iter();
    constructors
        .map(|constructor| match constructor.alternative {
            None if *constructor == Constructor::REPLACING => {
                function(shape, &replacing_docs(shape), *constructor)
            }
            None => new(shape, *constructor),
            Some(alternative) => function(shape, &alternative_docs(alternative), *constructor),
        })
        .collect()
}

fn new(shape: RequestShape<'_>, constructor: Constructor<'_>) -> TokenStream {
    if shape.slots.iter().any(|slot| slot.required) {
        let docs = Docs::default().markdown("A request with its required parameters.");
        return function(shape, &docs, constructor);
    }
    // A setter of that name would come before the trait's function.
    let default = if shape.slots.iter().any(|slot| slot.item.rust == "default") {
        quote!(<Self as Default>::default())
    } else {
        quote!(Self::default())
    };
    quote! {
        /// A request without parameters; the setters add them.
        pub fn new() -> Self { #default }
    }
}

fn replacing_docs(shape: RequestShape<'_>) -> Docs {
    let reset = shape.slots.iter().filter(|slot| is_reset(slot.param));
    let reset: Vec<_> = reset.map(|slot| code(&slot.name.to_string())).collect();
    Docs::default()
        .markdown("A request that replaces what the server has with what is set here.")
        .markdown(format!(
            "What the setters leave unset of these, the server resets: {}.",
            reset.join(", ")
        ))
}

fn alternative_docs(alternative: &Alternative) -> Docs {
    Docs::summary(alternative.summary.as_deref(), || {
        format!("A request with the parameters that {} requires.", code(&alternative.rust))
    })
}

fn function(shape: RequestShape<'_>, docs: &Docs, constructor: Constructor<'_>) -> TokenStream {
    let mut parameters = arguments(shape, constructor);
    let named = constructor.named(&shape.name.to_string(), parameters.len());
    let mut values = Vec::new();
    for slot in shape.slots {
        let field = &slot.name;
        let value = match constructor.source(slot.param) {
            ValueSource::Argument if named.is_some() => quote!(#field),
            ValueSource::Argument => given(slot),
            ValueSource::Fixed(value) => literal(shape.context, &slot.ty, value),
            ValueSource::Unset if slot.is_list() => quote!(Vec::new()),
            ValueSource::Unset => {
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
    parameters.sort_by_key(|slot| slot.rank);
    let (docs, name) = (docs.outer(), names::ident(constructor.name));
    if let Some(named) = named {
        let named = names::ident(&named);
        let taken = parameters.iter().map(|slot| &slot.name);
        return quote! {
            #docs
            pub fn #name(arguments: #named) -> Self {
                let #named { #(#taken),* } = arguments;
                Self { #(#values),* }
            }
        };
    }
    let parameters = parameters.iter().map(|slot| argument(shape, slot));
    quote! {
        #docs
        pub fn #name(#(#parameters),*) -> Self { Self { #(#values),* } }
    }
}

/// Writes the structs in which constructors take many arguments by name.
pub(super) fn named(shape: RequestShape<'_>, constructors: &[Constructor<'_>]) -> TokenStream {
    let named = constructors.iter().filter_map(|constructor| {
        let mut slots = arguments(shape, *constructor);
        let name = constructor.named(&shape.name.to_string(), slots.len())?;
        slots.sort_by_key(|slot| slot.rank);
        let fields = slots.iter().map(|slot| {
            let (name, value) = (&slot.name, slot.value());
            let ty = match value.element() {
                Some(element) => {
                    let element = shape.context.value(element, shape.scope);
                    quote!(Vec<#element>)
                }
                None => shape.context.param_value(value, shape.scope),
            };
            let docs =
                Docs::default().words(slot.item.summary.as_deref().unwrap_or_default()).outer();
            quote!(#docs pub #name: #ty,)
        });
        let docs = format!("The arguments of [`{0}::{1}`].", shape.name, constructor.name);
        let docs = Docs::default().markdown(docs).outer();
        let name = names::ident(&name);
        Some(quote! {
            #docs
            #[derive(Debug, Clone)]
            pub struct #name { #(#fields)* }
        })
    });
    named.collect()
}

fn arguments<'a>(shape: RequestShape<'a>, constructor: Constructor<'_>) -> Vec<&'a Slot<'a>> {
    let is_argument = |slot: &&Slot<'_>| constructor.source(slot.param) == ValueSource::Argument;
    shape.slots.iter().filter(is_argument).collect()
}

/// Writes a setter for each field that a constructor may leave open. None is called like a constructor.
pub(super) fn setters(shape: RequestShape<'_>, constructors: &[Constructor<'_>]) -> TokenStream {
    let optional = shape.slots.iter().filter(|slot| !slot.required);
    optional.map(|slot| setter(shape, slot, constructors)).collect()
}

fn setter(
    shape: RequestShape<'_>,
    slot: &Slot<'_>,
    constructors: &[Constructor<'_>],
) -> TokenStream {
    let field = &slot.name;
    let name = if constructors.iter().any(|one| one.name == slot.item.rust) {
        format_ident!("with_{}", slot.item.rust)
    } else {
        field.clone()
    };
    let item = slot.item;
    let docs = Docs::summary(item.summary.as_deref(), || format!("Sets {}.", code(&item.wire)));
    let docs = docs.outer();
    let argument = argument(shape, slot);
    let given = given(slot);
    let value = if slot.is_list() { given } else { quote!(Some(#given)) };
    let mut requests = shape.requests.iter();
    if let Some(request) = requests.find(|request| request.sends == slot.item.wire) {
        let request = names::ident(&request.rust);
        return quote! {
            #docs
            #[doc = ""]
            #[doc = " It is set last: the answer is another, and so is the type of the request."]
            pub fn #name(mut self, #argument) -> #request {
                self.#field = #value;
                #request(self)
            }
        };
    }
    quote! {
        #docs
        pub fn #name(mut self, #argument) -> Self {
            self.#field = #value;
            self
        }
    }
}

/// `acct: impl Into<String>`
fn argument(shape: RequestShape<'_>, slot: &Slot<'_>) -> TokenStream {
    let name = &slot.name;
    let value = slot.value();
    let one = value.element().unwrap_or(value);
    let ty = shape.context.param_value(one, shape.scope);
    let ty = match one.taken() {
        Taken::Into => quote!(impl Into<#ty>),
        Taken::Plainly => ty,
    };
    if slot.is_list() { quote!(#name: impl IntoIterator<Item = #ty>) } else { quote!(#name: #ty) }
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
fn literal(context: &Context<'_>, ty: &Type, text: &str) -> TokenStream {
    let plain = match ty {
        Type::Enum(id) => Some(absence::variant(context, id, text)),
        Type::Boolean => text.parse::<bool>().ok().map(|value| quote!(#value)),
        Type::Integer => {
            text.parse::<i64>().ok().map(proc_macro2::Literal::i64_unsuffixed).map(|v| quote!(#v))
        }
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
