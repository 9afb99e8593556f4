//! Entities: structs with public fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::absence;
use super::constructor;
use super::context::Context;
use super::docs::{Docs, code, format_line, sentence};
use super::file::{File, Mod};
use super::names;
use super::stamp::{Role, last_before};
use super::types::{Scope, field_type};
use crate::by_hand::Helper;
use fedispec_model::api::{Entity, EntityRole, Field, Operation, Type};
use fedispec_model::condition::Condition;

use fedispec_model::sentences;

/// `entities.rs`: every entity under one name.
pub(super) fn index(context: &Context<'_>) -> File {
    let exports = context.entity_modules.iter().map(|(module, entities)| {
        let module = names::ident(module);
        let brought = entities.iter().flat_map(|entity| {
            let helper = context.by_hand(&entity.item.id);
            helper.map_or(&[][..], |helper| helper.brings)
        });
        let brought: Vec<_> = brought.map(|name| names::ident(name)).collect();
        let entities = entities.iter().map(|entity| names::ident(&entity.item.rust)).chain(brought);
        quote!(pub use self::#module::{#(#entities),*};)
    });
    File {
        module: vec!["entities".into()],
        docs: Docs::default().markdown("The entities that servers answer."),
        mods: context.entity_modules.iter().map(|(module, _)| Mod::private(module)).collect(),
        items: vec![exports.collect()],
        ..File::default()
    }
}

/// Writes the module of a named entity with the objects nested in it, or of an operation's answer.
pub(super) fn module(context: &Context<'_>, module: &str, entities: &[&Entity]) -> File {
    let scope = Scope::Home(super::context::Home::Entities(module.to_owned()));
    File {
        module: vec!["entities".into(), module.to_owned()],
        items: entities.iter().map(|entity| one(context, entity, &scope)).collect(),
        ..File::default()
    }
}

/// Whether no source lists the entity's fields, so that it is plain JSON.
pub(super) fn is_opaque(entity: &Entity) -> bool {
    !entity.fields_known && entity.fields.is_empty()
}

fn one(context: &Context<'_>, entity: &Entity, scope: &Scope) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let docs = docs(context, entity).outer();
    if is_opaque(entity) {
        return quote!(#docs pub type #name = rt::Json;);
    }
    let attribute = context.stamp(&entity.item).attribute();
    let fields = entity.fields.iter().map(|field| declaration(context, entity, field, scope));
    let newest = context.newest();
    let is_sent = |field: &Field| match newest {
        Some(newest) => newest.sends(entity, field),
        None => is_required(context, entity, field),
    };
    let has_default = !entity.fields.iter().any(is_sent);
    let derives_default = has_default && entity.fields.iter().all(absence::is_rust_default);
    let server = derives_default.then(|| context.only_server(&quote!(derive(Default))));
    let default = (has_default && !derives_default && context.options.server)
        .then(|| default_impl(context, entity));
    let id = &entity.item.id;
    let id = (name != id).then(|| quote!(#[entity(name = #id)]));
    let by_hand = context.by_hand(&entity.item.id).map(Helper::tokens);
    let new = context.options.server.then(|| constructor::new(context, entity, scope));
    let new = new.flatten();
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, rt::Entity)]
        #server
        #attribute
        #id
        pub struct #name {
            #(#fields)*
            /// Keeps literals open: end them with `..`.
            #[doc(hidden)]
            #[entity(as_read)]
            pub non_exhaustive: rt::NonExhaustive,
        }
        #by_hand
        #new
        #default
    }
}

