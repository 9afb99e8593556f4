//! Identifiers that compile wherever they stand.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;

use fedispec_model::names::is_keyword;

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["Self", "_", "crate", "self", "super"];

/// Names of the prelude that emitted code uses, and macros' and traits' names that users expect to mean what they mean.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "T",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Modules of the crate that are no groups, and names that a module at its root would shadow.
const MODULES: &[&str] = &[
    "alloc", "client", "core", "entities", "enums", "events", "items", "required", "rt", "serde",
    "server", "std",
];

/// A field, argument, function or variant.
pub(super) fn ident(name: &str) -> Ident {
    let name = valid(name);
    if NEVER_RAW.contains(&name.as_str()) {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    if is_keyword(&name) {
        Ident::new_raw(&name, Span::call_site())
    } else {
        Ident::new(&name, Span::call_site())
    }
}

/// A type or trait: no name of the prelude.
pub(super) fn type_ident(name: &str) -> Ident {
    if PRELUDE.contains(&name) {
        ident(&format!("{name}_"))
    } else {
        ident(name)
    }
}

/// A path that an emitter or a user wrote.
pub(super) fn path(path: &str) -> TokenStream {
    path.parse()
        .unwrap_or_else(|_| type_ident(path).to_token_stream())
}

/// A group's module at the root of the crate, as it stands in code and as its file is called.
pub(super) fn group_module(name: &str) -> String {
    let name = valid(name);
    if MODULES.contains(&name.as_str()) || NEVER_RAW.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

/// The name without what cannot stand in an identifier.
fn valid(name: &str) -> String {
    let mut name: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name == "_" {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_odd_characters() {
        for (name, made) in [
            ("acct", "acct"),
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("self", "self_"),
            ("Self", "Self_"),
            ("1x", "_1x"),
            ("@1x", "_1x"),
            ("posting:default", "posting_default"),
            ("", "__"),
            ("_", "__"),
            ("Ä", "__"),
        ] {
            assert_eq!(ident(name).to_string(), made, "{name}");
        }
    }

    #[test]
    fn types_do_not_shadow_the_prelude() {
        assert_eq!(type_ident("Option").to_string(), "Option_");
        assert_eq!(type_ident("Account").to_string(), "Account");
        assert_eq!(group_module("entities"), "entities_");
        assert_eq!(group_module("crate"), "crate_");
    }
}
