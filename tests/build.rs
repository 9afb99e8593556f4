//! Lists every generated request for the round trip, so that a new operation is tested without further steps.

use std::path::Path;
use std::{env, fs, io};

/// What the generated crate reads answers with: it names each request once.
const LIST: &str = "../generated/src/client.rs";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={LIST}");
    let generated = fs::read_to_string(LIST)?;
    let requests = generated
        .split("Reader::of::<crate::")
        .skip(1)
        .filter_map(|rest| rest.split_once('>'));
    let mounted: Vec<_> = requests
        .map(|(request, _)| format!("        mounted::<fedispec::{request}>(),"))
        .collect();
    let code = format!("vec![\n{}\n]\n", mounted.join("\n"));
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("requests.rs"), code)
}
