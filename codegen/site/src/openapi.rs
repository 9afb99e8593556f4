//! OpenAPI documents as plain files, and an index that tells which file describes a release.
//!
//! A document takes up to 600 KB, and all of them most of the site. Those of OpenAPI 3.0, for tools that know no other, are therefore of
//! the newest release of each program alone, and of a program that no type is made for there is no other at all;
//! `cargo xtask openapi` prints any.

use fedispec_model::api::{Program, Release};
use fedispec_openapi::document::Document;
use fedispec_openapi::{OpenApi, Options, document};
use fedispec_since::StableVersion;
use serde_json::{Value, json};

use crate::File;
use crate::page::Site;

/// The end of the names of documents of OpenAPI 3.0.
pub(crate) const OLD: &str = "-3.0";

/// The folder of the documents.
const FOLDER: &str = "openapi/";

/// The documents of all releases together and of each program, with the index.
pub(crate) fn files(site: &Site<'_>, files: &mut Vec<File>) -> Result<(), String> {
    for (openapi, end) in [(OpenApi::V3_1, ""), (OpenApi::V3_0, OLD)] {
        let all = document(site.api, &Options { openapi, ..Options::default() })?;
        files.push((format!("{FOLDER}all{end}.json"), text(&all)?));
    }
    let mut index = Vec::new();
    for program in &site.api.programs {
        releases(site, program, files, &mut index)?;
    }
    let all = json!({"3.1": "all.json", "3.0": format!("all{OLD}.json")});
    let index = json!({"all": all, "releases": index});
    files.push((format!("{FOLDER}index.json"), format!("{index:#}\n").into_bytes()));
    Ok(())
}

/// The first and the newest release of each line have a document, and so has every other whose document differs from the one before.
fn releases(
    site: &Site<'_>,
    program: &Program,
    files: &mut Vec<File>,
    index: &mut Vec<Value>,
) -> Result<(), String> {
    let newest = program.newest_looked_at();
    let mut before: Option<(Document, StableVersion)> = None;
    for line in program.releases.chunk_by(|a, b| is_of_one_line(a.version, b.version)) {
        for (place, Release { version, date, .. }) in line.iter().enumerate() {
            let is_newest = Some(*version) == newest;
            if program.apart && !is_newest {
                continue;
            }
            let is_end = place == 0 || place + 1 == line.len() || is_newest;
            let made = |openapi| {
                let release = Some(format!("{}@{version}", program.key));
                document(site.api, &Options { release, openapi, ..Options::default() })
            };
            let document = made(OpenApi::V3_1)?;
            let known = before.as_ref().filter(|(known, _)| is_same(known, &document));
            let described = match known {
                Some((_, by)) if !is_end => *by,
                _ => {
                    files.push((path(program, *version, ""), text(&document)?));
                    *version
                }
            };
            let name = |end| path(program, described, end).replace(FOLDER, "");
            let mut documents = json!({"3.1": name("")});
            if is_newest {
                files.push((path(program, *version, OLD), text(&made(OpenApi::V3_0)?)?));
                documents["3.0"] = json!(name(OLD));
            }
            index.push(json!({
                "program": program.key,
                "version": version.to_string(),
                "date": date,
                "files": documents,
            }));
            before = Some((document, described));
        }
    }
    Ok(())
}

fn is_of_one_line(one: StableVersion, other: StableVersion) -> bool {
    (one.0, one.1) == (other.0, other.1)
}

pub(crate) fn path(program: &Program, version: StableVersion, end: &str) -> String {
    format!("{FOLDER}{}-{version}{end}.json", program.key)
}

/// Whether two documents differ in nothing but the release that they name.
fn is_same(one: &Document, other: &Document) -> bool {
    *one == Document { info: one.info.clone(), ..other.clone() }
}

fn text(document: &Document) -> Result<Vec<u8>, String> {
    serde_json::to_vec(document).map_err(|error| error.to_string())
}
