//! Facts in few words, as several pages say them.

use fedispec_model::api::Limits;
use fedispec_since::Location;

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
