//! Types of the catalogue, written in Rust.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::context::{Context, Home};
use super::names;
use fedispec_model::api::{Entity, EntityRole, Field, Type, one_of_several};
use fedispec_model::secret::is_secret;
use fedispec_since::Paging;

/// The module that a type is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// A module of its own that names everything from outside.
    Outside,
    /// The home of entities, whose neighbours need no path.
    Home(Home),
}

/// How a value is given to a function that takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// As it is.
    Plainly,
    /// As anything that can become it.
    Into,
}

/// A value that appears at most once, and its type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) ty: &'a Type,
    /// Its text is a secret.
    pub(super) secret: bool,
    /// The enumeration of the operators that its text may hold.
    pub(super) words: Option<&'a str>,
}

impl<'a> Value<'a> {
    pub(super) fn new(ty: &'a Type, wire: &str, format: Option<&str>) -> Self {
        Self { ty, secret: is_secret(ty, wire, format), words: None }
    }

    /// Returns the element of a list, or the value itself.
    pub(super) fn element(self) -> Option<Self> {
        match self.ty {
            Type::List(element) => Some(Self { ty: element, ..self }),
            _ => None,
        }
    }

    /// Whether a function that takes it can be of use by taking more.
    pub(super) fn taken(self) -> Taken {
        match self.ty {
            Type::Boolean | Type::Integer | Type::Number | Type::Entity(_) | Type::Enum(_) => {
                Taken::Plainly
            }
            _ => Taken::Into,
        }
    }
}

impl Context<'_> {
    /// The type of a value, without `Option` or `Box`.
    pub(super) fn value(&self, value: Value<'_>, scope: &Scope) -> TokenStream {
        if value.secret {
            return quote!(rt::Secret);
        }
        match value.words.and_then(|words| self.enum_path(words)) {
            Some(words) => quote!(rt::Words<#words>),
            None => self.ty(value.ty, scope),
        }
    }

    /// The type of a parameter's value, without `Option`.
    pub(super) fn param_value(&self, value: Value<'_>, scope: &Scope) -> TokenStream {
        if let Some(one) = one_of_several(value.ty) {
            let one = self.ty(one, scope);
            return quote!(rt::OneOrMany<#one>);
        }
        self.value(value, scope)
    }

    /// The type of a value in a field.
    pub(super) fn ty(&self, ty: &Type, scope: &Scope) -> TokenStream {
        match ty {
            Type::Json => quote!(rt::Json),
            Type::Empty => quote!(rt::Empty),
            Type::String => quote!(String),
            Type::Integer => quote!(i64),
            Type::Number => quote!(f64),
            Type::Boolean => quote!(bool),
            Type::Timestamp => quote!(rt::Timestamp),
            Type::File | Type::Events(_) => quote!(rt::File),
            Type::Cursor => quote!(rt::Cursor),
            Type::Id(None) => quote!(rt::Id),
            Type::Id(Some(entity)) => {
                let entity = self.entity_path(entity, scope).into_iter();
                quote!(rt::Id #(<#entity>)*)
            }
            Type::Entity(id) => self.entity_path(id, scope).unwrap_or_else(|| quote!(rt::Json)),
            Type::Enum(id) => self.enum_path(id).unwrap_or_else(|| quote!(String)),
            Type::List(element) => {
                let element = self.ty(element, scope);
                quote!(Vec<#element>)
            }
            Type::Map(element) => {
                let element = self.ty(element, scope);
                quote!(rt::Map<#element>)
            }
            Type::OneOf(types) => {
                if let [first, second] = types.as_slice() {
                    let (first, second) = (self.ty(first, scope), self.ty(second, scope));
                    quote!(rt::Either<#first, #second>)
                } else {
                    quote!(rt::Json)
                }
            }
        }
    }

    /// Writes the type of a request's answer.
    pub(super) fn answer(&self, operation: &fedispec_model::api::Operation) -> TokenStream {
        self.answered(operation, &operation.returns)
    }

    /// Writes the type of the answer to the plain request, which a client sends.
    pub(super) fn plain_answer(&self, operation: &fedispec_model::api::Operation) -> TokenStream {
        self.answered(operation, &operation.plain_returns())
    }

    fn answered(&self, operation: &fedispec_model::api::Operation, returns: &Type) -> TokenStream {
        if !operation.returns_known {
            return quote!(rt::Json);
        }
        if operation.success == [101] {
            return quote!(rt::Upgrade);
        }
        match returns {
            Type::List(element) => {
                let element = self.ty(element, &Scope::Outside);
                match operation.paging {
                    Paging::Link | Paging::Offset => quote!(rt::Page<#element>),
                    Paging::None | Paging::Unknown => quote!(rt::List<#element>),
                }
            }
            Type::File => quote!(rt::Raw),
            Type::Events(events) => self.enumeration(events).map_or_else(
                || quote!(rt::Raw),
                |events| {
                    let name = names::ident(&events.item.rust);
                    quote!(rt::EventStream<events::#name>)
                },
            ),
            other => self.ty(other, &Scope::Outside),
        }
    }

    /// `entities::Account`, or `Account` beside it.
    pub(super) fn entity_path(&self, id: &str, scope: &Scope) -> Option<TokenStream> {
        let node = self.entity(id)?;
        let name = names::ident(&node.entity.item.rust);
        if *scope == Scope::Home(node.home.clone()) {
            return Some(name.into_token_stream());
        }
        Some(match &node.home {
            Home::Entities(_) => quote!(entities::#name),
            Home::Group(module) => {
                let module = names::ident(module);
                quote!(#module::#name)
            }
        })
    }

    pub(super) fn enum_path(&self, id: &str) -> Option<TokenStream> {
        let name = names::ident(&self.enumeration(id)?.item.rust);
        Some(quote!(enums::#name))
    }

    /// The type as a parameter can have it: text, numbers, files, lists of these and of argument structs. An object
    /// that
    /// is none of the latter goes as JSON.
    pub(super) fn param_type(&self, ty: &Type) -> Type {
        match ty {
            Type::Entity(id) => match self.entity(id).map(|node| &node.entity.role) {
                Some(EntityRole::Argument(_)) => ty.clone(),
                _ => Type::Json,
            },
            Type::OneOf(types)
                if one_of_several(ty).is_some() || types.iter().all(Type::is_plain) =>
            {
                ty.clone()
            }
            Type::Map(_) | Type::Empty | Type::OneOf(_) => Type::Json,
            Type::List(element) => match self.param_type(element) {
                Type::List(_) => Type::List(Box::new(Type::Json)),
                element => Type::List(Box::new(element)),
            },
            other => other.clone(),
        }
    }

    /// The struct of a list of objects.
    pub(super) fn argument(&self, ty: &Type) -> Option<&str> {
        let Type::Entity(id) = ty.innermost() else {
            return None;
        };
        let entity = self.entity(id)?.entity;
        matches!(entity.role, EntityRole::Argument(_)).then_some(entity.item.id.as_str())
    }
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
    if context.cycles.needs_box(entity, field) { quote!(Box<#ty>) } else { ty }
}
