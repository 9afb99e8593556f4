//! The sources of a program, for `--used-by`.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_diff::used_by::Source;

use crate::failure::Failure;

/// Reads the Rust files below a folder, except for cargo's target folder.
pub(super) fn rust_sources(folder: &Path) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let mut left: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(at) = left.pop() {
        let entries = fs::read_dir(&at).map_err(|error| Failure::file("read", &at, &error))?;
        for entry in entries.flatten() {
            let path = entry.path();
            // Not followed, because links may form cycles.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let name = entry.file_name();
            if kind.is_dir() && !name.to_string_lossy().starts_with('.') && name != "target" {
                left.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs")
            {
                let bytes =
                    fs::read(&path).map_err(|error| Failure::file("read", &path, &error))?;
                sources.push((
                    path.display().to_string(),
                    String::from_utf8_lossy(&bytes).into_owned(),
                ));
            }
        }
    }
    sources.sort();
    if sources.is_empty() {
        return Err(Failure::Other(format!("there are no Rust files in {}", folder.display())));
    }
    Ok(sources)
}
