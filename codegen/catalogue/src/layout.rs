//! One layout for the YAML of a catalogue: what fits on a line stands on one, in braces or brackets; comments are kept.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::load::tree;
use crate::source::Sources;
use crate::source::tree::{Content, YamlNode};

/// The longest line that a map or list in braces or brackets may make.
const WIDTH: usize = 132;

/// The maps whose entries stand on lines of their own: items, whatever room they need.
const LISTED: [&str; 6] = ["params", "fields", "values", "response", "releases", "alternatives"];

/// The sections of a file whose items are never in braces.
const OPEN: [&str; 6] = ["entities", "features", "objects", "operations", "programs", "sources"];

/// Lays a file out anew. What the file says stays as it is; a text that is no YAML is refused with its problems.
pub fn layout(path: &str, text: &str) -> Result<String, (Sources, Vec<Diagnostic>)> {
    let mut sources = Sources::default();
    let file = sources.add_outside(path, text);
    let root = match tree(file, text) {
        Ok(root) => root,
        Err(problems) => return Err((sources, problems)),
    };
    let mut tokens = Vec::new();
    collect(&root, &mut tokens);
    // The indentation is part of a text in block style, which is left to its author.
    if tokens.iter().any(|span| text[span.clone()].starts_with(['|', '>'])) {
        return Ok(text.to_owned());
    }
    let mut printer = Printer {
        text,
        comments: comments(text, &tokens),
        next: 0,
        out: String::with_capacity(text.len()),
        printed: 0,
    };
    printer.entries(&root, 0, &[]);
    printer.flush(text.len(), 0);
    Ok(printer.out)
}

/// A comment, from its `#` to the end of its line.
struct Comment {
    span: Range<usize>,
    /// Nothing stands before it on its line.
    alone: bool,
}

/// The spans of all keys and scalars, in the order of the text.
fn collect(node: &YamlNode, spans: &mut Vec<Range<usize>>) {
    spans.extend(node.span.key.clone());
    match &node.content {
        Content::Map(_) | Content::List(_) => {
            for (_, child) in node.children() {
                collect(child, spans);
            }
        }
        Content::Scalar(_) | Content::Alias => spans.push(node.span.value.clone()),
    }
}

/// The comments of a text: every `#` outside the keys and scalars begins one.
fn comments(text: &str, tokens: &[Range<usize>]) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    let ends = tokens.iter().cloned().chain(std::iter::once(text.len()..text.len()));
    for token in ends {
        while let Some(start) = text.get(at..token.start).and_then(|gap| gap.find('#')) {
            let start = at + start;
            let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            found.push(Comment {
                alone: text[line..start].trim().is_empty(),
                span: start..start + text[start..end].trim_end().len(),
            });
            at = end;
        }
        at = at.max(token.end);
    }
    found
}

struct Printer<'t> {
    text: &'t str,
    comments: Vec<Comment>,
    /// The first comment that is not printed yet.
    next: usize,
    out: String,
    /// The end of what has been printed, in the old text.
    printed: usize,
}

