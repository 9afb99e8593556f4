//! The catalogue as data for other languages: what each release of each program has, and how a version string is read.
//!
//! [`files`] makes a folder in one of the formats from the resolved API, always the same from the same input. The rules are written down in
//! `rules.md`; the JavaScript and the Python that follow them are files of their own in `js/` and `python/`. `vectors.json` is in every
//! folder: questions with the verdicts that every implementation must give.

use fedispec_model::api::Api;

mod judge;
mod lives;
mod package;
mod table;
mod vectors;

use judge::Judge;
use lives::Lives;

/// The form of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// A package for npm: ES modules with types, without dependencies
    Npm,
    /// A package for Python, typed, without dependencies
    Python,
    /// Tables: a row for each item, program and stretch of releases
    Csv,
    /// The same as one JSON object
    Json,
}

/// A file of the folder: its path with `/`, and what it holds.
pub type File = (String, Vec<u8>);

/// The name of the file that lists all others. A folder with it was made by this crate.
pub const LIST: &str = "files.txt";

/// Every file of the folder, sorted by path; the last of them is [`LIST`].
pub fn files(api: &Api, format: Format) -> Vec<File> {
    let lives = Lives::new(api);
    let vectors = vectors::vectors(&Judge::new(api, &lives));
    let mut files = match format {
        Format::Npm => package::npm(api, &lives),
        Format::Python => package::python(api, &lives),
        Format::Csv => table::csv(api, &lives),
        Format::Json => table::json(api, &lives),
    };
    files.push(("vectors.json".to_owned(), vectors));
    let mut files: Vec<File> =
        files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    files.extend([
        ("LICENSE-APACHE".to_owned(), include_bytes!("../LICENSE-APACHE").to_vec()),
        ("LICENSE-MIT".to_owned(), include_bytes!("../LICENSE-MIT").to_vec()),
    ]);
    files.sort();
    let list: String = files.iter().flat_map(|(path, _)| [path.as_str(), "\n"]).collect();
    files.push((LIST.to_owned(), list.into_bytes()));
    files
}
