//! From names on the wire to Rust identifiers that are valid and shadow nothing.
//!
//! Keywords stay as they are where `r#` makes them valid; the emitters write it.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// Keywords that `r#` does not make valid.
const NEVER_RAW: [&str; 4] = ["crate", "self", "super", "Self"];

/// Keywords of every edition that `r#` makes valid.
#[rustfmt::skip]
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Types and traits of the prelude, and others that generated code writes without a path.
#[rustfmt::skip]
const PRELUDE: [&str; 49] = [
    "AsMut", "AsRef", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Box", "Clone", "Copy", "Debug", "Default",
    "Deserialize", "DoubleEndedIterator", "Drop", "Eq", "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce",
    "From", "FromIterator", "Future", "Hash", "Into", "IntoFuture", "IntoIterator", "Iterator", "None", "Ok", "Option",
    "Ord", "PartialEq", "PartialOrd", "Result", "Self", "Send", "Serialize", "Since", "Sized", "Some", "String", "Sync",
    "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec",
];

/// The crate's own modules, and methods of the server's builder, which is asked for every group by name.
#[rustfmt::skip]
pub const RESERVED_GROUPS: [&str; 22] = [
    "alloc", "authenticator", "client", "core", "emulate", "entities", "enums", "events", "into_router", "items", "lib", "main",
    "new", "required", "rt", "runtime", "serde", "server", "since", "std", "target", "unimplemented",
];

/// What a name stands for, which decides what it must keep clear of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A field of an entity.
    Field,
    /// A field of a request, which is a setter too.
    Param,
    /// A method of a server trait.
    Method,
    /// A struct, an enumeration or a trait.
    Type,
    /// A variant of an enumeration.
    Variant,
}

/// The Rust identifier for a name on the wire; `None` where nothing of the name can stand in one.
pub fn rust_name(wire: &str, place: Place) -> Option<String> {
    let snake = matches!(place, Place::Field | Place::Param | Place::Method);
    if snake && is_snake(wire) {
        // Most names are what they shall be, and there are thousands.
        return Some(clear(wire.into(), place));
    }
    let spelled = spell(wire);
    let name = match place {
        Place::Field | Place::Param | Place::Method => spelled.to_snake_case(),
        Place::Type | Place::Variant => spelled.to_upper_camel_case(),
    };
    if name.is_empty() {
        return None;
    }
    let valid = if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name
    };
    Some(clear(valid, place))
}

/// The Rust identifier for an id of the catalogue, which has the right case already.
pub fn type_name(id: &str) -> String {
    clear(id.into(), Place::Type)
}

/// Adds a `_` to what would shadow something or can never be an identifier.
fn clear(name: String, place: Place) -> String {
    let taken = match place {
        Place::Field => name == "non_exhaustive",
        Place::Param => name == "new",
        Place::Method => name == "clone" || name == "new",
        Place::Type => PRELUDE.contains(&name.as_str()),
        Place::Variant => name == "Unrecognized",
    };
    if taken || NEVER_RAW.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// Writes out what cannot stand in an identifier.
fn spell(wire: &str) -> String {
    let mut spelled = String::with_capacity(wire.len() + 4);
    for c in wire.chars() {
        match c {
            '@' => spelled.push_str("at_"),
            '+' => spelled.push_str("_plus_"),
            c if c.is_ascii_alphanumeric() => spelled.push(c),
            _ => spelled.push('_'),
        }
    }
    spelled
}

/// Why an identifier that the catalogue gives with `rust:` will not do.
pub fn refuse(given: &str, place: Place) -> Option<&'static str> {
    if !is_word(given) {
        return Some("it is not a Rust identifier");
    }
    let upper = given.starts_with(|c: char| c.is_ascii_uppercase());
    match place {
        Place::Type | Place::Variant if !upper || given.trim_end_matches('_').contains('_') => {
            Some("types and variants are written UpperCamelCase")
        }
        Place::Field | Place::Param | Place::Method
            if given.bytes().any(|b| b.is_ascii_uppercase()) =>
        {
            Some("fields and methods are written snake_case")
        }
        _ if clear(given.into(), place) != given => {
            Some("it would shadow something that generated code uses")
        }
        _ => None,
    }
}

/// Whether the characters are those of an ASCII identifier; it may be a keyword.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.bytes().any(|b| b != b'_')
}

/// Whether it is an identifier as it stands, without `r#`.
pub fn is_identifier(text: &str) -> bool {
    is_word(text) && !is_keyword(text)
}

/// Whether it is a path of modules: `fedispec_runtime`, `::other::runtime`, `crate::runtime`.
pub fn is_path(text: &str) -> bool {
    let mut segments = text.strip_prefix("::").unwrap_or(text).split("::");
    let first = segments
        .next()
        .is_some_and(|first| is_identifier(first) || matches!(first, "crate" | "self" | "super"));
    first && segments.all(|segment| segment == "super" || is_identifier(segment))
}

