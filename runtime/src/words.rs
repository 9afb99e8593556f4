//! Texts with words that a server may understand.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::OpenEnum;
use crate::param::{Expected, FromParam, Given, ToParam, Value};

/// A text of a request, and which of its words are operators that a server has to understand, such as `has:media` in a search.
///
/// A plain text becomes one as it is, and no word of it is held to what the server has: it is a person's. Of a group of operations whose
/// texts have operators, `Query` writes them. On a server a request has the text alone, which it is read as.
///
/// ```
/// use fedispec_runtime::{self as rt, Words};
///
/// #[derive(Debug, Clone, PartialEq, Eq, Hash)]
/// pub enum Operator {
///     HasMedia,
///     From,
///     Unrecognized(Box<str>),
/// }
/// rt::open_enum!(Operator { HasMedia = "has:media", From = "from" });
///
/// let text = Words::from("cats").word(Operator::HasMedia).with(Operator::From, &"mona");
/// assert_eq!(&*text, "cats has:media from:mona");
/// ```
pub struct Words<T> {
    text: String,
    operators: Vec<T>,
    /// The text ends with a sign, which belongs to the next word.
    is_signed: bool,
}

impl<T> Words<T> {
    /// The text as it goes over the wire.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl<T: OpenEnum> Words<T> {
    /// Adds a word that is an operator.
    #[must_use]
    pub fn word(mut self, operator: T) -> Self {
        self.push(operator.as_str());
        self.operators.push(operator);
        self
    }

    /// Adds an operator that is a sign before the next one, such as `-`.
    #[must_use]
    pub fn sign(self, operator: T) -> Self {
        let words = self.word(operator);
        Self { is_signed: true, ..words }
    }

    /// Adds an operator that takes a value. A value that is no word by itself, such as a time with colons, stands in quotation marks;
    /// quotation marks in it, which no server could tell from these, are left out.
    #[must_use]
    pub fn with(mut self, operator: T, value: &dyn fmt::Display) -> Self {
        let value = value.to_string().replace(QUOTATION_MARKS, "");
        let value = value.trim();
        // Without a value the marks are what keeps the operator from being read with the next word.
        let is_word = !value.is_empty() && !value.contains(|c: char| c == ':' || c.is_whitespace());
        let mark = if is_word { "" } else { "\"" };
        self.push(&format!("{}:{mark}{value}{mark}", operator.as_str()));
        self.operators.push(operator);
        self
    }

    fn push(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_signed) && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text += word;
    }
}

/// The characters that Mastodon takes for quotation marks.
const QUOTATION_MARKS: &[char] =
    &['"', '“', '”', '„', '«', '»', '「', '」', '『', '』', '《', '》'];

/// A text of which no word is held to what the server has.
impl<T, S: Into<String>> From<S> for Words<T> {
    fn from(text: S) -> Self {
        Self { text: text.into(), operators: Vec::new(), is_signed: false }
    }
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self::from("")
    }
}

impl<T: Clone> Clone for Words<T> {
    fn clone(&self) -> Self {
        let Self { text, operators, is_signed } = self;
        Self { text: text.clone(), operators: operators.clone(), is_signed: *is_signed }
    }
}

/// By the texts, which are all that goes over the wire.
impl<T> PartialEq for Words<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<T> Eq for Words<T> {}

impl<T> PartialEq<str> for Words<T> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl<T> PartialEq<&str> for Words<T> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl<T> Hash for Words<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<T> Deref for Words<T> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<T> AsRef<str> for Words<T> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<T> fmt::Debug for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<T> fmt::Display for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl<T: OpenEnum> ToParam for Words<T> {
    fn to_param(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(&self.text))
    }

    fn operators(&self) -> Vec<&str> {
        self.operators.iter().map(OpenEnum::as_str).collect()
    }
}

impl<T> FromParam for Words<T> {
    const EMPTY_IS_VALUE: bool = true;

    fn blank() -> Self {
        Self::default()
    }

    fn from_param(given: Given) -> Result<Self, Expected> {
        String::from_param(given).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use self::operator::Operator;
    use super::Words;
    use crate::param::ToParam;

    #[allow(unreachable_pub, reason = "the macro makes what generated crates offer")]
    mod operator {
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Operator {
            Before,
            HasMedia,
            Not,
            Unrecognized(Box<str>),
        }
        crate::open_enum!(Operator { Before = "before", HasMedia = "has:media", Not = "-" });
    }

    #[test]
    fn values_are_written_as_parsers_read_them() {
        for (value, written) in [
            ("mona", "before:mona"),
            ("@mona@social.example", "before:@mona@social.example"),
            ("2024-05-01T12:00:00Z", "before:\"2024-05-01T12:00:00Z\""),
            ("two words", "before:\"two words\""),
            (" mona ", "before:mona"),
            ("en from:me", "before:\"en from:me\""),
            ("a\" from:me", "before:\"a from:me\""),
            ("“a”", "before:a"),
            ("", "before:\"\""),
        ] {
            let text = Words::default().with(Operator::Before, &value);
            assert_eq!(text, written);
        }
    }

    #[test]
    fn a_sign_belongs_to_the_next_operator() {
        let text = Words::from("cats").sign(Operator::Not).with(Operator::Before, &"mona");
        let text = text.word(Operator::HasMedia).sign(Operator::Not).word(Operator::HasMedia);
        assert_eq!(text, "cats -before:mona has:media -has:media");
        assert_eq!(text.operators(), ["-", "before", "has:media", "-", "has:media"]);
    }

    #[test]
    fn only_what_was_added_is_an_operator() {
        let text: Words<Operator> = "note: has:media before:x".into();
        assert!(text.operators().is_empty());
        let text = text.word(Operator::HasMedia).word(Operator::custom("has:cats"));
        assert_eq!(text, "note: has:media before:x has:media has:cats");
        assert_eq!(text.operators(), ["has:media", "has:cats"]);
    }
}
