//! Properties that hold for every catalogue, however wrong.

use std::fmt::Write as _;
use std::time::Duration;

use fedispec_model::api::Layer;
use fedispec_reader::load::{Catalogue, load_all};
use fedispec_reader::resolve::resolve;
use proptest::prelude::*;

use crate::cpu_time::cpu_time;
use crate::support::Spec;

/// A catalogue with a bit of everything.
const DOCUMENTS: &str = r#"operations:
  accounts.create:
    documented_as: U01
    since: {mastodon: "2.0.0"}
    method: POST
    path: /api/v1/accounts/:id
    params:
      id: {}
      fields_attributes: {}
      fields_attributes[:index][name]: {}
      keywords_attributes[][keyword]: {since: {mastodon: "4.5.0"}}
      source[privacy]: {refers_to: Visibility}
    errors:
      "422":
        fields:
          details[:key][][error]: {since: {mastodon: "4.5.0"}}
  accounts.search:
    since: {mastodon: "0.0.0"}
    returns: "Account[]"
    alternatives:
      by_name: {requires: [q]}
    params:
      q: {required: sometimes}
entities:
  Account:
    fields:
      id: {since: {mastodon: "1.0.0"}}
      emojis[]: {since: {mastodon: "1.0.0"}}
      source: {since: {mastodon: "2.0.0"}}
      source[note]: {since: {mastodon: "1.0.0"}, older_because: It is.}
  MutedAccount:
    includes: Account
    fields: {until: {since: {mastodon: "4.5.0"}}}
enums:
  Visibility: {values: {public: {since: {mastodon: "1.0.0"}}}}
"#;

const SUPPLEMENT: &str = r#"operations:
  accounts.create:
    since: {gotosocial: "0.1.0"}
    params:
      id: {in: path, required: true, type: id<Account>}
      source[privacy]: {in: form, type: Visibility}
      keywords_attributes[][keyword]: {in: form, type: string}
entities:
  Account:
    fields:
      emojis[]: {type: "string[]", nullable: false, optional: false}
      source: {type: object}
disputes:
  - {item: accounts.create, fact: since.mastodon, documents: "2.0.0", supplement: "1.0.0", verdict: supplement, evidence: server}
tombstones:
  accounts.gone: {why: It is gone.}
"#;

/// Words that turn up in catalogues, to be put where they do not belong.
const WORDS: [&str; 24] = [
    "accounts.create",
    "accounts.search",
    "Account",
    "MutedAccount",
    "Visibility",
    "id",
    "q",
    "unknown",
    "never",
    "\"0.0.0\"",
    "\"1.0.0\"",
    "\"4.5.0\"",
    "\"9.9.9\"",
    "object",
    "object[]",
    "map<object>",
    "A|B",
    "path",
    "form",
    "source[note]",
    "details[:key][][error]",
    "{}",
    "[]",
    "\"\"",
];

fn catalogue(documents: &str, supplement: &str) -> Catalogue {
    let dir = tempfile::tempdir().unwrap();
    Spec::new(documents, supplement).write(dir.path());
    load_all(dir.path(), &[]).catalogue
}

/// Takes lines away, doubles them, swaps them, and puts words in other words' places.
fn mutate(text: &str, changes: &[(u8, usize, usize)]) -> String {
    let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    for (kind, at, with) in changes {
        let (at, other) = (at % lines.len(), with % lines.len());
        match kind % 5 {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => {
                lines[at] = lines[at].replacen(
                    WORDS[with % WORDS.len()],
                    WORDS[(with / 7) % WORDS.len()],
                    1,
                );
            }
            _ => {
                if let Some((key, _)) = lines[at].split_once(": ") {
                    lines[at] = format!("{key}: {}", WORDS[with % WORDS.len()]);
                }
            }
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n") + "\n"
}

fn changes() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_panic_and_every_position_is_inside_its_file(documents in changes(), supplement in changes()) {
        let catalogue = catalogue(&mutate(DOCUMENTS, &documents), &mutate(SUPPLEMENT, &supplement));
        if let Err(problems) = resolve(&catalogue, Layer::Full) {
            for problem in problems {
                let length = catalogue.sources.text(problem.file).len();
                prop_assert!(problem.span.end <= length && problem.span.start <= problem.span.end, "{:?}", problem);
                for other in &problem.related {
                    prop_assert!(other.span.end <= catalogue.sources.text(other.file).len());
                }
            }
        }
    }

    #[test]
    fn the_order_of_files_says_nothing(order in Just((0..6).collect::<Vec<_>>()).prop_shuffle()) {
        let mut spec = Spec::new(DOCUMENTS, SUPPLEMENT);
        let texts: Vec<_> = (0..6).map(|n| format!("operations:\n  accounts.more_{n}: {{since: {{mastodon: \"1.0.0\"}}}}\n")).collect();
        let names: Vec<_> = (0..6).map(|n| format!("documents/more_{n}.yaml")).collect();
        for (name, text) in names.iter().zip(&texts) {
            spec = spec.and(name, text);
        }
        let dir = tempfile::tempdir().unwrap();
        spec.write(dir.path());
        let mut catalogue = load_all(dir.path(), &[]).catalogue;
        let expected = resolve(&catalogue, Layer::Full).unwrap();
        let files = std::mem::take(&mut catalogue.layers[0].files);
        let (mut first, mut rest) = (files.clone(), Vec::new());
        rest.extend(order.iter().map(|n| files[n + 1].clone()));
        first.truncate(1);
        rest.append(&mut first);
        catalogue.layers[0].files = rest;
        prop_assert_eq!(resolve(&catalogue, Layer::Full).unwrap(), expected);
    }
}

/// A sound catalogue of so many operations, entities and fields.
fn large(count: usize) -> String {
    let mut text = String::from("operations:\n");
    for n in 0..count {
        let _ = writeln!(
            text,
            "  accounts.call_{n}:\n    since: {{mastodon: \"2.0.0\"}}\n    method: GET\n    path: /a/{n}/:id\n    \
             returns: E{n}\n    params: {{id: {{}}, \"list[][a]\": {{}}, \"source[b]\": {{}}}}"
        );
    }
    text.push_str("entities:\n");
    for n in 0..count {
        let _ = write!(
            text,
            "  E{n}:\n    includes: E{}\n    fields:\n",
            if n % 50 == 0 { count } else { n - n % 50 }
        );
        for field in 0..5 {
            let _ = writeln!(text, "      inner[f{field}]: {{since: {{mastodon: \"1.0.0\"}}}}");
        }
    }
    let _ = writeln!(text, "  E{count}: {{fields: unknown}}");
    text
}

fn best_of(count: usize, catalogue: &Catalogue) -> Duration {
    let resolve = || resolve(catalogue, Layer::Full);
    let run = || {
        let (resolved, time) = cpu_time(resolve);
        resolved.unwrap_or_else(|problems| panic!("{problems:?}"));
        time
    };
    (0..count).map(|_| run()).min().unwrap()
}

#[test]
fn ten_times_the_catalogue_takes_ten_times_as_long() {
    let (small, big) = (catalogue(&large(150), ""), catalogue(&large(1500), ""));
    let (short, long) = (best_of(5, &small), best_of(3, &big));
    // Three times as much is left for caches and neighbours; what grew with the square would take a hundred times as long.
    assert!(long < short * 30, "{short:?}, {long:?}");
}
