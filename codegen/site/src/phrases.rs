//! Facts in few words, as several pages say them.

use fedispec_model::api::{Auth, Limits};
use fedispec_model::auth;
use fedispec_since::{Location, TokenKind};

pub(crate) fn token(token: TokenKind) -> &'static str {
    match token {
        TokenKind::Unknown => "nobody says who",
        TokenKind::None => "anybody",
        TokenKind::Optional => "anybody; a token may show more",
        TokenKind::App => "an application's or a user's token",
        TokenKind::Client => "an application's own token",
        TokenKind::User => "a user's token",
    }
}

/// The callers that an operation admits.
pub(crate) fn callers(auth: &Auth) -> String {
    let mut text = match auth.token {
        // A token that is optional or not looked at excludes nobody.
        TokenKind::None | TokenKind::Optional => "anybody".to_owned(),
        other => token(other).to_owned(),
    };
    if !auth.scopes.is_empty() {
        text.push_str(if text == "anybody" { ", and a token with " } else { " with " });
        text.push_str(&auth::scopes(auth));
    }
    if !auth.permissions.is_empty() {
        text.push_str(", and a role with ");
        text.push_str(&auth.permissions.join(" or "));
    }
    text
}

/// Where a parameter stands.
pub(crate) fn place(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Form => "body",
        Location::Header => "header",
        Location::Unknown => "place unknown",
    }
}

/// The limits of a parameter that are numbers.
pub(crate) fn bounds(limits: &Limits) -> Vec<String> {
    let number = |words: &str, value: Option<f64>| value.map(|value| format!("{words} {value}"));
    let count = |words: &str, value: Option<u64>, of: &str| {
        value.map(|value| format!("{words} {value} {of}"))
    };
    [
        number("at least", limits.min),
        number("at most", limits.max),
        count("at most", limits.max_length, "characters"),
        count("at least", limits.min_items, "elements"),
        count("at most", limits.max_items, "elements"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns what a server with this quirk sends.
pub(crate) fn sent(word: &str) -> &str {
    match word {
        "absent" => "nothing",
        "absent_if_empty" => "nothing where it is empty",
        "empty_array" => "an empty list",
        "empty_string" => "an empty text",
        "integer" => "a number",
        "object" => "an object",
        "string" => "a text",
        "zero" => "zero, never null",
        other => other,
    }
}
