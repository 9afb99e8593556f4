//! The notation of types: `string`, `Account[]`, `map<string[]>`, `id<Account>`, `ScheduledStatus|Status`.

use std::fmt;

use crate::api::Type;
use crate::suggest::{did_you_mean, nearest};

/// How deep a type may nest.
const DEEPEST: usize = 8;

/// A type as the catalogue writes it; names are not looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notation<'a> {
    /// A word of the notation itself.
    Plain(Plain),
    /// An object whose members are listed beside it.
    Object,
    /// An id, of what.
    Id(Option<&'a str>),
    /// An entity or an enumeration.
    Named(&'a str),
    /// `events<StreamEvent>`: a stream of an enumeration's values, each with its payload.
    Events(&'a str),
    /// `T[]`
    List(Box<Self>),
    /// `map<T>`
    Map(Box<Self>),
    /// `A|B`, tried in that order; inside a list in parentheses: `(A|B)[]`.
    Either(Box<[Self; 2]>),
}

/// A type that stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the word of that name")]
pub enum Plain {
    Json,
    Empty,
    String,
    Integer,
    Number,
    Boolean,
    Datetime,
    Date,
    File,
    Cursor,
}

impl Plain {
    /// Every word.
    pub const ALL: [(&'static str, Self); 10] = [
        ("json", Self::Json),
        ("empty", Self::Empty),
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("datetime", Self::Datetime),
        ("date", Self::Date),
        ("file", Self::File),
        ("cursor", Self::Cursor),
    ];
}

/// Why a text is no type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// A lower-case word that the notation does not have.
    Unknown(String),
    /// A type with spaces in it; this is the one without.
    Spaced(String),
    /// Neither a word nor a name: `int-eger`, nothing at all.
    NoName(String),
    /// `map<` without `>`, `(` without `)`.
    Unclosed,
    /// More or fewer than two alternatives.
    NotTwo,
    /// More than eight lists and maps.
    Deep,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(word) => write!(f, "there is no type `{word}`"),
            Self::NoName(text) if text.is_empty() => f.write_str("a type is missing"),
            Self::NoName(text) => write!(f, "`{text}` is no type"),
            Self::Spaced(_) => f.write_str("a type has no spaces in it"),
            Self::Unclosed => f.write_str("a bracket is never closed"),
            Self::NotTwo => f.write_str("a type has one alternative to it at most"),
            Self::Deep => write!(f, "the type nests deeper than {DEEPEST}"),
        }
    }
}

impl Malformed {
    /// The mend.
    pub fn help(&self) -> String {
        match self {
            Self::Unknown(word) => match plain_word(word) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => grammar(),
            },
            Self::NoName(text) if !text.is_ascii() => {
                did_you_mean(text, Plain::ALL.iter().map(|(word, _)| *word), &grammar())
            }
            Self::Spaced(text) => format!("write `{text}`"),
            Self::NoName(_) => grammar(),
            Self::Unclosed => "write `map<T>`, `id<Account>` or `(A|B)[]`".into(),
            Self::NotTwo => "write `A|B`, the stricter one first".into(),
            Self::Deep => "name an entity for what is inside".into(),
        }
    }
}

fn grammar() -> String {
    let words: Vec<_> = Plain::ALL.iter().map(|(word, _)| *word).collect();
    format!(
        "a type is one of {}, object, id, id<Account>, an entity, an enumeration, T[], map<T>, A|B or events<Enumeration>",
        words.join(", ")
    )
}

/// The names that other notations have for it.
fn alias(word: &str) -> Option<&'static str> {
    Some(match word {
        "bool" => "boolean",
        "int" | "i64" | "u64" => "integer",
        "float" | "double" | "f64" | "decimal" => "number",
        "str" | "text" | "uri" | "url" | "html" => "string",
        "any" | "value" | "unknown" => "json",
        "hash" => "object",
        "timestamp" | "time" => "datetime",
        "none" | "void" => "empty",
        _ => return None,
    })
}

