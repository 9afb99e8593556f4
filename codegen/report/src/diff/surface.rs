//! The measured bump: the public items of two generated crates, and what their difference asks of the crate's version.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Field, Fields, FnArg, ImplItem, Item, ItemEnum, ItemImpl, ItemStruct, ItemTrait,
    Token, TraitItem, Visibility,
};

use crate::diff::report::Rust;
use fedispec_diff::change::Change;
use fedispec_diff::rules::Bump;

/// How many public items a breaking change shows on each side.
const MOST_LINES: usize = 6;

/// The public items of a crate: paths and what stands there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surface(BTreeMap<String, String>);

/// How two crates differ in what they offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measured {
    /// Only in the old one.
    pub gone: BTreeMap<String, String>,
    /// In both, and different.
    pub changed: BTreeMap<String, (String, String)>,
    /// Only in the new one.
    pub came: BTreeMap<String, String>,
    /// New items that a struct literal has to name, so that adding them breaks code.
    pub demanded: BTreeMap<String, String>,
    /// The paths of everything in either.
    pub(super) known: BTreeSet<String>,
}

impl Surface {
    /// Reads the files of a crate: relative paths and texts. What is no Rust is left out.
    pub fn read(files: &[(String, String)]) -> Self {
        let mut surface = Self::default();
        for (path, text) in files {
            let Some(module) = path.strip_prefix("src/").and_then(|path| path.strip_suffix(".rs"))
            else {
                continue;
            };
            // `current` follows the newest release by design, so its changes are not counted.
            if module == "current" {
                continue;
            }
            let module = if module == "lib" { "" } else { module };
            if let Ok(file) = syn::parse_file(text) {
                surface.items(&public_module(module), &file.items);
            }
        }
        surface
    }

    fn add(&mut self, path: String, signature: impl Into<String>) {
        self.0.insert(path, signature.into());
    }

