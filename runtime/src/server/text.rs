//! Texts as requests may have them: UTF-8 without NUL, which databases and C libraries take for an end.

use axum::http::StatusCode;
use percent_encoding::percent_decode;

use super::Error;

pub(super) fn is_plain(text: &str) -> bool {
    !text.contains('\0')
}

/// A 400 that names a parameter.
pub(super) fn refused(what: &str) -> Error {
    Error::new(StatusCode::BAD_REQUEST, told(what))
}

pub(super) fn told(what: &str) -> String {
    let what: String = what.chars().filter(|char| !char.is_control()).collect();
    format!("{what} must be UTF-8 without NUL characters")
}

/// Decodes bytes as a text.
pub(super) fn decode(bytes: Vec<u8>, what: &str) -> Result<String, Error> {
    match String::from_utf8(bytes) {
        Ok(text) if is_plain(&text) => Ok(text),
        _ => Err(refused(what)),
    }
}

/// The pairs of a query or a form ([the standard]'s parser, which replaces what is not UTF-8).
///
/// [the standard]: https://url.spec.whatwg.org/#urlencoded-parsing
pub(super) fn pairs(text: &[u8]) -> impl Iterator<Item = Result<(String, String), Error>> {
    let pairs = text.split(|&byte| byte == b'&');
    pairs.filter(|pair| !pair.is_empty()).map(|pair| {
        let mut sides = pair.splitn(2, |&byte| byte == b'=');
        let mut side = || sides.next().map(unescape).unwrap_or_default();
        let (key, value) = (side(), side());
        let key = decode(key, "the name of a parameter")?;
        let value = decode(value, &key)?;
        Ok((key, value))
    })
}

/// Decodes a part of a query or a form.
pub(super) fn unescape(part: &[u8]) -> Vec<u8> {
    let plus = |&byte: &u8| if byte == b'+' { b' ' } else { byte };
    percent_decode(&part.iter().map(plus).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_the_standard_where_they_are_text() {
        for text in [
            "",
            "a",
            "a=",
            "=a",
            "a=b=c",
            "&&a=1&&b=2&",
            "a+b=c+d",
            "a%2Bb=%20%zz%4",
            "%E2%82%AC=%c3%a9",
            "a[b][]=%25",
        ] {
            let own: Vec<_> = pairs(text.as_bytes()).map(|pair| pair.expect("text")).collect();
            let standard: Vec<_> = form_urlencoded::parse(text.as_bytes())
                .map(|(key, value)| (key.into_owned(), value.into_owned()))
                .collect();
            assert_eq!(own, standard, "{text}");
        }
        for text in ["a=%00", "%00=a", "a=%ff", "a=%c3", "%f0%28=1"] {
            let refused = pairs(text.as_bytes()).next().expect("a pair");
            assert_eq!(refused.expect_err(text).status(), 400, "{text}");
        }
    }
}