/// Whether it can be a group, and the name of an operation in one: `domain_blocks`.
pub fn is_snake(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('_')
        && !text.contains("__")
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Whether Rust keeps the word for itself.
pub fn is_keyword(text: &str) -> bool {
    NEVER_RAW.contains(&text) || KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_modules() {
        for path in [
            "fedispec_runtime",
            "::rt",
            "crate::a::b",
            "super::super::rt",
        ] {
            assert!(is_path(path), "{path}");
        }
        for text in [
            "", "::", "a::", "a b", "a::fn", "a-b", "1a", "a::<T>", "_", "a:b",
        ] {
            assert!(!is_path(text), "{text}");
        }
    }

    fn name(wire: &str, place: Place) -> String {
        rust_name(wire, place).unwrap()
    }

    #[test]
    fn keywords_are_those_of_rust() {
        assert!(KEYWORDS.is_sorted());
        for word in KEYWORDS {
            // Reserved since edition 2024, which syn does not assume.
            assert!(
                word == "gen" || syn::parse_str::<syn::Ident>(word).is_err(),
                "{word}"
            );
        }
    }

    #[test]
    fn names_of_the_documents() {
        assert_eq!(name("@1x", Place::Field), "at_1x");
        assert_eq!(
            name("posting:default:visibility", Place::Field),
            "posting_default_visibility"
        );
        assert_eq!(name("_destroy", Place::Param), "destroy");
        assert_eq!(name("admin.sign_up", Place::Variant), "AdminSignUp");
        assert_eq!(name("read:accounts", Place::Variant), "ReadAccounts");
        assert_eq!(name("S256", Place::Variant), "S256");
        assert_eq!(name("2fa", Place::Field), "_2fa");
        assert_eq!(name("7_days", Place::Variant), "_7Days");
    }

    #[test]
    fn keywords_stay_for_r_and_what_r_cannot_mend_gets_an_underscore() {
        assert_eq!(name("type", Place::Field), "type");
        for word in ["self", "super", "crate", "Self"] {
            assert_eq!(
                name(word, Place::Field),
                format!("{}_", word.to_lowercase())
            );
        }
        assert_eq!(name("self", Place::Type), "Self_");
        assert_eq!(name("self", Place::Variant), "Self_");
    }

    #[test]
    fn nothing_is_shadowed() {
        for word in [
            "Option", "Result", "Vec", "String", "Box", "Send", "Sync", "Default", "Into", "From",
            "Some", "None", "Ok", "Err", "Iterator",
        ] {
            assert_eq!(name(word, Place::Type), format!("{word}_"));
        }
        assert_eq!(name("none", Place::Variant), "None");
        assert_eq!(name("unrecognized", Place::Variant), "Unrecognized_");
        assert_eq!(name("new", Place::Param), "new_");
        assert_eq!(name("non_exhaustive", Place::Field), "non_exhaustive_");
    }

    #[test]
    fn names_without_a_letter() {
        assert_eq!(rust_name("..", Place::Field), None);
        assert_eq!(rust_name("é", Place::Field), None);
        assert_eq!(name("+", Place::Variant), "Plus");
    }

    #[test]
    fn overrides() {
        assert_eq!(refuse("lookup", Place::Method), None);
        assert_eq!(refuse("Lookup_", Place::Type), None);
        assert_eq!(
            refuse("1st", Place::Field),
            Some("it is not a Rust identifier")
        );
        assert_eq!(
            refuse("_", Place::Field),
            Some("it is not a Rust identifier")
        );
        assert_eq!(
            refuse("a-b", Place::Field),
            Some("it is not a Rust identifier")
        );
        assert_eq!(
            refuse("lookup", Place::Type),
            Some("types and variants are written UpperCamelCase")
        );
        assert_eq!(
            refuse("lookUp", Place::Method),
            Some("fields and methods are written snake_case")
        );
        assert_eq!(
            refuse("Option", Place::Type),
            Some("it would shadow something that generated code uses")
        );
        assert_eq!(
            refuse("self", Place::Field),
            Some("it would shadow something that generated code uses")
        );
        assert_eq!(refuse("type", Place::Field), None);
    }

    proptest::proptest! {
        #[test]
        fn every_name_is_an_identifier(wire in ".{0,20}") {
            for place in [Place::Field, Place::Param, Place::Method, Place::Type, Place::Variant] {
                if let Some(name) = rust_name(&wire, place) {
                    let raw = if KEYWORDS.contains(&name.as_str()) { format!("r#{name}") } else { name.clone() };
                    proptest::prop_assert!(syn::parse_str::<syn::Ident>(&raw).is_ok(), "{}", raw);
                    proptest::prop_assert_eq!(clear(name.clone(), place), name);
                }
            }
        }
    }
}