    fn items(&mut self, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) if public(&item.vis) => self.structure(module, item),
                Item::Enum(item) if public(&item.vis) => self.enumeration(module, item),
                Item::Trait(item) if public(&item.vis) => self.interface(module, item),
                Item::Fn(item) if public(&item.vis) => {
                    self.add(join(module, &item.sig.ident), signature(&item.sig));
                }
                Item::Type(item) if public(&item.vis) => {
                    self.add(join(module, &item.ident), format!("type = {}", text(&item.ty)));
                }
                Item::Const(item) if public(&item.vis) => {
                    self.add(join(module, &item.ident), format!("const: {}", text(&item.ty)));
                }
                Item::Static(item) if public(&item.vis) => {
                    self.add(join(module, &item.ident), format!("static: {}", text(&item.ty)));
                }
                Item::Impl(item) => self.implementation(module, item),
                Item::Mod(item) if public(&item.vis) => {
                    let inner = join(module, &item.ident);
                    self.add(inner.clone(), "mod");
                    if let Some((_, items)) = &item.content {
                        self.items(&inner, items);
                    }
                }
                _ => {}
            }
        }
    }

    fn structure(&mut self, module: &str, item: &ItemStruct) {
        let path = join(module, &item.ident);
        // A struct with a private field, or with one named `non_exhaustive`, is not built by literals outside its crate.
        let hidden = |field: &Field| !public(&field.vis) || is_named(field, "non_exhaustive");
        let open = has(&item.attrs, "non_exhaustive") || item.fields.iter().any(hidden);
        self.add(
            path.clone(),
            if open || item.fields.is_empty() { "struct" } else { "struct, all fields named" },
        );
        self.derived(&path, &item.attrs);
        if let Fields::Named(fields) = &item.fields {
            for field in fields.named.iter().filter(|field| public(&field.vis)) {
                if let Some(name) = &field.ident {
                    self.add(join(&path, name), text(&field.ty));
                }
            }
        }
    }

    fn enumeration(&mut self, module: &str, item: &ItemEnum) {
        let path = join(module, &item.ident);
        self.add(
            path.clone(),
            if has(&item.attrs, "non_exhaustive") { "enum" } else { "enum, all variants matched" },
        );
        self.derived(&path, &item.attrs);
        for variant in &item.variants {
            // Documentation is no part of what is offered.
            let mut fields = variant.fields.clone();
            fields.iter_mut().for_each(|field| field.attrs.clear());
            self.add(join(&path, &variant.ident), format!("variant{}", text(&fields)));
        }
    }

    fn interface(&mut self, module: &str, item: &ItemTrait) {
        let path = join(module, &item.ident);
        self.add(path.clone(), format!("trait: {}", text(&item.supertraits)));
        for part in &item.items {
            if let TraitItem::Fn(method) = part {
                let given = if method.default.is_some() { "" } else { ", to be written" };
                self.add(
                    join(&path, &method.sig.ident),
                    format!("{}{given}", signature(&method.sig)),
                );
            }
        }
    }

    fn implementation(&mut self, module: &str, item: &ItemImpl) {
        let owner =
            format!("{module}::{}", text(&item.self_ty)).trim_start_matches("::").to_owned();
        if let Some((name, _)) = &item.trait_ {
            let name = text(name);
            match name.strip_prefix("From<").map(|from| from.trim_start_matches('&')) {
                // A conversion belongs to what it is made from, where that is of the module.
                Some(from) if text(&item.self_ty).contains("::") => {
                    let from = from.trim_end_matches('>');
                    let to = format!("{module}::{from}: Into<{}>", text(&item.self_ty));
                    self.add(to, "impl");
                }
                _ => self.add(format!("{owner}: {name}"), "impl"),
            }
        }
        for part in &item.items {
            match part {
                ImplItem::Fn(method) if public(&method.vis) => {
                    self.add(join(&owner, &method.sig.ident), signature(&method.sig));
                }
                ImplItem::Type(part) => {
                    self.add(join(&owner, &part.ident), format!("type = {}", text(&part.ty)));
                }
                _ => {}
            }
        }
    }

    fn derived(&mut self, path: &str, attributes: &[Attribute]) {
        for attribute in attributes {
            let mut names = BTreeSet::new();
            derives(attribute.meta.to_token_stream(), &mut names);
            for name in names {
                self.add(format!("{path}: {name}"), "impl");
            }
        }
    }

    /// How another one differs from this one.
    pub fn measure(&self, new: &Self) -> Measured {
        let mut measured = Measured {
            known: self.0.keys().chain(new.0.keys()).cloned().collect(),
            ..Measured::default()
        };
        for (path, was) in &self.0 {
            match new.0.get(path) {
                None => {
                    measured.gone.insert(path.clone(), was.clone());
                }
                Some(is) if is != was => {
                    measured.changed.insert(path.clone(), (was.clone(), is.clone()));
                }
                Some(_) => {}
            }
        }
        for (path, is) in new.0.iter().filter(|(path, _)| !self.0.contains_key(*path)) {
            let owner = path.rsplit_once("::").map_or("", |(owner, _)| owner);
            let closed =
                |surface: &Self| surface.0.get(owner).is_some_and(|kind| kind.contains("all "));
            if is.ends_with("to be written") && self.0.contains_key(owner)
                || (closed(self) && is_part(is))
            {
                measured.demanded.insert(path.clone(), is.clone());
            } else {
                measured.came.insert(path.clone(), is.clone());
            }
        }
        measured
    }
}

/// A field or a variant, which a literal or a match has to name; a method or a trait's implementation is neither.
fn is_part(signature: &str) -> bool {
    !signature.starts_with("fn(") && !matches!(signature, "impl" | "mod")
}

impl Measured {
    /// Returns the version step that the difference requires.
    pub fn bump(&self) -> Bump {
        if !self.gone.is_empty() || !self.changed.is_empty() || !self.demanded.is_empty() {
            Bump::Major
        } else if !self.came.is_empty() {
            Bump::Minor
        } else {
            Bump::None
        }
    }

