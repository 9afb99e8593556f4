//! The JSON text that is being read: a cursor over its tokens, and the notes taken so far.
//!
//! The walk through objects, lists, strings and small integers is written here, because serde's is compiled anew for each type and this one once. The
//! rest is left to `serde_json`: values that are skipped or kept as a tree, surrogate pairs, numbers that are not small integers, and every mistake.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny, Unexpected};

use super::FromJson;
use super::budget;
use super::fault::{Fault, Note, NoteKind};
use super::path::Step;
use crate::{Json, Key};

/// How many objects and lists may be nested: more than any answer of the API has, and few enough for the 2 MiB stack of a spawned thread.
const MAX_DEPTH: usize = 64;

/// The JSON text that is being read.
#[derive(Debug)]
pub struct Input<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    collects: Collects,
    /// Set while a value is only scored: how well it fits the type. See [`Input::score`].
    score: Option<usize>,
    pub(super) notes: Vec<Note>,
    /// The number of elements that were set aside; the first ones have notes.
    pub(super) refused: usize,
    /// The order of the keys of each table, by its address: objects of one kind in one body are written in one order.
    orders: Vec<(usize, Vec<usize>)>,
    /// The memory that lists, maps, boxes and trees may still take, in bytes.
    left: u64,
    /// There was not enough of it.
    pub(super) is_too_large: bool,
}

/// The number of refused elements that are kept: a body of nothing else would take many times its length.
pub(super) const MOST_REFUSED: usize = 16;
/// The longest text of a refused element whose value is kept.
const LONGEST_REFUSED: usize = 64 * 1024;

/// The notes that the caller wants besides the values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Collects {
    /// Keys that no field takes.
    pub(super) unknown: bool,
    /// Keys of fields that an object lacks.
    pub(super) absent: bool,
}

/// A state of the input to return to: a place in the text, and how many notes had been taken by then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    at: usize,
    depth: usize,
    pub(super) notes: usize,
    refused: usize,
    left: u64,
}

