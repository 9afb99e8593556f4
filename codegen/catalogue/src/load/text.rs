//! Checks of a file's text: encoding, line ends and characters.

use std::ops::Range;

use saphyr_parser::Span;

/// From numbers of characters, in which the YAML parser counts, to bytes.
#[derive(Debug)]
pub(super) struct Bytes {
    /// For each character of several bytes, the number of the next character, and how many bytes the text is longer
    /// than it has characters up to there.
    wide: Vec<(u32, u32)>,
    length: usize,
}

impl Bytes {
    pub(super) fn new(text: &str) -> Self {
        let mut extra = 0;
        let mut wide = Vec::new();
        if !text.is_ascii() {
            for (number, character) in (1u32..).zip(text.chars()) {
                let more = character.len_utf8() - 1;
                if more > 0 {
                    extra += u32::try_from(more).unwrap_or_default();
                    wide.push((number, extra));
                }
            }
        }
        Self { wide, length: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        let before = self.wide.partition_point(|(number, _)| *number as usize <= character);
        let extra = before.checked_sub(1).map_or(0, |last| self.wide[last].1 as usize);
        (character + extra).min(self.length)
    }

    /// The bytes of a span.
    pub(super) fn range(&self, span: &Span) -> Range<usize> {
        let start = self.byte(span.start.index());
        start..self.byte(span.end.index()).max(start)
    }
}

/// A text of a user's in a message.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
        None => format!("`{text}`"),
    }
}

/// Finds the characters that a catalogue must not hold: those that a terminal obeys, that turn the order of a line about, or that
/// parsers and editors disagree on.
pub(super) fn forbidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    // Most files need no look at their characters.
    let harmless = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let start = text.bytes().position(|byte| !harmless(byte)).unwrap_or(text.len());
    let bytes = text.as_bytes();
    text[start..].char_indices().map(move |(at, character)| (start + at, character)).filter(
        move |&(at, character)| {
            is_forbidden(character) && !(character == '\r' && bytes.get(at + 1) == Some(&b'\n'))
        },
    )
}

/// The text with something harmless of the same length in the place of what is forbidden.
pub(super) fn without_forbidden(text: &str) -> String {
    let found = forbidden(text);
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for (at, character) in found {
        clean.push_str(&text[done..at]);
        // One character for one, so that positions are never inside a character of the original.
        clean.push(match character.len_utf8() {
            // A lone CR ends a line to YAML.
            1 if character == '\r' => '\n',
            1 => '_',
            2 => '·',
            _ => '…',
        });
        done = at + character.len_utf8();
    }
    clean.push_str(&text[done..]);
    clean
}

/// Names forbidden characters in messages: the first one, and how many follow.
pub(super) fn name_forbidden(first: char, more: usize) -> String {
    let number = u32::from(first);
    let more = match more {
        0 => String::new(),
        more => format!(", and {more} more like it"),
    };
    format!("the invisible character U+{number:04X}{more}")
}

/// The mend of a forbidden character.
pub(super) fn mend_forbidden(character: char) -> String {
    let number = u32::from(character);
    format!("remove it; to speak of it, write `U+{number:04X}`")
}

/// Whether a catalogue must not hold a character, neither as it is nor behind an escape.
pub(super) fn is_forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' => false,
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fffe}'
        | '\u{ffff}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use saphyr_parser::Marker;

    use super::*;

    #[test]
    fn characters_become_bytes() {
        let text = "aß日b𝄞c";
        let bytes = Bytes::new(text);
        for (number, (byte, _)) in text.char_indices().enumerate() {
            let mark = Marker::new(number, 1, number);
            assert_eq!(bytes.range(&Span::empty(mark)), byte..byte, "character {number}");
        }
        assert_eq!(bytes.range(&Span::empty(Marker::new(99, 1, 0))), text.len()..text.len());
    }

    #[test]
    fn what_is_replaced_keeps_its_length() {
        assert_eq!(without_forbidden("a\u{1b}b\u{9b}\rc\u{feff}"), "a_b·\nc…");
    }

    #[test]
    fn crlf_is_allowed_and_a_lone_cr_is_not() {
        let found = |text| forbidden(text).map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(found("a\r\n\tb\rc\u{1b}[m\u{9b}"), [5, 7, 10]);
        assert_eq!(found("a\r"), [1]);
        assert_eq!(found("a\u{61c}b\u{200f}"), [1, 4]);
        assert_eq!(found("ß日\u{202e}"), [5]);
    }
}
