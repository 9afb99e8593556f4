//! `check`: every mistake of the catalogue, once or after each change.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{mem, thread};

use fedispec_commands::accept::{CHANGES, DECISIONS, File};
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;
use fedispec_model::api::{Api, Layer};
use fedispec_model::rows::rows;
use fedispec_reader::load::{self, Catalogue};

/// The pause between two looks at the files.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn run(place: &Place, watch: bool) -> Result<(), Failure> {
    if !watch {
        // The process ends with it, and dropping it node by node is a twentieth of the work.
        return check(place).map(mem::forget);
    }
    loop {
        let seen = times(&place.spec);
        if let Err(failure) = check(place) {
            output::failure(failure);
        }
        output::stdout("-- waiting for a change\n")?;
        while times(&place.spec) == seen {
            thread::sleep(PAUSE);
        }
    }
}

fn check(place: &Place) -> Result<(Catalogue, Api), Failure> {
    let (catalogue, api) = place.open(Layer::Full)?;
    for name in [CHANGES, DECISIONS] {
        File::read(&place.spec, name)?;
    }
    let files = catalogue.sources.files().count();
    let items = rows(&api).iter().filter(|row| !row.inherited()).count();
    output::stdout(&format!("{}: {files} files, {items} items, no problems\n", place.spec_name))?;
    Ok((catalogue, api))
}

/// The files, and when each was written last. What cannot be read is told by the check itself.
fn times(spec: &Path) -> Vec<(PathBuf, Option<SystemTime>)> {
    let files = load::files(spec).unwrap_or_default();
    let time = |file: &Path| spec.join(file).metadata().and_then(|file| file.modified()).ok();
    files.into_iter().map(|file| (file.clone(), time(&file))).collect()
}
