//! The fields of requests and of argument structs.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::Context;
use super::names;
use super::types::{Scope, Value};
use fedispec_model::api::{Item, Operation, Param, Type};
use fedispec_model::constructors::{argument_rank, is_always_argument};

/// A field of a request or of an argument struct.
pub(super) struct Slot<'a> {
    pub(super) item: &'a Item,
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) secret: bool,
    /// Every constructor sets it, so that it is no `Option`.
    pub(super) required: bool,
    /// The parameter, or the first one nested in it.
    pub(super) index: usize,
    pub(super) param: &'a Param,
    /// It is a list of argument structs.
    pub(super) objects: bool,
    /// Its place among the arguments of a constructor.
    pub(super) rank: (bool, usize),
}

impl Slot<'_> {
    pub(super) fn value(&self) -> Value<'_> {
        Value { ty: &self.ty, secret: self.secret, words: self.param.words.as_deref() }
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.ty, Type::List(_))
    }
}

/// Lists the fields of an operation's request.
pub(super) fn slots<'a>(context: &Context<'_>, operation: &'a Operation) -> Vec<Slot<'a>> {
    slots_below(context, operation, None)
}

/// Lists the fields of an operation's request or, with a parent, those of an argument struct in it.
pub(super) fn slots_below<'a>(
    context: &Context<'_>,
    operation: &'a Operation,
    parent: Option<&str>,
) -> Vec<Slot<'a>> {
    let params = operation.params.iter().enumerate();
    params
        .filter(|(_, param)| param.parent.as_deref() == parent)
        .map(|(index, param)| slot(context, operation, index, param))
        .collect()
}

fn slot<'a>(
    context: &Context<'_>,
    operation: &'a Operation,
    index: usize,
    param: &'a Param,
) -> Slot<'a> {
    let ty = context.param_type(&param.r#type);
    let argument = context.argument(&ty);
    let nested = |other: &Param| argument.is_some() && other.parent.as_deref() == argument;
    let index = operation.params.iter().position(nested).unwrap_or(index);
    Slot {
        item: &param.item,
        name: names::ident(&param.item.rust),
        secret: Value::new(&param.r#type, &param.item.wire, param.format.as_deref()).secret,
        required: is_always_argument(param),
        objects: argument.is_some(),
        rank: argument_rank(operation, param),
        index,
        ty,
        param,
    }
}

/// Writes the type of the field.
pub(super) fn slot_type(context: &Context<'_>, slot: &Slot<'_>, scope: &Scope) -> TokenStream {
    let ty = match slot.value().element() {
        Some(element) => {
            let element = context.value(element, scope);
            return quote!(Vec<#element>);
        }
        None => context.param_value(slot.value(), scope),
    };
    if slot.required { ty } else { quote!(Option<#ty>) }
}
