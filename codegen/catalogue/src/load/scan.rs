//! What can be said of a file before anything is decoded: positions, duplicate keys, quoting, and what of YAML is refused.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::syntax;
use super::text::{Bytes, is_forbidden, mend_forbidden, name_forbidden, quote};
use super::tree::MERGE;
use crate::diagnostic::Diagnostic;
use crate::model::VersionText;
use crate::source::FileId;
use crate::source::index::{Index, NodeId};

/// How deep maps and lists may stand in each other; the format needs a quarter of it.
const DEPTH_LIMIT: usize = 48;

/// What was found.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) index: Index,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where aliases stand; what is decoded there means nothing.
    pub(super) aliases: Vec<Range<usize>>,
    /// The file may be decoded.
    pub(super) sound: bool,
}

/// Looks through the first document of a text; `first_words` is what an empty one should begin with.
pub(super) fn scan(file: FileId, text: &str, first_words: &'static str) -> Scan {
    let mut scanner = Scanner {
        file,
        text,
        first_words,
        bytes: Bytes::new(text),
        scan: Scan {
            index: Index::default(),
            diagnostics: Vec::new(),
            aliases: Vec::new(),
            sound: true,
        },
        stack: Vec::new(),
        seen: 0,
    };
    scanner.run();
    scanner.scan
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    first_words: &'static str,
    bytes: Bytes,
    scan: Scan,
    stack: Vec<Frame>,
    /// The end of the last thing seen.
    seen: usize,
}

/// A map or list that is open.
struct Frame {
    node: NodeId,
    inside: Inside,
    /// Its keys are ids.
    section: bool,
    /// It stands where a key should.
    is_key: bool,
    /// The end of the last thing in it.
    end: usize,
}

enum Inside {
    Map(Option<Key>),
    List(usize),
}

struct Key {
    /// None where it is no text.
    text: Option<String>,
    span: Range<usize>,
}