/// The word of the notation that somebody probably meant.
pub fn plain_word(word: &str) -> Option<&'static str> {
    let plain = Plain::ALL.iter().map(|(known, _)| *known);
    let words = plain.chain(["object", "id", "map"]);
    alias(&word.to_lowercase()).or_else(|| nearest(word, words))
}

impl<'a> Notation<'a> {
    /// Reads a type.
    pub fn parse(text: &'a str) -> Result<Self, Malformed> {
        let whole = || text.split_whitespace().collect::<String>();
        Self::parse_inside(text, 0).map_err(|error| match Notation::parse_inside(&whole(), 0) {
            Ok(_) => Malformed::Spaced(whole()),
            Err(_) => error,
        })
    }

    fn parse_inside(text: &'a str, depth: usize) -> Result<Self, Malformed> {
        if depth > DEEPEST {
            return Err(Malformed::Deep);
        }
        if let Some((one, other)) = alternatives(text)? {
            let pair = [Self::parse_inside(one, depth + 1)?, Self::parse_inside(other, depth + 1)?];
            return Ok(Self::Either(Box::new(pair)));
        }
        if let Some(element) = text.strip_suffix("[]") {
            return Ok(Self::List(Box::new(Self::parse_inside(element, depth + 1)?)));
        }
        if let Some(inner) = text.strip_prefix('(') {
            let inner = inner.strip_suffix(')').ok_or(Malformed::Unclosed)?;
            return Self::parse_inside(inner, depth + 1);
        }
        if let Some(inner) = text.strip_prefix("map<") {
            let inner = inner.strip_suffix('>').ok_or(Malformed::Unclosed)?;
            return Ok(Self::Map(Box::new(Self::parse_inside(inner, depth + 1)?)));
        }
        for (prefix, make) in
            [("id<", (|of| Self::Id(Some(of))) as fn(&'a str) -> Self), ("events<", Self::Events)]
        {
            let Some(inner) = text.strip_prefix(prefix) else {
                continue;
            };
            let of = inner.strip_suffix('>').ok_or(Malformed::Unclosed)?;
            return if is_name(of) { Ok(make(of)) } else { Err(Malformed::NoName(of.into())) };
        }
        Self::word(text)
    }

    fn word(text: &'a str) -> Result<Self, Malformed> {
        if let Some((_, plain)) = Plain::ALL.iter().find(|(word, _)| *word == text) {
            return Ok(Self::Plain(*plain));
        }
        match text {
            "object" => Ok(Self::Object),
            "id" => Ok(Self::Id(None)),
            _ if is_name(text) || is_object(text) => Ok(Self::Named(text)),
            _ if is_word(text) => Err(Malformed::Unknown(text.into())),
            _ => Err(Malformed::NoName(text.into())),
        }
    }
}

/// Cuts at a `|` that stands outside all brackets.
fn alternatives(text: &str) -> Result<Option<(&str, &str)>, Malformed> {
    let mut depth = 0_usize;
    let mut cuts = text.char_indices().filter_map(|(at, c)| {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    });
    match (cuts.next(), cuts.next()) {
        (None, _) => Ok(None),
        (Some(at), None) => Ok(Some((&text[..at], &text[at + 1..]))),
        (Some(_), Some(_)) => Err(Malformed::NotTwo),
    }
}

/// Whether it can be the id of an entity or an enumeration: `NotificationType`.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether it can be the id of an object that an entity lists the members of: `CredentialAccount.source`.
fn is_object(text: &str) -> bool {
    let mut parts = text.split('.');
    parts.next().is_some_and(is_name) && parts.all(is_word)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// A type in the catalogue's notation.
pub fn type_text(r#type: &Type) -> String {
    type_text_with(r#type, &|_| None)
}

/// The same with other words for some of the types behind lists, maps and alternatives.
pub fn type_text_with(r#type: &Type, own: &dyn Fn(&Type) -> Option<String>) -> String {
    let inner = |one: &Type| type_text_with(one, own);
    if let Some(word) = own(r#type) {
        return word;
    }
    match r#type {
        Type::Json => "json".into(),
        Type::Empty => "empty".into(),
        Type::String => "string".into(),
        Type::Integer => "integer".into(),
        Type::Number => "number".into(),
        Type::Boolean => "boolean".into(),
        Type::Timestamp => "datetime".into(),
        Type::File => "file".into(),
        Type::Cursor => "cursor".into(),
        Type::Id(None) => "id".into(),
        Type::Id(Some(entity)) => format!("id<{entity}>"),
        Type::Entity(id) | Type::Enum(id) => id.clone(),
        Type::OneOf(types) => types.iter().map(inner).collect::<Vec<_>>().join("|"),
        Type::List(element) if matches!(**element, Type::OneOf(_)) => {
            format!("({})[]", inner(element))
        }
        Type::List(element) => format!("{}[]", inner(element)),
        Type::Map(value) => format!("map<{}>", inner(value)),
        Type::Events(id) => format!("events<{id}>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let parse = |text| Notation::parse(text).unwrap();
        assert_eq!(parse("string"), Notation::Plain(Plain::String));
        assert_eq!(parse("object"), Notation::Object);
        assert_eq!(parse("id"), Notation::Id(None));
        assert_eq!(parse("id<Account>"), Notation::Id(Some("Account")));
        assert_eq!(
            parse("NotificationType[]"),
            Notation::List(Box::new(Notation::Named("NotificationType")))
        );
        let either = Notation::Either(Box::new([Notation::Named("A"), Notation::Named("B")]));
        assert_eq!(parse("A|B"), either);
        assert_eq!(parse("events<A>"), Notation::Events("A"));
        assert_eq!(parse("(A|B)[]"), Notation::List(Box::new(either)));
        assert_eq!(
            parse("map<object[]>"),
            Notation::Map(Box::new(Notation::List(Box::new(Notation::Object))))
        );
    }

    #[test]
    fn what_is_wrong() {
        let error = |text: &str| {
            let error = Notation::parse(text).unwrap_err();
            (error.to_string(), error.help())
        };
        assert_eq!(
            error("bool"),
            ("there is no type `bool`".into(), "did you mean `boolean`?".into())
        );
        assert_eq!(
            error("strng"),
            ("there is no type `strng`".into(), "did you mean `string`?".into())
        );
        assert_eq!(error("map<string").0, "a bracket is never closed");
        assert_eq!(error("A|B|C").0, "a type has one alternative to it at most");
        assert_eq!(error("A|").0, "a type is missing");
        assert_eq!(error("id<>").0, "a type is missing");
        assert_eq!(error("events<").0, "a bracket is never closed");
        assert_eq!(error("events<a b>").0, "`a b` is no type");
        assert_eq!(
            error("id<Account>[ ]"),
            ("a type has no spaces in it".into(), "write `id<Account>[]`".into())
        );
        assert_eq!(error("").0, "a type is missing");
        assert_eq!(error("Featured Tag").1, "write `FeaturedTag`");
        assert_eq!(error(&format!("string{}", "[]".repeat(20))).0, "the type nests deeper than 8");
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "[a-zA-Z<>()|\\[\\] é]{0,30}") {
            if let Err(error) = Notation::parse(&text) {
                let _ = (error.to_string(), error.help());
            }
        }
    }

    #[test]
    fn types_read_as_in_the_catalogue() {
        let statuses = Type::Map(Box::new(Type::List(Box::new(Type::Entity("Status".into())))));
        assert_eq!(type_text(&statuses), "map<Status[]>");
        assert_eq!(type_text(&Type::Id(Some("Account".into()))), "id<Account>");
        let either = Type::OneOf(vec![Type::String, Type::Integer]);
        assert_eq!(type_text(&Type::List(Box::new(either))), "(string|integer)[]");
    }
}