/// The default of an entity of which nothing is required: what an answer without any key is read as.
fn default_impl(context: &Context<'_>, entity: &Entity) -> TokenStream {
    let name = names::ident(&entity.item.rust);
    let fields = entity.fields.iter().map(|field| {
        let name = names::ident(&field.item.rust);
        let value = absence::empty(context, field);
        quote!(#name: #value,)
    });
    let only_server = context.only_server_item();
    quote! {
        #only_server
        impl Default for #name {
            fn default() -> Self {
                Self { #(#fields)* non_exhaustive: rt::NonExhaustive::default() }
            }
        }
    }
}

fn docs(context: &Context<'_>, entity: &Entity) -> Docs {
    let stamp = context.stamp(&entity.item);
    let docs = match (&entity.item.summary, &entity.role) {
        (Some(summary), _) => Docs::default().words(summary),
        (None, EntityRole::Nested(parent)) => Docs::default().markdown(format!(
            "The object under {} in {}.",
            code(&entity.item.wire),
            code(parent)
        )),
        (None, EntityRole::Response(operation)) => {
            Docs::default().markdown(format!("The answer to {}.", code(operation)))
        }
        (None, EntityRole::Error(operation, status)) => Docs::default()
            .markdown(format!("The answer to {} with status {status}.", code(operation))),
        (None, EntityRole::Named | EntityRole::Argument(_)) => Docs::default(),
    };
    let opaque = is_opaque(entity).then(|| "Its fields are not known.".to_owned());
    let docs = docs
        .all(opaque)
        .all(entity.item.notes.iter().map(|note| sentence(note)))
        .all(stamp.effective(role(entity)))
        .all(stamp.line())
        .or(|| format!("{}.", code(&entity.item.id)));
    let answering = answering(context, entity);
    // A line for each, so that one more changes one line.
    let listed = (!answering.is_empty()).then(|| answering.join("\n"));
    let listed = listed.into_iter().fold(Docs::default(), Docs::lines_of);
    docs.folded("Answered by", listed)
        .all(built_of(context, entity))
        .folded("History", Docs::default().all(stamp.history(role(entity))))
}

/// Links to the operations that answer an entity, or a list of it.
fn answering(context: &Context<'_>, entity: &Entity) -> Vec<String> {
    let root = context.root(2);
    let answers = |operation: &Operation| {
        let mut names = Vec::new();
        operation.returns.names(&mut names);
        names.contains(&entity.item.id.as_str())
    };
    let operations = context.routed().filter(|(_, operation)| answers(operation));
    let links = operations.map(|(module, operation)| {
        let (module, name) = (names::ident(module), names::ident(&operation.item.rust));
        format!("- [`{module}::{name}`]({root}::{module}::{name})")
    });
    links.collect()
}

/// Where a server finds what to build it of.
fn built_of(context: &Context<'_>, entity: &Entity) -> Option<String> {
    if !context.options.server || matches!(entity.role, EntityRole::Argument(_)) {
        return None;
    }
    let name = names::ident(&entity.item.rust);
    context.newest()?.fields(entity).next().map(|_| {
        format!("A server makes one of `current::{name}`, which has all that the newest release always sends.")
    })
}

/// Whether every supported release sends it, so that a server has to.
pub(super) fn is_required(context: &Context<'_>, entity: &Entity, field: &Field) -> bool {
    context.floors.is_sent(entity, field)
}

fn declaration(
    context: &Context<'_>,
    entity: &Entity,
    field: &Field,
    scope: &Scope,
) -> TokenStream {
    let name = names::ident(&field.item.rust);
    let docs = field_docs(context, entity, field).outer();
    let attribute = context.stamp(&field.item).attribute();
    let alias = alias(&field.item, &name);
    let wire = wire_attribute(context, entity, field);
    let ty = field_type(context, entity, field, scope);
    let ty = if context.floors.is_plain(entity, field) { ty } else { quote!(Option<#ty>) };
    quote!(#docs #alias #attribute #wire pub #name: #ty,)
}

/// How the field is read and written, where that is out of the ordinary.
fn wire_attribute(context: &Context<'_>, entity: &Entity, field: &Field) -> TokenStream {
    let wire = &field.item.wire;
    let is_list = matches!(field.r#type, Type::List(_));
    let ident = names::ident(&field.item.rust).to_string();
    let key = (ident.trim_start_matches("r#") != wire).then(|| quote!(key = #wire));
    let is_odd = |sends: &str| match sends {
        "null" | "absent" | "absent_if_empty" | "nothing" | "zero" => false,
        // An optional part that is so is set aside and told.
        "empty_object" | "unwrapped" => !matches!(field.r#type, Type::Entity(_)),
        // Ids are read from numbers too.
        "integer" => !matches!(field.r#type, Type::Id(_)),
        _ => true,
    };
    // A required field that some release is known to send nothing in costs nobody the object that holds it.
    let is_required = field.absent_means.is_none() && context.floors.is_plain(entity, field);
    let is_missed = is_required && field.is_known_to_miss(&entity.item);
    let lenient = !is_list && (is_missed || field.departures().any(|quirk| is_odd(&quirk.sends)));
    let optional = absence::is_optional(context, entity, field);
    let absent = field.absent_means.as_ref().map(|means| {
        let value = means.value.to_string();
        quote!(absent = #value)
    });
    let said: Vec<_> = key
        .into_iter()
        .chain(lenient.then(|| quote!(lenient)))
        .chain(optional.then(|| quote!(optional)))
        .chain(absent)
        .collect();
    if said.is_empty() { TokenStream::new() } else { quote!(#[entity(#(#said),*)]) }
}

/// The documentation of a field.
pub(super) fn field_docs(context: &Context<'_>, entity: &Entity, field: &Field) -> Docs {
    let stamp = context.stamp(&field.item);
    let of_entity = context.stamp(&entity.item).effective(role(entity));
    let effective = stamp.effective(role(entity));
    Docs::default()
        .words(field.item.summary.as_deref().unwrap_or_default())
        .all(field.when.iter().map(|when| presence(when, entity)))
        .all(sentences::presence_by_program(&context.api.programs, field))
        .all(sentences::absence(&context.api.programs, entity, field))
        .all(format_line(&field.item, field.format.as_deref()))
        .all(field.item.notes.iter().map(|note| sentence(note)))
        .all(field.item.replacement.iter().map(|id| format!("Replaced by {}.", code(id))))
        .all(quirks(context, field))
        .all(stamp.history(role(entity)))
        // The entity's documentation is not repeated at each of its fields.
        .all(effective.filter(|said| of_entity.as_ref() != Some(said)))
        .all(stamp.line())
        .or(|| format!("{}.", code(&field.item.wire)))
}

/// Sentences about the values that programs send besides those of the field's type. Null and absence are told by the type.
fn quirks<'a>(context: &'a Context<'_>, field: &'a Field) -> impl Iterator<Item = String> + 'a {
    field.departures().filter_map(|quirk| {
        let sent = match (quirk.sends.as_str(), &field.r#type) {
            ("empty_array", _) => "an empty array",
            ("empty_object", _) => "an empty object",
            ("unwrapped", _) => "what it holds in its place",
            ("empty_string", _) => "an empty string instead of null",
            ("integer", _) => "a number",
            ("object", _) => "an object",
            ("string", _) => "a string",
            ("absent_if_empty", Type::Boolean) => "nothing instead of `false`",
            ("absent_if_empty", Type::Integer | Type::Number) => "nothing instead of 0",
            ("absent_if_empty", Type::List(_)) => "nothing instead of an empty list",
            ("absent_if_empty", _) => "nothing instead of an empty text",
            ("zero", Type::Boolean) => "`false` instead of null",
            ("zero", _) => "0 instead of null",
            _ => return None,
        };
        let program = context.api.program(&quirk.program);
        let name = program.map_or(quirk.program.as_str(), |program| &program.name);
        let last = |until| program.and_then(|program| last_before(program, until));
        Some(match (quirk.since, quirk.until) {
            (None, None) => format!("{name} sends {sent}."),
            (Some(since), None) => format!("{name} sends {sent} since {since}."),
            (None, Some(until)) => format!("{name} before {until} sends {sent}."),
            (Some(since), Some(until)) => match last(until).filter(|last| *last > since) {
                Some(last) => format!("{name} {since} to {last} sends {sent}."),
                None => format!("{name} {since} sends {sent}."),
            },
        })
    })
}

/// Returns whether programs answer an entity or take it.
fn role(entity: &Entity) -> Role {
    match entity.role {
        EntityRole::Argument(_) => Role::Param,
        _ => Role::Answer,
    }
}

/// When the field is sent or, for an object that clients send, when it is required.
fn presence(when: &Condition, entity: &Entity) -> String {
    sentence(&match entity.role {
        EntityRole::Argument(_) => when.requirement(),
        _ => when.presence(&entity.item.id),
    })
}

/// `#[doc(alias = "rebogged")]` where the documents spell the name of an item otherwise.
pub(super) fn alias(item: &fedispec_model::api::Item, ident: &proc_macro2::Ident) -> TokenStream {
    match &item.documented_as {
        Some(name) if is_alias(name) && ident != name => quote!(#[doc(alias = #name)]),
        _ => TokenStream::new(),
    }
}

/// Whether rustdoc takes it.
fn is_alias(name: &str) -> bool {
    !name.is_empty() && !name.contains(['"', '\'']) && !name.contains(char::is_whitespace)
}
