//! Lists every generated request and entity, so that a new one is tested without further steps.

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
            // One that is made of another arrives as that.
            if !source.contains(&format!("\npub struct {request} {{")) {
                continue;
            }
            mounted.push(format!("        mounted::<fedispec::{group}::{request}>(),"));
        }
    }
    let code = format!("vec![\n{}\n]\n", mounted.join("\n"));
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("requests.rs"), code)?;
    fs::write(Path::new(&out).join("entities.rs"), entities()?)
}

/// `vec![(entities::Account::NAME, restored::<entities::Account>), ..]`
fn entities() -> io::Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(Path::new(SOURCES).join("entities"))? {
        let source = fs::read_to_string(entry?.path())?;
        let structs = source.split("\npub struct ").skip(1);
        names.extend(structs.filter_map(|rest| Some(rest.split_once(" {")?.0.to_owned())));
    }
    names.sort();
    let line = |name: &String| {
        let path = format!("fedispec::entities::{name}");
        format!("    (<{path} as fedispec::runtime::Entity>::NAME, restored::<{path}>),")
    };
    let lines: Vec<_> = names.iter().map(line).collect();
    Ok(format!("vec![\n{}\n]\n", lines.join("\n")))
}
