//! Lists every generated request for the round trip, so that a new operation is tested without further steps.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The generated crate, with a file for the requests of each group.
const SOURCES: &str = "../generated/src";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={SOURCES}");
    let mut files: Vec<PathBuf> = fs::read_dir(SOURCES)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    let mut mounted = Vec::new();
    for file in files {
        let group = file.file_stem().unwrap_or_default().to_string_lossy();
        let source = fs::read_to_string(&file)?;
        let requests = source.split("\nimpl rt::Request for ").skip(1);
        for (request, _) in requests.filter_map(|rest| rest.split_once(' ')) {
            mounted.push(format!(
                "        mounted::<fedispec::{group}::{request}>(),"
            ));
        }
    }
    let code = format!("vec![\n{}\n]\n", mounted.join("\n"));
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("requests.rs"), code)
}