    /// The items at a path, before and after.
    pub(super) fn signatures(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let both = self.changed.get(path).map(|(was, is)| (Some(was.as_str()), Some(is.as_str())));
        let gone = || self.gone.get(path).map(String::as_str);
        let came = || self.came.get(path).or_else(|| self.demanded.get(path)).map(String::as_str);
        both.unwrap_or_else(|| (gone(), came()))
    }

    /// The public items that a breaking change shows, before and after.
    pub(super) fn rust(&self, change: &Change) -> Option<Rust> {
        if change.bump < Bump::Major && change.item.kind != "rust" {
            return None;
        }
        let path = change.item.rust.as_ref()?;
        let former = change.item.rust_was.as_ref();
        let paths: Vec<&str> = std::iter::once(path).chain(former).map(String::as_str).collect();
        let mut rust = self.around(&paths);
        // A parameter is an argument of its request's constructor, and what a server's method takes.
        if let (true, Some((owner, _))) = (rust == Rust::default(), path.rsplit_once("::")) {
            rust = self.around(&[&format!("{owner}::new")]);
        }
        if rust == Rust::default() {
            rust = self.around(&change.seen_at.iter().map(String::as_str).collect::<Vec<_>>());
        }
        rust.before.truncate(MOST_LINES);
        rust.after.truncate(MOST_LINES);
        (rust != Rust::default()).then_some(rust)
    }

    /// The public items at the paths and below them, before and after.
    fn around(&self, paths: &[&str]) -> Rust {
        let within = |candidate: &str| paths.iter().any(|path| is_at_or_below(candidate, path));
        let line = |path: &String, what: &String| format!("{path}: {what}");
        let mut rust = Rust::default();
        for (path, (was, is)) in self.changed.iter().filter(|(path, _)| within(path)) {
            rust.before.push(line(path, was));
            rust.after.push(line(path, is));
        }
        let gone = self.gone.iter().filter(|(path, _)| within(path));
        rust.before.extend(gone.map(|(path, was)| line(path, was)));
        let came = self.came.iter().chain(&self.demanded);
        let came = came.filter(|(path, _)| within(path));
        rust.after.extend(came.map(|(path, is)| line(path, is)));
        rust
    }
}

/// Whether a path is that of an item or of one of its parts, or says what the item implements.
pub(super) fn is_at_or_below(path: &str, item: &str) -> bool {
    path.strip_prefix(item)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || rest.starts_with(": "))
}

/// Entities and enumerations are re-exported from the module above their file.
fn public_module(module: &str) -> String {
    let mut parts: Vec<&str> = module.split('/').filter(|part| !part.is_empty()).collect();
    if matches!(parts.first(), Some(&"entities" | &"enums" | &"server")) {
        parts.truncate(1);
    }
    parts.join("::")
}

fn public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_named(field: &Field, name: &str) -> bool {
    field.ident.as_ref().is_some_and(|ident| ident == name)
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// The names in `derive(..)`, also inside of `cfg_attr(..)`.
fn derives(tokens: TokenStream, to: &mut BTreeSet<String>) {
    let mut derive = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => derive = ident == "derive",
            TokenTree::Group(group) if derive => {
                let parser = Punctuated::<syn::Path, Token![,]>::parse_terminated;
                if let Ok(paths) = syn::parse::Parser::parse2(parser, group.stream()) {
                    to.extend(
                        paths
                            .iter()
                            .filter_map(|path| path.segments.last())
                            .map(|part| part.ident.to_string()),
                    );
                }
                derive = false;
            }
            TokenTree::Group(group) => derives(group.stream(), to),
            _ => {}
        }
    }
}

