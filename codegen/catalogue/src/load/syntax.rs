//! Syntax errors of YAML, explained.

use std::ops::Range;

use super::text::quote;
use crate::diagnostic::Diagnostic;
use crate::model::Mistake;
use crate::source::FileId;

/// A key that YAML reads as something else than text.
pub(super) fn key_not_text(file: FileId, span: Range<usize>, plain: &str) -> Diagnostic {
    if plain.contains('.') && plain.starts_with(|c: char| c.is_ascii_digit()) {
        let Mistake { code, message, help } = Mistake::unquoted(plain);
        return Diagnostic::at(code, file, span, message).help(help);
    }
    let (message, help) = if plain.is_empty() {
        ("a key is missing, or is no text".into(), "a key is one word, or text in quotes".into())
    } else {
        (format!("the key {} is no text", quote(plain)), format!("put it in quotes: \"{plain}\""))
    };
    Diagnostic::at("key-not-text", file, span, message).help(help)
}

/// Explains an error of the parser.
pub(super) fn error(file: FileId, text: &str, at: usize, info: &str) -> Diagnostic {
    let at = match text[at..].find('\t') {
        _ if !info.contains("tab") => at,
        _ if text[..at].ends_with('\t') => at - 1,
        tab => at + tab.unwrap_or(0),
    };
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let line = &text[line_at(text, at)..end];
    let late = noticed_late(text, at, info);
    let at = late.map_or(at, |(begin, _)| begin);
    let span = at..text[at..]
        .chars()
        .next()
        .filter(|next| *next != '\n')
        .map_or(at, |next| at + next.len_utf8());
    let indent = &line[..line.len() - line.trim_start().len()];
    let in_flow = info.contains("flow") || info.contains("node content");
    // Brackets that are left open are noticed lines later.
    let opened = opened(text, at);
    let left_open = opened.filter(|opened| {
        info.contains("indentation in flow") || late.is_none() && is_left_open(text, *opened, at)
    });
    let quoted = in_flow.then(|| unquoted(text, at)).flatten();
    // A key that begins its line belongs to nothing that is left open before.
    let begun = text[line_at(text, at)..at].trim();
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let last = text[..at].rsplit(' ').next().filter(|last| is_word(last) && !last.is_empty());
    let comma = last.map(|last| {
        format!("write a comma before `{last}`, or put text that holds `: ` in quotes")
    });
    let help = if let Some((_, help)) = late {
        help
    } else if let Some(help) = &quoted {
        help
    } else if indent.contains('\t') || info.contains("tab") {
        "indent with spaces; YAML takes no tabs there"
    } else if text[..at].ends_with('\t') {
        "write spaces before this, not tabs"
    } else if info.contains("mapping values are not allowed") {
        "put text that holds `: ` in quotes, or indent this line like its neighbours"
    } else if info.contains("quoted scalar") {
        "close the quotes; inside \"..\" write a backslash twice, or use '..'"
    } else if in_flow && text[at..].starts_with(": ") && begun.contains(' ') {
        comma.as_deref().unwrap_or("put text that holds `: ` in quotes")
    } else if left_open.is_some()
        || info.contains("flow")
        || (info.contains("node content") && opened.is_some())
    {
        "close the brackets, and separate what is in them by commas"
    } else if info.contains("unexpected character") {
        "put text that begins with this character in quotes"
    } else if info.contains("unknown anchor") {
        "aliases are not read: put text that begins with `*` in quotes"
    } else {
        "look at the indentation, quotes and colons of this line and the one before"
    };
    let span = left_open.map_or(span, |opened| opened..opened + 1);
    let info = info.replace("double-quoted", "quoted");
    Diagnostic::at("yaml-syntax", file, span, format!("this is not YAML: {info}")).help(help)
}

