//! Substitutes for operations that older servers lack: the operations that they replaced, where these answer the
//! same or what they answer can
//! be made into it.

use std::collections::HashSet;

use heck::AsShoutySnakeCase;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::context::Context;
use super::names;
use fedispec_model::api::{Entity, Operation, Param, Type};
use fedispec_model::stand_in;
use fedispec_since::Required;

/// `FALLBACKS`
pub(super) fn table(context: &Context<'_>) -> TokenStream {
    let routed: Vec<_> = context.routed().collect();
    let rows = routed.iter().filter_map(|(module, old)| {
        let new = old.item.replacement.as_deref()?;
        let (_, new) = routed.iter().find(|(_, one)| one.item.id == new)?;
        row(context, module, old, new)
    });
    let moves = context.api.entities.iter().filter_map(moves);
    quote! {
        #(#moves)*

        /// The operations that stand in for those that older servers lack.
        pub const FALLBACKS: &[Fallback] = &[#(#rows),*];
    }
}

fn row(
    context: &Context<'_>,
    module: &str,
    old: &Operation,
    new: &Operation,
) -> Option<TokenStream> {
    let answer = answer(context, &old.returns, &new.returns)?;
    let (olds, news) = (dated(old), dated(new));
    let (mut renames, mut flags) = (Vec::new(), Vec::new());
    let (mut needs, mut lost): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut made = HashSet::new();
    for param in &olds {
        let (name, from) = (&param.item.wire, made_of(old, param));
        let Some(new) = news.iter().find(|new| new.item.wire == from.name) else {
            if param.required == Required::Always {
                return None;
            }
            continue;
        };
        let wire = &new.item.wire;
        made.insert(wire.as_str());
        if let Some(value) = from.value {
            flags.push(quote!((#wire, #value, #name)));
        } else if wire != name {
            renames.push(quote!((#wire, #name)));
        }
        if let Some(with) = from.with {
            needs.push(with);
            lost.push(with);
        }
        if param.required == Required::Always && new.required != Required::Always {
            needs.push(wire);
        }
    }
    let root = names::path(&context.root(1));
    let (module, name) = (names::ident(module), names::ident(&old.item.rust));
    let of = &new.item.id;
    let renames = (!renames.is_empty()).then(|| quote!(.renames(&[#(#renames),*])));
    let flags = (!flags.is_empty()).then(|| quote!(.flags(&[#(#flags),*])));
    let needs = (!needs.is_empty()).then(|| quote!(.needs(&[#(#needs),*])));
    lost.extend(loses(old, &news, &made));
    let loses = (!lost.is_empty()).then(|| quote!(.loses(&[#(#lost),*])));
    Some(quote! {
        Fallback::new(#of, <#root::#module::#name as rt::Request>::OPERATION) #renames #flags #needs #loses #answer
    })
}

/// Lists the parameters that the newer operation requires and the older one lacks. Where the catalogue states how one
/// is
/// made of the other, their omission is intended.
fn loses<'a>(
    old: &'a Operation,
    news: &'a [&Param],
    made: &'a HashSet<&str>,
) -> impl Iterator<Item = &'a str> {
    let lost = news.iter().filter(|param| {
        param.required == Required::Always && !made.contains(param.item.wire.as_str())
    });
    let is_intended = !old.stands_in.is_empty();
    lost.map(|param| param.item.wire.as_str()).filter(move |_| is_intended)
}

/// Finds the source of a parameter of the older operation: the stated one, or the parameter of the same name.
fn made_of<'a>(old: &'a Operation, param: &'a Param) -> stand_in::Param<'a> {
    let mut stated = old.stands_in.iter();
    let stated = stated.find(|(to, _)| *to == param.item.wire);
    stand_in::Param::read(stated.map_or(&param.item.wire, |(_, from)| from))
}

/// Finds how the answer is converted: not at all where both are alike, and `None` where it cannot be.
fn answer(context: &Context<'_>, old: &Type, new: &Type) -> Option<TokenStream> {
    if old == new {
        return Some(TokenStream::new());
    }
    let (old, new) = match (old, new) {
        (Type::Entity(old), Type::Entity(new)) => (old, new),
        (Type::List(old), Type::List(new)) => match (&**old, &**new) {
            (Type::Entity(old), Type::Entity(new)) => (old, new),
            _ => return None,
        },
        _ => return None,
    };
    let entity = context.entity(old)?.entity;
    let fits = entity.stands_in.as_ref().is_some_and(|one| one.r#for == *new);
    let moves = moves_of(entity);
    fits.then(|| quote!(.answer(#moves)))
}

/// Writes the conversion of each entity that stands in for another.
fn moves(entity: &Entity) -> Option<TokenStream> {
    let moves = entity.stands_in.as_ref()?.fields.iter().map(|(to, from)| {
        let from = stand_in::Field::read(from);
        let name = from.name;
        let either =
            from.values.map(|(yes, no)| quote!(rt::codegen::Move::either(#name, #to, (#yes, #no))));
        either.unwrap_or_else(|| quote!(rt::codegen::Move::new(#name, #to)))
    });
    let name = moves_of(entity);
    Some(quote!(const #name: &[rt::codegen::Move] = &[#(#moves),*];))
}

fn moves_of(entity: &Entity) -> Ident {
    format_ident!("{}", AsShoutySnakeCase(&entity.item.rust).to_string())
}

/// The parameters that have a row.
fn dated(operation: &Operation) -> Vec<&Param> {
    let params = operation.params.iter();
    params.filter(|param| !param.item.implied).collect()
}
