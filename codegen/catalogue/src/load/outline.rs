//! Where everything stands in files that have been read before, so that they need not be taken apart again.
//!
//! A build script runs unoptimised, and there a YAML parser takes most of the time. An outline tells the kind and the
//! place of every node, and nothing else: what they say is taken from the text. It holds for exactly one text; any other
//! is parsed.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde_yaml::{Mapping, Value};

use super::{Catalogue, tree};
use crate::source::index::{Index, NodeId};

mod number;

/// The outlines of some files: a header and a line for each item, a file after the other.
///
/// ```text
/// fedispec-outline/1
/// = documents/polls.yaml 2210 4f1d0c9be2a3f7d1
/// ..numbers..
/// ```
#[derive(Debug, Default)]
pub(crate) struct Outlines<'o>(HashMap<&'o str, Outline<'o>>);

/// The outline of one file.
#[derive(Debug)]
struct Outline<'o> {
    length: usize,
    checksum: u64,
    numbers: &'o str,
}

/// How a node is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    List,
    /// What stands there is the text.
    Plain,
    /// What stands there is the text in quotes, without escapes.
    Quoted,
    True,
    False,
    /// Text that is told character by character, because of escapes or folded lines.
    Told,
    /// No text: YAML has to be asked what stands there.
    Other,
}

const KINDS: [Kind; 8] = [
    Kind::Map,
    Kind::List,
    Kind::Plain,
    Kind::Quoted,
    Kind::True,
    Kind::False,
    Kind::Told,
    Kind::Other,
];

/// How a header begins.
const HEADER: &str = "= ";
/// The first line: what another version of this crate writes is not for this one.
const FORM: &str = "fedispec-outline/1\n";

impl<'o> Outlines<'o> {
    /// Reads what [`write`] has written. What is no outline is left out, and costs no more than time.
    pub(crate) fn read(text: &'o str) -> Self {
        let files = text.strip_prefix(FORM).unwrap_or_default();
        let files = files.split(HEADER).filter_map(|file| {
            let (header, numbers) = file.split_once('\n')?;
            let (rest, checksum) = header.rsplit_once(' ')?;
            let (path, length) = rest.rsplit_once(' ')?;
            let outline = Outline {
                length: length.parse().ok()?,
                checksum: u64::from_str_radix(checksum, 16).ok()?,
                numbers,
            };
            Some((path, outline))
        });
        Self(files.collect())
    }
}

impl Outlines<'_> {
    /// What parsing a text would bring, where there is an outline of exactly that text.
    pub(super) fn take(&self, path: &str, text: &str) -> Option<(Index, Value)> {
        let outline = self.0.get(path)?;
        if outline.length != text.len() || outline.checksum != checksum(text) {
            return None;
        }
        let mut reader = Reader {
            text,
            numbers: outline.numbers.bytes(),
            cursor: 0,
            index: Index::default(),
        };
        let (_, value) = reader.node(None)?;
        Some((reader.index, value))
    }
}

/// The outlines of all files of a sound catalogue. A file with something that an outline cannot tell has none.
pub(crate) fn write(catalogue: &Catalogue) -> String {
    let sources = &catalogue.sources;
    let mut all = String::from(FORM);
    for file in sources.files() {
        let (path, text) = (sources.path(file), sources.text(file));
        let Some(outline) = sources.index(file).and_then(|index| of(text, index)) else {
            continue;
        };
        let _ = writeln!(
            all,
            "{HEADER}{path} {} {:016x}{outline}",
            text.len(),
            checksum(text)
        );
    }
    all
}

/// The outline of a text, held against the text itself.
fn of(text: &str, index: &Index) -> Option<String> {
    let value = tree::read(text).ok()?;
    let mut writer = Writer {
        text,
        index,
        cursor: 0,
        out: String::new(),
    };
    writer.node(index.root()?, &value, 0)?;
    Some(writer.out)
}

/// FNV-1a
fn checksum(text: &str) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    sum
}

/// A key without its quotes.
fn key(written: &str) -> &str {
    match written.as_bytes() {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => &written[1..written.len() - 1],
        _ => written,
    }
}

struct Writer<'a> {
    text: &'a str,
    index: &'a Index,
    /// Up to where the text has been told.
    cursor: usize,
    out: String,
}

