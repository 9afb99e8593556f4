//! Strikes secrets out of bodies that go into errors.

use crate::Json;

/// The keys whose values are secret.
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
/// Longer bodies are cut.
const LONGEST: usize = 64 * 1024;

/// A body fit to be shown: without the values of secret keys, and without the token of the request.
pub(super) fn redact(body: &str, token: Option<&str>) -> String {
    let mut shown = struck(body, token);
    if shown.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| shown.is_char_boundary(end));
        shown.truncate(end.unwrap_or_default());
        shown.push('…');
    }
    shown
}

/// The tree of a body that is fit to be shown; null where it is no JSON.
pub(super) fn redacted(body: &str, token: Option<&str>) -> Json {
    serde_json::from_str(&struck(body, token)).unwrap_or_default()
}

fn struck(body: &str, token: Option<&str>) -> String {
    let mut tree = serde_json::from_str::<Json>(body).unwrap_or_default();
    let shown = if strike(&mut tree) {
        tree.to_string()
    } else {
        body.to_owned()
    };
    match token.filter(|token| !token.is_empty()) {
        Some(token) => shown.replace(token, STRUCK),
        None => shown,
    }
}

/// Whether something was struck.
fn strike(tree: &mut Json) -> bool {
    match tree {
        Json::Array(items) => items
            .iter_mut()
            .fold(false, |struck, item| strike(item) | struck),
        Json::Object(fields) => fields.iter_mut().fold(false, |struck, (key, value)| {
            if SECRET.contains(&key.as_str()) && value.is_string() {
                *value = Json::from(STRUCK);
                true
            } else {
                strike(value) | struck
            }
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn strikes_secrets() {
        assert_eq!(
            redact(
                r#"{"access_token":"abc","n":[{"client_secret":"x"}],"code":7}"#,
                None
            ),
            r#"{"access_token":"[secret]","code":7,"n":[{"client_secret":"[secret]"}]}"#
        );
        assert_eq!(
            redact("the token abc is bad", Some("abc")),
            "the token [secret] is bad"
        );
        assert_eq!(redact(r#"{ "a": 1 }"#, Some("")), r#"{ "a": 1 }"#);
    }

    #[test]
    fn cuts_between_characters() {
        assert!(redact(&"é".repeat(60_000), None).ends_with('…'));
    }
}
