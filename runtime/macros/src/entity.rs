//! The derive macro `Entity`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Data, DataStruct, DeriveInput, Error, Fields, LitStr, Path, Result};

use crate::expand;

/// The type's options in `#[entity(..)]`.
#[derive(Default)]
struct Own {
    name: Option<LitStr>,
    root: Option<Path>,
}

impl Own {
    /// Its id in the catalogue.
    fn name(&self, ident: &Ident) -> String {
        let name = self.name.as_ref();
        name.map_or_else(|| ident.unraw().to_string(), LitStr::value)
    }
}

/// A field and its options in `#[entity(..)]`.
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Field {
    ident: Ident,
    key: Option<LitStr>,
    lenient: bool,
    optional: bool,
    absent: Option<LitStr>,
    skip: bool,
    as_read: bool,
}

pub(crate) fn derive(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &input.generics,
            "an entity cannot have generic parameters",
        ));
    }
    let own = own(&input.attrs)?;
    let fields = fields(&input)?;
    let root = own.root.clone().unwrap_or_else(|| syn::parse_quote!(::fedispec_runtime));
    let since = expand::since(&input, &root)?;
    let entity = entity(&input.ident, &own, &fields, &root);
    let from_json = from_json(&input.ident, &fields, &root);
    let to_json = cfg!(feature = "write").then(|| to_json(&input.ident, &fields, &root));
    let serde = cfg!(feature = "serde").then(|| serde(&input.ident, &root));
    Ok(quote!(#since #entity #from_json #to_json #serde))
}

fn own(attrs: &[Attribute]) -> Result<Own> {
    let mut own = Own::default();
    each(attrs, |meta| {
        if meta.path.is_ident("name") {
            own.name = Some(meta.value()?.parse()?);
            Ok(())
        } else if meta.path.is_ident("crate") {
            own.root = Some(made_here(&meta.value()?.call(Path::parse_mod_style)?));
            Ok(())
        } else {
            Err(meta.error("expected `name = \"..\"`, the entity's id in the catalogue, or `crate = path`, the path of the runtime"))
        }
    })?;
    Ok(own)
}

/// The same path with the macro's span, so that lints do not suggest a shorter one to the author of the attribute.
fn made_here(path: &Path) -> Path {
    let tokens = path.to_token_stream().into_iter().map(|mut token| {
        token.set_span(Span::call_site());
        token
    });
    let tokens: TokenStream = tokens.collect();
    syn::parse2(tokens).unwrap_or_else(|_| path.clone())
}

fn fields(input: &DeriveInput) -> Result<Vec<Field>> {
    let Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) = &input.data else {
        let wrong = "an entity must be a struct with named fields";
        return Err(Error::new_spanned(&input.ident, wrong));
    };
    fields.named.iter().map(field).collect()
}

fn field(field: &syn::Field) -> Result<Field> {
    let mut read = Field {
        ident: field
            .ident
            .clone()
            .ok_or_else(|| Error::new_spanned(field, "the field has no name"))?,
        key: None,
        lenient: false,
        optional: false,
        absent: None,
        skip: false,
        as_read: false,
    };
    each(&field.attrs, |meta| {
        match meta.path.get_ident().map(Ident::to_string).as_deref() {
            Some("key") => {
                let key: LitStr = meta.value()?.parse()?;
                let needs_escape = |c: char| c == '"' || c == '\\' || c.is_control();
                if key.value().contains(needs_escape) {
                    let wrong = "a key has no quotes, backslashes or control characters";
                    return Err(Error::new_spanned(key, wrong));
                }
                read.key = Some(key);
            }
            Some("lenient") => read.lenient = true,
            Some("optional") => read.optional = true,
            Some("absent") => read.absent = Some(meta.value()?.parse()?),
            Some("skip") => read.skip = true,
            Some("as_read") => read.as_read = true,
            _ => return Err(meta.error(
                "expected `key = \"..\"`, `lenient`, `optional`, `absent = \"..\"`, `skip` or `as_read`",
            )),
        }
        Ok(())
    })?;
    Ok(read)
}

