//! Diagnostics as text, in the form of rustc's.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};

use super::Diagnostic;
use crate::source::{FileId, Sources, floor_char_boundary};

/// Lines beyond this many bytes are not drawn but quoted around the place: drawing takes time by their length.
const DRAWN: usize = 2000;
/// How much is quoted on either side.
const AROUND: usize = 40;
/// The most characters of a message.
const LONGEST: usize = 600;

/// In one line.
pub(super) fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let message = printable(&diagnostic.message);
    let help = diagnostic.help.as_deref();
    let help = help.map(|help| format!(" ({})", printable(help))).unwrap_or_default();
    let file = diagnostic.file;
    let path = printable(sources.display_path(file));
    if sources.text(file).is_empty() {
        return format!("{path}: {message}{help}");
    }
    let (line, column) = sources.line_col(file, diagnostic.span.start);
    format!("{path}:{line}:{column}: {message}{help}")
}

/// With the line underlined, as rustc does.
pub(super) fn long(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let title = Level::ERROR.primary_title(printable(&diagnostic.message)).id(diagnostic.code);
    let label = diagnostic.label.as_deref();
    let group = Group::with_title(title);
    let mut group = place(group, sources, diagnostic.file, &diagnostic.span, label);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let mut groups = vec![group];
    for related in &diagnostic.related {
        let title: Title<'_> = Level::NOTE.secondary_title(printable(&related.label));
        groups.push(place(Group::with_title(title), sources, related.file, &related.span, None));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups)
}

fn place<'a>(
    group: Group<'a>,
    sources: &Sources,
    file: FileId,
    span: &Range<usize>,
    label: Option<&str>,
) -> Group<'a> {
    let path = printable(sources.display_path(file));
    if sources.text(file).is_empty() {
        return group.element(Origin::path(path));
    }
    let (line, column) = sources.line_col(file, span.start);
    let around = sources.line_around(file, span.start);
    let text = &sources.text(file)[around.clone()];
    let start = floor_char_boundary(text, span.start.saturating_sub(around.start));
    let end = floor_char_boundary(text, span.end.saturating_sub(around.start)).max(start);
    if text.len() > DRAWN {
        let origin = Origin::path(path).line(line).char_column(column);
        let excerpt = Level::NOTE
            .message(format!("it stands in a long line, at {}", excerpt(text, start..end)));
        return group.element(origin).element(excerpt);
    }
    // Characters that cannot be printed are replaced one for one, which keeps the columns but not the bytes.
    let (before, marked, after) =
        (visible(&text[..start]), visible(&text[start..end]), visible(&text[end..]));
    let marks = before.len()..before.len() + marked.len();
    let mut annotation = AnnotationKind::Primary.span(marks);
    if let Some(label) = label {
        annotation = annotation.label(printable(label));
    }
    group.element(
        Snippet::source(before + &marked + &after)
            .path(path)
            .line_start(line)
            .annotation(annotation),
    )
}

fn excerpt(line: &str, span: Range<usize>) -> String {
    let from = floor_char_boundary(line, span.start.saturating_sub(AROUND));
    let to = floor_char_boundary(line, span.end.min(span.start + AROUND) + AROUND);
    let cut = |is_cut| if is_cut { "…" } else { "" };
    format!("{}{}{}", cut(from > 0), printable(&line[from..to]), cut(to < line.len()))
}

/// A text that no terminal obeys.
fn printable(text: &str) -> String {
    let mut result = visible(text).replace('\t', " ");
    if let Some((cut, _)) = result.char_indices().nth(LONGEST) {
        result.truncate(cut);
        result.push('…');
    }
    result
}

fn visible(text: &str) -> String {
    let replace = |c: char| match c {
        '\t' => '\t',
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(replace).collect()
}
