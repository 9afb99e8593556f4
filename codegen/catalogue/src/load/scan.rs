//! Scanning of a file's text into its tree, in one pass over the events of the YAML parser.
//!
//! Repeated keys, unquoted versions and everything of YAML that the format does without are reported here.

use std::borrow::Cow;
use std::ops::Range;

use fedispec_since::StableVersion;
use indexmap::map::Entry;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::text::{Bytes, is_forbidden, mend_forbidden, name_forbidden, quote};
use super::{scalar, syntax};
use crate::diagnostic::Diagnostic;
use crate::map::IndexMap;
use crate::source::tree::{Content, Scalar, YamlNode};
use crate::source::{FileId, Span as Place};

/// How deep maps and lists may stand in each other; the format needs a quarter of it.
const DEPTH_LIMIT: usize = 48;

/// The key that merges maps in YAML 1.1.
const MERGE: &str = "<<";

/// The result of a scan.
#[derive(Debug)]
pub(super) struct Scan {
    /// The tree of the file; none where it is empty or cannot be read to its end.
    pub(super) root: Option<YamlNode>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// It says more than can be read: aliases, a second document.
    pub(super) partial: bool,
}

/// Reads the first document of a text; `first_words` is what an empty one should begin with.
pub(super) fn scan(file: FileId, text: &str, first_words: &'static str) -> Scan {
    let mut scanner = Scanner {
        file,
        text,
        bytes: Bytes::new(text),
        scan: Scan { root: None, diagnostics: Vec::new(), partial: false },
        stack: Vec::new(),
        seen: 0,
        nodes: 0,
        sound: true,
    };
    scanner.run();
    let Scanner { mut scan, sound, .. } = scanner;
    scan.root = scan.root.filter(|_| sound);
    if sound && scan.root.as_ref().is_none_or(|root| root.span.value.is_empty()) {
        scan.root = None;
        scan.diagnostics
            .push(Diagnostic::at("empty-file", file, 0..0, "the file is empty").help(first_words));
    }
    scan
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    bytes: Bytes,
    scan: Scan,
    stack: Vec<Frame>,
    /// The end of the last thing seen.
    seen: usize,
    /// How many nodes have begun.
    nodes: u32,
    /// Whether the whole document has been read.
    sound: bool,
}

/// A map or list that is open.
struct Frame {
    node: YamlNode,
    /// In a map, the key whose value comes next.
    key: Option<Key>,
    /// Its keys are ids.
    section: bool,
    /// It stands where a key should.
    is_key: bool,
    /// The end of the last thing in it.
    end: usize,
    /// The last key without a value.
    empty: Option<Empty>,
}

/// A key without a value.
struct Empty {
    /// The number of its entry.
    place: usize,
    key: Range<usize>,
    /// Whether it is told of.
    told: bool,
}

struct Key {
    /// None where it is no text.
    text: Option<String>,
    span: Range<usize>,
}

/// The keys of the root under which ids stand.
const SECTIONS: [&str; 7] =
    ["groups", "operations", "entities", "enums", "tombstones", "programs", "sources"];