impl Writer<'_> {
    fn node(&mut self, node: NodeId, value: &Value, depth: usize) -> Option<()> {
        // A line for each item, so that an edit shows where it is.
        if matches!(depth, 0 | 2) {
            self.out.push('\n');
        }
        let span = self.index.span(node);
        if let Some(key) = span.key {
            self.range(&key)?;
        }
        let kind = self.kind(&span.value, value);
        number::write(kind as usize, &mut self.out);
        match value {
            Value::Mapping(map) => {
                self.open(span.value.start, map.len())?;
                for (key, value) in map {
                    let child = self.index.child(node, key.as_str()?)?;
                    let written = self.index.span(child).key?;
                    if self::key(&self.text[written]) != key.as_str()? {
                        return None;
                    }
                    self.node(child, value, depth + 1)?;
                }
                self.move_to(span.value.end)
            }
            Value::Sequence(list) => {
                self.open(span.value.start, list.len())?;
                for (at, value) in list.iter().enumerate() {
                    let child = self.index.child(node, &at.to_string())?;
                    self.node(child, value, depth + 1)?;
                }
                self.move_to(span.value.end)
            }
            _ if kind == Kind::Other && other(&self.text[span.value.clone()])? != *value => None,
            Value::String(text) if kind == Kind::Told => {
                self.range(&span.value)?;
                number::write(text.chars().count(), &mut self.out);
                for character in text.chars() {
                    number::write(character as usize, &mut self.out);
                }
                Some(())
            }
            _ => self.range(&span.value),
        }
    }

    fn kind(&self, span: &Range<usize>, value: &Value) -> Kind {
        let written = &self.text[span.clone()];
        match value {
            Value::Mapping(_) => Kind::Map,
            Value::Sequence(_) => Kind::List,
            Value::Bool(true) => Kind::True,
            Value::Bool(false) => Kind::False,
            Value::String(text) if text == written => Kind::Plain,
            Value::String(text) if text == key(written) => Kind::Quoted,
            Value::String(_) => Kind::Told,
            _ => Kind::Other,
        }
    }

    fn open(&mut self, start: usize, length: usize) -> Option<()> {
        self.move_to(start)?;
        number::write(length, &mut self.out);
        Some(())
    }

    fn range(&mut self, range: &Range<usize>) -> Option<()> {
        self.move_to(range.start)?;
        self.move_to(range.end)
    }

    fn move_to(&mut self, place: usize) -> Option<()> {
        number::write(place.checked_sub(self.cursor)?, &mut self.out);
        self.cursor = place;
        Some(())
    }
}

struct Reader<'a> {
    text: &'a str,
    numbers: std::str::Bytes<'a>,
    cursor: usize,
    index: Index,
}

impl Reader<'_> {
    /// Reads a node, whose key has been read, and what is in it.
    fn node(&mut self, key: Option<Range<usize>>) -> Option<(NodeId, Value)> {
        let kind = *KINDS.get(number::read(&mut self.numbers)?)?;
        if !matches!(kind, Kind::Map | Kind::List) {
            let span = self.range()?;
            let value = self.scalar(kind, span.clone())?;
            return Some((self.index.add(key, span), value));
        }
        let start = self.place()?;
        let node = self.index.add(key, start..start);
        let length = number::read(&mut self.numbers)?;
        let value = if kind == Kind::Map {
            Value::Mapping(self.map(node, length)?)
        } else {
            Value::Sequence(self.list(node, length)?)
        };
        let end = self.place()?;
        self.index.close(node, end);
        Some((node, value))
    }

    fn map(&mut self, node: NodeId, length: usize) -> Option<Mapping> {
        let mut map = Mapping::with_capacity(length.min(self.text.len()));
        for _ in 0..length {
            let written = self.range()?;
            let key = key(self.text.get(written.clone())?);
            let (child, value) = self.node(Some(written))?;
            self.index.name(node, key, child).ok()?;
            map.insert(Value::String(key.into()), value);
        }
        Some(map)
    }

    fn list(&mut self, node: NodeId, length: usize) -> Option<Vec<Value>> {
        let mut list = Vec::with_capacity(length.min(self.text.len()));
        for at in 0..length {
            let (child, value) = self.node(None)?;
            self.index.name(node, &at.to_string(), child).ok()?;
            list.push(value);
        }
        Some(list)
    }

    fn scalar(&mut self, kind: Kind, span: Range<usize>) -> Option<Value> {
        let written = self.text.get(span)?;
        match kind {
            Kind::Plain => Some(Value::String(written.into())),
            Kind::Quoted => Some(Value::String(key(written).into())),
            Kind::True => Some(Value::Bool(true)),
            Kind::False => Some(Value::Bool(false)),
            Kind::Told => self.told().map(Value::String),
            _ => other(written),
        }
    }

    fn told(&mut self) -> Option<String> {
        let length = number::read(&mut self.numbers)?;
        let mut character = || {
            let number = number::read(&mut self.numbers)?;
            char::from_u32(u32::try_from(number).ok()?)
        };
        (0..length).map(|_| character()).collect()
    }

    fn range(&mut self) -> Option<Range<usize>> {
        Some(self.place()?..self.place()?)
    }

    /// The next place in the text.
    fn place(&mut self) -> Option<usize> {
        self.cursor = self.cursor.checked_add(number::read(&mut self.numbers)?)?;
        (self.cursor <= self.text.len()).then_some(self.cursor)
    }
}

/// What YAML takes a text for.
fn other(text: &str) -> Option<Value> {
    serde_yaml::from_str(text).ok()
}

#[cfg(test)]
mod tests;
