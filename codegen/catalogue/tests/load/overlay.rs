//! Folders that lie over a catalogue.

use std::path::Path;

use fedispec_reader::load::{LayerKind, load_all, load_with};

use super::{Folder, render};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/catalogue");

#[test]
fn it_adds_a_layer_and_a_program() {
    let overlay = Folder::empty()
        .file("mine.yaml", "area: Mine\nentities:\n  Account: {fields: {id: {summary: Its id.}}}\n")
        .file(
            "implementations.yaml",
            "programs:\n  mine: {name: Mine, nodeinfo: [mine], releases: {\"1.0.0\": {}}}\nsources: {}\n",
        );
    let catalogue = match load_with(Path::new(SAMPLE), &[overlay.path()]) {
        Ok(catalogue) => catalogue,
        Err(failure) => panic!("{failure}"),
    };
    let programs: Vec<_> = catalogue.implementations.programs.keys().collect();
    assert_eq!(programs, ["mastodon", "gotosocial", "mine"]);
    let kinds: Vec<_> = catalogue.layers.iter().map(|layer| layer.kind).collect();
    assert_eq!(kinds, [LayerKind::Documents, LayerKind::Supplement, LayerKind::Overlay]);
    let file = catalogue.layers[2].files[0].file;
    assert_eq!(
        catalogue.sources.display_path(file),
        overlay.path().join("mine.yaml").display().to_string()
    );
}

fn report(overlay: &Path) -> String {
    render(&load_all(Path::new(SAMPLE), &[overlay]))
        .replace(&overlay.display().to_string(), "overlay")
        .replace(SAMPLE, "sample")
}

#[test]
fn it_may_not_say_again_what_is_there() {
    let overlay = Folder::empty()
        .file(
            "implementations.yaml",
            "programs: {}\nsources:\n  tags: {class: D, title: Guesses}\n",
        )
        .file("mine.yaml", "area: Mine\n");
    assert_eq!(
        report(overlay.path()),
        r#"error[duplicate-id]: `tags` is registered already
  --> overlay/implementations.yaml:3:3
   |
 3 |   tags: {class: D, title: Guesses}
   |   ^^^^
   |
   = help: choose another key for one of the two
note: it is registered here
  --> sample/implementations.yaml:18:3
   |
18 |   tags: {class: B, title: The program at its tags, url: "https://example.org/tags", revision: v4.3.0}
   |   ^^^^

1 problem in 1 file
"#
    );
}

#[test]
fn it_must_be_there_and_hold_something() {
    let overlay = Folder::empty().file("README.md", "nothing");
    assert_eq!(
        report(overlay.path()),
        "error[no-layer]: the overlay has no file\n--> overlay\n = help: write a file `NAME.yaml` that begins with `area:`\n\n1 problem in 1 file\n"
    );
    assert_eq!(
        report(&overlay.path().join("nope")),
        "error[missing-file]: there is no such file or folder\n--> overlay\n = help: name a folder that holds the files of a layer\n\n1 problem in 1 file\n"
    );
}
