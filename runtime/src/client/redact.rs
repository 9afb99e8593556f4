//! Removal of secrets from what goes into errors.

use std::fmt;

use http::HeaderMap;

use crate::Json;

/// The fields whose values are secret.
const SECRET: &[&str] = &[
    "access_token",
    "client_secret",
    "code",
    "confirmation_token",
    "id_token",
    "password",
    "refresh_token",
    "token",
];

const STRUCK: &str = "[secret]";
/// The length of a token that is struck wherever it stands.
const LONG_TOKEN: usize = 8;
/// The length of the shortest token that is struck at all.
const SHORTEST_TOKEN: usize = 3;
/// The length at which a body is truncated.
const LONGEST: usize = 64 * 1024;

/// Removes the values of secret fields and the request's token from a body.
pub(super) fn redact(body: &str, token: Option<&str>) -> String {
    shortened(redacted_text(body, token))
}

/// A text as an error keeps it.
pub(super) fn shortened(mut shown: String) -> String {
    if shown.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| shown.is_char_boundary(end));
        shown.truncate(end.unwrap_or_default());
        shown.push('…');
    }
    shown
}

/// The redacted body as JSON; null where it is not JSON.
pub(super) fn redacted(body: &str, token: Option<&str>) -> Json {
    serde_json::from_str(&redacted_text(body, token)).unwrap_or_default()
}

/// Removes the values of secret fields and the request's token, whatever the length.
pub(super) fn redacted_text(body: &str, token: Option<&str>) -> String {
    let shown = match serde_json::from_str::<Json>(body) {
        Ok(mut tree) => {
            if redact_tree(&mut tree) {
                tree.to_string()
            } else {
                body.to_owned()
            }
        }
        Err(_) => redact_cut(body),
    };
    match token {
        Some(token) => redact_token(&shown, token),
        None => shown,
    }
}

/// Strikes the values of secret fields in a text that is not JSON, such as an answer that is cut short.
fn redact_cut(body: &str) -> String {
    let mut shown = body.to_owned();
    for field in SECRET {
        let key = format!("\"{field}\"");
        let mut from = 0;
        while let Some(at) = shown[from..].find(&key) {
            from += at + key.len();
            let rest = shown[from..].trim_start();
            let value = rest.strip_prefix(':').map(str::trim_start);
            let Some(value) = value.and_then(|value| value.strip_prefix('"')) else {
                continue;
            };
            let start = shown.len() - value.len();
            let end = start + text_end(value);
            shown.replace_range(start..end, STRUCK);
            from = start + STRUCK.len();
        }
    }
    shown
}

/// The place of the quote that ends a JSON text, or the text's length.
fn text_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => byte == b'"',
    });
    end.unwrap_or(text.len())
}

/// Whether a parameter's value is secret.
pub(super) fn is_secret(wire: &str) -> bool {
    SECRET.contains(&wire) || wire.ends_with("password") || wire == "code_verifier"
}

/// Strikes secrets that a request held and its answer repeats.
pub(super) fn strike(text: &mut String, secrets: &[String]) {
    for secret in secrets {
        *text = redact_token(text, secret);
        // As JSON and a query write it.
        let json = Json::from(secret.as_str()).to_string();
        let query: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let json = json.get(1..json.len() - 1).unwrap_or_default();
        for written in [json, &query] {
            if written != secret {
                *text = redact_token(text, written);
            }
        }
    }
}

/// As [`strike`], in every text of a tree.
pub(super) fn strike_tree(tree: &mut Json, secrets: &[String]) {
    match tree {
        Json::String(text) => strike(text, secrets),
        Json::Array(items) => items.iter_mut().for_each(|item| strike_tree(item, secrets)),
        Json::Object(fields) => fields.values_mut().for_each(|value| strike_tree(value, secrets)),
        _ => {}
    }
}

/// Strikes a token. A short one could be part of any word, so it is struck only where it stands alone; one of a letter or two is no secret.
fn redact_token(text: &str, token: &str) -> String {
    if token.len() >= LONG_TOKEN {
        return text.replace(token, STRUCK);
    }
    if token.len() < SHORTEST_TOKEN {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(token) {
        let (before, after) = (&rest[..at], &rest[at + token.len()..]);
        let is_part =
            before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        shown += before;
        shown += if is_part { token } else { STRUCK };
        rest = after;
    }
    shown + rest
}

/// Replaces the values of secret fields and returns whether there were any.
fn redact_tree(tree: &mut Json) -> bool {
    match tree {
        Json::Array(items) => {
            items.iter_mut().fold(false, |struck, item| redact_tree(item) | struck)
        }
        Json::Object(fields) => fields.iter_mut().fold(false, |struck, (key, value)| {
            if SECRET.contains(&key.as_str()) && value.is_string() {
                *value = Json::from(STRUCK);
                true
            } else {
                redact_tree(value) | struck
            }
        }),
        _ => false,
    }
}

/// Prints the names of headers only: values such as cookies may be secret.
pub(super) struct HeaderNames<'a>(pub(super) &'a HeaderMap);

impl fmt::Debug for HeaderNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys().map(http::HeaderName::as_str)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{is_secret, redact, strike, strike_tree};

    #[test]
    fn secrets_are_removed() {
        assert_eq!(
            redact(r#"{"access_token":"abc","n":[{"client_secret":"x"}],"code":7}"#, None),
            r#"{"access_token":"[secret]","code":7,"n":[{"client_secret":"[secret]"}]}"#
        );
        assert_eq!(redact("the token abc is bad", Some("abc")), "the token [secret] is bad");
        assert_eq!(redact(r#"{ "a": 1 }"#, Some("")), r#"{ "a": 1 }"#);
    }

    #[test]
    fn what_a_server_repeats_is_struck_however_it_is_written() {
        let mut text =
            r#"wrong password p"w & 1, {"echo":"p\"w & 1"}, ?password=p%22w+%26+1"#.to_owned();
        strike(&mut text, &["p\"w & 1".to_owned()]);
        assert_eq!(text, r#"wrong password [secret], {"echo":"[secret]"}, ?password=[secret]"#);
        let mut tree = serde_json::json!({"a": ["the code c0de-7 is used up"], "n": 7});
        strike_tree(&mut tree, &["c0de-7".to_owned(), String::new()]);
        assert_eq!(tree, serde_json::json!({"a": ["the code [secret] is used up"], "n": 7}));
        for (wire, expected) in [
            ("client_secret", true),
            ("new_password", true),
            ("code_verifier", true),
            ("title", false),
        ] {
            assert_eq!(is_secret(wire), expected, "{wire}");
        }
    }

    #[test]
    fn a_short_token_does_not_garble_words() {
        assert_eq!(redact("a bad token", Some("a")), "a bad token");
        assert_eq!(redact("abcd: abc, xabc", Some("abc")), "abcd: [secret], xabc");
        assert_eq!(redact("(abcdefgh1)", Some("abcdefgh")), "([secret]1)");
    }

    #[test]
    fn secrets_are_removed_from_what_is_cut() {
        assert_eq!(
            redact(r#"{"token" : "a\"b", "code":7, "password":"x"#, None),
            r#"{"token" : "[secret]", "code":7, "password":"[secret]"#
        );
        assert_eq!(
            redact(r#"{"code":"a","code":"b"#, None),
            r#"{"code":"[secret]","code":"[secret]"#
        );
    }

    #[test]
    fn truncates_between_characters() {
        assert!(redact(&"é".repeat(60_000), None).ends_with('…'));
    }
}
