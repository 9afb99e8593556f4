//! Compile errors of the attributes, with their messages.

#[test]
fn mistakes_are_refused() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
