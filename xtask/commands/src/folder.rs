//! Folders that a command writes whole, in one step, and may write again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fedispec_codegen::write;

use crate::failure::Failure;
use crate::output;

/// Replaces a folder by these files and says so. `list` is the path of the file among them that lists all of them.
pub fn replace(folder: &Path, list: &str, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    holds_nothing_else(folder, list)?;
    let changed = write::replace(folder, files).map_err(Failure::other)?;
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    output::stdout(&format!(
        "wrote    {}: {changed}, {:.1} MB\n",
        folder.display(),
        f64::from(u32::try_from(bytes / 1000).unwrap_or(u32::MAX)) / 1000.0
    ))
}

/// Refuses a folder with files that no run of the command wrote: the list of the last run tells its own.
pub fn holds_nothing_else(folder: &Path, list: &str) -> Result<(), Failure> {
    if folder.is_file() {
        return Err(Failure::Other(format!("{} is a file; name a folder", folder.display())));
    }
    let before = fs::read_to_string(folder.join(list)).unwrap_or_default();
    let itself = (!before.is_empty()).then_some(list);
    let own: BTreeSet<&str> = before.lines().chain(itself).collect();
    let there = write::files(folder).map_err(Failure::other)?;
    let other = there.iter().filter(|path| !own.contains(path.as_str()));
    let other: Vec<&str> = other.map(String::as_str).collect();
    let Some(first) = other.first() else {
        return Ok(());
    };
    let more = match other.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    Err(Failure::Other(format!(
        "{} holds files that this command has not made: {first}{more}; nothing was written. Name an empty folder or a new one",
        folder.display()
    )))
}
