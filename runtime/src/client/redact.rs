//! Removal of secrets from bodies that go into errors.

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
/// The length at which a body is truncated.
const LONGEST: usize = 64 * 1024;

/// Removes the values of secret fields and the request's token from a body.
pub(super) fn redact(body: &str, token: Option<&str>) -> String {
    let mut shown = redacted_text(body, token);
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

fn redacted_text(body: &str, token: Option<&str>) -> String {
    let mut tree = serde_json::from_str::<Json>(body).unwrap_or_default();
    let shown = if redact_tree(&mut tree) {
        tree.to_string()
    } else {
        body.to_owned()
    };
    match token.filter(|token| !token.is_empty()) {
        Some(token) => shown.replace(token, STRUCK),
        None => shown,
    }
}

/// Replaces the values of secret fields and returns whether there were any.
fn redact_tree(tree: &mut Json) -> bool {
    match tree {
        Json::Array(items) => items
            .iter_mut()
            .fold(false, |struck, item| redact_tree(item) | struck),
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

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn secrets_are_removed() {
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
    fn truncates_between_characters() {
        assert!(redact(&"é".repeat(60_000), None).ends_with('…'));
    }
}
