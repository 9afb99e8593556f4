//! Holds the catalogue against the documents' tables and against the facts measured from the programs' sources, with external tools.

use fedispec_tests::{commands, python, shared, skip};

#[test]
fn every_item_of_the_documents_is_transcribed() {
    let audit = shared().join("tools/audit_transcription.py");
    if !audit.is_file() {
        return skip::skipped(
            "every_item_of_the_documents_is_transcribed",
            "the documents are not beside this checkout",
        );
    }
    let Some(python) = python::python("every_item_of_the_documents_is_transcribed") else {
        return;
    };
    let export = commands::run(["export", "--layer", "documents"]).succeeded();
    let told = python::run(python, &audit, &[], &export.stdout).succeeded();
    assert_eq!(told.stdout.lines().last(), Some("822 of 822 items agree, 0 added"));
}
