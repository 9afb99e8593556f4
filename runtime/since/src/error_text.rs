//! The text of an error, alone or with the release that began to say it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::WordOr;
use crate::{ErrorText, StableVersion};

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Whole {
    /// The text, in English.
    text: String,
    /// The first release that says it, where others before it answer the status too.
    since: StableVersion,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ErrorText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorText".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let [text, whole] =
            [generator.subschema_for::<String>(), generator.subschema_for::<Whole>()];
        schemars::json_schema!({"description": "The text of an error, and since when.", "anyOf": [text, whole]})
    }
}

impl Serialize for ErrorText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.text, self.since) {
            (text, None) => text.serialize(serializer),
            (text, Some(since)) => Whole { text: text.clone(), since }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ErrorText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WordOr::<String, Whole>::deserialize(deserializer)? {
            WordOr::Word(text) => Self { text, since: None },
            WordOr::Map(Whole { text, since }) => Self { text, since: Some(since) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_alone_or_with_its_release() {
        for written in [r#""Not Found""#, r#"{"text":"Not Found","since":"0.3.5"}"#] {
            let read: ErrorText = serde_json::from_str(written).expect(written);
            assert_eq!(serde_json::to_string(&read).expect("JSON"), written);
        }
        assert!(serde_json::from_str::<ErrorText>(r#"{"text": "Not Found"}"#).is_err());
    }
}
