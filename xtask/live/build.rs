//! Lists the YAML of the catalogue, so that the program works without a checkout.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(fedispec_catalogue::FOLDER);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = "&[\n".to_owned();
    for file in &files {
        let name = file.strip_prefix(folder).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        let _ = writeln!(text, "({name:?}, include_str!({:?})),", file.display().to_string());
    }
    text.push(']');
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("catalogue.rs"), text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}
