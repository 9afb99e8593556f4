//! Mistakes in the attributes do not compile, and the message says what and where.

#[test]
fn mistakes_are_refused() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
