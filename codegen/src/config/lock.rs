//! The lock file: the facts behind the generated code, so that a change of them is noticed.
//!
//! It is JSON, a line an item, and read by what reads the catalogue's own JSON.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::messages::Messages;
use super::{Error, save};
use fedispec_diff as diff;
use fedispec_model::api::{Api, SCHEMA};
use fedispec_model::resolved;

mod facts;

pub(super) use facts::{Facts, facts};

/// The variable in the environment of a build that lets it write the file.
pub(super) const VARIABLE: &str = "FEDISPEC_LOCK";
/// The messages to cargo.
const UPDATE: &str = "update";

/// The file.
#[derive(Deserialize)]
struct Lock<F> {
    settings: String,
    facts: F,
}

/// The part of the facts that tells whether they can be read.
#[derive(Deserialize)]
struct Schema {
    schema: String,
}

/// The files that make the build script run again.
pub(super) fn watch(lock: Option<&Path>, messages: &mut Messages) {
    // With a line of its own, cargo no longer runs the script whenever anything in the package changes.
    messages.rerun_if_env_changed(VARIABLE);
    if let Some(path) = lock {
        messages.rerun_if_changed(path);
    }
}

/// Writes the file where the build is asked to, and warns otherwise where the facts are others. `asked` is the
/// variable's value.
pub(super) fn hold(
    path: &Path,
    facts: &Facts,
    asked: &str,
    messages: &mut Messages,
) -> Result<(), Error> {
    let shown = path.display();
    match asked {
        "" => {}
        UPDATE => return save(path, &facts.text).map(drop),
        other => {
            return Err(Error::new(format!(
                "{VARIABLE} is `{other}`; it may be `{UPDATE}`, which writes {shown}, or unset"
            )));
        }
    }
    let accept = format!("{VARIABLE}={UPDATE} cargo build");
    let locked = match fs::read_to_string(path) {
        Ok(locked) => locked,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            messages.warning(&format!("there is no {shown} yet: `{accept}` writes it"));
            return Ok(());
        }
        Err(error) => return Err(Error::new(format!("cannot read {shown}: {error}"))),
    };
    let lines = differences(&locked, facts).map_err(|why| {
        Error::new(format!("{shown} cannot be read: {why}; `{accept}` writes it anew"))
    })?;
    for line in &lines {
        messages.warning(line);
    }
    if !lines.is_empty() {
        messages.warning(&format!("accept it with `{accept}`, which writes {shown}"));
    }
    Ok(())
}

/// Compares the facts as far as this crate is concerned; nothing where only the writing differs.
fn differences(locked: &str, facts: &Facts) -> serde_json::Result<Vec<String>> {
    let Lock { settings, facts: Schema { schema } } = serde_json::from_str(locked)?;
    if !resolved::is_readable(&schema) {
        return Ok(vec![format!(
            "the lock file is of the form `{schema}`, and this version has `{SCHEMA}`"
        )]);
    }
    let old: Lock<Api> = serde_json::from_str(locked)?;
    if settings != facts.settings {
        return Ok(vec![format!(
            "the lock file was written for other settings of the build script: {settings}"
        )]);
    }
    let options = diff::Options {
        old_floors: facts.floors.clone(),
        new_floors: facts.floors.clone(),
        ..diff::Options::default()
    };
    let mut lines = diff::short_with(&old.facts, &facts.api, &options);
    if !lines.is_empty() {
        lines.insert(0, "the catalogue has changed in what this crate uses:".into());
    }
    Ok(lines)
}