impl Scanner<'_> {
    fn run(&mut self) {
        let mut documents = 0;
        for event in Parser::new_from_str(self.text) {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => return self.refuse_syntax(&error),
            };
            let span = self.bytes.range(&span);
            match event {
                Event::DocumentStart(_) if documents == 1 => return self.refuse_document(span),
                Event::DocumentStart(_) => documents += 1,
                Event::Alias(_) => self.alias(span),
                Event::Scalar(text, style, anchor, tag) => {
                    self.refuse_properties(anchor, tag.is_some(), &span);
                    self.scalar(text, style, span);
                }
                Event::SequenceStart(anchor, tag) => {
                    self.refuse_properties(anchor, tag.is_some(), &span);
                    self.open(Content::List(Vec::new()), span);
                }
                Event::MappingStart(anchor, tag) => {
                    self.refuse_properties(anchor, tag.is_some(), &span);
                    self.open(Content::Map(IndexMap::default()), span);
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(span),
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
            if self.stack.len() > DEPTH_LIMIT {
                return self.refuse_depth();
            }
        }
    }

    fn report(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::at(code, self.file, span, message).help(help));
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.scan.diagnostics.push(diagnostic);
    }

    /// Whether the next node is a key.
    fn at_key(&self) -> bool {
        self.stack.last().is_some_and(|frame| {
            frame.key.is_none() && matches!(frame.node.content, Content::Map(_))
        })
    }

    fn scalar(&mut self, text: Cow<'_, str>, style: ScalarStyle, span: Range<usize>) {
        let trimmed = self.text[span.clone()].trim_end().len();
        let span = span.start..span.start + trimmed;
        self.seen = self.seen.max(span.end);
        // Only an escape can stand for a character that the file itself does not hold.
        if style == ScalarStyle::DoubleQuoted && self.text[span.clone()].contains('\\') {
            self.refuse_escapes(&text, &span);
        }
        let plain = style == ScalarStyle::Plain;
        let number = plain && text.starts_with(|c: char| c.is_ascii_digit());
        if number && text.parse::<StableVersion>().is_ok() {
            let message = format!("the version {text} is not quoted");
            let help = format!("write \"{text}\"");
            self.report("unquoted-version", span.clone(), message, help);
        }
        if self.at_key() {
            return self.key(text, plain, span);
        }
        let span = if plain && text.is_empty() {
            self.nothing(span.start)
        } else {
            if plain {
                self.refuse_comment(&span);
            }
            span
        };
        let scalar = if plain { scalar::plain(text) } else { Scalar::Text(text.into_owned()) };
        let node = self.node(Content::Scalar(scalar), span);
        self.add(node);
    }

    /// Text that goes on behind ` #`, where YAML begins a comment: `the number #1`.
    fn refuse_comment(&mut self, span: &Range<usize>) {
        let line = self.text[span.end..].split('\n').next().unwrap_or_default();
        let comment = line.trim_start();
        let is_text = comment
            .strip_prefix('#')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
        if is_text {
            let start = span.end + line.len() - comment.len();
            let end = start + comment.trim_end().len();
            let message = "the text ends here: ` #` begins a comment";
            let help = "put the whole text in quotes; a comment is written `# like this`";
            self.report("text-in-comment", start..end, message, help);
        }
    }

    /// Where a value stands that is not written: behind its key.
    fn nothing(&self, start: usize) -> Range<usize> {
        let key = self.stack.last().and_then(|frame| frame.key.as_ref());
        let end = key.map_or(start, |key| key.span.end);
        end..end
    }

    /// Characters that must not stand in the file must not come out of it either.
    fn refuse_escapes(&mut self, text: &str, span: &Range<usize>) {
        let mut found = text.chars().filter(|character| is_forbidden(*character));
        let Some(first) = found.next() else { return };
        let what = name_forbidden(first, found.count());
        let message = format!("the text stands for {what}");
        let help = mend_forbidden(first);
        self.report("control-character", span.clone(), message, help);
    }

    fn key(&mut self, text: Cow<'_, str>, plain: bool, span: Range<usize>) {
        let is_text = !plain || scalar::not_text(&text).is_none();
        let merge = text == MERGE;
        if merge {
            let message = "merge keys are not read";
            let help = "write out the keys that it would bring";
            self.report("merge-key", span.clone(), message, help);
        } else if !is_text {
            self.push(syntax::key_not_text(self.file, span.clone(), &text));
        }
        let text = (is_text && !merge).then(|| text.into_owned());
        self.set_key(Key { text, span });
    }

    fn set_key(&mut self, key: Key) {
        if let Some(frame) = self.stack.last_mut() {
            frame.end = key.span.end;
            frame.key = Some(key);
        }
    }

    /// A node that begins here; it gets its key when it is added to what contains it.
    fn node(&mut self, content: Content, value: Range<usize>) -> YamlNode {
        let number = self.nodes;
        self.nodes = self.nodes.saturating_add(1);
        let span = Place { key: None, value };
        YamlNode { number, span, content }
    }

    /// Adds a whole node to what contains it. Of two values of one key the first is kept.
    fn add(&mut self, mut node: YamlNode) {
        let Some(frame) = self.stack.last_mut() else {
            self.scan.root = Some(node);
            return;
        };
        frame.end = frame.end.max(node.span.value.end);
        let entries = match &mut frame.node.content {
            Content::Map(entries) => entries,
            Content::List(elements) => return elements.push(node),
            Content::Scalar(_) | Content::Alias => return,
        };
        let Some(Key { text, span }) = frame.key.take() else {
            return;
        };
        let Some(text) = text else { return };
        let mut first = match entries.entry(text) {
            Entry::Vacant(free) => {
                if node.is_null() {
                    frame.empty =
                        Some(Empty { place: free.index(), key: span.clone(), told: false });
                }
                node.span.key = Some(span);
                free.insert(node);
                return;
            }
            Entry::Occupied(first) => first,
        };
        // The head of an item that is indented too far has no value, and what follows seems to be of the item before it.
        if let Some(head) = frame.empty.as_mut().filter(|head| head.place > first.index()) {
            if !std::mem::replace(&mut head.told, true) {
                let name = quote(self.text[head.key.clone()].trim_matches(['"', '\'']));
                let message = format!("{name} is empty, and keys below it stand twice");
                let help = "indent it as the one before it, of which those keys seem to be";
                let problem = Diagnostic::at("duplicate-key", self.file, head.key.clone(), message);
                self.push(problem.help(help));
            }
            return;
        }
        let (code, what) =
            if frame.section { ("duplicate-id", "id") } else { ("duplicate-key", "key") };
        let message = format!("the {what} {} stands twice", quote(first.key()));
        let problem = Diagnostic::at(code, self.file, span.clone(), message)
            .related(self.file, first.get().span.name(), "it stands here first")
            .help("remove one of the two, or make them one");
        // Of a head that stands twice in a row the second has the value.
        if first.get().is_null() {
            node.span.key = Some(span);
            first.insert(node);
        }
        self.push(problem);
    }

    fn open(&mut self, content: Content, span: Range<usize>) {
        let is_key = self.at_key();
        let section = match self.stack.as_slice() {
            [root] => root
                .key
                .as_ref()
                .and_then(|key| key.text.as_deref())
                .is_some_and(|text| SECTIONS.contains(&text)),
            _ => false,
        };
        self.seen = self.seen.max(span.end);
        let end = span.end;
        let node = self.node(content, span);
        self.stack.push(Frame { end, node, key: None, section, is_key, empty: None });
    }

    fn close(&mut self, span: Range<usize>) {
        let Some(mut frame) = self.stack.pop() else {
            return;
        };
        // The end of what is indented stands at the next thing, that of brackets at the bracket.
        let end = if span.is_empty() { frame.end } else { span.end };
        self.seen = self.seen.max(end);
        let whole = &mut frame.node.span.value;
        whole.end = end.max(whole.start);
        if frame.is_key {
            let span = whole.clone();
            self.push(syntax::key_not_text(self.file, span.clone(), ""));
            self.set_key(Key { text: None, span });
        } else {
            self.add(frame.node);
        }
    }

    fn alias(&mut self, span: Range<usize>) {
        self.seen = self.seen.max(span.end);
        self.scan.partial = true;
        let message = "aliases are not read";
        let help = "write out what the alias stands for";
        self.report("alias", span.clone(), message, help);
        if self.at_key() {
            self.sound = false;
            self.set_key(Key { text: None, span });
        } else {
            let node = self.node(Content::Alias, span);
            self.add(node);
        }
    }

    /// Anchors and tags; the parser does not say where they stand.
    fn refuse_properties(&mut self, anchor: usize, tag: bool, node: &Range<usize>) {
        let between = self.seen.min(node.start)..node.start;
        let find = |sign: char| {
            let start =
                between.start + self.text[between.clone()].rfind(sign).unwrap_or(between.len());
            let rest = &self.text[start..];
            start
                ..start
                    + rest
                        .find(|c: char| c.is_whitespace() || ",[]{}".contains(c))
                        .unwrap_or(rest.len())
        };
        if anchor != 0 {
            let span = find('&');
            let message = "anchors are not read";
            let help = "remove it: aliases are not read either";
            self.report("anchor", span, message, help);
        }
        if tag {
            let span = find('!');
            let message = "tags are not read";
            let help = "remove it; put text that begins with `!` in quotes";
            self.report("tag", span, message, help);
        }
    }

    /// Refuses what comes after the first document, which is whole.
    fn refuse_document(&mut self, span: Range<usize>) {
        self.scan.partial = true;
        let message = "a second document begins here";
        let help = "one file holds one document: move it to a file of its own, or remove the `---`";
        self.report("second-document", span, message, help);
    }

    fn refuse_depth(&mut self) {
        self.sound = false;
        let at = self.stack.last().map_or(0..0, |frame| frame.node.span.value.clone());
        let message = format!("more than {DEPTH_LIMIT} maps and lists stand in each other");
        let help = "nothing in a catalogue is nested that deep: close brackets, or indent less";
        self.report("too-deep", at, message, help);
    }

    fn refuse_syntax(&mut self, error: &ScanError) {
        self.sound = false;
        let at = self.bytes.range(&Span::empty(*error.marker())).start;
        self.push(syntax::error(self.file, self.text, at, error.info()));
    }
}
