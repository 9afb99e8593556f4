//! States to compare: a small catalogue, and edits of its text.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use fedispec_diff::change::Change;
use fedispec_diff::{Options, compare};
use fedispec_model::api::{Api, Layer};
use fedispec_reader::load::{Catalogue, Failure};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::FileFailurePersistence;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/base")
}

/// The files of the small catalogue.
pub(super) const FILES: [&str; 7] = [
    "implementations.yaml",
    "documents/books.yaml",
    "supplement/books.yaml",
    "supplement/loans.yaml",
    "programs/extra/implementations.yaml",
    "programs/extra/extra.yaml",
    "features.yaml",
];

/// The small catalogue with other text: each edit replaces a text that stands there.
pub(super) fn edited(edits: &[(&str, &str)]) -> Api {
    let mut left: Vec<_> = edits.to_vec();
    let written = FILES.map(|name| {
        let mut text = base(name);
        left.retain(|(from, to)| {
            let there = text.contains(from);
            if there {
                text = text.replacen(from, to, 1);
            }
            !there
        });
        (name, text)
    });
    assert!(left.is_empty(), "no such text in the base: {left:?}");
    match opened(&written) {
        Ok((_, api)) => api,
        Err(failure) => panic!("{edits:?}\n{failure}"),
    }
}

/// The text of a file of the small catalogue.
pub(super) fn base(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("the base is there")
}

/// The catalogue of these files.
pub(super) fn opened(files: &[(&str, String)]) -> Result<(Catalogue, Api), Box<Failure>> {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = temporary.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("writes");
    }
    fedispec_reader::open(temporary.path(), Layer::Full)
}

/// Returns the findings, as `rule item [program] cause [severity/bump where they are not the rule's]`.
pub(super) fn found(old: &Api, new: &Api) -> Vec<String> {
    found_with(old, new, &Options::default())
}

pub(super) fn found_with(old: &Api, new: &Api, options: &Options) -> Vec<String> {
    let mut found: Vec<_> = compare(old, new, options).changes.iter().map(line).collect();
    found.sort();
    found
}

pub(super) fn line(change: &Change) -> String {
    let rule = change.rule.rule();
    let mut line = format!("{} {}", rule.id, change.item.id);
    if let Some(program) = &change.implementation {
        let _ = write!(line, " {program}");
    }
    let _ = write!(line, " {}", change.cause.name());
    if (change.severity, change.bump) != (rule.severity, rule.bump) {
        let _ = write!(line, " {}/{}", change.severity.name(), change.bump.name());
    }
    line
}

/// Where proptest keeps the seeds of failures: beside the tests' folder, whatever the source file is called.
const REGRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/diff.txt");

/// As many cases of a property, or as many times more as `FEDISPEC_CASES` says.
pub(super) fn cases(cases: u32) -> ProptestConfig {
    let times = std::env::var("FEDISPEC_CASES").map_or(1, |times| times.parse().expect("a number"));
    ProptestConfig {
        cases: cases * times,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(REGRESSIONS))),
        ..ProptestConfig::default()
    }
}

/// The real catalogue.
pub(super) fn real() -> &'static Api {
    static REAL: LazyLock<Api> = LazyLock::new(|| {
        let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
        match fedispec_reader::open(&spec, Layer::Full) {
            // Its two layers, which the edits and verdicts speak of.
            Ok((_, api)) => api.typed(),
            Err(failure) => panic!("{failure}"),
        }
    });
    &REAL
}
