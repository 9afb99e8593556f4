//! Constants behind enumerations.

use std::collections::BTreeMap;

use super::ruby::{Classes, arguments, name, positional};
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
            if call.field("method").is_some_and(|method| method.text() == "enum") {
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
    let Some(attribute) = positional(call).first().copied().and_then(name) else {
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

/// What a file's code looks at: the words of `case x when 'a' .. when 'b'`, and of `x == 'a'` beside `x == 'b'`.
fn looked_at(file: &File, found: &mut BTreeMap<String, Enumeration>) {
    let mut compared: BTreeMap<&str, Vec<(String, Spot<'_>)>> = BTreeMap::new();
    file.root().walk(|at| {
        match at.kind() {
            "case" => {
                let whens = at.children().into_iter().filter(|when| when.kind() == "when");
                let patterns = whens.flat_map(|when| when.fields("pattern"));
                let words = patterns.filter_map(|pattern| {
                    let inner = pattern.children().first().copied().unwrap_or(pattern);
                    let at = if name(pattern).is_some() { pattern } else { inner };
                    Some((name(at)?, at))
                });
                let words: Vec<_> = words.collect();
                if words.len() > 1 {
                    let value = at.field("value").map_or("", Spot::text);
                    let line = at.place().line;
                    note(found, format!("{}:{line}.{value}", file.path), at, words);
                }
            }
            "binary" => {
                let is_equal = at.field("operator").is_some_and(|one| one.text() == "==");
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
    let mut noted = Enumeration { at: at.place(), values: BTreeMap::new() };
    for (word, at) in words {
        noted.note(word, at.place(), Use::Accepted);
    }
    found.insert(name, noted);
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
    let mut words = Vec::new();
    root.walk(|spot| {
        let method = spot.field("method").map(Spot::text).unwrap_or_default();
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
