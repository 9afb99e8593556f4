//! What serde says, in words that name the mend.

use serde_yaml::Value;

use super::text::quote;
use crate::model::Mistake;

/// A problem that serde found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    UnknownKey {
        known: Vec<String>,
    },
    MissingKey(String),
    UnknownValue {
        known: Vec<String>,
    },
    WrongType {
        expected: String,
    },
    Length {
        expected: String,
    },
    Scalar(Mistake),
    /// A key without a value.
    Empty,
    /// More than that many in one item.
    TooMany(usize),
    Other(String),
}

/// A problem as a person reads it.
pub(super) struct Explained {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) label: Option<String>,
    pub(super) help: String,
}

impl Problem {
    /// Reads the text of an error. What users wrote stands before the last `expected`.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(mistake) = Mistake::parse(text) {
            return Self::Scalar(mistake);
        }
        let (before, expected) = text.rsplit_once(", expected ").unwrap_or((text, ""));
        let expected = expected.to_owned();
        if before.starts_with("unknown field `") {
            Self::UnknownKey {
                known: ticked(&expected),
            }
        } else if before.starts_with("unknown variant `") {
            Self::UnknownValue {
                known: ticked(&expected),
            }
        } else if before.starts_with("invalid type: ") || before.starts_with("invalid value: ") {
            Self::WrongType { expected }
        } else if before.starts_with("invalid length ") {
            Self::Length { expected }
        } else if let Some(name) = text.strip_prefix("missing field `") {
            Self::MissingKey(name.trim_end_matches('`').into())
        } else {
            Self::Other(text.into())
        }
    }

    /// Whether the value is meant, rather than the node as a whole.
    pub(super) fn is_about_value(&self) -> bool {
        !matches!(
            self,
            Self::UnknownKey { .. } | Self::MissingKey(_) | Self::TooMany(_)
        )
    }

    /// In words; `path` leads to the node, `value` is what was read there and `written` what stands there.
    pub(super) fn explain(&self, path: &[&str], value: Option<&Value>, written: &str) -> Explained {
        match self {
            Self::UnknownKey { known } => {
                let name = path.last().copied().unwrap_or_default();
                let message = format!("unknown key {}", quote(name));
                let help = suggest(name, known, "known here are");
                Explained::new("unknown-key", message, help)
            }
            Self::MissingKey(missing) => Explained::new(
                "missing-key",
                format!("the key `{missing}` is missing in {}", node(path)),
                format!("add `{missing}: ..`"),
            ),
            Self::UnknownValue { known } => {
                let given = value.and_then(Value::as_str).unwrap_or(written);
                let message = format!("unknown value {} of {}", quote(given), node(path));
                let help = suggest(given, known, "write one of");
                Explained::new("unknown-value", message, help)
            }
            Self::WrongType { expected } => wrong_type(path, value, written, &wanted(expected)),
            Self::Empty => Explained::new(
                Mistake::TYPE,
                format!("{} is empty", node(path)),
                "give it a value, or remove the key",
            ),
            Self::Length { expected } => Explained::new(
                Mistake::TYPE,
                format!("{} has a wrong number of elements", node(path)),
                format!("write {}", wanted(expected)),
            ),
            Self::Scalar(mistake) => scalar(mistake, value, written),
            Self::TooMany(tries) => Explained::new(
                "too-many",
                format!(
                    "more than {tries} problems in {}; the rest of it was not looked at",
                    node(path)
                ),
                "mend those that are told of, then look again",
            ),
            Self::Other(text) => Explained::new(
                Mistake::TYPE,
                format!("{} cannot be read: {text}", node(path)),
                "see the schema of the file",
            ),
        }
    }
}

impl Explained {
    fn new(code: &'static str, message: String, help: impl Into<String>) -> Self {
        Self {
            code,
            message,
            label: None,
            help: help.into(),
        }
    }
}

/// Something else than what is wanted.
fn wrong_type(path: &[&str], value: Option<&Value>, written: &str, wanted: &str) -> Explained {
    let kind = Kind::of(value);
    let message = match kind {
        Kind::Nothing => format!("{} is empty", node(path)),
        _ => format!("{} is {}, not {wanted}", node(path), kind.found(written)),
    };
    Explained::new(Mistake::TYPE, message, kind.mend(wanted, written))
}

/// A number lost what was written (`1.10` is 1.1 to YAML), so the message is made again from that.
fn scalar(mistake: &Mistake, value: Option<&Value>, written: &str) -> Explained {
    let Mistake {
        code,
        message,
        help,
    } = match value {
        Some(Value::Number(_)) => Mistake::unquoted(written),
        _ => mistake.clone(),
    };
    Explained::new(code, message, help)
}

