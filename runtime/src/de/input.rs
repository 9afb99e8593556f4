//! A JSON text while it is read: its tokens, and what was noted on the way.
//!
//! A value that is scanned and not kept, and the message of what is no JSON, are `serde_json`'s; so are numbers out of the ordinary. The walk
//! through objects, lists and text is here, because serde's is compiled anew for each type and this once for all.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, IgnoredAny};

use super::FromJson;
use super::fault::{Fault, Note, Noted};
use super::path::Step;
use crate::Json;

/// Deeper than any answer is nested, and shallow enough for the stack of any thread.
const DEEPEST: usize = 64;

/// A JSON text while it is read.
#[derive(Debug)]
pub struct Input<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    listening: bool,
    /// How well the value fits, where nothing else is asked.
    probe: Option<usize>,
    pub(super) notes: Vec<Note>,
}

/// A place in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    at: usize,
    depth: usize,
    pub(super) notes: usize,
}

/// Where an object or a list begins, or what stands there instead of it.
pub(super) enum Opened {
    Inside,
    Null,
    Other,
}

impl<'a> Input<'a> {
    pub(super) fn new(text: &'a str, listening: bool) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            listening,
            probe: None,
            notes: Vec::new(),
        }
    }

    /// How many of the next value's keys a type has as fields; 0 where it is another kind of value altogether.
    pub(crate) fn fit<T: FromJson>(&mut self) -> Result<usize, Fault> {
        let mark = self.mark();
        let mut probe = Input::new(self.skip()?, false);
        self.back(mark);
        probe.probe = Some(0);
        // The probe never gives a value; it looks at what the type asks for.
        let _ = T::blank().read(&mut probe);
        Ok(probe.probe.unwrap_or_default())
    }

    /// Whether nothing is read, and only asked how well it fits.
    pub(crate) fn is_probe(&self) -> bool {
        self.probe.is_some()
    }

    /// Answers what a probe asks.
    pub(crate) fn probed(&mut self, fit: usize) -> Fault {
        self.probe = Some(fit);
        Fault::SYNTAX
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The first byte of the next token.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(byte) if byte > b' ' => return Some(byte),
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                byte => return byte,
            }
        }
    }

    #[inline]
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.next() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let found = self.next() == word.first().copied()
            && self.text.as_bytes().get(self.at..self.at + word.len()) == Some(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Whether nothing follows.
    pub(crate) fn is_over(&mut self) -> bool {
        self.next().is_none()
    }

    pub(crate) fn null(&mut self) -> bool {
        self.word(b"null")
    }

    pub(crate) fn bool(&mut self) -> Option<bool> {
        if self.word(b"true") {
            Some(true)
        } else {
            self.word(b"false").then_some(false)
        }
    }

    /// The text of a number.
    pub(crate) fn number(&mut self) -> Option<&'a str> {
        if !matches!(self.next(), Some(b'-' | b'0'..=b'9')) {
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

    /// A string without escapes; `None`, and nothing done, where something else stands.
    #[inline]
    pub(super) fn plain_string(&mut self) -> Option<&'a str> {
        if self.next() != Some(b'"') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let end = start + plain(bytes.get(start..)?);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        self.text.get(start..end)
    }

    /// A string; `None` where something else stands.
    pub(crate) fn string(&mut self) -> Result<Option<Cow<'a, str>>, Fault> {
        if let Some(text) = self.plain_string() {
            return Ok(Some(text.into()));
        }
        if !self.take(b'"') {
            return Ok(None);
        }
        self.string_with_escapes().map(|text| Some(text.into()))
    }

    /// The rest of a string that has escapes.
    fn string_with_escapes(&mut self) -> Result<String, Fault> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            at += plain(bytes.get(at..).unwrap_or_default());
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                _ => return Err(Fault::SYNTAX),
            }
        }
        let text = self.text.get(self.at..at).and_then(unescape);
        self.at = at + 1;
        text.ok_or(Fault::SYNTAX)
    }

    fn open(&mut self, start: u8) -> Result<Opened, Fault> {
        if self.next() == Some(start) {
            if self.depth == DEEPEST {
                return Err(Fault::new(format!(
                    "it is nested more than {DEEPEST} levels deep"
                )));
            }
            self.at += 1;
            self.depth += 1;
            return Ok(Opened::Inside);
        }
        Ok(if self.null() {
            Opened::Null
        } else {
            Opened::Other
        })
    }

    /// Goes into an object.
    pub(super) fn open_object(&mut self) -> Result<Opened, Fault> {
        self.open(b'{')
    }

    /// Goes into a list.
    pub(super) fn open_list(&mut self) -> Result<Opened, Fault> {
        self.open(b'[')
    }

    /// Goes on to the next element of what was opened; false at its end.
    #[inline]
    fn element(&mut self, end: u8, is_first: bool) -> Result<bool, Fault> {
        match self.next() {
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

    /// Goes on to the next element of a list.
    pub(super) fn next_element(&mut self, is_first: bool) -> Result<bool, Fault> {
        self.element(b']', is_first)
    }

    /// The next key of an object.
    pub(super) fn next_key(&mut self, is_first: bool) -> Result<Option<Cow<'a, str>>, Fault> {
        if !self.element(b'}', is_first)? {
            return Ok(None);
        }
        let key = match self.plain_string() {
            Some(key) => Some(key.into()),
            None => self.string()?,
        };
        if key.is_none() || !self.take(b':') {
            return Err(Fault::SYNTAX);
        }
        Ok(key)
    }

    /// Goes past a value; its text.
    pub(crate) fn skip(&mut self) -> Result<&'a str, Fault> {
        self.next();
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

    /// Goes past a value and gives it.
    pub(crate) fn tree(&mut self) -> Result<Json, Fault> {
        serde_json::from_str(self.skip()?).map_err(|error| {
            let message = error.to_string();
            // Of what can be skipped only this may be JSON: the rest is half a surrogate.
            match message.split_once(" at line ") {
                Some((limit @ "recursion limit exceeded", _)) => Fault::new(limit.to_owned()),
                _ => Fault::SYNTAX,
            }
        })
    }

    /// Says that the next value is another than what is wanted.
    pub(crate) fn unexpected(&mut self, wanted: &str) -> Fault {
        let wanted: &dyn serde::de::Expected = &wanted;
        self.wrong(|value| {
            let error = <serde_json::Error as serde::de::Error>::invalid_type(kind(value), wanted);
            error.to_string()
        })
    }

    /// Says why the next value is no `T`.
    pub(crate) fn misfit<T: DeserializeOwned>(&mut self) -> Fault {
        self.wrong(|value| match T::deserialize(value) {
            Ok(_) => "it cannot be read".to_owned(),
            Err(error) => error.to_string(),
        })
    }

    fn wrong(&mut self, tell: impl FnOnce(&Json) -> String) -> Fault {
        let mark = self.mark();
        let fault = match self.tree() {
            Ok(value) => Fault::new(tell(&value)),
            Err(fault) => fault,
        };
        self.back(mark);
        fault
    }

    /// Goes past the value of a key that nothing is read into; notes it where somebody listens.
    pub(super) fn unknown(&mut self, key: &str) -> Result<(), Fault> {
        let text = self.skip()?;
        if self.listening {
            let value = serde_json::from_str(text).unwrap_or_default();
            let mut note = Note::new(Noted::Unknown, value);
            note.path.push(key.to_owned().into());
            self.notes.push(note);
        }
        Ok(())
    }

    /// Sets an element of a list aside that could not be read, and goes past it. What is no JSON remains a fault.
    pub(super) fn refuse(&mut self, mark: Mark, fault: Fault) -> Result<(), Fault> {
        let Some((path, message)) = fault.into_parts() else {
            return Err(Fault::SYNTAX);
        };
        self.back(mark);
        // What is nested deeper than a tree may be is not shown.
        let value = serde_json::from_str(self.skip()?).unwrap_or_default();
        let mut note = Note::new(Noted::Refused(message), value);
        note.path = path;
        self.notes.push(note);
        Ok(())
    }

    /// Remembers where it is.
    pub(crate) fn mark(&mut self) -> Mark {
        self.next();
        Mark {
            at: self.at,
            depth: self.depth,
            notes: self.notes.len(),
        }
    }

    /// Goes back, and forgets what was noted since.
    pub(crate) fn back(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
        self.notes.truncate(mark.notes);
    }

    /// Tells the notes since then that they lie behind a step.
    #[inline]
    pub(super) fn came_through<S: Into<Step> + Clone>(&mut self, since: usize, step: &S) {
        if self.notes.len() == since {
            return;
        }
        for note in self.notes.iter_mut().skip(since) {
            note.path.push(step.clone().into());
        }
    }

    /// Reads another text in the place of this one's next value.
    pub(crate) fn instead(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut Input<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut other = Input::new(text, self.listening);
        other.depth = self.depth;
        read(&mut other)?;
        self.notes.append(&mut other.notes);
        Ok(())
    }
}

