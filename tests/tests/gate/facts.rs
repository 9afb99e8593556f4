//! The lock file: it is written on request, and a changed catalogue makes the build warn.

use fedispec_tests::commands::finish;

use crate::crates::{Crate, warnings};

/// Writes the lock file, by a build with `FEDISPEC_LOCK=update`.
fn update(sample: &Crate) {
    let mut command = sample.command(&["check"]);
    let ran = finish(command.env("FEDISPEC_LOCK", "update")).succeeded();
    assert_eq!(warnings(&ran), [""; 0]);
}

#[test]
fn a_change_of_the_catalogue_is_seen() {
    let sample = Crate::copy("samples/client", "locked");
    sample.replace("build.rs", ".client()", ".client()\n        .lock(\"fedispec.lock\")");
    let without = sample.cargo(&["check"]);
    assert_ne!(without.code, Some(0));
    assert!(
        without.stderr.contains("needs the feature `lock` of fedispec-codegen"),
        "{}",
        without.stderr
    );
    sample.replace("Cargo.toml", "/codegen\" }", "/codegen\", features = [\"lock\"] }");
    assert_eq!(
        sample.warnings(),
        [
            "warning: locked@0.0.0: there is no fedispec.lock yet: `FEDISPEC_LOCK=update cargo build` writes it"
        ]
    );
    assert!(!sample.tree().contains_key("fedispec.lock"));

    update(&sample);
    let locked = sample.read("fedispec.lock");
    sample.compiles();

    // Simulates a catalogue that has changed since the file was written.
    let line = locked
        .lines()
        .find(|line| line.contains("\"id\":\"notifications.list.include_filtered\""))
        .expect("a parameter");
    let older = line.replace("4.3.0", "4.2.0");
    assert_ne!(older, line);
    sample.replace("fedispec.lock", line, &older);
    let told = sample.warnings();
    assert_eq!(
        told[0],
        "warning: locked@0.0.0: the catalogue has changed in what this crate uses:"
    );
    let change = told.iter().find(|line| line.contains("notifications.list.include_filtered"));
    let change = change.unwrap_or_else(|| panic!("{told:#?}"));
    assert!(change.contains("4.2.0") && change.contains("4.3.0"), "{change}");
    assert_eq!(
        told[told.len() - 1],
        "warning: locked@0.0.0: accept it with `FEDISPEC_LOCK=update cargo build`, which writes fedispec.lock"
    );

    update(&sample);
    assert_eq!(sample.read("fedispec.lock"), locked);
}
