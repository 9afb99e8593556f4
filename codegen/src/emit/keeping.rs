//! Constructors of updates that reset what they are not given: `keeping` takes it from what was read.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value as Json;

use super::absence;
use super::context::{Context, Home};
use super::docs::{Docs, code};
use super::entities::is_opaque;
use super::names;
use super::setters::RequestShape;
use super::slot::{Slot, slots};
use super::types::{Scope, Value};
use fedispec_model::api::{Entity, Field, Operation, Type};
use fedispec_model::constructors::{Constructor, ValueSource, is_reset, is_resetting};

/// A constructor of an edit that takes what the server would reset from what was read.
pub(super) struct Keeping {
    /// Its arguments in an example.
    pub(super) arguments: &'static str,
    pub(super) tokens: TokenStream,
}

/// The constructor as an example calls it: `keeping(&read)`.
pub(super) fn call(context: &Context<'_>, operation: &Operation) -> Option<String> {
    let scope = Scope::Home(Home::Group(operation.group.clone()));
    let slots = slots(context, operation);
    let name = names::ident(&operation.item.rust);
    let shape = RequestShape { context, name: &name, slots: &slots, scope: &scope, requests: &[] };
    let keeping = keeping(shape, operation)?;
    Some(format!("keeping({})", keeping.arguments))
}

/// The constructor of an operation; nothing where what it answers does not show all that it needs, and nobody has written one.
pub(super) fn keeping(shape: RequestShape<'_>, operation: &Operation) -> Option<Keeping> {
    if !is_resetting(operation) {
        return None;
    }
    if let Some(helper) = shape.context.by_hand(&operation.item.id) {
        return Some(Keeping { arguments: "&status, &source", tokens: helper.tokens() });
    }
    let tokens = from_answer(shape, operation)?;
    Some(Keeping { arguments: "&read", tokens })
}

