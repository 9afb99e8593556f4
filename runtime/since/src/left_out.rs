//! The effect of leaving a parameter out, as text.

use serde::{Deserialize, Serialize};

use crate::text::{OneOrMore, WordOr};
use crate::{Effect, LeftOut, SafeValues};

/// The map of a [`LeftOut`].
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Whole {
    /// How much is lost.
    effect: Effect,
    /// The effect, as a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    so: Option<String>,
    /// The values that mean the same as none.
    #[serde(default, skip_serializing_if = "SafeValues::is_empty")]
    safe: SafeValues,
}

/// A word where nothing else is said of it.
pub(crate) type Short = WordOr<Effect, Whole>;

impl From<Short> for LeftOut {
    fn from(short: Short) -> Self {
        match short {
            WordOr::Word(effect) => effect.into(),
            WordOr::Map(Whole { effect, so, safe }) => Self { effect, so, safe },
        }
    }
}

impl From<LeftOut> for Short {
    fn from(left_out: LeftOut) -> Self {
        if left_out == LeftOut::from(left_out.effect) {
            return Self::Word(left_out.effect);
        }
        let LeftOut { effect, so, safe } = left_out;
        Self::Map(Whole { effect, so, safe })
    }
}

impl From<OneOrMore<String>> for SafeValues {
    fn from(OneOrMore(values): OneOrMore<String>) -> Self {
        if values == ["any"] { Self::Any } else { Self::Only(values) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_word_or_a_map() {
        let read = serde_json::from_str::<LeftOut>;
        assert_eq!(read(r#""harmless""#).unwrap(), Effect::Harmless.into());
        let whole = r#"{"effect": "changes_meaning", "so": "it is posted", "safe": ["1", "2"]}"#;
        let whole = read(whole).unwrap();
        assert_eq!(whole.effect, Effect::ChangesMeaning);
        assert_eq!(whole.safe.listed(), ["1", "2"]);
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(read(&text).unwrap(), whole);
        for (safe, value, has) in
            [(r#""any""#, "x", true), (r#""1""#, "1", true), ("[]", "1", false)]
        {
            let safe: SafeValues = serde_json::from_str(safe).unwrap();
            assert_eq!(safe.has(value), has, "{safe:?}");
        }
        for wrong in
            [r#""deadly""#, r#"{"so": "x"}"#, r#"{"effect": "harmless", "safely": "x"}"#, "7"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