/// The keys of the root under which ids stand.
const SECTIONS: [&str; 7] = [
    "groups",
    "operations",
    "entities",
    "enums",
    "tombstones",
    "programs",
    "sources",
];

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
                    self.scalar(&text, style, span);
                }
                Event::SequenceStart(anchor, tag) => {
                    self.refuse_properties(anchor, tag.is_some(), &span);
                    self.open(Inside::List(0), span);
                }
                Event::MappingStart(anchor, tag) => {
                    self.refuse_properties(anchor, tag.is_some(), &span);
                    self.open(Inside::Map(None), span);
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(span),
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
            if self.stack.len() > DEPTH_LIMIT {
                return self.refuse_depth();
            }
        }
        if self
            .scan
            .index
            .root()
            .is_none_or(|root| self.scan.index.span(root).value.is_empty())
        {
            self.scan.sound = false;
            self.report(
                Diagnostic::at("empty-file", self.file, 0..0, "the file is empty")
                    .help(self.first_words),
            );
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.scan.diagnostics.push(diagnostic);
    }

    /// Whether the next node is a key.
    fn at_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Frame {
                inside: Inside::Map(None),
                ..
            })
        )
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Range<usize>) {
        let trimmed = self.text[span.clone()].trim_end().len();
        let span = span.start..span.start + trimmed;
        self.seen = self.seen.max(span.end);
        self.refuse_escapes(text, &span);
        let plain = style == ScalarStyle::Plain;
        if plain && VersionText::is_version(text) {
            self.report(
                Diagnostic::at(
                    "unquoted-version",
                    self.file,
                    span.clone(),
                    format!("the version {text} is not quoted"),
                )
                .help(format!("write \"{text}\"")),
            );
        }
        if self.at_key() {
            self.key(text, plain, span);
        } else if plain && text.is_empty() {
            let end = match self.stack.last() {
                Some(Frame {
                    inside: Inside::Map(Some(key)),
                    ..
                }) => key.span.end,
                _ => span.start,
            };
            self.enter(end..end);
        } else {
            self.enter(span);
        }
    }

    /// Characters that must not stand in the file must not come out of it either.
    fn refuse_escapes(&mut self, text: &str, span: &Range<usize>) {
        let mut found = text.chars().filter(|character| is_forbidden(*character));
        let Some(first) = found.next() else { return };
        let what = name_forbidden(first, found.count());
        self.report(
            Diagnostic::at(
                "control-character",
                self.file,
                span.clone(),
                format!("the text stands for {what}"),
            )
            .help(mend_forbidden(first)),
        );
    }

    fn key(&mut self, text: &str, plain: bool, span: Range<usize>) {
        let is_text = !plain || syntax::is_text(text);
        if text == MERGE {
            self.report(
                Diagnostic::at(
                    "merge-key",
                    self.file,
                    span.clone(),
                    "merge keys are not read",
                )
                .help("write out the keys that it would bring"),
            );
        } else if !is_text {
            self.report(syntax::key_not_text(self.file, span.clone(), text));
        }
        let text = (is_text && text != MERGE).then(|| text.to_owned());
        self.set_key(Key { text, span });
    }

    fn set_key(&mut self, key: Key) {
        if let Some(Frame {
            inside: Inside::Map(slot),
            end,
            ..
        }) = self.stack.last_mut()
        {
            *end = key.span.end;
            *slot = Some(key);
        }
    }

    /// Adds a node that is no key, under the name that its place gives it.
    fn enter(&mut self, value: Range<usize>) -> NodeId {
        let index = &mut self.scan.index;
        let Some(frame) = self.stack.last_mut() else {
            return index.add(None, value);
        };
        frame.end = frame.end.max(value.end);
        match &mut frame.inside {
            Inside::List(next) => {
                let node = index.add(None, value);
                // Numbers never repeat.
                let _ = index.name(frame.node, &next.to_string(), node);
                *next += 1;
                node
            }
            Inside::Map(key) => {
                let Some(Key { text, span }) = key.take() else {
                    return index.add(None, value);
                };
                let node = index.add(Some(span.clone()), value);
                if let Some(text) = text
                    && let Err(first) = index.name(frame.node, &text, node)
                {
                    let first = index.span(first).name();
                    let what = if frame.section { "id" } else { "key" };
                    self.scan.diagnostics.push(
                        Diagnostic::at(
                            if frame.section {
                                "duplicate-id"
                            } else {
                                "duplicate-key"
                            },
                            self.file,
                            span,
                            format!("the {what} {} stands twice", quote(&text)),
                        )
                        .related(self.file, first, "it stands here first")
                        .help("remove one of the two, or make them one"),
                    );
                }
                node
            }
        }
    }

    fn open(&mut self, inside: Inside, span: Range<usize>) {
        let is_key = self.at_key();
        let section = match self.stack.as_slice() {
            [
                Frame {
                    inside: Inside::Map(Some(key)),
                    ..
                },
            ] => key
                .text
                .as_deref()
                .is_some_and(|text| SECTIONS.contains(&text)),
            _ => false,
        };
        let node = self.enter(span.clone());
        self.seen = self.seen.max(span.end);
        self.stack.push(Frame {
            node,
            inside,
            section,
            is_key,
            end: span.end,
        });
    }

    fn close(&mut self, span: Range<usize>) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        // The end of what is indented stands at the next thing, that of brackets at the bracket.
        let end = if span.is_empty() { frame.end } else { span.end };
        self.seen = self.seen.max(end);
        self.scan.index.close(frame.node, end);
        let whole = self.scan.index.span(frame.node).value;
        if frame.is_key {
            self.report(syntax::key_not_text(self.file, whole.clone(), ""));
            self.set_key(Key {
                text: None,
                span: whole,
            });
        } else if let Some(outer) = self.stack.last_mut() {
            outer.end = outer.end.max(end);
        }
    }

    fn alias(&mut self, span: Range<usize>) {
        self.seen = self.seen.max(span.end);
        self.report(
            Diagnostic::at("alias", self.file, span.clone(), "aliases are not read")
                .help("write out what the alias stands for"),
        );
        if self.at_key() {
            self.scan.sound = false;
            self.set_key(Key { text: None, span });
        } else {
            self.scan.aliases.push(span.clone());
            self.enter(span);
        }
    }

    /// Anchors and tags; the parser does not say where they stand.
    fn refuse_properties(&mut self, anchor: usize, tag: bool, node: &Range<usize>) {
        let between = self.seen.min(node.start)..node.start;
        let find = |sign: char| {
            let start = between.start
                + self.text[between.clone()]
                    .rfind(sign)
                    .unwrap_or(between.len());
            let rest = &self.text[start..];
            start
                ..start
                    + rest
                        .find(|c: char| c.is_whitespace() || ",[]{}".contains(c))
                        .unwrap_or(rest.len())
        };
        if anchor != 0 {
            let span = find('&');
            self.report(
                Diagnostic::at("anchor", self.file, span, "anchors are not read")
                    .help("remove it: aliases are not read either"),
            );
        }
        if tag {
            let span = find('!');
            self.report(
                Diagnostic::at("tag", self.file, span, "tags are not read")
                    .help("remove it; put text that begins with `!` in quotes"),
            );
        }
    }

    fn refuse_document(&mut self, span: Range<usize>) {
        self.report(
            Diagnostic::at(
                "second-document",
                self.file,
                span,
                "a second document begins here",
            )
            .help("one file holds one document: move it to a file of its own, or remove the `---`"),
        );
    }

    fn refuse_depth(&mut self) {
        self.scan.sound = false;
        let at = self
            .stack
            .last()
            .map_or(0..0, |frame| self.scan.index.span(frame.node).value);
        self.report(
            Diagnostic::at(
                "too-deep",
                self.file,
                at,
                format!("more than {DEPTH_LIMIT} maps and lists stand in each other"),
            )
            .help("nothing in a catalogue is nested that deep: close brackets, or indent less"),
        );
    }

    fn refuse_syntax(&mut self, error: &ScanError) {
        self.scan.sound = false;
        let at = self.bytes.range(&Span::empty(*error.marker())).start;
        self.report(syntax::error(self.file, self.text, at, error.info()));
    }
}