impl<'a> Input<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::collecting(text, Collects::default())
    }

    /// Notes what is collected besides what does not fit.
    pub(super) fn collecting(text: &'a str, collects: Collects) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            collects,
            score: None,
            notes: Vec::new(),
            refused: 0,
            orders: Vec::new(),
            left: budget::limit(),
            is_too_large: false,
        }
    }

    /// How well the next value fits a type: for an object the number of its keys that the type has as fields, 0 for another kind of value.
    pub(crate) fn score<T: FromJson>(&mut self) -> Result<usize, Fault> {
        let mark = self.mark();
        let mut value = Input::new(self.skip()?);
        self.rewind(mark);
        value.score = Some(0);
        // The type sets the score and fails; a type that has no score of its own leaves it at 0. Either way nothing is kept.
        let _ = T::blank().read(&mut value);
        Ok(value.score.unwrap_or_default())
    }

    /// Whether the value is only scored and not read.
    pub(crate) fn is_scored(&self) -> bool {
        self.score.is_some()
    }

    /// Sets the score, and gives the fault that ends the reading.
    pub(crate) fn end_score(&mut self, score: usize) -> Fault {
        self.score = Some(score);
        Fault::SYNTAX
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks, and looks at the first byte of the next token.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(byte) if byte > b' ' => return Some(byte),
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                byte => return byte,
            }
        }
    }

    #[inline]
    fn consume(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn keyword(&mut self, word: &[u8]) -> bool {
        self.peek() == word.first().copied() && self.literal(word)
    }

    /// Goes past these bytes if they come next, without a blank before them.
    #[inline]
    fn literal(&mut self, wanted: &[u8]) -> bool {
        let found = self.text.as_bytes().get(self.at..self.at + wanted.len()) == Some(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Whether only blanks follow.
    pub(crate) fn is_over(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether the next value is null.
    #[inline]
    pub(super) fn is_null(&mut self) -> bool {
        self.peek() == Some(b'n')
    }

    /// Goes past null; false where the next value is something else.
    pub(crate) fn null(&mut self) -> bool {
        self.keyword(b"null")
    }

    /// Goes past an empty string; false where the next value is something else.
    pub(crate) fn empty_string(&mut self) -> bool {
        self.keyword(b"\"\"")
    }

    /// Reads a boolean; `None` where the next value is something else.
    pub(crate) fn bool(&mut self) -> Option<bool> {
        if self.keyword(b"true") { Some(true) } else { self.keyword(b"false").then_some(false) }
    }

    /// Goes past a number and gives its text, which may still be malformed; `None` where the next value is something else.
    pub(crate) fn number(&mut self) -> Option<&'a str> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return None;
        }
        let rest = self.rest();
        let end = rest
            .bytes()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        let number = rest.get(..end.unwrap_or(rest.len()))?;
        self.at += number.len();
        Some(number)
    }

    /// Reads a string without escapes; `None`, with nothing read, where the next value is something else.
    #[inline]
    pub(super) fn plain_string(&mut self) -> Option<&'a str> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let end = start + plain_length(bytes.get(start..)?);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        self.text.get(start..end)
    }

    /// Reads a string; `None`, with nothing read, where the next value is something else.
    pub(crate) fn string(&mut self) -> Result<Option<Cow<'a, str>>, Fault> {
        if let Some(text) = self.plain_string() {
            return Ok(Some(text.into()));
        }
        if self.peek() != Some(b'"') {
            return Ok(None);
        }
        let text = match self.string_with_escapes() {
            Some(text) => text,
            None => self.decode()?,
        };
        Ok(Some(text.into()))
    }

    /// Reads a string with common escapes; `None`, with nothing read, where there is another escape or a mistake. `serde_json` decides about those.
    fn string_with_escapes(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        let mut text = String::with_capacity(raw_length(bytes.get(at..)?));
        loop {
            let length = plain_length(bytes.get(at..)?);
            text.push_str(self.text.get(at..at + length)?);
            at += length;
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => {
                    let (character, length) = common_escape(bytes.get(at + 1..)?)?;
                    text.push(character);
                    at += 1 + length;
                }
                _ => return None,
            }
        }
        self.at = at + 1;
        Some(text)
    }

    fn open(&mut self, start: u8) -> Result<bool, Fault> {
        if self.peek() != Some(start) {
            return Ok(false);
        }
        if self.depth >= MAX_DEPTH {
            return Err(Fault::new(format!("it is nested more than {MAX_DEPTH} levels deep")));
        }
        self.at += 1;
        self.depth += 1;
        Ok(true)
    }

    /// Moves into an object.
    pub(crate) fn open_object(&mut self) -> Result<(), Fault> {
        if self.open(b'{')? { Ok(()) } else { Err(self.unexpected("an object")) }
    }

    /// Moves into a list; false where the next value is null, which it goes past.
    pub(super) fn open_list(&mut self) -> Result<bool, Fault> {
        if self.open(b'[')? {
            Ok(true)
        } else if self.null() {
            Ok(false)
        } else {
            Err(self.unexpected("a list"))
        }
    }

    /// Moves to the next element of the object or list, or past its end; whether there is an element.
    #[inline]
    fn element(&mut self, end: u8, is_first: bool) -> Result<bool, Fault> {
        match self.peek() {
            Some(b',') if !is_first => self.at += 1,
            Some(byte) if byte == end => {
                self.at += 1;
                self.depth -= 1;
                return Ok(false);
            }
            Some(_) if is_first => {}
            _ => return Err(Fault::SYNTAX),
        }
        Ok(true)
    }

    /// Moves to the next element of a list, or past its end; whether there is an element.
    pub(super) fn next_element(&mut self, is_first: bool) -> Result<bool, Fault> {
        self.element(b']', is_first)
    }

    /// The next key of an object.
    pub(crate) fn next_key(&mut self, is_first: bool) -> Result<Option<Cow<'a, str>>, Fault> {
        if !self.element(b'}', is_first)? {
            return Ok(None);
        }
        let key = match self.plain_string() {
            Some(key) => Some(key.into()),
            None => self.string()?,
        };
        if key.is_none() || !self.consume(b':') {
            return Err(Fault::SYNTAX);
        }
        Ok(key)
    }

    /// Goes past a value and gives its text.
    pub(crate) fn skip(&mut self) -> Result<&'a str, Fault> {
        self.peek();
        let rest = self.rest();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let value = rest.get(..values.byte_offset()).unwrap_or_default();
                self.at += value.len();
                Ok(value)
            }
            _ => Err(Fault::SYNTAX),
        }
    }

    /// Reads the next value as a tree.
    pub(crate) fn tree(&mut self) -> Result<Json, Fault> {
        let mark = self.mark();
        let text = self.skip()?;
        let taken = text.bytes().map(|byte| match byte {
            // Text is counted as structure too, as far as it looks like it.
            b'{' => budget::NODE,
            b',' | b'[' => budget::GROWTH * size_of::<Json>(),
            _ => 0,
        });
        let taken = taken.sum();
        self.rewind(mark);
        self.take(taken)?;
        self.decode()
    }

    /// Reads the next value by way of `serde_json`.
    ///
    /// Some values are JSON by its grammar and still stand for nothing: half a surrogate pair, a number out of range, a tree that is nested deeper than
    /// `serde_json` goes. They do not fit, like a value of another kind, so that they cost a list one element.
    pub(crate) fn decode<T: DeserializeOwned>(&mut self) -> Result<T, Fault> {
        self.peek();
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter::<T>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => {
                self.skip()?;
                Err(Fault::new(without_position(&error)))
            }
            None => Err(Fault::SYNTAX),
        }
    }

    /// The fault that the next value is not what is wanted.
    pub(crate) fn unexpected(&mut self, wanted: &str) -> Fault {
        let invalid = |found: Unexpected<'_>| {
            Fault::new(serde_json::Error::invalid_type(found, &wanted).to_string())
        };
        let mark = self.mark();
        // The tree of a long list would take many times its length.
        let long = self.skip().ok().filter(|text| text.len() > LONGEST_REFUSED);
        let long = long.and_then(|text| match text.as_bytes().first() {
            Some(b'[') => Some(Unexpected::Seq),
            Some(b'{') => Some(Unexpected::Map),
            _ => None,
        });
        self.rewind(mark);
        let fault = match long {
            Some(found) => invalid(found),
            None => match self.tree() {
                Ok(value) => invalid(as_unexpected(&value)),
                Err(fault) => fault,
            },
        };
        self.rewind(mark);
        fault
    }

    /// Notes that the object lacks a key, where absent keys are collected.
    pub(super) fn note_absent(&mut self, key: &'static str) {
        if self.collects.absent {
            let mut note = Note::new(NoteKind::Absent, Json::Null);
            note.path.push(key.into());
            self.notes.push(note);
        }
    }

    /// Goes past the value of a key that no field takes, and notes it where unknown fields are collected.
    pub(super) fn skip_unknown(&mut self, key: &str) -> Result<(), Fault> {
        let text = self.skip()?;
        if self.collects.unknown {
            let value = serde_json::from_str(text).unwrap_or_default();
            let mut note = Note::new(NoteKind::Unknown, value);
            note.path.push(key.to_owned().into());
            self.notes.push(note);
        }
        Ok(())
    }

    /// Goes past an element of a list or an optional part that did not fit, and notes it where it is one of the first. An element that is not JSON stays a fault, since it has no end.
    pub(super) fn set_aside(&mut self, mark: Mark, fault: Fault) -> Result<(), Fault> {
        let Some((path, message)) = fault.into_parts() else {
            return Err(Fault::SYNTAX);
        };
        self.rewind(mark);
        let text = self.skip()?;
        // A value that has no tree, such as one nested deeper than serde_json goes, is shown as null.
        let short = (text.len() <= LONGEST_REFUSED).then_some(text);
        let value = short.filter(|_| self.refused < MOST_REFUSED);
        let value = value.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        self.refuse(path, message, value);
        Ok(())
    }

    /// Notes a value that did not fit, where it is one of the first.
    pub(super) fn refuse(&mut self, path: Vec<Step>, message: String, value: Json) {
        self.refused += 1;
        if self.refused <= MOST_REFUSED {
            let kind = NoteKind::Refused(message);
            self.notes.push(Note { path, kind, value });
        }
    }

    /// The state to return to.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            depth: self.depth,
            notes: self.notes.len(),
            refused: self.refused,
            left: self.left,
        }
    }

    /// Returns to a state, and drops the notes taken since.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
        self.notes.truncate(mark.notes);
        self.refused = mark.refused;
        self.left = mark.left;
    }

    /// Counts memory before it is taken. A fault where there is no more ends the reading, also of a list.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        let left = self.left.checked_sub(bytes as u64);
        self.is_too_large |= left.is_none();
        self.left = left.ok_or(Fault::SYNTAX)?;
        Ok(())
    }

    /// Adds a step to the paths of the notes taken since there were `since`.
    #[inline]
    pub(super) fn add_step(&mut self, since: usize, step: impl Fn() -> Step) {
        for note in self.notes.iter_mut().skip(since) {
            note.path.push(step());
        }
    }

    /// Goes past a key, with the comma before it and the colon behind, where it is written without blanks and escapes, as servers write.
    #[inline]
    pub(super) fn key_is(&mut self, quoted: &str, is_first: bool) -> bool {
        self.literal(quoted.as_bytes().get(usize::from(is_first)..).unwrap_or_default())
    }

    /// The order in which an object of these keys came last: at each index the index of the key that came behind the one before, at 0 the first.
    pub(super) fn take_order(&mut self, keys: &[Key]) -> Vec<usize> {
        let known = self.orders.iter_mut().find(|(of, _)| *of == keys.as_ptr().addr());
        let order = known.map(|(_, order)| std::mem::take(order)).filter(|order| !order.is_empty());
        order.unwrap_or_else(|| (0..=keys.len()).collect())
    }

    /// Keeps the order for the next object.
    pub(super) fn keep_order(&mut self, keys: &[Key], order: Vec<usize>) {
        let of = keys.as_ptr().addr();
        match self.orders.iter_mut().find(|(known, _)| *known == of) {
            Some((_, known)) => *known = order,
            None => self.orders.push((of, order)),
        }
    }
}

