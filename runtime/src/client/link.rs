//! The `Link` header ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288)).

use http::HeaderMap;
use http::header::LINK;

use crate::Link;

/// The targets of the relations `next` and `prev` in a response.
pub(super) fn neighbours(headers: &HeaderMap) -> (Option<Link>, Option<Link>) {
    let (mut next, mut prev) = (None, None);
    for value in headers.get_all(LINK) {
        for (url, relations) in parse(&String::from_utf8_lossy(value.as_bytes())) {
            for relation in relations.split_ascii_whitespace() {
                let place = match relation.to_ascii_lowercase().as_str() {
                    "next" => &mut next,
                    "prev" | "previous" => &mut prev,
                    _ => continue,
                };
                place.get_or_insert_with(|| Link::url(url.as_str()));
            }
        }
    }
    (next, prev)
}

/// Each target and its relations. A malformed link ends the list.
fn parse(mut text: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    while let Some((_, rest)) = text.split_once('<') {
        let Some((url, rest)) = rest.split_once('>') else {
            break;
        };
        let mut relations = String::new();
        text = rest;
        while let Some(rest) = text.trim_start().strip_prefix(';') {
            let (name, value, rest) = param(rest);
            if name.eq_ignore_ascii_case("rel") && relations.is_empty() {
                relations = value;
            }
            text = rest;
        }
        links.push((url.trim().to_owned(), relations));
    }
    links
}

/// Splits off a link's parameter, `rel="next"` or `rel=next`: its name, its value and the remaining text.
fn param(text: &str) -> (&str, String, &str) {
    let end = text.find(['=', ';', ',']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let name = name.trim();
    let Some(value) = rest.strip_prefix('=') else {
        return (name, String::new(), rest);
    };
    let value = value.trim_start();
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find([';', ',']).unwrap_or(value.len());
        let (word, rest) = value.split_at(end);
        return (name, word.trim().to_owned(), rest);
    };
    let mut word = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (name, word, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => word.extend(characters.next().map(|(_, escaped)| escaped)),
            plain => word.push(plain),
        }
    }
    (name, word, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use proptest::prelude::*;

    fn read(values: &[&str]) -> (Option<String>, Option<String>) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(LINK, HeaderValue::from_str(value).expect(value));
        }
        let (next, prev) = neighbours(&headers);
        let url = |link: Option<Link>| link.and_then(|link| link.as_url().map(ToOwned::to_owned));
        (url(next), url(prev))
    }

    #[test]
    fn reads_what_servers_send() {
        let url = |text: &str| Some(text.to_owned());
        assert_eq!(
            read(&[
                r#"<https://e.org/a?max_id=1,2&x[]=1>; rel="next", <https://e.org/a?min_id=9>; rel="prev""#
            ]),
            (url("https://e.org/a?max_id=1,2&x[]=1"), url("https://e.org/a?min_id=9"))
        );
        assert_eq!(
            read(&["<u>; title=\"a, b; rel=\\\"x\\\"\" ; REL=Next", "<v>;rel=\"up prev\""]),
            (url("u"), url("v"))
        );
        assert_eq!(read(&["<u>", "<v>; rel=last"]), (None, None));
        assert_eq!(read(&["", "<", "<u>; rel=\"next"]), (url("u"), None));
        assert_eq!(read(&[]), (None, None));
    }

    proptest! {
        #[test]
        fn never_panics(text in "[<>;,=\"\\\\a-zé ]{0,40}") {
            let _ = parse(&text);
        }
    }
}
