//! `fmt`: lays out the YAML of the catalogue in one way.

use std::fs;
use std::path::{Path, PathBuf};

use fedispec_reader::diagnostic::Report;
use fedispec_reader::layout::layout;
use fedispec_reader::load;

use crate::failure::Failure;
use crate::output;
use crate::place::Place;

pub(crate) fn run(place: &Place, check: bool) -> Result<(), Failure> {
    let mut changed = Vec::new();
    for path in files(&place.spec)? {
        let shown = Path::new(&place.spec_name).join(&path);
        let whole = place.spec.join(&path);
        let text = fs::read_to_string(&whole).map_err(|e| Failure::file("read", &shown, &e))?;
        let laid_out = layout(&shown.to_string_lossy(), &text).map_err(|(sources, problems)| {
            let report = Report::new(problems);
            Failure::Invalid(Box::new(load::Failure { sources, report }))
        })?;
        if laid_out != text {
            changed.push((shown, whole, laid_out));
        }
    }
    for (shown, whole, text) in &changed {
        if !check {
            fs::write(whole, text).map_err(|e| Failure::file("write", shown, &e))?;
        }
        output::stdout(&format!("{}\n", shown.display()))?;
    }
    if check && !changed.is_empty() {
        return Err(Failure::Stale(format!(
            "the layout of {} differs; run `cargo xtask fmt`",
            if changed.len() == 1 {
                "a file".to_owned()
            } else {
                format!("{} files", changed.len())
            }
        )));
    }
    Ok(())
}

/// The YAML files of a catalogue, relative to its folder: the registry, the features and those of the layers.
fn files(spec: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = vec![PathBuf::from("implementations.yaml")];
    files.extend(Some(PathBuf::from("features.yaml")).filter(|path| spec.join(path).exists()));
    for layer in ["documents", "supplement"] {
        let folder = spec.join(layer);
        let entries = fs::read_dir(&folder).map_err(|e| Failure::file("read", &folder, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| Failure::file("read", &folder, &e))?;
            let name = PathBuf::from(layer).join(entry.file_name());
            if name.extension().is_some_and(|extension| extension == "yaml") {
                files.push(name);
            }
        }
    }
    files.sort();
    Ok(files)
}