/// Where the line begins that a place lies in.
fn line_at(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Where a mistake is that the parser notices only behind it, and its mend.
fn noticed_late(text: &str, at: usize, info: &str) -> Option<(usize, &'static str)> {
    let line = line_at(text, at);
    let above = line_at(text, text[..line].trim_end().len());
    let words =
        |line: usize| line + text[line..].len() - text[line..].trim_start_matches(' ').len();
    if let Some(begin) =
        [above, line].map(words).into_iter().find(|begin| text[*begin..].starts_with('\u{a0}'))
    {
        return Some((begin, "indent with ordinary spaces; this one does not break"));
    }
    if info.contains("expected <document start>") {
        // The first key of the file stands deeper than the rest.
        let mut lines = text.split_inclusive('\n').scan(0, |end, line| {
            *end += line.len();
            Some((*end - line.len(), line))
        });
        let (first, line) =
            lines.find(|(_, line)| line.trim_start().starts_with(|c: char| c.is_alphanumeric()))?;
        return line
            .starts_with(' ')
            .then(|| (words(first), "indent this line like its neighbours"));
    }
    if info.contains("simple key") {
        let begin = words(above);
        let mend = if text[begin..line].contains(':') {
            "write a space behind the `:`, or `# ` before a comment"
        } else {
            "write `:` behind the key, or put text of several lines in quotes"
        };
        return Some((begin, mend));
    }
    if info.contains("did not find expected key") {
        // A line that stands deeper than the two behind it stands too deep.
        let behind = line + text[line..].find('\n')? + 1;
        let indent = |line: usize| words(line) - line;
        let is_deep = indent(above) > indent(line) && indent(line) == indent(behind);
        let wrong = out_of_line(text, line).or(is_deep.then_some(above));
        return wrong.map(|line| (words(line), "indent this line like its neighbours"));
    }
    if info.contains("mapping values are not allowed") {
        let (key, _) = text[line..at].split_once(['{', '['])?;
        return (!key.contains(':')).then(|| (line + key.len(), "write `: ` before this"));
    }
    let ended = text[..at].trim_end();
    let sign = ended.chars().next_back().filter(|_| info.contains("content after"))?;
    let began = ended[..ended.len() - sign.len_utf8()].rfind(sign)?;
    if ended[began..].contains('\n') {
        Some((began, "close the quotes"))
    } else if ended.len() < at {
        Some((at, "write a comma before this, or put the whole text in quotes"))
    } else {
        (sign == '\'').then_some((at, "inside '..' write a quote twice, or use \"..\""))
    }
}

/// The head of an item that is indented otherwise than its neighbours, of which the line at a place is: less, where several lines below it
/// stand deeper than those, or as far as its own facts, where it is the first.
fn out_of_line(text: &str, at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let depth = indent(&text[at..]);
    let mut end = at;
    let lines = text[..at].split_inclusive('\n').rev().map(|line| {
        end -= line.len();
        (end, line.trim_end())
    });
    let mut above =
        lines.filter(|(_, line)| !line.is_empty() && !line.trim_start().starts_with('#'));
    let mut inside = Vec::new();
    let (head, line) = loop {
        let (start, line) = above.next()?;
        if indent(line) <= depth {
            break (start, line);
        }
        inside.push((start, line));
    };
    if let [.., (_, fact), (first, name)] = inside[..]
        && name.ends_with(':')
        && indent(name) == indent(fact)
    {
        return Some(first);
    }
    let (_, next) = above.next()?;
    // The first of a section stands beside the section's key, which is empty then.
    let is_first = indent(next) == indent(line) && next.ends_with(':');
    let mut others = std::iter::once(next).chain(above.map(|(_, line)| line));
    let before = others.find(|line| indent(line) <= depth)?;
    // The layout indents by two.
    let is_odd = indent(line) % 2 == 1;
    let is_out = indent(line) < depth && (is_first || is_odd || indent(before) == depth);
    (is_out && inside.len() > 1).then_some(head)
}

/// The mend of text that brackets or a comment cut short because it has no quotes: `{type: id<Account>[]}`.
fn unquoted(text: &str, at: usize) -> Option<String> {
    if text[at..].starts_with(['[', '{']) {
        let start = text[..at].rfind(|c: char| c.is_whitespace() || ",[]{}\"'".contains(c));
        let word = &text[start.map_or(0, |before| before + 1)..at];
        let rest = &text[at..];
        let end = rest.find([']', '}'])? + 1;
        if !word.is_empty() && !rest[..end].contains('\n') {
            let whole = format!("{word}{}", &rest[..end]);
            return Some(format!("brackets end text without quotes: write \"{whole}\""));
        }
    }
    let opened = text[..at].rfind(['{', '['])?;
    let inside = text[opened..at].split('\n').find(|line| line.contains(" #"))?;
    let comment = &inside[inside.find(" #")? + 1..];
    Some(format!(
        "{} begins a comment: put text that holds ` #` in quotes",
        quote(comment.trim_end())
    ))
}

/// Whether the line of a bracket ends shortly before a place, and not as that of a list which goes on does.
fn is_left_open(text: &str, opened: usize, at: usize) -> bool {
    let mut lines = text[opened..at].split('\n').map(str::trim_end);
    let line = lines.next().unwrap_or_default();
    line.len() > 1 && !line.ends_with([',', '[', '{']) && (1..4).contains(&lines.count())
}

/// The last bracket before a place that nothing closes; a guess, since text in quotes may hold brackets.
fn opened(text: &str, at: usize) -> Option<usize> {
    let mut closed = 0_usize;
    let brackets = text[..at].rmatch_indices(['[', '{', ']', '}']);
    let mut opened = brackets.filter(|(_, sign)| {
        let opens = matches!(*sign, "[" | "{");
        let is_open = opens && closed == 0;
        closed = if opens { closed.saturating_sub(1) } else { closed + 1 };
        is_open
    });
    Some(opened.next()?.0)
}
