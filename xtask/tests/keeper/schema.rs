//! The JSON Schemas are current, and an independent validator agrees with the loader on them.

use std::path::Path;

use fedispec_tests::commands::Ran;
use fedispec_tests::{catalogue, commands, python, root};

fn validate(python: &Path, schema: &str, files: &[&str]) -> Ran {
    let schema = root().join("spec/schema").join(schema).display().to_string();
    let mut args = vec![schema.as_str()];
    args.extend(files);
    python::run(python, &root().join("tests/python/validate.py"), &args, "")
}

#[test]
fn the_whole_catalogue_is_valid() {
    let Some(python) = python::python("the_whole_catalogue_is_valid") else {
        return;
    };
    let spec = root().join("spec");
    let files: Vec<String> = catalogue::tree(&spec)
        .into_keys()
        .filter(|path| path.starts_with("documents/") || path.starts_with("supplement/"))
        .map(|path| spec.join(path).display().to_string())
        .collect();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let told = validate(python, "layer.json", &names).succeeded();
    assert_eq!(told.stdout, format!("{} files, 0 mistakes\n", files.len()));
    let implementations = spec.join("implementations.yaml").display().to_string();
    validate(python, "implementations.json", &[&implementations]).succeeded();
}

/// YAML that both the schema and the loader must refuse, with the schema's message.
const BROKEN: [(&str, &str); 6] = [
    ("operations:\n  a.b: {metod: GET}\n", "metod"),
    ("operations:\n  a.b: {since: {mastodon: 4.3}}\n", "4.3"),
    ("operations:\n  a.b: {since: {mastodon: \"4.3\"}}\n", "4.3"),
    ("operations:\n  a.b: {paging: sometimes}\n", "sometimes"),
    ("operations: [a.b]\n", "a.b"),
    ("entities:\n  A: {fields: {id: {nullable: \"yes\"}}}\n", "yes"),
];

#[test]
fn mistakes_are_refused() {
    let Some(python) = python::python("mistakes_are_refused") else {
        return;
    };
    let scratch = catalogue::Scratch::small();
    let file = scratch.spec().join("supplement/broken.yaml");
    let name = file.display().to_string();
    for (text, told) in BROKEN {
        catalogue::write(&file, format!("area: broken\n{text}").as_bytes());
        let by_schema = validate(python, "layer.json", &[&name]);
        assert_eq!(by_schema.code, Some(1), "the schema takes {text}");
        assert!(by_schema.stdout.contains(told), "of {text} the schema says {}", by_schema.stdout);
        let spec = scratch.spec().display().to_string();
        let by_loader = commands::run(["check", "--spec", spec.as_str()]);
        assert_eq!(by_loader.code, Some(2), "the loader takes {text}");
        assert!(
            by_loader.stderr.contains("supplement/broken.yaml:"),
            "of {text} the loader says {}",
            by_loader.stderr
        );
    }
}
