//! The HTML of statuses as text for a terminal.

/// Without tags: paragraphs are set apart, and a link whose text is not its address has that after it. Servers clean what others send, so that
/// nothing but what a status may have is here.
pub fn plain(html: &str) -> String {
    let mut text = String::new();
    // The address of the link that is open, and where its text begins.
    let mut link: Option<(String, usize)> = None;
    let mut pieces = html.split('<');
    text.push_str(&unescaped(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let (tag, rest) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match name {
            "br" => text.push('\n'),
            "p" | "li" | "blockquote" | "pre" if !text.is_empty() => {
                let gap = if name == "p" { "\n\n" } else { "\n" };
                text.push_str(gap);
            }
            "a" => {
                let named = ["mention", "hashtag"].iter().any(|class| tag.contains(class));
                let address =
                    tag.split_once("href=\"").and_then(|(_, rest)| rest.split('"').next());
                link = address.filter(|_| !named).map(|address| (unescaped(address), text.len()));
            }
            "" if tag == "/a" => {
                if let Some((address, begins)) = link.take()
                    && text[begins..] != address
                {
                    text.extend([" (", &address, ")"]);
                }
            }
            _ => {}
        }
        text.push_str(&unescaped(rest));
    }
    text
}

fn unescaped(text: &str) -> String {
    let named = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", "\u{a0}"),
        ("&amp;", "&"),
    ];
    named.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign))
}
