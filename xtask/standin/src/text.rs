//! Plain text as HTML, and what it names.

use fedispec::server::escape_html;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::collect::push_new;

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Plain(&'t str),
    /// An address, without the first `@`.
    Mention(&'t str),
    /// A tag, without `#`.
    Tag(&'t str),
    Link(&'t str),
}

/// The pieces of a text, in order.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut plain, mut at) = (0, 0);
    let mut before = None;
    while let Some(sign) = text[at..].chars().next() {
        let rest = &text[at..];
        let starts_word =
            before.is_none_or(|before: char| !before.is_alphanumeric() && before != '/');
        let found = match sign {
            '@' if starts_word => {
                mention(rest).map(|length| (Piece::Mention(&rest[1..length]), length))
            }
            '#' if starts_word => tag(rest).map(|length| (Piece::Tag(&rest[1..length]), length)),
            'h' if starts_word => link(rest).map(|length| (Piece::Link(&rest[..length]), length)),
            _ => None,
        };
        if let Some((piece, length)) = found {
            if plain < at {
                pieces.push(Piece::Plain(&text[plain..at]));
            }
            pieces.push(piece);
            before = text[..at + length].chars().next_back();
            at += length;
            plain = at;
        } else {
            before = Some(sign);
            at += sign.len_utf8();
        }
    }
    if plain < text.len() {
        pieces.push(Piece::Plain(&text[plain..]));
    }
    pieces
}

/// The length of the first characters that fit.
fn run(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|sign| !fits(sign)).unwrap_or(text.len())
}

fn mention(text: &str) -> Option<usize> {
    let name = run(&text[1..], |sign| sign.is_ascii_alphanumeric() || sign == '_');
    if name == 0 {
        return None;
    }
    let end = 1 + name;
    let Some(domain) = text[end..].strip_prefix('@') else {
        return Some(end);
    };
    let length = run(domain, |sign| sign.is_alphanumeric() || ".-:".contains(sign));
    let domain = domain[..length].trim_end_matches(['.', ':', '-']);
    Some(if domain.is_empty() { end } else { end + 1 + domain.len() })
}

fn tag(text: &str) -> Option<usize> {
    let name = run(&text[1..], |sign| sign.is_alphanumeric() || sign == '_');
    let has_letter = text[1..=name].chars().any(|sign| !sign.is_numeric());
    (name > 0 && has_letter).then_some(1 + name)
}

/// Whether a text is the name of a tag, without its sign.
pub(crate) fn is_tag(name: &str) -> bool {
    matches!(&*pieces(&format!("#{name}")), [Piece::Tag(own)] if *own == name)
}

/// Whether a text is a link and nothing else.
pub(crate) fn is_link(text: &str) -> bool {
    matches!(&*pieces(text), [Piece::Link(own)] if *own == text)
}

/// Whether a text in lower case may be a domain, perhaps with a port.
pub(crate) fn is_domain(text: &str) -> bool {
    let fits = |sign: char| sign.is_alphanumeric() || ".-:".contains(sign);
    (1..=253).contains(&text.len()) && text.chars().all(fits)
}

fn link(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let length = run(text, |sign| !sign.is_whitespace() && !"<>\"".contains(sign));
    let length = text[..length].trim_end_matches(['.', ',', '!', '?', ';', ':', ')']).len();
    (length > scheme.len()).then_some(length)
}

/// The addresses that a text names, in order.
pub(crate) fn mentions(text: &str) -> Vec<String> {
    let found = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Mention(address) => Some(address.to_owned()),
        _ => None,
    });
    found.collect()
}

/// The tags of a text, in lower case, each once.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let mut tags = Vec::new();
    for piece in pieces(text) {
        if let Piece::Tag(name) = piece {
            push_new(&mut tags, name.to_lowercase());
        }
    }
    tags
}

/// The text by which Mastodon measures: each link is so many characters long, and an address has no domain.
pub(crate) fn counted(text: &str, link: i64) -> String {
    let link = "x".repeat(usize::try_from(link).unwrap_or_default());
    let pieces = pieces(text).into_iter().map(|piece| match piece {
        Piece::Plain(text) => text.to_owned(),
        Piece::Mention(address) => format!("@{}", address.split('@').next().unwrap_or_default()),
        Piece::Tag(name) => format!("#{name}"),
        Piece::Link(_) => link.clone(),
    });
    pieces.collect()
}

/// The number of characters as people see them.
pub(crate) fn graphemes(text: &str) -> usize {
    text.graphemes(true).count()
}

/// How a program writes HTML.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form<'s> {
    /// The origin of links to tags.
    pub(crate) origin: &'s str,
    /// Whether all but the beginning of a link is hidden.
    pub(crate) shortens: bool,
    /// Whether the text is Markdown.
    pub(crate) markdown: bool,
}

/// The characters of a link that Mastodon shows.
const SHOWN: usize = 30;

fn link_html(url: &str, form: Form<'_>) -> String {
    if !form.shortens {
        let url = escape_html(url);
        return format!(
            "<a href=\"{url}\" rel=\"nofollow noreferrer noopener\" target=\"_blank\">{url}</a>"
        );
    }
    let scheme = url.find("://").map_or(0, |at| at + 3);
    let begin = if url[scheme..].starts_with("www.") { scheme + 4 } else { scheme };
    let (hidden, rest) = url.split_at(begin);
    let cut = rest.char_indices().nth(SHOWN).map(|(at, _)| at);
    let (shown, over) = rest.split_at(cut.unwrap_or(rest.len()));
    let class = if cut.is_some() { "ellipsis" } else { "" };
    let [url, hidden, shown, over] = [url, hidden, shown, over].map(escape_html);
    format!(
        "<a href=\"{url}\" target=\"_blank\" rel=\"nofollow noopener\" translate=\"no\"><span class=\"invisible\">{hidden}</span>\
         <span class=\"{class}\">{shown}</span><span class=\"invisible\">{over}</span></a>"
    )
}

