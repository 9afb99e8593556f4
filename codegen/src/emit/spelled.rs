//! Texts in the rows of the item table.

use std::borrow::Cow;

use serde_json::Value as Json;

/// A text, or the JSON string of one that would not be read back as it is.
pub(super) fn spelled(text: &str) -> Cow<'_, str> {
    let is_plain = !text.is_empty() && !text.starts_with('"') && !text.contains(char::is_control);
    if is_plain && text.trim() == text {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Json::from(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn a_text_that_would_be_misread_is_a_json_string() {
        for plain in ["source[privacy]", "a: b", "urn:x", "it's \"so\""] {
            assert_eq!(spelled(plain), plain);
        }
        for (text, json) in
            [("", r#""""#), (" a", r#"" a""#), ("a\nb", r#""a\nb""#), ("\"a\"", r#""\"a\"""#)]
        {
            assert_eq!(spelled(text), json);
        }
    }
}
