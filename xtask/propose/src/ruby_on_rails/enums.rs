//! Constants behind enumerations.

use std::collections::BTreeMap;

use super::ruby::{Classes, arguments, first_name, name, pairs, positional};
use crate::surface::{Enumeration, Use};
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
            if call.is("method", "enum") {
                of_enum(classes, class, *call, &mut found);
            }
            listed(classes, class, *call, &mut found);
        }
    }
    for file in files.iter().filter(|file| file.path.starts_with("app/")) {
        looked_at(file, &mut found);
    }
    if let Some(file) = files.iter().find(|file| file.path == "config/initializers/doorkeeper.rb") {
        scopes(file.root(), &mut found);
    }
    found
}

/// `validates :state, inclusion: { in: %w(a b) }`, `setting :policy, in: %w(a b)`: what an attribute may be.
fn listed(
    classes: &Classes<'_>,
    class: &str,
    call: Spot<'_>,
    found: &mut BTreeMap<String, Enumeration>,
) {
    let Some(attribute) = first_name(call) else {
        return;
    };
    call.walk(|at| {
        let is_list =
            at.kind() == "pair" && at.field("key").and_then(name).is_some_and(|key| key == "in");
        if is_list
            && let Some(list) = at.field("value")
            && let Some(words) = classes.words(class, list).filter(|words| words.len() > 1)
        {
            note(found, format!("{class}.{attribute}"), list, words);
        }
        !is_list
    });
}

/// Notes the words that a file's code compares with: `case x when 'a' .. when 'b'`, and `x == 'a'` beside `x == 'b'`.
fn looked_at(file: &File, found: &mut BTreeMap<String, Enumeration>) {
    let mut compared: BTreeMap<&str, Vec<(String, Spot<'_>)>> = BTreeMap::new();
    file.root().walk(|at| {
        match at.kind() {
            "case" => {
                let whens = at.children().into_iter().filter(|when| when.kind() == "when");
                let patterns = whens.flat_map(|when| when.fields("pattern"));
                let words = patterns.filter_map(|pattern| {
                    let inner = || pattern.first().and_then(|at| Some((name(at)?, at)));
                    name(pattern).map(|word| (word, pattern)).or_else(inner)
                });
                let words: Vec<_> = words.collect();
                if words.len() > 1 {
                    let value = at.word("value");
                    let line = at.place().line;
                    note(found, format!("{}:{line}.{value}", file.path), at, words);
                }
            }
            "binary" => {
                let is_equal = at.is("operator", "==");
                if let (true, Some(left), Some(right)) =
                    (is_equal, at.field("left"), at.field("right"))
                    && let Some(word) = name(right).filter(|word| !word.is_empty())
                {
                    compared.entry(left.text()).or_default().push((word, right));
                }
            }
            _ => {}
        }
        true
    });
    for (left, words) in compared {
        let Some((_, first)) = words.first().filter(|_| words.len() > 1) else {
            continue;
        };
        let first = *first;
        note(found, format!("{}:{left}", file.path), first, words);
    }
}

fn note(
    found: &mut BTreeMap<String, Enumeration>,
    name: String,
    at: Spot<'_>,
    words: Vec<(String, Spot<'_>)>,
) {
    let words = words.into_iter().map(|(word, at)| (word, at.place()));
    found.insert(name, Enumeration::of(at.place(), words, Use::Accepted));
}

/// `enum :visibility, { public: 0 }`, or `enum visibility: { public: 0 }`.
fn of_enum(
    classes: &Classes<'_>,
    class: &str,
    call: Spot<'_>,
    found: &mut BTreeMap<String, Enumeration>,
) {
    let given = positional(call);
    let mut note = |attribute, at, words: Option<Vec<_>>| {
        if let (Some(attribute), Some(words)) = (attribute, words) {
            note(found, format!("{class}.{attribute}"), at, words);
        }
    };
    if let [attribute, values, ..] = given[..] {
        return note(name(attribute), values, classes.words(class, values));
    }
    let pairs = pairs(arguments(call));
    // `enum :state, pending: 0, accepted: 1`
    if let Some(attribute) = first_name(call) {
        let words = pairs.filter_map(|(key, _)| Some((name(key)?, key)));
        return note(Some(attribute), call, Some(words.collect()));
    }
    for (key, value) in pairs {
        note(name(key), value, classes.words(class, value));
    }
}

/// `default_scopes :read` and `optional_scopes :write, :'write:accounts'`.
fn scopes(root: Spot<'_>, found: &mut BTreeMap<String, Enumeration>) {
    let mut words = Vec::new();
    root.walk(|spot| {
        let method = spot.word("method");
        if method == "grant_flows"
            && let Some(list) = positional(spot).first()
        {
            let flows = list.children().into_iter();
            let flows = flows.map(|flow| (flow.text().to_owned(), flow)).collect();
            note(found, "Doorkeeper::GrantFlows".to_owned(), *list, flows);
        }
        if matches!(method, "default_scopes" | "optional_scopes") {
            for at in positional(spot) {
                words.extend(name(at).map(|scope| (scope, at)));
            }
        }
        true
    });
    if !words.is_empty() {
        note(found, "Doorkeeper::Scopes".to_owned(), root, words);
    }
}
