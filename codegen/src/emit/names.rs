//! Identifiers of generated code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;

use fedispec_model::names::{Spelling, spelling};

/// Writes a name of the API as an identifier, with `r#` where it is a keyword.
///
/// `check` refuses names that cannot be identifiers. An `Api` that it has not seen may hold one, which gets underscores
/// in front, because generating must not panic.
pub(super) fn ident(name: &str) -> Ident {
    let word: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match spelling(&word) {
        Some(Spelling::Plain) => Ident::new(&word, Span::call_site()),
        Some(Spelling::Raw) => Ident::new_raw(&word, Span::call_site()),
        None => Ident::new(&format!("__{word}"), Span::call_site()),
    }
}

/// Writes a path that an emitter or a user has given.
pub(super) fn path(path: &str) -> TokenStream {
    path.parse().unwrap_or_else(|_| ident(path).to_token_stream())
}

/// Gives the name of a group's module and of its file, without `r#`.
pub(super) fn group_module(name: &str) -> String {
    let ident = ident(name).to_string();
    ident.strip_prefix("r#").unwrap_or(&ident).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_odd_characters() {
        for (name, written) in [
            ("acct", "acct"),
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("self", "__self"),
            ("Self", "__Self"),
            ("1x", "__1x"),
            ("@1x", "_1x"),
            ("posting:default", "posting_default"),
            ("", "__"),
            ("_", "___"),
            ("\u{c4}", "___"),
        ] {
            assert_eq!(ident(name).to_string(), written, "{name}");
        }
        assert_eq!(group_module("type"), "type");
    }
}
