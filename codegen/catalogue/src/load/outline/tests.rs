//! An outline brings what parsing brings, or nothing.

use std::path::Path;

use super::super::{load, outline, scan};
use super::*;
use crate::source::FileId;

fn parsed(text: &str) -> (Index, Value) {
    let found = scan::scan(FileId(0), text, "");
    assert!(found.sound && found.diagnostics.is_empty(), "{text}");
    (found.index, tree::read(text).expect("YAML"))
}

/// The text under one path with the outline that it has, if any.
fn outlined(text: &str) -> Option<String> {
    let (index, _) = parsed(text);
    let numbers = of(text, &index)?;
    Some(format!(
        "{FORM}{HEADER}a b.yaml {} {:016x}{numbers}\n",
        text.len(),
        checksum(text)
    ))
}

#[test]
fn every_file_of_the_catalogue_is_brought_as_parsing_brings_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let catalogue = load(&folder).expect("the catalogue");
    let text = outline(&catalogue);
    let kept = std::fs::read_to_string(folder.join("outline.txt")).expect("outline.txt");
    assert!(kept == text, "stale; run `cargo xtask gen`");
    let outlines = Outlines::read(&text);
    for file in catalogue.sources.files() {
        let (path, text) = (catalogue.sources.path(file), catalogue.sources.text(file));
        let taken = outlines.take(path, text);
        assert!(taken == Some(parsed(text)), "{path}");
    }
}

#[test]
fn whatever_may_be_written() {
    for text in [
        "a: b\n",
        "a: {b: [c, 1, 1.5, true, ~, null], d: }\ne:\n- f\n- g: h\n  \"i\": 'j'\nk: \"l\"\n",
        "# nothing\na: >\n  folded\n  text\nb: |\n  as\n   it is\nc: two\n  lines\n",
        "ß: \"日\\n本\" # 語\nno: 'it''s'\n",
        "a:\n\n\nb: \"'\"\nc: '\"'\nd: \"\"\ne: \"1\"\n",
        "- 1\n- [[], {}]\n",
    ] {
        let outline = outlined(text).expect(text);
        assert!(
            Outlines::read(&outline).take("a b.yaml", text) == Some(parsed(text)),
            "{text}\n{outline}"
        );
    }
}

#[test]
fn a_key_with_escapes_has_none() {
    assert_eq!(outlined("'it''s': b\n"), None);
}

#[test]
fn another_text_has_no_outline_and_a_broken_outline_is_none() {
    let text = "a: {b: c}\nd: e\n";
    let outline = outlined(text).expect("an outline");
    let take = |outline: &str, text| Outlines::read(outline).take("a b.yaml", text).is_some();
    assert!(take(&outline, text));
    assert!(!take(&outline, "a: {b: c}\nd: f\n"));
    assert!(!take(&outline, "a: {b: c}\nd: e\n\n"));
    assert!(Outlines::read(&outline).take("b.yaml", text).is_none());
    for cut in 0..outline.trim_end().len() {
        assert!(!take(&outline[..cut], text), "{}", &outline[..cut]);
    }
    for odd in [
        "",
        "= ",
        "= a",
        "= a b\n",
        "= a b.yaml 14 x\n",
        "<<<<<<< HEAD\n",
    ] {
        assert!(!take(odd, text), "{odd}");
    }
}
