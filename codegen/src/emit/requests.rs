//! Requests: a struct an operation, with what it takes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, GroupNode, Home};
use super::docs::{Docs, capitalized, code, format_line, sentence};
use super::entities::alias;
use super::file::File;
use super::setters::Made;
use super::types::{Scope, Value};
use super::{names, operation, route, setters};
use fedispec_model::api::{Entity, Item, Operation, Param, Required, Type};

/// A group's module.
pub(super) fn module(context: &Context<'_>, node: &GroupNode<'_>) -> File {
    let scope = Scope::Home(Home::Group(node.module.clone()));
    let mut items = Vec::new();
    for operation in &node.operations {
        items.push(request(context, operation, &scope));
        for entity in context.arguments(operation) {
            items.push(argument(context, operation, entity, &scope));
        }
    }
    File {
        module: vec![node.module.clone()],
        docs: Docs::default().words(&node.group.summary),
        items,
        ..File::default()
    }
}

/// A field of a request or of an argument struct.
pub(super) struct Slot<'a> {
    pub(super) item: &'a Item,
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) secret: bool,
    pub(super) required: bool,
    /// The parameter, or the first one nested in it.
    pub(super) index: usize,
    pub(super) param: &'a Param,
    /// It is a list of argument structs.
    pub(super) objects: bool,
}

impl Slot<'_> {
    pub(super) fn value(&self) -> Value<'_> {
        Value {
            ty: &self.ty,
            secret: self.secret,
        }
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.ty, Type::List(_))
    }
}

/// The fields of an operation's request.
pub(super) fn slots<'a>(context: &Context<'_>, operation: &'a Operation) -> Vec<Slot<'a>> {
    slots_below(context, operation, None)
}

/// The fields of what stands in an operation's request: with a parent, those of an argument struct.
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
    let in_path = param.location == fedispec_model::api::Location::Path;
    Slot {
        item: &param.item,
        name: names::ident(&param.item.rust),
        secret: Value::new(&param.r#type, &param.item.wire, param.format.as_deref()).secret,
        required: in_path || (param.required == Required::Always && !param.nullable),
        objects: argument.is_some(),
        index,
        ty,
        param,
    }
}

fn request(context: &Context<'_>, operation: &Operation, scope: &Scope) -> TokenStream {
    let name = names::type_ident(&operation.item.rust);
    let slots = slots(context, operation);
    let docs = route::docs(context, operation).outer();
    let alias = alias(&operation.item, &name);
    let attribute = context.stamp(&operation.item).attribute();
    let structure = structure(context, &name, &slots, scope, &attribute);
    let made = Made {
        context,
        slots: &slots,
        scope,
    };
    let constructors = setters::constructors(made, operation);
    let setters = setters::setters(made, &setters::constructor_names(operation));
    let request = operation
        .route
        .as_ref()
        .map(|route| operation::request(context, operation, route));
    quote! {
        #docs
        #alias
        #structure

        impl #name { #constructors #setters }

        #request
    }
}

fn argument(
    context: &Context<'_>,
    operation: &Operation,
    entity: &Entity,
    scope: &Scope,
) -> TokenStream {
    let name = names::type_ident(&entity.item.rust);
    let slots = slots_below(context, operation, Some(&entity.item.id));
    let docs = match &entity.item.summary {
        Some(summary) => Docs::default().words(summary),
        None => Docs::default().markdown(format!(
            "An element of {} of [`{}`].",
            code(&entity.item.wire),
            names::type_ident(&operation.item.rust)
        )),
    };
    let docs = docs.all(context.stamp(&entity.item).line()).outer();
    let attribute = context.stamp(&entity.item).attribute();
    let structure = structure(context, &name, &slots, scope, &attribute);
    let made = Made {
        context,
        slots: &slots,
        scope,
    };
    let new = setters::new(made);
    let setters = setters::setters(made, &["new".to_owned()]);
    quote! {
        #docs
        #structure

        impl #name { #new #setters }
    }
}

/// The struct without its documentation.
fn structure(
    context: &Context<'_>,
    name: &Ident,
    slots: &[Slot<'_>],
    scope: &Scope,
    attribute: &TokenStream,
) -> TokenStream {
    let default = (!slots.iter().any(|slot| slot.required)).then(|| quote!(Default,));
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

/// The type of the field.
pub(super) fn slot_type(context: &Context<'_>, slot: &Slot<'_>, scope: &Scope) -> TokenStream {
    let ty = match slot.value().element() {
        Some(element) => {
            let element = context.value(element, scope);
            return quote!(Vec<#element>);
        }
        None => context.value(slot.value(), scope),
    };
    if slot.required {
        ty
    } else {
        quote!(Option<#ty>)
    }
}

fn param_docs(context: &Context<'_>, slot: &Slot<'_>) -> Docs {
    let (item, param) = (slot.item, slot.param);
    let stamp = context.stamp(item);
    Docs::default()
        .words(item.summary.as_deref().unwrap_or_default())
        .all(
            param
                .required_when
                .iter()
                .map(|when| sentence(&when.requirement())),
        )
        .all(
            param
                .default
                .iter()
                .map(|default| format!("Default: {}.", code(&default.to_string()))),
        )
        .all(bounds(param))
        .all((!param.only.is_empty()).then(|| {
            let only: Vec<String> = param.only.iter().map(|value| code(value)).collect();
            format!("One of {}.", only.join(", "))
        }))
        .all(format_line(item, param.format.as_deref()))
        .all(item.notes.iter().map(|note| sentence(note)))
        .all(
            item.replacement
                .iter()
                .map(|id| format!("Replaced by {}.", code(id))),
        )
        .all(stamp.history())
        .all(stamp.line())
        .or(|| format!("{}.", code(&item.wire)))
}

/// `At least 1 and at most 80.`
fn bounds(param: &Param) -> Option<String> {
    let limits = &param.limits;
    let words: Vec<String> = [
        limits.min.map(|min| format!("at least {min}")),
        limits.max.map(|max| format!("at most {max}")),
        limits
            .max_length
            .map(|max| format!("at most {max} characters")),
        limits
            .max_items
            .map(|max| format!("at most {max} elements")),
        limits
            .limit_from
            .as_ref()
            .map(|field| format!("at most what {} allows", code(field))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!words.is_empty()).then(|| capitalized(&format!("{}.", words.join(" and "))))
}
