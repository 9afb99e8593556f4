//! Any bytes as a request to the generated server: no panic, and a wrong parameter is named.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../tests/tests/server/traits/extract.rs"]
mod extract;

fuzz_target!(|bytes: &[u8]| extract::check(bytes));
