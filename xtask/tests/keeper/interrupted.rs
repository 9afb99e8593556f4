//! A run that is killed, or that cannot write, leaves the old or the new tree.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use fedispec_tests::catalogue::{Scratch, Tree, tree};
use fedispec_tests::commands::{self, Ran};
use fedispec_tests::skip;

/// Generates the tree, then changes the catalogue so that the next run generates another.
fn before_and_after() -> (Scratch, Tree, Tree) {
    let scratch = Scratch::small();
    commands::run(scratch.gen_args(&[])).succeeded();
    let old = tree(&scratch.out());
    change_every_file(&scratch);
    commands::run(scratch.gen_args(&[])).succeeded();
    let new = tree(&scratch.out());
    assert!(old != new, "the edit changed nothing");
    (scratch, old, new)
}

/// Renames a program, whose name is in nearly every generated file.
fn change_every_file(scratch: &Scratch) {
    scratch.edit("implementations.yaml", "name: Mastodon", "name: Mastodont");
}

fn change_back(scratch: &Scratch) {
    scratch.edit("implementations.yaml", "name: Mastodont", "name: Mastodon");
}

#[test]
fn a_killed_run_leaves_the_old_or_the_new_tree() {
    let (scratch, old, new) = before_and_after();
    let started = Instant::now();
    change_back(&scratch);
    commands::run(scratch.gen_args(&[])).succeeded();
    let whole = started.elapsed();
    change_every_file(&scratch);

    // Most attempts kill the run near its end, where it writes.
    let (mut olds, mut news) = (0, 0);
    for attempt in 0..16_u32 {
        let wait = if attempt < 4 { whole * attempt / 4 } else { whole * (70 + attempt * 3) / 100 };
        let mut child = commands::command(scratch.gen_args(&[]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gen starts");
        thread::sleep(wait);
        let _ = child.kill();
        let _ = child.wait();
        let left = tree(&scratch.out());
        assert!(
            left == old || left == new,
            "after {wait:?} the tree is neither the old nor the new one"
        );
        if left == new {
            news += 1;
            change_back(&scratch);
            commands::run(scratch.gen_args(&[])).succeeded();
            assert!(tree(&scratch.out()) == old, "the next run mends what a killed one left");
            change_every_file(&scratch);
        } else {
            olds += 1;
        }
    }
    assert!(olds > 0, "no run was killed in time ({news} finished)");
    commands::run(scratch.gen_args(&[])).succeeded();
    assert!(tree(&scratch.out()) == new, "the next run mends what a killed one left");
    let beside: Vec<_> = std::fs::read_dir(scratch.path())
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(beside.len(), 2, "a killed run left something beside the tree: {beside:?}");
}

/// Runs a script of the shell in a mount namespace of its own, where a small disk can be mounted.
fn in_own_mounts(scratch: &Scratch, script: &str) -> Option<Ran> {
    let told = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(commands::program())
        .args(scratch.gen_args(&[]))
        .env("CARGO_MANIFEST_DIR", fedispec_tests::root().join("xtask"))
        .current_dir(scratch.path())
        .output()
        .map(|output| Ran::of(&output));
    told.ok().filter(|ran| !ran.stderr.contains("unshare:"))
}

#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let scratch = Scratch::small();
    let script = "set -e; mkdir disk; mount -t tmpfs -o size=96k tmpfs disk; program=$1; shift
        args=; for arg; do case $arg in */generated) arg=$PWD/disk/generated;; esac; set -- \"$@\" \"$arg\"; shift; done
        set +e; \"$program\" \"$@\"; code=$?; find disk -type f | wc -l; exit $code";
    let Some(told) = in_own_mounts(&scratch, script) else {
        return skip::skipped(
            "a_full_disk_is_an_error_that_names_the_file",
            "no mount namespaces here",
        );
    };
    assert_eq!(told.code, Some(2), "{}{}", told.stdout, told.stderr);
    assert!(told.stderr.contains("No space left on device"), "{}", told.stderr);
    assert!(told.stderr.contains("disk/"), "the file is not named: {}", told.stderr);
    assert_eq!(told.stdout.trim(), "0", "files were left on the full disk");
}

#[test]
fn a_read_only_folder_is_an_error_that_names_it() {
    let scratch = Scratch::small();
    commands::run(scratch.gen_args(&[])).succeeded();
    let old = tree(&scratch.out());
    change_every_file(&scratch);
    let script = "mount --bind . . && mount -o remount,bind,ro . . && cd / && \"$@\"";
    let Some(told) = in_own_mounts(&scratch, script) else {
        return skip::skipped(
            "a_read_only_folder_is_an_error_that_names_it",
            "no mount namespaces here",
        );
    };
    assert_eq!(told.code, Some(2), "{}{}", told.stdout, told.stderr);
    assert!(told.stderr.contains("Read-only file system"), "{}", told.stderr);
    assert!(told.stderr.contains("generated"), "the folder is not named: {}", told.stderr);
    assert!(tree(&scratch.out()) == old, "the tree changed");
}
