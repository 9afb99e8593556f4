//! `fmt`: lays out the YAML of the catalogue in one way.

use std::fs;
use std::path::Path;

use fedispec_reader::diagnostic::Report;
use fedispec_reader::layout::layout;
use fedispec_reader::load;

use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;

pub(crate) fn run(place: &Place, check: bool) -> Result<(), Failure> {
    let mut changed = Vec::new();
    let files = load::files(&place.spec);
    for path in files.map_err(|error| Failure::file("read", &place.spec, &error))? {
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
