//! Requests: a struct for each operation, with its parameters as fields.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::context::{Context, EmittedGroup, Home};
use super::docs::{Docs, code, format_line, sentence};
use super::entities::alias;
use super::file::File;
use super::setters::RequestShape;
use super::slot::{Slot, slot_type, slots, slots_below};
use super::stamp::Role;
use super::types::Scope;
use super::{keeping, names, operation, query, route, setters};
use crate::by_hand::Helper;
use fedispec_model::api::{Entity, Operation, Param, Type};
use fedispec_model::constructors::{Constructor, constructors, is_resetting};
use fedispec_model::names::QUERY;
use fedispec_model::sentences::{self, capitalised};
use fedispec_since::Location;

/// Writes the module of a group.
pub(super) fn module(context: &Context<'_>, node: &EmittedGroup<'_>) -> File {
    let scope = Scope::Home(Home::Group(node.module.clone()));
    let mut items = Vec::new();
    for operation in &node.operations {
        items.push(request(context, operation, &scope));
        for entity in context.arguments(operation) {
            items.push(argument(context, operation, entity, &scope));
        }
    }
    items.extend(query::builder(context, node));
    // The group of streams has one that is not sent at all.
    let calls = node.operations.iter().map(|operation| route::call(context, operation));
    let calls: Option<Vec<String>> = calls.collect();
    let first = calls.and_then(|calls| calls.into_iter().next());
    let sending = first.map(|call| format!("Each is sent by a client: {}.", code(&call)));
    File {
        module: vec![node.module.clone()],
        docs: Docs::default().words(&node.group.summary).all(sending),
        items,
        ..File::default()
    }
}

