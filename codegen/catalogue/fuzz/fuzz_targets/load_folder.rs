//! Any bytes as the registry and as a file of each layer, cut at the byte 0.

#![no_main]

use std::fs;

use fedispec_reader::diagnostic::Report;
use fedispec_reader::load::load_all;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names = [
        "implementations.yaml",
        "documents/a.yaml",
        "supplement/a.yaml",
    ];
    for (name, part) in names.into_iter().zip(bytes.split(|byte| *byte == 0)) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, part).expect("a file");
    }
    let loaded = load_all(folder.path(), &[]);
    let sources = &loaded.catalogue.sources;
    for one in &loaded.diagnostics {
        let length = one.file.map_or(0, |file| sources.text(file).len());
        assert!(
            one.span.start <= one.span.end && one.span.end <= length,
            "{one:?}"
        );
    }
    assert!(loaded.whole || !loaded.diagnostics.is_empty());
    Report::new(loaded.diagnostics).render(sources, true);
});
