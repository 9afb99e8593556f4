//! Entities: structs with public fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::{Docs, code, format_line, sentence};
use super::file::{File, Mod};
use super::names;
use super::types::{Scope, Value};
use crate::api::{Entity, EntityRole, Field, Type};

/// `entities.rs`: every entity under one name.
pub(super) fn index(context: &Context<'_>) -> File {
    let exports = context.entity_modules.iter().map(|(module, entities)| {
        let module = names::ident(module);
        let entities = entities
            .iter()
            .map(|entity| names::type_ident(&entity.item.rust));
        quote!(pub use self::#module::{#(#entities),*};)
    });
    File {
        module: vec!["entities".into()],
        docs: Docs::default().markdown("What servers answer."),
        mods: context
            .entity_modules
            .iter()
            .map(|(module, _)| Mod::private(module))
            .collect(),
        items: vec![exports.collect()],
        ..File::default()
    }
}

/// A named entity with the objects nested in it, or what an operation answers.
pub(super) fn module(context: &Context<'_>, module: &str, entities: &[&Entity]) -> File {
    let scope = Scope::Home(super::context::Home::Entities(module.to_owned()));
    File {
        module: vec!["entities".into(), module.to_owned()],
        items: entities
            .iter()
            .map(|entity| one(context, entity, &scope))
            .collect(),
        ..File::default()
    }
}

/// Whether nobody says what the entity looks like: it is JSON then.
pub(super) fn is_opaque(entity: &Entity) -> bool {
    !entity.fields_known && entity.fields.is_empty()
}

fn one(context: &Context<'_>, entity: &Entity, scope: &Scope) -> TokenStream {
    let name = names::type_ident(&entity.item.rust);
    let docs = docs(context, entity).outer();
    if is_opaque(entity) {
        return quote!(#docs pub type #name = rt::Json;);
    }
    let attribute = context.stamp(&entity.item).attribute();
    let fields = entity
        .fields
        .iter()
        .map(|field| declaration(context, entity, field, scope));
    let (serde, serde_crate) = (context.serde(), context.serde_crate());
    let default = entity
        .fields
        .iter()
        .all(|f| !is_required(context, entity, f))
        .then(|| quote!(, Default));
    let server = context.only_server(&quote!(derive(#serde::Serialize, PartialEq #default)));
    let implementations = implementations(context, entity);
    quote! {
        #docs
        #[derive(Debug, Clone, rt::Since, #serde::Deserialize)]
        #server
        #serde_crate
        #attribute
        pub struct #name {
            #(#fields)*
            /// Keeps literals open: end them with `..`.
            #[doc(hidden)]
            #[serde(skip)]
            pub non_exhaustive: rt::NonExhaustive,
        }

        #implementations
    }
}

fn implementations(context: &Context<'_>, entity: &Entity) -> TokenStream {
    let name = names::type_ident(&entity.item.rust);
    let id = &entity.item.id;
    let entity_impl = if name == id {
        quote!(rt::entity!(#name);)
    } else {
        quote!(rt::entity!(#name = #id);)
    };
    let answer = context.answer_macros(id, &name);
    quote!(#entity_impl #answer)
}

fn docs(context: &Context<'_>, entity: &Entity) -> Docs {
    let stamp = context.stamp(&entity.item);
    let docs = match (&entity.item.summary, &entity.role) {
        (Some(summary), _) => Docs::default().words(summary),
        (None, EntityRole::Nested(parent)) => {
            Docs::default().markdown(format!("{} of {}.", code(&entity.item.wire), code(parent)))
        }
        (None, EntityRole::Response(operation)) => {
            Docs::default().markdown(format!("What {} answers.", code(operation)))
        }
        (None, EntityRole::Error(operation, status)) => Docs::default().markdown(format!(
            "What {} answers with status {status}.",
            code(operation)
        )),
        (None, EntityRole::Named | EntityRole::Argument(_)) => Docs::default(),
    };
    let opaque = is_opaque(entity).then(|| "Nobody says what fields it has.".to_owned());
    docs.all(opaque)
        .all(entity.item.notes.iter().map(|note| sentence(note)))
        .all(stamp.history())
        .all(stamp.line())
        .or(|| format!("{}.", code(&entity.item.id)))
}

/// Whether the entity cannot be without it.
pub(super) fn is_required(context: &Context<'_>, entity: &Entity, field: &Field) -> bool {
    context.floors.is_plain(entity, field)
}

/// The type of the field as a value: boxed where it would be endless.
pub(super) fn field_type(
    context: &Context<'_>,
    entity: &Entity,
    field: &Field,
    scope: &Scope,
) -> TokenStream {
    let value = Value::new(&field.r#type, &field.item.wire, field.format.as_deref());
    let ty = context.value(value, scope);
    if context.cycles.needs_box(&entity.item.id, &field.r#type) {
        quote!(Box<#ty>)
    } else {
        ty
    }
}

/// The identifier of an entity's field.
pub(super) fn field_ident(field: &Field) -> proc_macro2::Ident {
    match field.item.rust.as_str() {
        "non_exhaustive" => names::ident("non_exhaustive_"),
        name => names::ident(name),
    }
}

fn declaration(
    context: &Context<'_>,
    entity: &Entity,
    field: &Field,
    scope: &Scope,
) -> TokenStream {
    let name = field_ident(field);
    let docs = field_docs(context, field).outer();
    let attribute = context.stamp(&field.item).attribute();
    let alias = alias(&field.item, &name);
    let serde = serde_attributes(context, entity, field);
    let ty = field_type(context, entity, field, scope);
    let is_list = matches!(field.r#type, Type::List(_));
    let ty = if is_list || is_required(context, entity, field) {
        ty
    } else {
        quote!(Option<#ty>)
    };
    quote!(#docs #alias #attribute #serde pub #name: #ty,)
}

fn serde_attributes(context: &Context<'_>, entity: &Entity, field: &Field) -> TokenStream {
    let mut inside = Vec::new();
    let key = field_ident(field).to_string();
    if key.trim_start_matches("r#") != field.item.wire {
        let wire = &field.item.wire;
        inside.push(quote!(rename = #wire));
    }
    let required = is_required(context, entity, field);
    if matches!(field.r#type, Type::List(_)) {
        inside.push(quote!(default, deserialize_with = "rt::de::list"));
    } else if field
        .quirks
        .iter()
        .any(|quirk| !matches!(quirk.sends.as_str(), "null" | "absent" | "nothing"))
    {
        let default = (!required).then(|| quote!(default,));
        inside.push(quote!(#default deserialize_with = "rt::de::lenient"));
    }
    if context.options.server
        && !required
        && !matches!(field.r#type, Type::List(_))
        && is_left_out(field)
    {
        inside.push(quote!(skip_serializing_if = "Option::is_none"));
    }
    if inside.is_empty() {
        TokenStream::new()
    } else {
        quote!(#[serde(#(#inside),*)])
    }
}

/// Whether nothing is sent by leaving the key out, not as `null`.
fn is_left_out(field: &Field) -> bool {
    if field.nullable == field.optional {
        !field.none_is_null
    } else {
        field.optional
    }
}

/// The documentation of a field.
pub(super) fn field_docs(context: &Context<'_>, field: &Field) -> Docs {
    let stamp = context.stamp(&field.item);
    Docs::default()
        .words(field.item.summary.as_deref().unwrap_or_default())
        .all(
            field
                .when
                .iter()
                .map(|when| format!("Present {}.", sentence(when).trim_end_matches('.'))),
        )
        .all(format_line(&field.item, field.format.as_deref()))
        .all(field.item.notes.iter().map(|note| sentence(note)))
        .all(
            field
                .item
                .replacement
                .iter()
                .map(|id| format!("Replaced by {}.", code(id))),
        )
        .all(stamp.history())
        .all(stamp.line())
        .or(|| format!("{}.", code(&field.item.wire)))
}

/// `#[doc(alias = "rebogged")]` where the documents spell the name of an item otherwise.
pub(super) fn alias(item: &crate::api::Item, ident: &proc_macro2::Ident) -> TokenStream {
    match &item.documented_as {
        Some(name) if is_alias(name) && ident != name => quote!(#[doc(alias = #name)]),
        _ => TokenStream::new(),
    }
}

/// Whether rustdoc takes it.
fn is_alias(name: &str) -> bool {
    !name.is_empty() && !name.contains(['"', '\'']) && !name.contains(char::is_whitespace)
}
