//! A build script writes only to its own folder, reruns only where an input has changed, and gives the same text each time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fedispec_tests::commands::finish;
use fedispec_tests::skip::skipped_without;

use crate::crates::Crate;

fn modified(path: &Path) -> SystemTime {
    let told = fs::metadata(path).and_then(|data| data.modified());
    told.expect("the time of a file")
}

/// cargo keeps the output of a build script beside its folder and rewrites that file on each run.
fn run(out_dir: &Path) -> SystemTime {
    modified(&out_dir.with_file_name("output"))
}

#[test]
fn it_runs_only_when_something_that_it_reads_has_changed() {
    let sample = Crate::copy("samples/server", "reruns");
    sample.write("src/main.rs", "fn main() {}\n");
    let before = sample.tree();
    let out_dir = sample.out_dir();
    let bindings = out_dir.join("fedispec.rs");
    assert_eq!(sample.tree(), before, "nothing is written beside OUT_DIR");
    assert_eq!(fs::read_dir(&out_dir).expect("it").count(), 1);
    let (first_run, text_of) = (run(&out_dir), modified(&bindings));

    sample.replace("src/main.rs", "{}", "{ println!() }");
    sample.write("NOTES.md", "Nobody reads this.");
    assert_eq!(sample.out_dir(), out_dir);
    assert_eq!(run(&out_dir), first_run, "it has run for nothing");

    let file = "catalogue/reactions.yaml";
    sample.write(file, &format!("{}\n# A remark.\n", sample.read(file)));
    sample.out_dir();
    let second_run = run(&out_dir);
    assert!(second_run > first_run, "it has not run");
    assert_eq!(modified(&bindings), text_of, "an equal text is not written");

    sample.write("catalogue/more.yaml", "area: nothing more yet\n");
    sample.out_dir();
    assert!(run(&out_dir) > second_run, "a new file was not seen");
    sample.replace(file, "Reacts to a status.", "Reacts.");
    sample.out_dir();
    assert!(modified(&bindings) > text_of);
}

#[test]
fn the_text_is_the_same_everywhere_and_an_editor_can_read_it() {
    let text = |name| {
        let sample = Crate::copy("samples/client", name);
        sample.write("src/main.rs", "fn main() {}\n");
        let bindings = sample.out_dir().join("fedispec.rs");
        fs::read_to_string(bindings).expect("the bindings")
    };
    let (one, other) = (text("here"), text("there"));
    assert!(one == other, "the texts differ");
    syn::parse_file(&one).expect("Rust");
    // A compiler shows whole lines.
    let longest = one.lines().max_by_key(|line| line.len()).expect("a line");
    assert!(longest.len() < 2_000, "{longest}");
    let root = fedispec_tests::root().canonicalize().expect("the root");
    assert!(!one.contains(&root.display().to_string()));
}

/// Everything below a folder, with the time of its last change.
fn times(folder: &Path, into: &mut BTreeMap<PathBuf, SystemTime>) {
    into.insert(folder.to_owned(), modified(folder));
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a name").path();
        if path.is_dir() {
            times(&path, into);
        } else {
            into.insert(path.clone(), modified(&path));
        }
    }
}

/// Nothing is written there, not even a file that is removed again, which the folder's time would show. Permissions do not
/// stop root, so this is the test for root; for other users the write permission is taken as well.
#[test]
fn sources_may_be_read_only() {
    let sample = Crate::copy("samples/server", "read-only");
    sample.write("src/main.rs", "fn main() {}\n");
    let file = "catalogue/reactions.yaml";
    let bindings = sample.out_dir().join("fedispec.rs");
    let before = modified(&bindings);
    sample.replace(file, "Reacts to a status.", "Reacts.");

    let files: Vec<_> = sample.tree().into_keys().collect();
    let folders = ["", "catalogue", "src"].map(str::to_owned);
    let read_only = |wanted: bool| {
        for path in files.iter().chain(&folders) {
            let path = sample.place().join(path);
            let mut permissions = fs::metadata(&path).expect("a file").permissions();
            permissions.set_readonly(wanted);
            fs::set_permissions(&path, permissions).expect("set");
        }
    };
    let sources = || {
        let mut all = BTreeMap::new();
        times(sample.place(), &mut all);
        times(&fedispec_tests::root().join("spec"), &mut all);
        all
    };
    read_only(true);
    let untouched = sources();
    let ran = sample.cargo(&["check", "--quiet", "--locked"]);
    let touched = sources();
    read_only(false);
    assert_eq!(ran.succeeded().stderr, "", "warnings");
    assert!(modified(&bindings) > before, "it has not run");
    assert_eq!(touched, untouched);
}

#[test]
fn another_target_will_do() {
    let sample = Crate::copy("samples/client", "for-wasm");
    let target = "wasm32-unknown-unknown";
    let mut rustc = std::process::Command::new("rustc");
    let libraries = finish(rustc.args(["--print", "target-libdir", "--target", target]));
    if !Path::new(libraries.stdout.trim()).is_dir() {
        return skipped_without(
            target,
            "another_target_will_do",
            "wasm32-unknown-unknown is not installed",
        );
    }
    let ran = sample.cargo(&["check", "--quiet", "--target", target]).succeeded();
    assert_eq!(ran.stderr, "", "warnings");
}
