//! Any text as a file of a layer: no panic, every position inside the text, and nothing that a terminal obeys.

#![no_main]

use fedispec_reader::diagnostic::Report;
use fedispec_reader::load::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (sources, _, diagnostics) = parse("a.yaml", &text);
    for one in &diagnostics {
        assert!(
            one.span.start <= one.span.end && one.span.end <= text.len(),
            "{one:?}"
        );
        assert!(
            text.is_char_boundary(one.span.start) && text.is_char_boundary(one.span.end),
            "{one:?}"
        );
    }
    let report = Report::new(diagnostics).render(&sources, false);
    assert!(
        !report.contains(|c: char| c.is_control() && c != '\n'),
        "{report:?}"
    );
});