fn request(context: &Context<'_>, operation: &Operation, scope: &Scope) -> TokenStream {
    let name = names::ident(&operation.item.rust);
    let mut slots = slots(context, operation);
    // Headers are set rarely, so they come last.
    slots.sort_by_key(|slot| slot.param.location == Location::Header);
    let alias = alias(&operation.item, &name);
    // Clients call an update an edit.
    let edit = (operation.item.rust == "Update").then(|| quote!(#[doc(alias = "Edit")]));
    let attribute = context.stamp(&operation.item).attribute();
    let constructors = constructors(operation);
    let may_default = constructors != [Constructor::REPLACING];
    let structure = structure(context, &name, &slots, scope, &attribute, may_default);
    let requests = operation.requests.as_slice();
    let shape = RequestShape { context, name: &name, slots: &slots, scope, requests };
    let setters = setters::setters(shape, &constructors);
    let keeping = keeping::keeping(shape, operation);
    let safe = keeping.as_ref().map(|_| {
        "The server resets what is not set: [`keeping`](Self::keeping) takes it from what was read, and \
         [`replacing`](Self::replacing) tells what is lost."
            .to_owned()
    });
    let docs = route::docs(context, operation).all(safe).outer();
    let by_hand = context.by_hand(&operation.item.id).filter(|_| !is_resetting(operation));
    let by_hand = keeping.map(|keeping| keeping.tokens).or(by_hand.map(Helper::tokens));
    let named = setters::named(shape, &constructors);
    let constructors = setters::constructors(shape, &constructors);
    let request =
        operation.route.as_ref().map(|route| operation::request(context, operation, route));
    let table = table(context, operation, &requested(operation, &name), &slots);
    quote! {
        #docs
        #alias
        #edit
        #structure

        #by_hand

        impl #name { #constructors #setters }

        #named

        #request

        #table
    }
}

fn argument(
    context: &Context<'_>,
    operation: &Operation,
    entity: &Entity,
    scope: &Scope,
) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let slots = slots_below(context, operation, Some(&entity.item.id));
    let docs = Docs::summary(entity.item.summary.as_deref(), || {
        let (of, request) = (code(&entity.item.wire), names::ident(&operation.item.rust));
        format!("An element of {of} of [`{request}`].")
    });
    let docs = docs.all(context.stamp(&entity.item).line()).outer();
    let attribute = context.stamp(&entity.item).attribute();
    let structure = structure(context, &name, &slots, scope, &attribute, true);
    let shape = RequestShape { context, name: &name, slots: &slots, scope, requests: &[] };
    let new = setters::constructors(shape, &[Constructor::NEW]);
    let setters = setters::setters(shape, &[Constructor::NEW]);
    let table = table(context, operation, &quote!(#name), &slots);
    quote! {
        #docs
        #structure

        impl #name { #new #setters }

        #table
    }
}

/// The request for the table of its parameters, with what a handler of its own answers where that is not the answer to the plain one.
fn requested(operation: &Operation, name: &Ident) -> TokenStream {
    if operation.success == [101] || matches!(operation.returns, Type::Events(_)) {
        return quote!(#name);
    }
    let answers = operation.requests.first().map(|request| {
        let request = names::ident(&request.rust);
        quote!(answers <#request as rt::Request>::Answer)
    });
    quote!(request #name #answers)
}

/// The fields with the index of each one's parameter, from which each half makes what it does with them.
fn table(
    context: &Context<'_>,
    operation: &Operation,
    name: &TokenStream,
    slots: &[Slot<'_>],
) -> Option<TokenStream> {
    let options = context.options;
    let wanted = operation.route.is_some() && (options.client || options.server);
    let root = names::path(&context.root(1));
    let rows = slots.iter().map(|slot| {
        let (field, index) = (&slot.name, Literal::usize_unsuffixed(slot.index));
        let way = match (slot.is_list(), slot.objects, slot.required) {
            (true, true, true) if !takes_none(slot) => quote!(required_objects),
            (true, true, _) => quote!(objects),
            (true, false, true) if !takes_none(slot) => quote!(required_list),
            (true, false, _) => quote!(list),
            (false, _, true) => quote!(required),
            (false, _, false) => quote!(optional),
        };
        quote!(#field = #way(#index))
    });
    wanted.then(|| quote!(#root::parameters!(#name { #(#rows),* });))
}

/// Whether an empty list is a value of a required one, so that a server cannot tell it from none.
fn takes_none(slot: &Slot<'_>) -> bool {
    slot.param.limits.min_items == Some(0)
}

/// The struct without its documentation.
fn structure(
    context: &Context<'_>,
    name: &Ident,
    slots: &[Slot<'_>],
    scope: &Scope,
    attribute: &TokenStream,
    may_default: bool,
) -> TokenStream {
    let has_default = may_default && !slots.iter().any(|slot| slot.required);
    let default = has_default.then(|| quote!(Default,));
    let server = context.only_server(&quote!(derive(PartialEq)));
    let fields = slots.iter().map(|slot| field(context, slot, scope));
    quote! {
        #[derive(Debug, Clone, #default rt::Since)]
        #server
        #attribute
        #[non_exhaustive]
        #[must_use]
        pub struct #name { #(#fields)* }
    }
}

fn field(context: &Context<'_>, slot: &Slot<'_>, scope: &Scope) -> TokenStream {
    let name = &slot.name;
    let docs = param_docs(context, slot).outer();
    let attribute = context.stamp(slot.item).attribute();
    let alias = alias(slot.item, name);
    let ty = slot_type(context, slot, scope);
    quote!(#docs #alias #attribute pub #name: #ty,)
}

fn param_docs(context: &Context<'_>, slot: &Slot<'_>) -> Docs {
    let (item, param) = (slot.item, slot.param);
    let stamp = context.stamp(item);
    Docs::default()
        .words(item.summary.as_deref().unwrap_or_default())
        .all(param.required_when.iter().map(|when| sentence(&when.requirement())))
        .all(
            param.default.iter().map(|default| format!("Default: {}.", code(&default.to_string()))),
        )
        .all(bounds(param))
        .all(sentences::held(&context.api.programs, item))
        .all((!param.only.is_empty()).then(|| {
            let only: Vec<String> = param.only.iter().map(|value| code(value)).collect();
            format!("One of {}.", only.join(", "))
        }))
        .all(format_line(item, param.format.as_deref()))
        .all(param.several_values(&context.api.programs))
        .all(param.words.iter().map(|_| {
            format!("[`{QUERY}`] writes operators into it; a plain text is sent as it is.")
        }))
        .all(sentences::without(&context.api.programs, param))
        .all(item.notes.iter().map(|note| sentence(note)))
        .all(item.replacement.iter().map(|id| format!("Replaced by {}.", code(id))))
        .all(stamp.history(Role::Param))
        .all(stamp.effective(Role::Param))
        .all(stamp.line())
        .or(|| format!("{}.", code(&item.wire)))
}

/// `At least 1 and at most 80.`
fn bounds(param: &Param) -> Option<String> {
    let limits = &param.limits;
    let words: Vec<String> = [
        limits.min.map(|min| format!("at least {min}")),
        limits.max.map(|max| format!("at most {max}")),
        limits.max_length.map(|max| format!("at most {max} characters")),
        { limits.min_items.filter(|min| *min > 0) }.map(|min| format!("at least {min} elements")),
        limits.max_items.map(|max| format!("at most {max} elements")),
        limits.limit_from.as_ref().map(|field| format!("at most what {} allows", code(field))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!words.is_empty()).then(|| capitalised(&format!("{}.", words.join(" and "))))
}
