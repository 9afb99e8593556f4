//! The length of a post as Mastodon counts it.

use unicode_segmentation::UnicodeSegmentation;

/// Counts a text: a grapheme as one, a link as a fixed length, a mention without its host.
pub(super) fn seen(text: &str, per_link: Option<u64>) -> u64 {
    let mut count = 0;
    let mut rest = text;
    while let Some(at) = next(rest, per_link.is_some()) {
        let (before, piece) = rest.split_at(at);
        count += graphemes(before);
        let length = if piece.starts_with('@') {
            let (mention, whole) = mention(piece);
            count += graphemes(piece.get(..mention).unwrap_or_default());
            whole
        } else {
            count += per_link.unwrap_or_default();
            link(piece)
        };
        rest = piece.get(length..).unwrap_or_default();
    }
    count + graphemes(rest)
}

fn graphemes(text: &str) -> u64 {
    if text.is_ascii() && !text.contains('\r') {
        return text.len() as u64;
    }
    text.graphemes(true).count() as u64
}

/// Where the next link or the next mention of another host begins.
fn next(text: &str, links: bool) -> Option<usize> {
    let starts = |at: usize| {
        let piece = text.get(at..).unwrap_or_default();
        let behind_word = text.get(..at).is_some_and(|before| {
            before.ends_with(|c: char| c.is_alphanumeric() || c == '/' || c == '_')
        });
        if behind_word {
            false
        } else if piece.starts_with('@') {
            mention(piece).1 > 0
        } else {
            links && link(piece) > 0
        }
    };
    text.match_indices(['@', 'h']).map(|(at, _)| at).find(|at| starts(*at))
}

/// The length of the link that a text begins with, or 0.
fn link(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
        return 0;
    };
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"'))
        .unwrap_or(rest.len());
    // A mark that closes a sentence closes no link.
    let inside = rest
        .get(..end)
        .unwrap_or_default()
        .trim_end_matches(['.', ',', '!', '?', ':', ';', ')', '\'']);
    if inside.contains('.') { text.len() - rest.len() + inside.len() } else { 0 }
}

/// The lengths of the mention that a text begins with, without and with its host; 0 where it has none.
fn mention(text: &str) -> (usize, usize) {
    let word = |text: &str, more: &[char]| {
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || more.contains(&c)))
            .unwrap_or(text.len())
    };
    let name = 1 + text.get(1..).map_or(0, |name| word(name, &['-', '.']));
    let host = text.get(name..).and_then(|rest| rest.strip_prefix('@'));
    let host = host.map_or(0, |host| {
        let end = word(host, &['-', '.', ':']);
        host.get(..end).unwrap_or_default().trim_end_matches(['.', ':', '-']).len()
    });
    if name > 1 && host > 0 { (name, name + 1 + host) } else { (0, 0) }
}

#[cfg(test)]
mod tests {
    use super::seen;

    #[test]
    fn counts_what_is_seen() {
        for (text, count) in [
            ("", 0),
            ("hello", 5),
            ("👩‍👩‍👧‍👦é", 2),
            ("see https://example.org/a/very/long/path?that=goes&on=and#on.", 4 + 23 + 1),
            ("http://e.org http://e.org", 23 + 1 + 23),
            ("@mona@example.org hi", 5 + 3),
            ("@mona hi", 8),
            ("mail me: mona@example.org", 25),
            ("https:// is no link", 19),
        ] {
            assert_eq!(seen(text, Some(23)), count, "{text}");
        }
        assert_eq!(seen("http://e.org", None), 12);
    }
}