/// The message of an error alone: its line and column count from the value and not from the body.
fn without_position(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let mut message = error.to_string();
    if message.ends_with(&position) {
        message.truncate(message.len() - position.len());
    }
    message
}

fn as_unexpected(value: &Json) -> Unexpected<'_> {
    match value {
        Json::Null => Unexpected::Other("null"),
        Json::Bool(value) => Unexpected::Bool(*value),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Unexpected::Unsigned(number),
            (None, Some(number)) => Unexpected::Signed(number),
            (None, None) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Unexpected::Str(text),
        Json::Array(_) => Unexpected::Seq,
        Json::Object(_) => Unexpected::Map,
    }
}

/// The length of a string's text with its escapes, so that the decoded text is allocated once.
fn raw_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(rest) = bytes.get(length..) {
        length += plain_length(rest);
        match bytes.get(length) {
            Some(b'\\') => length += 2,
            _ => break,
        }
    }
    length
}

/// How many bytes precede the next quotation mark, backslash or control character, eight bytes at a time.
///
/// The words are searched as in <https://graphics.stanford.edu/~seander/bithacks.html#ValueInWord>.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // Sets the highest bit of each byte that is 0. The borrow may set it in bytes above such a one too, but only the lowest is looked at.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let marks = zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5c));
        let found = (controls | marks) & HIGH;
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let before = bytes.len() - rest.len();
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    before + found.unwrap_or(rest.len())
}