/// Arguments and what comes back; the names show the order where types are alike.
fn signature(signature: &syn::Signature) -> String {
    let inputs = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => text(receiver),
        FnArg::Typed(typed) => format!("{}: {}", text(&typed.pat), text(&typed.ty)),
    });
    let inputs: Vec<_> = inputs.collect();
    let answer = match &signature.output {
        syn::ReturnType::Default => String::new(),
        syn::ReturnType::Type(_, ty) => format!(" -> {}", text(ty)),
    };
    format!("fn({}){answer}", inputs.join(", "))
}

fn join(module: &str, name: &proc_macro2::Ident) -> String {
    let name = name.unraw();
    if module.is_empty() { name.to_string() } else { format!("{module}::{name}") }
}

/// Tokens as one would write them, with names as the catalogue has them.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" ,", ","),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("r#", ""),
    ] {
        text = text.replace(from, to);
    }
    // A list that is laid out in lines ends with a comma.
    text.replace(",>", ">").replace(",)", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(text: &str) -> Surface {
        Surface::read(&[("src/accounts.rs".into(), text.into())])
    }

    #[test]
    fn a_keyword_is_named_as_in_the_catalogue() {
        let text = "pub struct A { pub r#type: i64 } impl A { pub fn new(r#type: i64) -> Self {} }";
        let paths = surface(text).0;
        assert_eq!(paths.get("accounts::A::type").map(String::as_str), Some("i64"));
        assert_eq!(
            paths.get("accounts::A::new").map(String::as_str),
            Some("fn(type: i64) -> Self")
        );
    }

    #[test]
    fn what_breaks_is_measured() {
        let base = "#[derive(Clone)] #[non_exhaustive] pub struct A { pub a: i64, b: u8 } impl A { pub fn new(a: i64) -> Self { todo() } fn inner() {} }";
        for (new, expected) in [
            (base.to_owned(), Bump::None),
            (base.replace("b: u8", "c: u8"), Bump::None),
            (base.replace("pub a: i64", "pub a: i64, pub c: bool"), Bump::Minor),
            (base.replace("pub a: i64", "pub a: Option<i64>"), Bump::Major),
            (base.replace("new(a: i64)", "new(a: i64, c: bool)"), Bump::Major),
            (base.replace("#[derive(Clone)]", ""), Bump::Major),
            (
                base.replace(
                    "#[derive(Clone)]",
                    "#[derive(Clone)] #[cfg_attr(feature = \"server\", derive(Default))]",
                ),
                Bump::Minor,
            ),
            (base.replace("#[non_exhaustive]", "").replace(", b: u8", ""), Bump::Major),
            (base.replace("fn inner() {}", ""), Bump::None),
            (format!("{base} pub fn f() {{}}"), Bump::Minor),
        ] {
            assert_eq!(surface(base).measure(&surface(&new)).bump(), expected, "{new}");
        }
    }

    #[test]
    fn a_literal_names_everything() {
        let (old, new) = ("pub struct R { pub a: i64 }", "pub struct R { pub a: i64, pub b: i64 }");
        assert_eq!(surface(old).measure(&surface(new)).bump(), Bump::Major);
        let (old, new) = ("pub trait T { fn a() {} }", "pub trait T { fn a() {} fn b() {} }");
        assert_eq!(surface(old).measure(&surface(new)).bump(), Bump::Minor);
        let (closed, method) =
            ("pub struct R { pub a: i64 }", "pub struct R { pub a: i64 } impl R { pub fn b() {} }");
        assert_eq!(surface(closed).measure(&surface(method)).bump(), Bump::Minor);
        let (hidden, more) =
            ("pub struct R { pub a: i64, b: u8 }", "pub struct R { pub a: i64, b: u8, pub c: u8 }");
        assert_eq!(surface(hidden).measure(&surface(more)).bump(), Bump::Minor);
        let new = "pub trait T { fn a() {} fn b(); }";
        assert_eq!(surface(old).measure(&surface(new)).bump(), Bump::Major);
    }
}