fn kind(value: &Json) -> serde::de::Unexpected<'_> {
    use serde::de::Unexpected;
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

/// How many bytes stand before the next quotation mark, backslash or control character, looked for eight at a time.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    // The highest bit of each byte that is 0; of bytes above one that is, perhaps too.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, _) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let marks = zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5c));
        let found = (controls | marks) & HIGH;
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let before = words.len() * 8;
    let rest = bytes.get(before..).unwrap_or_default();
    let found = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    before + found.unwrap_or(rest.len())
}

/// A string without its escapes; `None` where one is none.
fn unescape(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(rest.get(..at)?);
        let (escape, length) = escaped(rest.get(at + 1..)?)?;
        text.push(escape);
        rest = rest.get(at + 1 + length..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// The character that an escape stands for, and how long the escape is behind its backslash.
fn escaped(rest: &str) -> Option<(char, usize)> {
    let escape = match rest.bytes().next()? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        byte @ (b'"' | b'\\' | b'/') => char::from(byte),
        b'u' => {
            let first = hex(rest.get(1..5)?)?;
            let Some(low) = (0xd800..0xdc00).contains(&first).then(|| rest.get(5..)) else {
                return Some((char::from_u32(first)?, 5));
            };
            let second = hex(low?.strip_prefix("\\u")?.get(..4)?)?;
            let second = second
                .checked_sub(0xdc00)
                .filter(|second| *second < 0x400)?;
            return Some((
                char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second)?,
                11,
            ));
        }
        _ => return None,
    };
    Some((escape, 1))
}

fn hex(digits: &str) -> Option<u32> {
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok())?
}
