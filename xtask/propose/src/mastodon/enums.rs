//! Constants behind enumerations.

use std::collections::BTreeMap;

use super::ruby::{Classes, arguments, name, positional};
use crate::surface::Enumeration;
use crate::syntax::{File, Spot};

/// The lists of words that models and serializers declare, the `enum`s of models, and the scopes of doorkeeper.
pub(super) fn enums(classes: &Classes<'_>, files: &[File]) -> BTreeMap<String, Enumeration> {
    let mut found = BTreeMap::new();
    for (class, declared) in classes.all() {
        for (constant, value) in declared.constants() {
            if let Some(words) = classes.words(class, value).filter(|words| words.len() > 1) {
                note(&mut found, format!("{class}::{constant}"), value, words);
            }
        }
        for call in &declared.calls {
            if call
                .field("method")
                .is_some_and(|method| method.text() == "enum")
            {
                of_enum(classes, class, *call, &mut found);
            }
        }
    }
    if let Some(file) = files
        .iter()
        .find(|file| file.path == "config/initializers/doorkeeper.rb")
    {
        scopes(file.root(), &mut found);
    }
    found
}

fn note(
    found: &mut BTreeMap<String, Enumeration>,
    name: String,
    at: Spot<'_>,
    words: Vec<(String, Spot<'_>)>,
) {
    let values = words
        .into_iter()
        .map(|(word, at)| (word, at.place()))
        .collect();
    found.insert(
        name,
        Enumeration {
            at: at.place(),
            values,
        },
    );
}

/// `enum :visibility, { public: 0 }`, or `enum visibility: { public: 0 }`.
fn of_enum(
    classes: &Classes<'_>,
    class: &str,
    call: Spot<'_>,
    found: &mut BTreeMap<String, Enumeration>,
) {
    let positional = positional(call);
    if let [attribute, values, ..] = positional.as_slice() {
        if let (Some(attribute), Some(words)) = (name(*attribute), classes.words(class, *values)) {
            note(found, format!("{class}.{attribute}"), *values, words);
        }
        return;
    }
    let attribute = positional.first().copied().and_then(name);
    let pairs = arguments(call).into_iter().filter(|at| at.kind() == "pair");
    // `enum :state, pending: 0, accepted: 1`
    if let Some(attribute) = attribute {
        let words = pairs.filter_map(|pair| Some((name(pair.field("key")?)?, pair)));
        note(found, format!("{class}.{attribute}"), call, words.collect());
        return;
    }
    for pair in pairs {
        if let (Some(attribute), Some(value)) =
            (pair.field("key").and_then(name), pair.field("value"))
            && let Some(words) = classes.words(class, value)
        {
            note(found, format!("{class}.{attribute}"), value, words);
        }
    }
}

/// `default_scopes :read` and `optional_scopes :write, :'write:accounts'`.
fn scopes(root: Spot<'_>, found: &mut BTreeMap<String, Enumeration>) {
    let mut values = BTreeMap::new();
    root.walk(|spot| {
        let method = spot.field("method").map(Spot::text).unwrap_or_default();
        if matches!(method, "default_scopes" | "optional_scopes") {
            for at in positional(spot) {
                values.extend(name(at).map(|scope| (scope, at.place())));
            }
        }
        true
    });
    if !values.is_empty() {
        found.insert(
            "Doorkeeper::Scopes".to_owned(),
            Enumeration {
                at: root.place(),
                values,
            },
        );
    }
}