/// The character of an escape, and the length of the escape after its backslash. `None` for surrogates and for what is no escape.
fn common_escape(rest: &[u8]) -> Option<(char, usize)> {
    let character = match rest.first()? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        byte @ (b'"' | b'\\' | b'/') => char::from(*byte),
        b'u' => {
            let digit = |code, byte: &u8| Some(code * 16 + char::from(*byte).to_digit(16)?);
            let code = rest.get(1..5)?.iter().try_fold(0, digit)?;
            return Some((char::from_u32(code)?, 5));
        }
        _ => return None,
    };
    Some((character, 1))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// `serde_json` would read these just as well, but not as fast.
    #[test]
    fn common_strings_are_read_here() {
        assert_eq!(Input::new("\"a b\"").plain_string(), Some("a b"), "without escapes");
        let mut input = Input::new(r#""a\"\\\/\b\f\n\r\t\u0041\u00e9z""#);
        let text = input.string_with_escapes();
        assert_eq!(text.as_deref(), Some("a\"\\/\u{8}\u{c}\n\r\tAéz"));
        assert!(input.is_over());

        let mut pair = Input::new(r#""\ud83d\ude00""#);
        assert_eq!((pair.string_with_escapes(), pair.at), (None, 0));
        assert_eq!(pair.string().expect("a string").as_deref(), Some("😀"));
    }

    #[test]
    fn a_string_is_as_long_as_it_is_written() {
        for (rest, length) in [
            (r#"" and more"#, 0),
            (r#"ab" and more"#, 2),
            (r#"\u0041\"b\\" and more"#, 11),
            ("no end", 6),
            ("ab\\", 4),
        ] {
            assert_eq!(raw_length(rest.as_bytes()), length, "{rest}");
        }
    }

    proptest! {
        #[test]
        fn plain_bytes_are_counted(plain in vec(prop_oneof![0x20..0x22_u8, 0x23..0x5c_u8, 0x5d..=0xff_u8], 0..40), rest in vec(any::<u8>(), 0..20)) {
            let bytes = [plain, rest].concat();
            let end = bytes.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'));
            prop_assert_eq!(plain_length(&bytes), end.unwrap_or(bytes.len()));
        }
    }
}
