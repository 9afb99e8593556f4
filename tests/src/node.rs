//! The packages of npm that the tests pin.

use std::path::Path;

use crate::setup::{Made, tool};

/// The folder of the installed packages, made on first use. Prints the reason and returns `None` where that fails.
pub fn packages(test: &str) -> Option<&'static Path> {
    static FOLDER: Made = Made::new();
    tool(&FOLDER, "node", test)
}

/// The program that makes JavaScript beside a module of WebAssembly, installed on first use, or `None`.
pub fn wasm_bindgen(test: &str) -> Option<&'static Path> {
    static PROGRAM: Made = Made::new();
    tool(&PROGRAM, "wasm-bindgen", test)
}
