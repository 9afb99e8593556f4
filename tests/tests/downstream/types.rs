//! The types generated for a range of releases, from `tests/fixtures/floors`.

use fedispec_tests::catalogue;

use crate::crates::Crate;

#[test]
fn the_types_say_what_every_supported_release_has() {
    let floors = Crate::copy("fixtures/floors", "floors");
    let ran = floors.cargo(&["check", "--quiet", "--bin", "floors"]).succeeded();
    assert_eq!(ran.stderr, "", "warnings");

    let programs = catalogue::tree(&floors.place().join("src/bin"));
    assert!(programs.len() >= 6, "only {:?}", programs.keys());
    for (file, text) in programs {
        let text = String::from_utf8(text).expect("UTF-8");
        let error = text.lines().next().and_then(|line| line.strip_prefix("// error: "));
        let error = error.expect("a first line that tells the error");
        let name = file.trim_end_matches(".rs");
        let ran = floors.cargo(&["check", "--quiet", "--bin", name]);
        assert_ne!(ran.code, Some(0), "{name} compiles");
        assert!(ran.stderr.contains(error), "no `{error}` in {}", ran.stderr);
        assert!(ran.stderr.contains("due to 1 previous error"), "{}", ran.stderr);
    }
}