/// A constructor from the entity that the operation answers.
fn from_answer(shape: RequestShape<'_>, operation: &Operation) -> Option<TokenStream> {
    let context = shape.context;
    let Type::Entity(id) = &operation.returns else {
        return None;
    };
    let read = context.entity(id)?.entity;
    if is_opaque(read) {
        return None;
    }
    let mut objects = BTreeMap::new();
    let mut values = Vec::new();
    let mut hidden = Vec::new();
    let mut clock = None;
    for slot in shape.slots {
        let name = &slot.name;
        let is_needed = Constructor::NEW.source(slot.param) == ValueSource::Argument;
        if is_needed || slot.param.is_demanded() || is_reset(slot.param) {
            let shown = Shown::find(context, read, slot)?;
            let value = shown.value(context, slot, &mut objects)?;
            values.push(quote!(#name: #value));
            hidden.extend(shown.hidden(context, slot));
            if shown.is_end(slot) {
                hidden.push(format!(
                    "{} is counted from now: the end that was read is kept to a second or so, and one that has passed is a second away.",
                    code(&slot.name.to_string())
                ));
                // wasm32-unknown-unknown has no clock.
                clock =
                    Some(quote!(#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]));
            }
        } else if slot.is_list() {
            values.push(quote!(#name: Vec::new()));
        } else {
            values.push(quote!(#name: None));
        }
    }
    let docs = docs(context, operation, hidden).outer();
    let ty = context.ty(&operation.returns, shape.scope);
    let name = names::ident(&operation.item.rust);
    let objects = objects.iter().map(|(name, value)| quote!(let #name = #value;));
    Some(quote! {
        impl #name {
            #docs
            #clock
            #[inline]
            pub fn keeping(read: &#ty) -> Self {
                #(#objects)*
                Self { #(#values),* }
            }
        }
    })
}

fn docs(context: &Context<'_>, operation: &Operation, hidden: Vec<String>) -> Docs {
    let same = |one: &&Operation| {
        one.returns == operation.returns
            && one.group == operation.group
            && one.route.as_ref().is_some_and(|route| route.method == "GET")
    };
    let reader = context.api.operations.iter().find(same);
    let by = reader.map(|one| format!(", as [`{}`] answers it", names::ident(&one.item.rust)));
    Docs::default()
        .markdown(format!(
            "A request that keeps what was read{}; the setters change it.",
            by.unwrap_or_default()
        ))
        .all(hidden)
}

/// The fields from the entity that was read down to the one that holds a parameter's value.
struct Shown<'a>(Vec<(&'a Entity, &'a Field)>);

impl<'a> Shown<'a> {
    /// The field of a parameter's name and type. A parameter may stand in an object that the entity does not have, as `data[alerts][poll]`
    /// is the field `alerts[poll]`.
    fn find(context: &Context<'a>, read: &'a Entity, slot: &Slot<'_>) -> Option<Self> {
        let wire = slot.item.wire.replace(']', "");
        let mut path: Vec<_> = wire.split('[').collect();
        if slot.is_list() && path.len() > 1 {
            path.pop();
        }
        let end = path.last().and_then(|last| Some(format!("{}_at", last.strip_suffix("_in")?)));
        let found = Self::along(context, read, &path)
            .or_else(|| Self::along(context, read, path.get(1..)?))
            .or_else(|| Self::along(context, read, &[end.as_deref()?]))?;
        let (_, last) = found.0.last()?;
        (last.r#type == slot.ty || found.is_end(slot)).then_some(found)
    }

    /// Whether the field is the time at which ends what the parameter gives the seconds of: `expires_at` of `expires_in`.
    fn is_end(&self, slot: &Slot<'_>) -> bool {
        let ty = self.0.last().map(|(_, field)| &field.r#type);
        slot.ty == Type::Integer && ty == Some(&Type::Timestamp)
    }

    fn along(context: &Context<'a>, read: &'a Entity, path: &[&str]) -> Option<Self> {
        let mut fields = Vec::new();
        let mut entity = read;
        for (depth, key) in path.iter().enumerate() {
            let field = entity.fields.iter().find(|field| field.item.wire == *key)?;
            fields.push((entity, field));
            match &field.r#type {
                Type::Entity(id) if depth + 1 < path.len() => entity = context.entity(id)?.entity,
                _ if depth + 1 < path.len() => return None,
                _ => {}
            }
        }
        (!fields.is_empty()).then_some(Self(fields))
    }

    /// The value as an expression over `read` and the objects in it that may be absent; nothing where a constructor needs it and the entity
    /// may lack it.
    fn value(
        &self,
        context: &Context<'_>,
        slot: &Slot<'_>,
        objects: &mut BTreeMap<Ident, TokenStream>,
    ) -> Option<TokenStream> {
        if self.is_end(slot) {
            let [(entity, field)] = &self.0[..] else {
                return None;
            };
            let name = names::ident(&field.item.rust);
            return Some(if context.floors.is_plain(entity, field) {
                quote!(read.#name.seconds_left())
            } else {
                quote!(read.#name.as_ref().and_then(rt::Timestamp::seconds_left))
            });
        }
        let is_copied = matches!(slot.ty, Type::Boolean | Type::Integer | Type::Number);
        let mut value = quote!(read);
        let mut is_option = false;
        for (depth, (entity, field)) in self.0.iter().enumerate() {
            let name = names::ident(&field.item.rust);
            let is_plain = context.floors.is_plain(entity, field);
            let is_last = depth + 1 == self.0.len();
            value = match (is_option, is_plain, is_last) {
                (false, _, true) if is_copied => quote!(#value.#name),
                (false, _, true) => quote!(#value.#name.clone()),
                (false, true, false) => quote!(#value.#name),
                (false, false, false) => {
                    let names = self.0.iter().take(depth + 1);
                    let names = names.map(|(_, field)| field.item.rust.as_str());
                    let object = format_ident!("read_{}", names.collect::<Vec<_>>().join("_"));
                    objects.insert(object.clone(), quote!(#value.#name.as_ref()));
                    quote!(#object)
                }
                (true, true, true) if is_copied => quote!(#value.map(|one| one.#name)),
                (true, true, true) => quote!(#value.map(|one| one.#name.clone())),
                (true, true, false) => quote!(#value.map(|one| &one.#name)),
                (true, false, true) if is_copied => quote!(#value.and_then(|one| one.#name)),
                (true, false, true) => quote!(#value.and_then(|one| one.#name.clone())),
                (true, false, false) => quote!(#value.and_then(|one| one.#name.as_ref())),
            };
            is_option |= !is_plain;
        }
        Some(match (is_option, slot.is_list() || slot.required) {
            (false, true) => value,
            (true, true) if slot.is_list() && !slot.required => quote!(#value.unwrap_or_default()),
            (true, true) => return None,
            (is_option, false) => unless_default(context, slot, value, is_option),
        })
    }

    /// A remark for parameters that a release heeds before it shows the field.
    fn hidden(&self, context: &Context<'_>, slot: &Slot<'_>) -> Option<String> {
        let (_, field) = self.0.last()?;
        let lives = { slot.item.life.iter() }.zip(&field.item.life);
        let programs = context.api.programs.iter().zip(lives);
        let later = programs.filter_map(|(program, (taken, shown))| {
            let (taken, shown) = (taken.effective.version()?, shown.effective.version()?);
            (shown > taken).then(|| format!("{} before {shown}", program.name))
        });
        let later: Vec<_> = later.collect();
        let name = code(&slot.name.to_string());
        (!later.is_empty()).then(|| {
            format!(
                "What {name} is cannot be read from {}, and is reset there unless its setter is called.",
                later.join(" and ")
            )
        })
    }
}

/// The value of an optional parameter. One that the server assumes anyway is not set, so that releases without the parameter are not asked
/// for it.
fn unless_default(
    context: &Context<'_>,
    slot: &Slot<'_>,
    value: TokenStream,
    is_option: bool,
) -> TokenStream {
    let secret = Value::new(&slot.param.r#type, &slot.item.wire, None).secret;
    let default = slot.param.default.as_ref().filter(|_| !secret);
    match (default, is_option) {
        (None, true) => value,
        (None, false) => quote!(Some(#value)),
        (Some(Json::Bool(false)), true) => quote!(#value.filter(|one| *one)),
        (Some(Json::Bool(false)), false) => quote!(#value.then_some(true)),
        (Some(default), is_option) => {
            let default = absence::of_type(context, &slot.ty, default);
            let value = if is_option { value } else { quote!(Some(#value)) };
            quote!(#value.filter(|one| *one != #default))
        }
    }
}
