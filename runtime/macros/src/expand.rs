//! Expansion of the macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Error, Ident, Path, Result};

use crate::args::{Args, NO_PROGRAM};

pub(crate) fn derive(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let own = find(&input.attrs)?;
    expand(&input, own)
}

pub(crate) fn attribute(args: TokenStream, item: TokenStream) -> TokenStream {
    let args = syn::parse2::<Args>(args).and_then(|args| args.checked(Span::call_site()));
    if !is_type(&item) {
        let error = args.err().map(Error::into_compile_error);
        return quote!(#error #item);
    }
    match syn::parse2::<DeriveInput>(item.clone()) {
        Ok(mut input) => {
            let trait_impl = args
                .and_then(|args| match find(&input.attrs)? {
                    Some(_) => Err(twice(&input.ident)),
                    None => expand(&input, Some(args)),
                })
                .unwrap_or_else(Error::into_compile_error);
            // Only this macro and the derive know the attribute on fields; rustc would refuse it.
            strip(&mut input);
            quote!(#input #trait_impl)
        }
        // rustc's own error for an invalid item is better.
        Err(_) => item,
    }
}

/// Whether the item is a struct, an enumeration or a union, by its keyword after attributes and visibility.
fn is_type(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter().peekable();
    loop {
        match tokens.next() {
            Some(TokenTree::Punct(_)) => {
                tokens.next();
            }
            Some(TokenTree::Ident(word)) if word == "pub" => {
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            Some(TokenTree::Ident(word)) => {
                return word == "struct" || word == "enum" || word == "union";
            }
            _ => return false,
        }
    }
}

fn find(attrs: &[Attribute]) -> Result<Option<Args>> {
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("since")) {
        if found.is_some() {
            return Err(Error::new_spanned(attr, "a second `#[since(..)]`: combine them into one"));
        }
        let list =
            attr.meta.require_list().map_err(|_| Error::new(attr.path().span(), NO_PROGRAM))?;
        found = Some(list.parse_args::<Args>()?.checked(attr.path().span())?);
    }
    Ok(found)
}

fn twice(ident: &Ident) -> Error {
    Error::new_spanned(ident, "a second `#[since(..)]`: combine them into one")
}

/// Implements the trait `Since` for an entity. `root` is the path of the runtime unless the attribute has one.
pub(crate) fn since(input: &DeriveInput, root: &Path) -> Result<TokenStream> {
    implement(input, find(&input.attrs)?, root)
}

fn expand(input: &DeriveInput, own: Option<Args>) -> Result<TokenStream> {
    implement(input, own, &syn::parse_quote!(::fedispec_runtime))
}

fn implement(input: &DeriveInput, own: Option<Args>, root: &Path) -> Result<TokenStream> {
    let root = own.as_ref().and_then(|args| args.root.as_ref()).unwrap_or(root).clone();
    let mut text = own.map(|args| args.text).unwrap_or_default();
    for (name, since) in members(&input.data)? {
        text.extend(["\n", &name, " ", &since]);
    }
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let ident = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #root::Since for #ident #type_generics #where_clause {
            const TEXT: &'static str = #text;
        }
    })
}

/// The names and attributes of the fields or variants that have one.
fn members(data: &Data) -> Result<Vec<(String, String)>> {
    let mut members = Vec::new();
    let mut add = |name: String, attrs: &[Attribute]| {
        find(attrs).map(|args| members.extend(args.map(|args| (name, args.text))))
    };
    let name = |ident: &Ident| ident.unraw().to_string();
    match data {
        Data::Struct(data) => {
            for (index, field) in data.fields.iter().enumerate() {
                let name = field.ident.as_ref().map_or_else(|| index.to_string(), name);
                add(name, &field.attrs)?;
            }
        }
        Data::Enum(data) => {
            for variant in &data.variants {
                add(name(&variant.ident), &variant.attrs)?;
            }
        }
        Data::Union(data) => {
            for field in &data.fields.named {
                add(field.ident.as_ref().map(name).unwrap_or_default(), &field.attrs)?;
            }
        }
    }
    Ok(members)
}

fn strip(input: &mut DeriveInput) {
    let clean = |attrs: &mut Vec<Attribute>| attrs.retain(|attr| !attr.path().is_ident("since"));
    match &mut input.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|field| clean(&mut field.attrs)),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| clean(&mut variant.attrs)),
        Data::Union(data) => data.fields.named.iter_mut().for_each(|field| clean(&mut field.attrs)),
    }
}
