//! The types generated for a range of releases, from `tests/fixtures/floors`.

use crate::crates::Crate;

#[test]
fn the_types_say_what_every_supported_release_has() {
    let told = Crate::copy("fixtures/floors", "floors").refused_programs("floors");
    assert!(told.len() >= 6, "only {:?}", told.keys());
    for text in told.values() {
        let errors = text.lines().filter(|line| line.starts_with("error"));
        assert_eq!(errors.count(), 1, "{text}");
    }
}
