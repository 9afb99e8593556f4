//! The meaning of a scalar without quotes, as `serde_yaml` reads it. No other module uses `serde_yaml`.

use std::borrow::Cow;

use serde_yaml::Value;

use crate::source::tree::Scalar;

/// Types a scalar that is written without quotes.
pub(super) fn plain(text: Cow<'_, str>) -> Scalar {
    not_text(&text).unwrap_or_else(|| Scalar::Text(text.into_owned()))
}

/// Types a scalar that is written without quotes and is no text.
pub(super) fn not_text(text: &str) -> Option<Scalar> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(Scalar::Null),
        "true" => return Some(Scalar::Bool(true)),
        "false" => return Some(Scalar::Bool(false)),
        _ => {}
    }
    // Nothing else can be a number or a truth value, and asking the reader for every word costs too much.
    let suspicious = text.starts_with(['+', '-', '.'])
        || text.starts_with(|c: char| c.is_ascii_digit())
        || ["true", "false"].iter().any(|truth| text.eq_ignore_ascii_case(truth));
    suspicious.then(|| number_or_truth(text)).flatten()
}

fn number_or_truth(text: &str) -> Option<Scalar> {
    match serde_yaml::from_str(text).ok()? {
        Value::Bool(truth) => Some(Scalar::Bool(truth)),
        Value::Number(number) => number
            .as_i64()
            .map(Scalar::Integer)
            .or_else(|| number.as_u64().map(Scalar::Unsigned))
            .or_else(|| number.as_f64().map(Scalar::Float)),
        // `---` ends a document where it stands alone, and is text where it is a value.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers() {
        for text in [
            "a", "null-ish", "n", "no", "1a", "4.3.0", "true.", "@1x", "-x", "truex", "0.0.", "<<",
            "---", "- x", "012",
        ] {
            assert_eq!(plain(text.into()), Scalar::Text(text.into()), "{text}");
        }
        for text in ["", "~", "null", "NULL"] {
            assert_eq!(plain(text.into()), Scalar::Null, "{text}");
        }
        for text in ["True", "FALSE", "true", "false"] {
            assert!(matches!(plain(text.into()), Scalar::Bool(_)), "{text}");
        }
        for text in ["12", "-1", "+1", "0x1f"] {
            assert!(matches!(plain(text.into()), Scalar::Integer(_)), "{text}");
        }
        for text in ["4.3", ".5", "1e3", ".inf"] {
            assert!(matches!(plain(text.into()), Scalar::Float(_)), "{text}");
        }
        assert_eq!(plain("18446744073709551615".into()), Scalar::Unsigned(u64::MAX));
    }

    /// The reader decides by a whole document that is that word.
    #[test]
    fn the_shortcuts_agree_with_the_reader() {
        for text in [
            "~", "null", "Null", "NULL", "true", "false", "TRUE", "False", "tRue", "nUll", "type",
            "word",
        ] {
            let said: Value = serde_yaml::from_str(text).expect("YAML");
            let expected = match said {
                Value::Null => Scalar::Null,
                Value::Bool(truth) => Scalar::Bool(truth),
                _ => Scalar::Text(text.into()),
            };
            assert_eq!(plain(text.into()), expected, "{text}");
        }
    }
}
