//! The text of an error, alone or with the release that began to say it.

use serde::{Deserialize, Serialize};

use crate::text::WordOr;
use crate::{ErrorText, StableVersion};

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Whole {
    /// The text, in English.
    text: String,
    /// The first release that says it, where others before it answer the status too.
    since: StableVersion,
}

/// A text alone, or with its release.
pub(crate) type Short = WordOr<String, Whole>;

impl From<Short> for ErrorText {
    fn from(short: Short) -> Self {
        match short {
            WordOr::Word(text) => Self { text, since: None },
            WordOr::Map(Whole { text, since }) => Self { text, since: Some(since) },
        }
    }
}

impl From<ErrorText> for Short {
    fn from(ErrorText { text, since }: ErrorText) -> Self {
        match since {
            None => Self::Word(text),
            Some(since) => Self::Map(Whole { text, since }),
        }
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