impl Printer<'_> {
    /// Prints the entries of a map or list, each on lines of its own.
    fn entries(&mut self, node: &YamlNode, indent: usize, path: &[&str]) {
        for (key, child) in node.children() {
            self.lead(child.span.name().start, indent);
            self.pad(indent);
            let path: Vec<&str> = path.iter().copied().chain([key.unwrap_or("-")]).collect();
            if let Some(span) = &child.span.key {
                self.out.push_str(&self.text[span.clone()]);
                self.out.push(':');
                self.value(child, indent, &path);
            } else {
                self.element(child, indent, &path);
            }
        }
    }

    /// Prints the value of a key.
    fn value(&mut self, node: &YamlNode, indent: usize, path: &[&str]) {
        if !self.on_line(node, path) {
            self.end(node.span.name().end);
            self.entries(node, indent + 2, path);
        }
    }

    /// Prints an element of a list; the first entry of a map stands beside the dash.
    fn element(&mut self, node: &YamlNode, indent: usize, path: &[&str]) {
        self.out.push('-');
        if self.on_line(node, path) {
            return;
        }
        let start = self.out.len();
        self.entries(node, indent + 2, path);
        let from = start + indent + 2;
        if self.out.get(start..from).is_some_and(|gap| gap.trim().is_empty()) {
            self.out.replace_range(start..from, " ");
        }
    }

    /// Prints a node on the line that has begun, where it fits.
    fn on_line(&mut self, node: &YamlNode, path: &[&str]) -> bool {
        let Some(flow) = self.flow(node, self.column() + 1, path) else {
            return false;
        };
        if !flow.is_empty() {
            self.out.push(' ');
            self.out.push_str(&flow);
        }
        self.end(self.close(node));
        true
    }

    /// A node on one line; none where it does not fit, holds a comment, or holds items.
    fn flow(&self, node: &YamlNode, column: usize, path: &[&str]) -> Option<String> {
        let span = node.span.name().start..self.close(node);
        let left = &self.comments[self.next..];
        let commented = left.iter().any(|one| span.contains(&one.span.start));
        let is_scalar = matches!(node.content, Content::Scalar(_) | Content::Alias);
        if commented || (!is_scalar && is_open(node, path)) {
            return None;
        }
        let inside = !is_scalar;
        let text = self.inline(node, inside, path)?;
        (is_scalar || column + text.chars().count() <= WIDTH).then_some(text)
    }

    /// The end of a node, without the comment behind it, which the parser counts as a part of braces.
    fn close(&self, node: &YamlNode) -> usize {
        let whole = node.span.content();
        let brackets = self.text[whole.clone()].starts_with(['{', '[']);
        if !brackets || matches!(node.content, Content::Scalar(_) | Content::Alias) {
            return whole.end;
        }
        let last = node.children().last();
        let from = last.map_or(whole.start + 1, |(_, child)| self.close(child));
        let rest = self.text.get(from..whole.end).unwrap_or_default();
        rest.find(['}', ']']).map_or(whole.end, |at| from + at + 1)
    }

    fn inline(&self, node: &YamlNode, inside: bool, path: &[&str]) -> Option<String> {
        let parts = |open: char, close: char| {
            let mut parts = Vec::new();
            for (key, child) in node.children() {
                let path: Vec<&str> = path.iter().copied().chain([key.unwrap_or("-")]).collect();
                if is_listed(child, &path) {
                    return None;
                }
                let value = self.inline(child, true, &path)?;
                parts.push(match &child.span.key {
                    Some(span) if value.is_empty() => format!("{}:", &self.text[span.clone()]),
                    Some(span) => format!("{}: {value}", &self.text[span.clone()]),
                    None => value,
                });
            }
            Some(format!("{open}{}{close}", parts.join(", ")))
        };
        match &node.content {
            Content::Map(_) => parts('{', '}'),
            Content::List(_) => parts('[', ']'),
            Content::Scalar(_) | Content::Alias => {
                Some(scalar(&self.text[node.span.value.clone()], inside))
            }
        }
    }

    /// Comments and an empty line before an entry.
    fn lead(&mut self, start: usize, indent: usize) {
        self.flush(start, indent);
        self.gap(start);
        self.printed = self.printed.max(start);
    }

    /// Prints the comments up to a place, each on a line of its own.
    fn flush(&mut self, until: usize, indent: usize) {
        while let Some(comment) = self.comments.get(self.next) {
            if comment.span.start >= until {
                break;
            }
            let span = comment.span.clone();
            self.next += 1;
            self.gap(span.start);
            self.pad(indent);
            self.out.push_str(&self.text[span.clone()]);
            self.out.push('\n');
            self.printed = span.end;
        }
    }

    /// Keeps one of the empty lines before a place.
    fn gap(&mut self, start: usize) {
        let between = self.text.get(self.printed..start).unwrap_or_default();
        let empty = between.matches('\n').count() > 1;
        if empty && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Ends a line, with the comment that stands on it.
    fn end(&mut self, end: usize) {
        self.printed = self.printed.max(end);
        if let Some(comment) = self.comments.get(self.next) {
            let beside = !comment.alone
                && !self.text.get(end..comment.span.start).unwrap_or("\n").contains('\n');
            if beside {
                self.out.push(' ');
                self.out.push_str(&self.text[comment.span.clone()]);
                self.printed = comment.span.end;
                self.next += 1;
            }
        }
        self.out.push('\n');
    }

    fn pad(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn column(&self) -> usize {
        let line = self.out.rfind('\n').map_or(0, |newline| newline + 1);
        self.out[line..].chars().count()
    }
}

/// Whether a map or list stands on lines of its own, whatever room it needs.
fn is_open(node: &YamlNode, path: &[&str]) -> bool {
    let holds = node.children().next().is_some();
    holds
        && match path {
            [_] => true,
            [section, _] if *section == "disputes" => true,
            [section, _] => OPEN.contains(section),
            _ => is_listed(node, path),
        }
}

/// Whether a map holds items.
fn is_listed(node: &YamlNode, path: &[&str]) -> bool {
    let holds = matches!(&node.content, Content::Map(entries) if !entries.is_empty());
    holds && path.len() == 3 && path.last().is_some_and(|key| LISTED.contains(key))
}

/// A scalar on one line; in braces text that would end there gets quotes.
fn scalar(written: &str, inside: bool) -> String {
    let folded = if written.contains('\n') {
        let lines: Vec<&str> = written.lines().map(str::trim).collect();
        lines.join(" ")
    } else {
        written.to_owned()
    };
    let plain = !folded.starts_with(['"', '\'']);
    if inside && plain && folded.contains([',', '[', ']', '{', '}']) {
        return format!("\"{}\"", folded.replace('\\', "\\\\").replace('"', "\\\""));
    }
    folded
}
