//! The addresses that applications are sent back to.

use axum::http::Uri;

/// The address of those who copy the code by hand.
pub(crate) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// Whether an address is the registered one. The port of this machine does not count ([RFC 8252](https://www.rfc-editor.org/rfc/rfc8252), 7.3).
pub(crate) fn is_same(registered: &str, asked: &str) -> bool {
    registered == asked
        || without_port(registered).is_some_and(|one| Some(one) == without_port(asked))
}

fn without_port(address: &str) -> Option<(String, String)> {
    let uri: Uri = address.parse().ok()?;
    let host = uri.host()?;
    let is_here = matches!(host, "127.0.0.1" | "[::1]") && uri.scheme_str() == Some("http");
    is_here.then(|| {
        (
            host.to_owned(),
            uri.path_and_query()
                .map_or_else(String::new, ToString::to_string),
        )
    })
}

/// An address with more parameters in its query.
pub(crate) fn with<'p>(address: &str, params: impl Iterator<Item = (&'p str, &'p str)>) -> String {
    let (address, fragment) = match address.split_once('#') {
        Some((address, fragment)) => (address, format!("#{fragment}")),
        None => (address, String::new()),
    };
    let mut whole = address.to_owned();
    let mut sign = if address.contains('?') { '&' } else { '?' };
    for (name, value) in params {
        whole.push(sign);
        whole.push_str(name);
        whole.push('=');
        whole.push_str(&escape(value));
        sign = '&';
    }
    whole + &fragment
}

fn escape(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_of_this_machine_does_not_count() {
        for (one, other, same) in [
            ("https://a.example/", "https://a.example/", true),
            ("https://a.example/", "https://a.example/b", false),
            ("http://127.0.0.1/a", "http://127.0.0.1:49152/a", true),
            ("http://127.0.0.1/a", "http://127.0.0.1:49152/b", false),
            ("http://a.example/", "http://a.example:81/", false),
            ("app://back", "app://back", true),
            ("app://back", "evil://back", false),
        ] {
            assert_eq!(is_same(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn parameters_join_those_that_are_there() {
        let params = || [("code", "a b&c"), ("state", "é")].into_iter();
        assert_eq!(
            with("app://x", params()),
            "app://x?code=a%20b%26c&state=%C3%A9"
        );
        assert_eq!(
            with("http://a/?b=1#c", params()),
            "http://a/?b=1&code=a%20b%26c&state=%C3%A9#c"
        );
    }
}
