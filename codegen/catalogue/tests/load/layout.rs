//! One layout: what it looks like, and that nothing is lost by it.

use std::fs;
use std::path::Path;

use fedispec_model::api::Layer;
use fedispec_model::resolved::to_json;
use fedispec_reader::layout::layout;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec");

#[track_caller]
fn becomes(text: &str, expected: &str) {
    let laid_out = layout("a.yaml", text).map_err(|(_, problems)| problems);
    assert_eq!(laid_out.as_deref(), Ok(expected));
    let again = layout("a.yaml", expected).map_err(|(_, problems)| problems);
    assert_eq!(again.as_deref(), Ok(expected));
}

#[test]
fn what_fits_stands_on_a_line() {
    becomes(
        "area: a\ngroups: {b: {summary: B}}\noperations: {b.c: {since: {mastodon:   unknown,\n   gotosocial: never}}}\n",
        "area: a\ngroups:\n  b: {summary: B}\noperations:\n  b.c:\n    since: {mastodon: unknown, gotosocial: never}\n",
    );
    let long = "a word ".repeat(20);
    let long = long.trim();
    becomes(
        &format!("enums:\n  A: {{summary: {long}, values: {{b: {{summary: B}}}}}}\n"),
        &format!("enums:\n  A:\n    summary: {long}\n    values:\n      b: {{summary: B}}\n"),
    );
}

/// A line may have 132 characters, and not one more.
#[test]
fn the_longest_line_has_132_characters() {
    let text = |length: usize| "x".repeat(length - "  b: {summary: }".len());
    let fits = format!("groups:\n  b: {{summary: {}}}\n", text(132));
    assert_eq!(fits.lines().last().map(str::len), Some(132));
    becomes(&fits, &fits);
    let long = text(133);
    becomes(
        &format!("groups:\n  b: {{summary: {long}}}\n"),
        &format!("groups:\n  b:\n    summary: {long}\n"),
    );
}

#[test]
fn no_line_ends_in_white_space() {
    becomes("area: a  # of a \t\n# alone  \n", "area: a # of a\n# alone\n");
}

#[test]
fn comments_and_one_empty_line_are_kept() {
    becomes(
        "# head\n\n\n\narea: a # beside\n\n# of the groups\ngroups:\n      # of b\n      b:\n          # inside\n          summary: B\n      c: {summary: \"a # b\"} # more\n# the end\n",
        "# head\n\narea: a # beside\n\n# of the groups\ngroups:\n  # of b\n  b:\n    # inside\n    summary: B\n  c: {summary: \"a # b\"} # more\n# the end\n",
    );
}

#[test]
fn text_that_braces_would_end_gets_quotes() {
    becomes(
        "groups:\n  b:\n    summary: One, two \"three\"\n",
        "groups:\n  b: {summary: \"One, two \\\"three\\\"\"}\n",
    );
    becomes(
        "disputes:\n- item: a\n  documents: [1,\n    2]\n  why: one\n   two\n",
        "disputes:\n  - item: a\n    documents: [1, 2]\n    why: one two\n",
    );
}

/// Arguments are given in the order in which parameters stand where nothing else is said.
#[test]
fn parameters_keep_their_order() {
    let text = "operations:\n  a.b:\n    arguments: [z, a]\n    params:\n      z: {in: form}\n      a: {in: form}\n";
    becomes(text, text);
}

#[test]
fn what_is_no_yaml_is_told() {
    for text in ["a: [", "a: 1\na: 2\n", "<<<<<<< HEAD\na: 1\n"] {
        assert!(layout("a.yaml", text).is_err(), "{text}");
    }
}

/// The whole catalogue says the same after it, and twice changes no more than once.
#[test]
fn the_catalogue_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let lay_out = |name: &Path| {
        let text = fs::read_to_string(Path::new(SPEC).join(name)).unwrap();
        let Ok(once) = layout("a.yaml", &text) else {
            panic!("{}", name.display());
        };
        let Ok(twice) = layout("a.yaml", &once) else {
            panic!("{}", name.display());
        };
        assert_eq!(once, twice, "{}", name.display());
        let comments = |text: &str| text.matches("# ").count();
        assert_eq!(comments(&once), comments(&text), "{}", name.display());
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, once).unwrap();
    };
    for file in ["implementations.yaml", "features.yaml"] {
        lay_out(Path::new(file));
    }
    for layer in ["documents", "supplement"] {
        for entry in fs::read_dir(Path::new(SPEC).join(layer)).unwrap() {
            lay_out(&Path::new(layer).join(entry.unwrap().file_name()));
        }
    }
    for layer in [Layer::Documents, Layer::Full] {
        let resolved = |folder: &Path| {
            let (_, api) = fedispec_reader::open(folder, layer).map_err(|f| f.to_string()).unwrap();
            to_json(&api).unwrap()
        };
        assert!(resolved(Path::new(SPEC)) == resolved(folder.path()), "{layer:?}");
    }
}
