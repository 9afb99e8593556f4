//! Lists every generated request for the round trip: whoever adds an operation needs to remember nothing.

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
        .map(|(request, _)| format!("        received => fedispec::{request},"))
        .collect();
    let mounted = mounted.join("\n");
    let code = format!(
        "#[allow(clippy::too_many_lines, reason = \"it is a list\")]\nfn mount(routes: &mut Routes, app: Received) {{\n    mount!(routes, app: Received, {{\n{mounted}\n    }});\n}}\n"
    );
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("requests.rs"), code)
}
