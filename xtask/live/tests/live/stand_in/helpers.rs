//! The helpers for pytest and vitest drive a stand-in, each by its example suite.

use std::process::Command;

use fedispec_tests::commands::{self, finish};
use fedispec_tests::{node, python, root};

/// The releases that the example suites run on.
const RELEASES: [&str; 2] = ["mastodon@4.6.4", "mastodon@3.5.3"];

#[test]
fn the_pytest_plugin_drives_a_stand_in() {
    let Some(python) = python::python("the_pytest_plugin_drives_a_stand_in") else {
        return;
    };
    let folder = root().join("xtask/standin/pytest");
    for release in RELEASES {
        let mut pytest = Command::new(python);
        pytest
            .args(["-m", "pytest", "-q", "-p", "fedispec_standin", "-p", "no:cacheprovider"])
            .args(["--standin-release", release, "--standin-seed", "7", "--rootdir"])
            .arg(&folder)
            .arg(&folder)
            .env("FEDISPEC", commands::program())
            .env("PYTHONPATH", &folder)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        let told = finish(&mut pytest).succeeded().stdout;
        assert!(told.contains("7 passed"), "{release}: {told}");
    }
}

#[test]
fn the_vitest_helper_drives_a_stand_in() {
    let Some(packages) = node::packages("the_vitest_helper_drives_a_stand_in") else {
        return;
    };
    // Node looks for packages beside the files, and nothing is installed in the repository.
    let folder = tempfile::tempdir_in(packages).expect("a folder");
    for file in ["standin.js", "example.test.js"] {
        let from = root().join("xtask/standin/vitest").join(file);
        std::fs::copy(from, folder.path().join(file)).expect("copied");
    }
    for release in RELEASES {
        let mut vitest = Command::new("node");
        vitest
            .arg(packages.join("node_modules/vitest/vitest.mjs"))
            .args(["run", "--root"])
            .arg(folder.path())
            .env("FEDISPEC", commands::program())
            .env("STANDIN_RELEASE", release)
            .env("NO_COLOR", "1");
        let told = finish(&mut vitest).succeeded().stdout;
        assert!(told.contains("7 passed"), "{release}: {told}");
    }
}
