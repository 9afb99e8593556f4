//! OpenAPI documents as plain files, and an index that tells which file describes a release.
//!
//! A document takes up to 580 KB, and all of them most of the site. Releases whose documents differ in nothing but their name share one. Those of OpenAPI 3.0, for tools that know no other, are therefore of
//! the newest release of each program alone, and of a program that no type is made for there is no other at all;
//! `cargo xtask openapi` prints any.

use std::collections::BTreeMap;

use fedispec_model::api::{Program, Release};
use fedispec_openapi::document::Document;
use fedispec_openapi::{OpenApi, Options, document};
use fedispec_since::StableVersion;
use serde_json::{Value, json};

use crate::File;
use crate::page::Site;
use crate::turns::Named;

/// The end of the names of documents of OpenAPI 3.0.
pub(crate) const OLD: &str = "-3.0";

/// The folder of the documents.
const FOLDER: &str = "openapi/";

/// The file that describes each release: by program and version, its name in OpenAPI 3.1.
pub(crate) type Documents = BTreeMap<(String, StableVersion), String>;

/// The documents of all releases together and of each program, with the index.
pub(crate) fn files(
    site: &Site<'_>,
    named: &Named,
    files: &mut Vec<File>,
) -> Result<Documents, String> {
    for (openapi, end) in [(OpenApi::V3_1, ""), (OpenApi::V3_0, OLD)] {
        let all = document(site.api, &Options { openapi, ..Options::default() })?;
        files.push((format!("{FOLDER}all{end}.json"), text(&all)?));
    }
    let (mut index, mut documents) = (Vec::new(), Documents::new());
    for program in &site.api.programs {
        releases(site, named, program, files, &mut index, &mut documents)?;
    }
    let all = json!({"3.1": "all.json", "3.0": format!("all{OLD}.json")});
    let index = json!({"all": all, "releases": index});
    files.push((format!("{FOLDER}index.json"), format!("{index:#}\n").into_bytes()));
    Ok(documents)
}

/// A release whose document differs from the one before has a file of its own; the others are described by that of the one before.
fn releases(
    site: &Site<'_>,
    named: &Named,
    program: &Program,
    files: &mut Vec<File>,
    index: &mut Vec<Value>,
    documents: &mut Documents,
) -> Result<(), String> {
    let newest = program.newest_looked_at();
    let (mut known, mut last) = (None::<(Document, StableVersion)>, None);
    for Release { version, date, .. } in &program.releases {
        let is_newest = Some(*version) == newest;
        if program.apart && !is_newest {
            continue;
        }
        let made = |openapi| {
            let release = Some(format!("{}@{version}", program.key));
            document(site.api, &Options { release, openapi, ..Options::default() })
        };
        let last = last.replace(*version);
        if last.is_none_or(|last| named.may_differ(program, last, *version)) {
            let document = made(OpenApi::V3_1)?;
            if known.as_ref().is_none_or(|(known, _)| !is_same(known, &document)) {
                files.push((path(program, *version, ""), text(&document)?));
                known = Some((document, *version));
            }
        }
        let described = known.as_ref().map_or(*version, |(_, described)| *described);
        let name = |version, end| path(program, version, end).replace(FOLDER, "");
        let mut paths = json!({"3.1": name(described, "")});
        if is_newest {
            files.push((path(program, *version, OLD), text(&made(OpenApi::V3_0)?)?));
            paths["3.0"] = json!(name(*version, OLD));
        }
        index.push(json!({
            "program": program.key,
            "version": version.to_string(),
            "date": date,
            "files": paths,
        }));
        documents.insert((program.key.clone(), *version), path(program, described, ""));
    }
    Ok(())
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
