//! Conversions between an entity and the one whose fields it has.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::absence;
use super::constructor::Constructor;
use super::context::{Context, Home};
use super::docs::Docs;
use super::entities::{is_opaque, is_required};
use super::names;
use super::types::Scope;
use fedispec_model::api::{Entity, Field, Type};
use fedispec_model::condition::{Caller, Clause, Condition};

/// Writes the conversions of an entity that includes another: one that makes it of the other, and, where all that the other has is there,
/// the other of it.
pub(super) fn conversions(
    context: &Context<'_>,
    entity: &Entity,
    module: &str,
) -> Option<TokenStream> {
    let pair = Pair::of(context, entity)?;
    let scope = &Scope::Home(Home::Entities(module.to_owned()));
    let make = { context.options.server }.then(|| pair.make(scope)).flatten();
    let base = pair.back(scope);
    Some(quote!(#make #base))
}

/// An entity and the one that it includes.
struct Pair<'a> {
    context: &'a Context<'a>,
    entity: &'a Entity,
    base: &'a Entity,
}

impl<'a> Pair<'a> {
    fn of(context: &'a Context<'_>, entity: &'a Entity) -> Option<Self> {
        let base = context.entity(entity.includes.as_deref()?)?.entity;
        (!is_opaque(entity) && !is_opaque(base)).then_some(Self { context, entity, base })
    }

    /// `from_account(account, source)`
    fn make(&self, scope: &Scope) -> Option<TokenStream> {
        let name = names::ident(&self.entity.item.rust);
        let base = self.base_type(scope);
        let argument = self.argument();
        let function = format_ident!("from_{}", argument);
        let (context, entity) = (self.context, self.entity);
        let frozen = context.newest()?.frozen();
        let constructor = Constructor { context, frozen, entity, scope };
        let mut others = Vec::new();
        let mut shares = false;
        let values: Vec<_> = { entity.fields.iter() }
            .map(|field| {
                let name = names::ident(&field.item.rust);
                let taken = field.inherited_from.is_some();
                let taken = taken.then(|| field_of(self.base, field)).flatten();
                let value = taken.and_then(|other| {
                    let from = quote!(#argument.#name);
                    self.converted((self.base, other), (entity, field), &from)
                });
                if let Some(value) = value {
                    shares = true;
                    return quote!(#name: #value);
                }
                others.push(field);
                constructor.member(field)
            })
            .collect();
        let parameters = constructor.parameters(&others).filter(|_| shares)?;
        let docs = Docs::default().markdown(format!(
            "Makes one of {} [`entities::{}`] and what {} always sends besides.",
            article(&self.base.item.rust),
            names::ident(&self.base.item.rust),
            frozen.name()
        ));
        let docs = docs.outer();
        let only_server = context.only_server_item();
        let as_sent = absence::as_sent(context, frozen, self.entity);
        Some(quote! {
            #only_server
            impl #name {
                #docs
                pub fn #function(#argument: #base #(, #parameters)*) -> Self {
                    Self { #(#values,)* non_exhaustive: #as_sent }
                }
            }
        })
    }

    /// `From<CredentialAccount> for Account`, by value and by reference; nothing where the entity lacks something that the other always has.
    fn back(&self, scope: &Scope) -> Option<TokenStream> {
        let name = names::ident(&self.entity.item.rust);
        let argument = names::ident(&heck::AsSnakeCase(&self.entity.item.rust).to_string());
        let values = self.base.fields.iter().map(|field| {
            let name = names::ident(&field.item.rust);
            let own = field_of(self.entity, field)?;
            let from = quote!(#argument.#name);
            let value = self.converted((self.entity, own), (self.base, field), &from);
            // The entity that is made may be shown to everybody.
            let value = value.filter(|_| own.inherited_from.is_some() || !is_for_owners(field));
            let is_absent = || field.optional && !is_required(self.context, self.base, field);
            let value =
                value.or_else(|| is_absent().then(|| absence::empty(self.context, field)))?;
            Some(quote!(#name: #value))
        });
        let values = values.collect::<Option<Vec<_>>>()?;
        let base = self.base_type(scope);
        Some(quote! {
            impl From<#name> for #base {
                #[inline]
                fn from(#argument: #name) -> Self {
                    Self { #(#values,)* non_exhaustive: rt::NonExhaustive::default() }
                }
            }

            impl From<&#name> for #base {
                /// Copies what both have.
                #[inline]
                fn from(#argument: &#name) -> Self {
                    #argument.clone().into()
                }
            }
        })
    }

    fn base_type(&self, scope: &Scope) -> TokenStream {
        let id = self.base.item.id.clone();
        self.context.ty(&Type::Entity(id), scope)
    }

    fn argument(&self) -> proc_macro2::Ident {
        names::ident(&heck::AsSnakeCase(&self.base.item.rust).to_string())
    }

    /// The value of one entity's field as that of another's; nothing where its absence could not be told.
    fn converted(
        &self,
        (from_entity, from): (&Entity, &Field),
        (to_entity, to): (&Entity, &Field),
        value: &TokenStream,
    ) -> Option<TokenStream> {
        let is_boxed =
            |entity: &Entity, field: &Field| self.context.cycles.needs_box(entity, field);
        let is_plain = |entity: &Entity, field: &Field| self.context.floors.is_plain(entity, field);
        if from.r#type != to.r#type {
            return None;
        }
        let boxes = (is_boxed(from_entity, from), is_boxed(to_entity, to));
        Some(match (is_plain(from_entity, from), is_plain(to_entity, to)) {
            (false, true) => return None,
            (false, false) => match boxes {
                (true, false) => quote!(#value.map(|one| *one)),
                (false, true) => quote!(#value.map(Box::new)),
                _ => value.clone(),
            },
            (true, to_plain) => {
                let value = match boxes {
                    (true, false) => quote!(*#value),
                    (false, true) => quote!(Box::new(#value)),
                    _ => value.clone(),
                };
                if to_plain { value } else { quote!(Some(#value)) }
            }
        })
    }
}

fn field_of<'a>(entity: &'a Entity, field: &Field) -> Option<&'a Field> {
    let mut fields = entity.fields.iter();
    fields.find(|one| one.item.wire == field.item.wire)
}

/// Whether only the user whom the entity belongs to sees a field.
fn is_for_owners(field: &Field) -> bool {
    field.when.as_ref().is_some_and(|Condition(cases)| {
        let is_owner = |clause: &Clause| *clause == Clause::Token(Caller::Owner);
        cases.iter().all(|case| case.iter().any(is_owner))
    })
}

fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" }
}