/// How to speak of the node at a path.
fn node(path: &[&str]) -> String {
    let is_number =
        |text: &&&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match path.iter().rev().find(|text| !is_number(text)) {
        None => "the file".into(),
        Some(name) if path.last() == Some(name) => quote(name),
        Some(name) => format!("an element of {}", quote(name)),
    }
}

/// The words in ticks.
fn ticked(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// The nearest of what is known, or all of it.
fn suggest(given: &str, known: &[String], else_say: &str) -> String {
    let near = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(given, candidate), candidate))
        .filter(|(distance, candidate)| is_near(*distance, candidate))
        .min_by_key(|(distance, _)| *distance);
    match near {
        Some((_, candidate)) => format!("did you mean `{candidate}`?"),
        None if known.is_empty() => "remove it".into(),
        None => format!("{else_say} `{}`", known.join("`, `")),
    }
}

/// Whether so many changes make a likely slip of the pen.
fn is_near(distance: usize, candidate: &str) -> bool {
    let length = candidate.chars().count();
    distance < length && distance <= 1 + length / 4
}

/// What serde expects, in words.
fn wanted(expected: &str) -> String {
    let words = match expected {
        "a boolean" => "`true` or `false`",
        "a string" => "text",
        "a sequence" => "a list",
        "f64" => "a number",
        "u16" => "a whole number up to 65535",
        "u32" | "u64" => "a whole number",
        "a tuple of size 2" => "a list of two",
        "string or map" | "a Value::Tag enum" => "a word",
        _ if expected.starts_with("struct ") => "a map",
        _ if expected.starts_with("enum ") => "a word",
        _ => expected,
    };
    words.into()
}

/// What was found.
enum Kind {
    Nothing,
    Truth,
    Number,
    Text,
    List,
    Map,
}

impl Kind {
    fn of(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Nothing,
            Some(Value::Bool(_)) => Self::Truth,
            Some(Value::Number(_)) => Self::Number,
            Some(Value::String(_) | Value::Tagged(_)) => Self::Text,
            Some(Value::Sequence(_)) => Self::List,
            Some(Value::Mapping(_)) => Self::Map,
        }
    }

    fn found(&self, written: &str) -> String {
        match self {
            Self::Nothing => "empty".into(),
            Self::Truth | Self::Number => quote(written),
            Self::Text => "text".into(),
            Self::List => "a list".into(),
            Self::Map => "a map".into(),
        }
    }

    fn mend(&self, wanted: &str, written: &str) -> String {
        const UNKNOWN: &str = "unknown";
        match (self, wanted) {
            (Self::Text, _) if is_near(strsim::damerau_levenshtein(written, UNKNOWN), UNKNOWN) => {
                "did you mean `unknown`?".into()
            }
            (Self::Nothing, "a map") => {
                "write `{}` where there is nothing to say, or remove the key".into()
            }
            (Self::Nothing, _) => "give it a value, or remove the key".into(),
            (Self::Truth | Self::Number, "text") => format!("put it in quotes: \"{written}\""),
            (Self::Truth | Self::Number | Self::Text, "a list") => {
                format!("write a list: [{}]", inline(written))
            }
            (Self::List, "text") => "write one text, without brackets".into(),
            (_, "a list") => "write a list: `- ` before each element".into(),
            (_, "a map") => "write a map: lines of `key: value`, indented".into(),
            (Self::Text, wanted) if wanted.contains("number") => {
                "write digits without quotes".into()
            }
            _ => format!("write {wanted}"),
        }
    }
}

/// A scalar that fits into a line of help.
fn inline(written: &str) -> &str {
    if written.contains('\n') || written.chars().count() > 40 {
        ".."
    } else {
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_wrote_does_not_mislead() {
        let known = |text: &str| match Problem::parse(text) {
            Problem::UnknownKey { known } => known,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            known("unknown field `a`, expected one of `b`, `c`"),
            ["b", "c"]
        );
        assert_eq!(
            known("unknown field `a`, expected `x`, expected `b` or `c`"),
            ["b", "c"]
        );
        assert_eq!(
            known("unknown field `a`, there are no fields"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_nearest_is_suggested() {
        let known = ["since".to_owned(), "summary".to_owned(), "in".to_owned()];
        assert_eq!(suggest("sinse", &known, ""), "did you mean `since`?");
        assert_eq!(suggest("snice", &known, ""), "did you mean `since`?");
        assert_eq!(
            suggest("xy", &known, "known here are"),
            "known here are `since`, `summary`, `in`"
        );
    }
}
