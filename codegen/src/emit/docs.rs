//! Documentation comments from the catalogue's words.

use proc_macro2::TokenStream;
use quote::quote;

use fedispec_model::api::Item;
pub(super) use fedispec_model::sentences::code;

/// Paragraphs of a documentation comment.
#[derive(Debug, Default)]
pub(super) struct Docs(Vec<Paragraph>);

#[derive(Debug)]
enum Paragraph {
    /// Broken into lines.
    Text(String),
    /// A heading, a sample, a table: its lines are its own.
    Lines(String),
}

impl Docs {
    /// The summary of an item, or what an emitter says where there is none.
    pub(super) fn summary(summary: Option<&str>, otherwise: impl FnOnce() -> String) -> Self {
        Self::default().words(summary.unwrap_or_default()).or(otherwise)
    }

    /// Adds a paragraph of Markdown, made by an emitter.
    pub(super) fn markdown(mut self, text: impl Into<String>) -> Self {
        self.0.push(Paragraph::Text(text.into()));
        self
    }

    /// Adds Markdown whose lines are its own: a heading, a sample, a table, a list.
    pub(super) fn lines_of(mut self, text: impl Into<String>) -> Self {
        self.0.push(Paragraph::Lines(text.into()));
        self
    }

    /// Adds a paragraph of the catalogue's words.
    pub(super) fn words(self, text: &str) -> Self {
        let text = sentence(text);
        if text.is_empty() { self } else { self.markdown(text) }
    }

    /// Adds a paragraph of Markdown if nothing else is said.
    pub(super) fn or(self, text: impl FnOnce() -> String) -> Self {
        if self.0.is_empty() { self.markdown(text()) } else { self }
    }

    /// Adds paragraphs.
    pub(super) fn all(self, paragraphs: impl IntoIterator<Item = String>) -> Self {
        paragraphs.into_iter().fold(self, Self::markdown)
    }

    /// Adds paragraphs that are shown on demand, if there are any.
    pub(super) fn folded(self, title: &str, inner: Self) -> Self {
        if inner.0.is_empty() {
            return self;
        }
        let mut opened = self.lines_of(format!("<details><summary>{title}</summary>"));
        opened.0.extend(inner.0);
        opened.lines_of("</details>")
    }

    /// The lines, a blank one between two paragraphs.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in &self.0 {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            match paragraph {
                Paragraph::Text(text) => lines.extend(wrap(text)),
                Paragraph::Lines(text) => lines.extend(text.lines().map(str::to_owned)),
            }
        }
        lines
    }

    /// `#[doc = ".."]` for each line.
    pub(super) fn outer(&self) -> TokenStream {
        self.lines().iter().map(|line| doc_line(line)).collect()
    }
}

fn doc_line(line: &str) -> TokenStream {
    if line.is_empty() {
        return quote!(#[doc = ""]);
    }
    let line = format!(" {line}");
    quote!(#[doc = #line])
}

/// Words of the catalogue as one line of Markdown that means itself: what stands between single backticks is code, and
/// everything else is text, in which no bracket makes a link and no angle an element.
pub(super) fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let pieces: Vec<&str> = text.split('`').collect();
    let balanced = pieces.len() % 2 == 1 && !text.contains("``");
    let mut line = String::with_capacity(text.len() + 8);
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            line.push_str(if balanced { "`" } else { "'" });
        }
        if balanced && i % 2 == 1 {
            line.push_str(piece);
        } else {
            push_escaped(&mut line, piece);
        }
    }
    if line.starts_with(['#', '-', '+', '>', '*', '=', '|', '~']) {
        line.insert(0, '\\');
    }
    line
}

fn push_escaped(line: &mut String, text: &str) {
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            line.push(' ');
        }
        if word.starts_with("https://") || word.starts_with("http://") {
            let end = word.trim_end_matches(['.', ',', ';', ')']).len();
            let (url, rest) = word.split_at(end);
            line.push('<');
            line.extend(url.chars().filter(|c| !matches!(c, '<' | '>')));
            line.push('>');
            line.push_str(rest);
            continue;
        }
        for c in word.chars() {
            if matches!(c, '[' | ']' | '<' | '>' | '*' | '_' | '\\' | '|' | '~') {
                line.push('\\');
            }
            line.push(c);
        }
    }
}

/// A sentence as a part of another: without its capital and its full stop.
pub(super) fn clause(sentence: &str) -> String {
    let mut rest = sentence.trim_end_matches('.').chars();
    let first = rest.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// The format of an item's text, unless its summary already names it. A format like `date` may stand there as a plain word,
/// so that only a pattern like `x,y` counts.
pub(super) fn format_line(item: &Item, format: Option<&str>) -> Option<String> {
    let format = format?;
    let word = format.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let told = !word && item.summary.as_deref().is_some_and(|summary| summary.contains(format));
    let text = match format {
        "uri" => "URI".into(),
        "html" => "HTML".into(),
        "unix-timestamp" => "Unix timestamp".into(),
        _ if word => format.replace('-', " "),
        _ => sentence(format),
    };
    (!told).then(|| format!("Format: {text}."))
}

/// Breaks a paragraph into lines of some 100 characters, never inside code.
fn wrap(text: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = vec![String::new()];
    let mut in_code = false;
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty()
            && !in_code
            && line.chars().count() + word.chars().count() >= WIDTH
            && safe_start(word)
        {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        in_code ^= word.matches('`').count() % 2 == 1;
    }
    lines
}

/// Whether a line of Markdown may begin with the word and still be text.
fn safe_start(word: &str) -> bool {
    !word.starts_with(['#', '-', '+', '>', '=', '|', '~', '\\'])
        && !word.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_themselves() {
        for (words, markdown) in [
            ("The address, without @.", "The address, without @."),
            ("sent as source[privacy]", "sent as source\\[privacy\\]"),
            ("sent as `source[privacy]`", "sent as `source[privacy]`"),
            ("a <script> and an_id", "a \\<script\\> and an\\_id"),
            ("see https://example.org/a_b.", "see <https://example.org/a_b>."),
            ("an `odd tick", "an 'odd tick"),
            ("```rust\nfn main() {}\n```", "'''rust fn main() {} '''"),
            ("    indented\n\n  lines ", "indented lines"),
            ("# no heading", "\\# no heading"),
        ] {
            assert_eq!(sentence(words), markdown);
        }
    }

    #[test]
    fn sentences_and_parts_of_them() {
        assert_eq!(clause("The token is missing."), "the token is missing");
        assert_eq!(clause(""), "");
    }

    #[test]
    fn long_paragraphs_are_wrapped_outside_code() {
        let text = format!("{} `a b c d` end", "word ".repeat(19).trim_end());
        let lines = wrap(&text);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| line.matches('`').count() % 2 == 0));
    }

    #[test]
    fn paragraphs_are_set_apart() {
        let docs = Docs::default().words("One.").words("  ").markdown("Two.");
        assert_eq!(docs.lines(), ["One.", "", "Two."]);
        let sample = format!("```\nlet one = \"{}\";\n\n```", "word ".repeat(30));
        let docs = docs.lines_of(sample.clone()).lines();
        assert_eq!(docs[4..].join("\n"), sample, "a sample keeps its lines");
    }
}
