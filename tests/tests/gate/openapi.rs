//! The document that `openapi` writes of the whole catalogue.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_tests::commands::{self, Ran};
use fedispec_tests::{python, root, shared, skip};
use serde_json::Value;

fn script(python: &Path, name: &str, args: &[&str]) -> Ran {
    python::run(python, &root().join("tests/python").join(name), args, "")
}

/// Writes documents into a folder, each by the command's arguments.
fn written(folder: &Path, documents: &[(&str, &[&str])]) -> Vec<PathBuf> {
    let write = |(name, args): &(&str, &[&str])| {
        let path = folder.join(name);
        fs::write(&path, commands::run(["openapi"].iter().chain(*args)).succeeded().stdout)
            .expect("writable");
        path
    };
    documents.iter().map(write).collect()
}

#[test]
fn a_validator_finds_nothing_wrong() {
    let Some(python) = python::python("a_validator_finds_nothing_wrong") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let documents: &[(&str, &[&str])] = &[
        ("all.json", &[]),
        ("all.yaml", &["--format", "yaml"]),
        ("old.json", &["--openapi", "3.0"]),
        ("one.json", &["--openapi", "3.0", "--bodies", "one", "--enums", "closed"]),
        ("mastodon.json", &["--as", "mastodon@4.3.0", "--enums", "closed"]),
        ("gotosocial.yaml", &["--as", "gotosocial@0.19.2", "--openapi", "3.0", "--format", "yaml"]),
        ("first.json", &["--as", "mastodon@0.1.0"]),
        ("lists.json", &["--groups", "lists,filters"]),
    ];
    let paths = written(folder.path(), documents);
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let told = script(python, "openapi.py", &names).succeeded();
    assert_eq!(told.stdout, format!("{} documents, 0 mistakes\n", names.len()));
    // The same script finds a mistake, and that YAML says something else than JSON.
    let broken = folder.path().join("broken.json");
    let text = fs::read_to_string(&paths[0]).expect("readable");
    fs::write(&broken, text.replace("\"responses\"", "\"answers\"")).expect("writable");
    let broken = broken.display().to_string();
    assert_eq!(script(python, "openapi.py", &[&broken]).code, Some(1));
}

#[test]
fn recorded_answers_fit_and_changed_ones_do_not() {
    let test = "recorded_answers_fit_and_changed_ones_do_not";
    let Some(python) = python::python(test) else {
        return;
    };
    let corpus = shared().join("corpus");
    if !corpus.is_dir() {
        return skip::skipped(test, "no recordings are beside this checkout");
    }
    let recordings = [
        ("mastodon@2.9.1", "mastodon-2.9.1.jsonl"),
        ("mastodon@4.6.4", "mastodon-4.6.4.jsonl"),
        ("gotosocial@0.19.2", "gotosocial-0.19.2.jsonl"),
        ("gotosocial@0.17.4", "live/gotosocial-0.17.4.jsonl"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let mut args = vec![root().join("tests/python/answers.txt").display().to_string()];
    for (release, recording) in recordings {
        let document = written(folder.path(), &[(release, &["--as", release])]);
        let recording = corpus.join(recording);
        args.push(format!("{}={}", document[0].display(), recording.display()));
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let told = script(python, "answers.py", &args).succeeded();
    let figures: Value = serde_json::from_str(&told.stdout).expect("figures");
    assert!(figures["checked"].as_u64() > Some(1500), "{figures}");
    assert!(figures["changed"].as_u64() > Some(8000), "{figures}");
}
