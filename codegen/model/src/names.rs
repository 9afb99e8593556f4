//! Rust names: how one is made from a name on the wire, and which ones are reserved.
//!
//! This is the only list of reserved names. `check` refuses a catalogue that would need one of them, so that emitters
//! write every name as it stands; they only put `r#` before a keyword.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// Keywords that [cannot be raw identifiers](https://doc.rust-lang.org/reference/identifiers.html#raw-identifiers).
const NEVER_RAW: [&str; 4] = ["crate", "self", "super", "Self"];

/// Keywords of every edition that can be raw identifiers.
#[rustfmt::skip]
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Types and traits of the prelude, and others that generated code names without a path.
#[rustfmt::skip]
const TYPES: [&str; 51] = [
    "AsMut", "AsRef", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Box", "Clone", "Copy", "Debug", "Default",
    "Deserialize", "DoubleEndedIterator", "Drop", "Eq", "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce",
    "From", "FromIterator", "Future", "Hash", "Into", "IntoFuture", "IntoIterator", "Iterator", "None", "Ok", "Option",
    "Ord", "PartialEq", "PartialOrd", "Result", "S", "Self", "Send", "Serialize", "Since", "Sized", "Some", "String", "Sync",
    "T", "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec",
];

/// The type of a group by which a text with words is made.
pub const QUERY: &str = "Query";

/// Types whose file would be called like a keyword that cannot be raw: an entity `Crate` stands in `crate.rs`.
const FILES: [&str; 2] = ["Crate", "Super"];

/// Methods that every implementation of a server trait has from a trait of the prelude, and `new`.
const METHODS: [&str; 5] = ["clone", "clone_from", "clone_into", "new", "to_owned"];

/// The crate's own modules, and methods of the server's builder, which has one for each group.
#[rustfmt::skip]
const GROUPS: [&str; 46] = [
    "accept_missing", "accept_unlisted", "after", "alloc", "authenticator", "authenticator_with", "before", "client", "core", "cors",
    "detached", "emulate", "emulation", "entities", "enums", "events", "features", "group", "idempotency", "idempotency_in", "into_router",
    "items", "lib", "limits", "limits_for", "main", "new", "of", "on", "on_stream", "only_mounted", "public_origin",
    "public_origins", "rate_limit", "required", "rt", "runtime", "serde", "server", "since", "std", "streams", "target",
    "unimplemented", "uploads_in", "without",
];

/// The use of a name, which decides how it is spelled and which names it must not shadow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRole {
    /// A group: a module of the generated crate and a method of the server's builder.
    Group,
    /// A field of an entity.
    Field,
    /// A field of a request, and its setter or constructor argument.
    Param,
    /// A method of a server trait.
    Method,
    /// A struct, an enumeration or a trait.
    Type,
    /// A variant of an enumeration.
    Variant,
}

/// How Rust takes a word as an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As it stands.
    Plain,
    /// With `r#` before it: the word is a keyword.
    Raw,
}

/// Tells how the word is written as an identifier; `None` where it cannot be one.
pub fn spelling(word: &str) -> Option<Spelling> {
    if !is_word(word) || NEVER_RAW.contains(&word) {
        None
    } else if KEYWORDS.binary_search(&word).is_ok() {
        Some(Spelling::Raw)
    } else {
        Some(Spelling::Plain)
    }
}

/// Makes a Rust name from a name on the wire; `None` where nothing of it can stand in an identifier. The result may be
/// [`reserved`].
pub fn rust_name(wire: &str, role: NameRole) -> Option<String> {
    let upper = matches!(role, NameRole::Type | NameRole::Variant);
    if !upper && is_snake(wire) {
        // The common case, thousands of times in a catalogue.
        return Some(wire.into());
    }
    let spelled = spell(wire);
    let name = if upper { spelled.to_upper_camel_case() } else { spelled.to_snake_case() };
    if name.is_empty() {
        return None;
    }
    Some(if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name })
}

/// Tells why a name cannot be used in a role although it is an identifier; `None` where it can.
pub fn reserved(name: &str, role: NameRole) -> Option<&'static str> {
    if NEVER_RAW.contains(&name) {
        return Some("Rust keeps that word for itself, even as a raw identifier");
    }
    match role {
        NameRole::Group if GROUPS.contains(&name) => {
            Some("the generated crate has a module or method of that name")
        }
        NameRole::Field if name == "non_exhaustive" => {
            Some("every generated entity has a field of that name")
        }
        NameRole::Method if METHODS.contains(&name) => {
            Some("it would be ambiguous with a method that every server has")
        }
        NameRole::Type if TYPES.contains(&name) => {
            Some("it would shadow a name that generated code uses")
        }
        NameRole::Type if FILES.contains(&name) => {
            Some("its file would be named by a word that Rust keeps for itself")
        }
        NameRole::Variant if name == "Unrecognized" => {
            Some("every generated enumeration has a variant of that name")
        }
        _ => None,
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

/// Tells why a name that the catalogue gives with `rust:` is not spelled as its role requires; `None` where it is.
pub fn misspelled(given: &str, role: NameRole) -> Option<&'static str> {
    if !is_word(given) {
        return Some("it is not a Rust identifier");
    }
    let upper = given.starts_with(|c: char| c.is_ascii_uppercase());
    match role {
        NameRole::Type | NameRole::Variant if !upper || given.contains('_') => {
            Some("types and variants are written UpperCamelCase")
        }
        NameRole::Group | NameRole::Field | NameRole::Param | NameRole::Method
            if given.ends_with('_') || given.bytes().any(|b| b.is_ascii_uppercase()) =>
        {
            Some("fields and methods are written snake_case")
        }
        _ => None,
    }
}