/// Passes each option in the attributes `#[entity(..)]` to a function.
fn each(
    attrs: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let own = attrs.iter().filter(|attr| attr.path().is_ident("entity"));
    own.into_iter().try_for_each(|attr| attr.parse_nested_meta(&mut read))
}

fn entity(ident: &Ident, own: &Own, fields: &[Field], root: &Path) -> TokenStream {
    let name = own.name(ident);
    let keys = fields.iter().filter(|field| field.is_key()).map(|field| {
        let key = field.wire();
        let Field { lenient, optional, .. } = field;
        let absent = field.absent.as_ref().map_or_else(
            || quote!(::core::option::Option::None),
            |value| quote!(::core::option::Option::Some(#value)),
        );
        let first = key.bytes().next().unwrap_or_default();
        let [length, ..] = key.len().to_le_bytes();
        let quoted = format!(",\"{key}\":");
        quote!(#root::Key { quoted: #quoted, lenient: #lenient, optional: #optional, absent: #absent, tag: [#first, #length] })
    });
    quote! {
        #[automatically_derived]
        impl #root::Entity for #ident {
            const NAME: &'static str = #name;
            const KEYS: &'static [#root::Key] = &[#(#keys),*];
        }
    }
}

impl Field {
    /// Whether it is a key of the object.
    fn is_key(&self) -> bool {
        !self.skip && !self.as_read
    }

    /// The key's spelling.
    fn wire(&self) -> String {
        self.key.as_ref().map_or_else(|| self.ident.unraw().to_string(), LitStr::value)
    }
}

/// The field that keeps how the keys were read, or what says nothing of that.
fn as_read(fields: &[Field]) -> TokenStream {
    let ident = fields.iter().find(|field| field.as_read).map(|field| &field.ident);
    ident.map_or_else(|| quote!(::core::default::Default::default()), |ident| quote!(self.#ident))
}

fn kept(fields: &[Field]) -> Vec<&Ident> {
    let kept = fields.iter().filter(|field| field.is_key());
    kept.map(|field| &field.ident).collect()
}

// `inline` delays code generation to the calling crate, so that a program compiles only the entities that it uses.
fn from_json(ident: &Ident, fields: &[Field], root: &Path) -> TokenStream {
    let blanks = fields.iter().map(|field| {
        let ident = &field.ident;
        if field.is_key() {
            // The span places errors of types that cannot be decoded at their field.
            let blank = quote_spanned!(ident.span()=> #root::de::FromJson::blank());
            quote!(#ident: #blank)
        } else {
            quote!(#ident: ::core::default::Default::default())
        }
    });
    let kept = kept(fields);
    let as_read = as_read(fields);
    quote! {
        #[automatically_derived]
        impl #root::de::FromJson for #ident {
            #[inline]
            fn blank() -> Self {
                Self { #(#blanks),* }
            }

            #[inline]
            fn read(&mut self, input: &mut #root::codegen::de::Input<'_>) -> ::core::result::Result<(), #root::codegen::de::Fault> {
                #root::codegen::de::object(input, <Self as #root::Entity>::KEYS, &mut [#(::core::option::Option::Some(&mut self.#kept)),*], &mut #as_read)
            }
        }
    }
}

fn to_json(ident: &Ident, fields: &[Field], root: &Path) -> TokenStream {
    let kept = kept(fields);
    let as_read = as_read(fields);
    quote! {
        #[automatically_derived]
        impl #root::ser::ToJson for #ident {
            #[inline]
            fn write(&self, to: &mut #root::ser::Output) {
                let table = const {
                    &#root::codegen::ser::Table { name: <Self as #root::Entity>::NAME, keys: <Self as #root::Entity>::KEYS }
                };
                #root::codegen::ser::object(to, table, &[#(&self.#kept),*], #as_read);
            }
        }
    }
}

fn serde(ident: &Ident, root: &Path) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #root::codegen::serde::Serialize for #ident {
            fn serialize<S: #root::codegen::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                #root::codegen::ser::serialize(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> #root::codegen::serde::Deserialize<'de> for #ident {
            fn deserialize<D: #root::codegen::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                #root::codegen::de::deserialize(deserializer)
            }
        }
    }
}