/// A text as paragraphs of HTML; `mention` has the address and the name of an account that exists.
pub(crate) fn html(
    text: &str,
    form: Form<'_>,
    mention: impl Fn(&str) -> Option<(String, String)>,
) -> String {
    if text.is_empty() {
        return String::new();
    }
    let pieces = pieces(text).into_iter().map(|piece| match piece {
        Piece::Plain(text) => {
            let lines = escape_html(&text.replace("\r\n", "\n"));
            let lines = if form.markdown { marked(&lines) } else { lines };
            lines.replace("\n\n", "</p><p>").replace('\n', "<br />")
        }
        Piece::Mention(address) => match mention(address) {
            Some((url, name)) => format!(
                "<span class=\"h-card\" translate=\"no\"><a href=\"{}\" class=\"u-url mention\">@<span>{}</span></a></span>",
                escape_html(&url),
                escape_html(&name)
            ),
            None => format!("@{}", escape_html(address)),
        },
        Piece::Tag(name) => format!(
            "<a href=\"{}/tags/{}\" class=\"mention hashtag\" rel=\"tag\">#<span>{name}</span></a>",
            form.origin,
            path_part(&name.to_lowercase())
        ),
        Piece::Link(url) => link_html(url, form),
    });
    let pieces: String = pieces.collect();
    format!("<p>{pieces}</p>")
}

/// A text in which what stands between two marks of Markdown is an element: the marks within a line that people write most.
fn marked(text: &str) -> String {
    const MARKS: [(&str, &str); 5] =
        [("`", "code"), ("**", "strong"), ("__", "strong"), ("*", "em"), ("_", "em")];
    let (mut html, mut rest) = (String::new(), text);
    loop {
        let found = MARKS.iter().filter_map(|(mark, name)| Some((rest.find(mark)?, *mark, *name)));
        let Some((at, mark, element)) = found.min_by_key(|(at, mark, _)| (*at, 2 - mark.len()))
        else {
            html.push_str(rest);
            return html;
        };
        html.push_str(&rest[..at]);
        rest = &rest[at + mark.len()..];
        let starts =
            !html.ends_with(char::is_alphanumeric) && !rest.starts_with(char::is_whitespace);
        let Some(end) = rest.find(mark).filter(|end| *end > 0 && starts) else {
            html.push_str(mark);
            continue;
        };
        // It has no such mark inside, so that elements are nested no deeper than there are marks.
        let inside = &rest[..end];
        let inside = if element == "code" { inside.to_owned() } else { marked(inside) };
        html.extend(["<", element, ">", &inside, "</", element, ">"]);
        rest = &rest[end + mark.len()..];
    }
}

/// A name as a part of an address.
pub(crate) fn path_part(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_accounts_tags_and_links() {
        let text = "Hi @mona, and @bob@other.example. See https://a.example/#b?c=1! #Rust #1 a#b me@here.example";
        assert_eq!(mentions(text), ["mona", "bob@other.example"]);
        assert_eq!(tags(text), ["rust"]);
        let links: Vec<_> =
            pieces(text).into_iter().filter(|piece| matches!(piece, Piece::Link(_))).collect();
        assert_eq!(links, [Piece::Link("https://a.example/#b?c=1")]);
        let whole: usize = pieces("é#ü@")
            .iter()
            .map(|piece| match piece {
                Piece::Tag(text) => text.len() + 1,
                Piece::Plain(text) | Piece::Mention(text) | Piece::Link(text) => text.len(),
            })
            .sum();
        assert_eq!(whole, "é#ü@".len());
    }

    #[test]
    fn links_addresses_and_families_count_as_in_mastodon() {
        let length = |text: &str| graphemes(&counted(text, 23));
        assert_eq!(length(&format!("{} @bob@a-very-long.example", "x".repeat(480))), 485);
        assert_eq!(length("https://a.example/?q=0123456789012345678901234567890123456789"), 23);
        assert_eq!(length(&"\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}".repeat(200)), 200);
        assert_eq!(length("#tag e\u{301}"), 6);
    }

    #[test]
    fn markup_is_escaped() {
        let nobody = |_: &str| None;
        let form = |origin| Form { origin, shortens: true, markdown: false };
        assert_eq!(html("", form(""), nobody), "");
        assert_eq!(
            html("<b>\n\n'a'\nb @x", form(""), nobody),
            "<p>&lt;b&gt;</p><p>&#39;a&#39;<br />b @x</p>"
        );
        let markdown = Form { markdown: true, ..form("") };
        assert_eq!(
            html("**b** _i_ `*` a_b_c 2 * 3 **", markdown, nobody),
            "<p><strong>b</strong> <em>i</em> <code>*</code> a_b_c 2 * 3 **</p>"
        );
        let someone = |name: &str| Some(("http://a/@m".to_owned(), name.to_owned()));
        assert_eq!(
            html("@m #T", form("http://a"), someone),
            "<p><span class=\"h-card\" translate=\"no\"><a href=\"http://a/@m\" class=\"u-url mention\">@<span>m</span></a></span> \
             <a href=\"http://a/tags/t\" class=\"mention hashtag\" rel=\"tag\">#<span>T</span></a></p>"
        );
    }
}
