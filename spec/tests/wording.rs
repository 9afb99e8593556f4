//! The summaries of the catalogue, which become the documentation of the generated crate.

use serde_json::Value;

/// The items that have a summary or could have one: operations, parameters, entities, fields, enumerations and values.
fn items(value: &Value) -> Vec<&Value> {
    let below: Vec<&Value> = match value {
        Value::Array(list) => list.iter().flat_map(items).collect(),
        Value::Object(object) => object.values().flat_map(items).collect(),
        _ => Vec::new(),
    };
    let own = value.get("rust").is_some() && value.get("id").is_some();
    own.then_some(value).into_iter().chain(below).collect()
}

fn catalogue() -> Value {
    serde_json::from_str(fedispec_catalogue::API_JSON).expect("the catalogue is JSON")
}

fn text<'a>(item: &'a Value, key: &str) -> &'a str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The words of a text in lower case, without articles.
fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !["", "a", "an", "the"].contains(&word.as_str()))
        .collect()
}

/// Whether a summary says nothing that the item's name, whole or its last key, does not say.
fn repeats_the_name(item: &Value) -> bool {
    let told = words(text(item, "summary"));
    ["id", "name", "wire"].iter().any(|key| {
        let name = text(item, key);
        let last = name.rsplit(['.', '[']).next().unwrap_or_default();
        [name, last].iter().any(|name| words(name) == told)
    })
}

#[test]
fn no_summary_repeats_the_name_alone() {
    let api = catalogue();
    let repeating: Vec<&str> = items(&api)
        .into_iter()
        .filter(|item| item.get("summary").is_some() && repeats_the_name(item))
        .map(|item| text(item, "id"))
        .collect();
    assert!(repeating.is_empty(), "{repeating:?}");
}

#[test]
fn a_repeated_name_is_found() {
    for (name, summary, repeats) in [
        ("username", "The username.", true),
        ("status_ids[]", "Status ids.", true),
        ("source[privacy]", "A privacy", true),
        ("username", "The name without the domain.", false),
        ("locked", "Whether the account is locked.", false),
    ] {
        let item = serde_json::json!({"name": name, "summary": summary});
        assert_eq!(repeats_the_name(&item), repeats, "{summary}");
    }
}

#[test]
fn summaries_are_sentences() {
    let api = catalogue();
    for item in items(&api) {
        let Some(summary) = item.get("summary").and_then(Value::as_str) else {
            continue;
        };
        let ends = summary.ends_with('.');
        assert!(ends, "{}: `{summary}` is cut off", text(item, "id"));
        let quoted = summary.matches('`').count() % 2 == 0;
        assert!(quoted, "{}: an open quote", text(item, "id"));
    }
}

#[test]
fn nine_of_ten_items_have_a_summary() {
    let api = catalogue();
    for (kind, list) in [("entities", "fields"), ("enums", "values")] {
        let inside: Vec<&Value> = api[kind]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|owner| items(&owner[list]))
            .collect();
        let told = inside.iter().filter(|item| item.get("summary").is_some());
        let told = told.count();
        assert!(
            told * 10 >= inside.len() * 9,
            "only {told} of {} {list} have a summary",
            inside.len()
        );
    }
}