/// Whether the characters are those of an ASCII identifier; the word may be a keyword.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.bytes().any(|b| b != b'_')
}

/// Whether the text is an identifier without `r#`.
pub fn is_identifier(text: &str) -> bool {
    spelling(text) == Some(Spelling::Plain)
}

/// Whether the text is a path of modules: `fedispec_runtime`, `::other::runtime`, `crate::runtime`.
pub fn is_path(text: &str) -> bool {
    let mut segments = text.strip_prefix("::").unwrap_or(text).split("::");
    let first = segments
        .next()
        .is_some_and(|first| is_identifier(first) || matches!(first, "crate" | "self" | "super"));
    first && segments.all(|segment| segment == "super" || is_identifier(segment))
}

/// Whether the text is spelled like a group, or like the name of an operation in one: `domain_blocks`.
pub fn is_snake(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('_')
        && !text.contains("__")
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Whether the word is a keyword in any edition.
pub fn is_keyword(text: &str) -> bool {
    NEVER_RAW.contains(&text) || KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_modules() {
        for path in ["fedispec_runtime", "::rt", "crate::a::b", "super::super::rt"] {
            assert!(is_path(path), "{path}");
        }
        for text in ["", "::", "a::", "a b", "a::fn", "a-b", "1a", "a::<T>", "_", "a:b"] {
            assert!(!is_path(text), "{text}");
        }
    }

    fn name(wire: &str, role: NameRole) -> String {
        rust_name(wire, role).unwrap()
    }

    #[test]
    fn keywords_are_those_of_rust() {
        assert!(KEYWORDS.is_sorted());
        for word in KEYWORDS {
            // Reserved since edition 2024, which syn does not assume.
            assert!(word == "gen" || syn::parse_str::<syn::Ident>(word).is_err(), "{word}");
        }
    }

    #[test]
    fn names_of_the_documents() {
        assert_eq!(name("@1x", NameRole::Field), "at_1x");
        assert_eq!(
            name("posting:default:visibility", NameRole::Field),
            "posting_default_visibility"
        );
        assert_eq!(name("_destroy", NameRole::Param), "destroy");
        assert_eq!(name("admin.sign_up", NameRole::Variant), "AdminSignUp");
        assert_eq!(name("read:accounts", NameRole::Variant), "ReadAccounts");
        assert_eq!(name("S256", NameRole::Variant), "S256");
        assert_eq!(name("2fa", NameRole::Field), "_2fa");
        assert_eq!(name("7_days", NameRole::Variant), "_7Days");
    }

    #[test]
    fn keywords_are_raw_where_rust_allows_it() {
        assert_eq!(name("type", NameRole::Field), "type");
        assert_eq!(spelling("type"), Some(Spelling::Raw));
        assert_eq!(spelling("acct"), Some(Spelling::Plain));
        for word in ["self", "super", "crate", "Self", "", "_", "1x", "a-b", "\u{c4}"] {
            assert_eq!(spelling(word), None, "{word}");
        }
    }

    #[test]
    fn a_reserved_name_is_reserved_in_its_role_alone() {
        use NameRole::{Field, Group, Method, Param, Type, Variant};
        const ROLES: [NameRole; 6] = [Group, Field, Param, Method, Type, Variant];
        for (name, roles) in [
            ("self", &ROLES[..]),
            ("Option", &[Type]),
            ("Unpin", &[Type]),
            ("T", &[Type]),
            ("Crate", &[Type]),
            ("Unrecognized", &[Variant]),
            ("non_exhaustive", &[Field]),
            ("clone", &[Method]),
            ("new", &[Group, Method]),
            ("entities", &[Group]),
            ("type", &[]),
            ("Account", &[]),
        ] {
            for role in ROLES {
                assert_eq!(
                    reserved(name, role).is_some(),
                    roles.contains(&role),
                    "{name} as {role:?}"
                );
            }
        }
    }

    #[test]
    fn names_without_a_letter() {
        assert_eq!(rust_name("..", NameRole::Field), None);
        assert_eq!(rust_name("é", NameRole::Field), None);
        assert_eq!(name("+", NameRole::Variant), "Plus");
    }

    #[test]
    fn given_names_are_spelled_as_their_role_requires() {
        let identifier = Some("it is not a Rust identifier");
        let upper = Some("types and variants are written UpperCamelCase");
        let snake = Some("fields and methods are written snake_case");
        for (given, role, why) in [
            ("lookup", NameRole::Method, None),
            ("type", NameRole::Field, None),
            ("1st", NameRole::Field, identifier),
            ("_", NameRole::Field, identifier),
            ("a-b", NameRole::Field, identifier),
            ("lookup", NameRole::Type, upper),
            ("Lookup_", NameRole::Type, upper),
            ("lookUp", NameRole::Method, snake),
            ("type_", NameRole::Field, snake),
        ] {
            assert_eq!(misspelled(given, role), why, "{given}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_name_is_an_identifier(wire in ".{0,20}") {
            for role in [NameRole::Field, NameRole::Param, NameRole::Method, NameRole::Type, NameRole::Variant] {
                if let Some(name) = rust_name(&wire, role) {
                    proptest::prop_assert!(spelling(&name).is_some() || reserved(&name, role).is_some(), "{}", name);
                    proptest::prop_assert!(!name.ends_with('_'), "{}", name);
                }
            }
        }
    }
}
