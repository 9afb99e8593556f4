//! `verify`: checks recorded responses against the generated types and the catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use fedispec::runtime::StableVersion;
use fedispec::runtime::client::Reader;
use fedispec_model::api::{Api, Operation};
use fedispec_model::floors::Floors;
use serde::Serialize;

use crate::bodies::{Catalogue, Server};
use crate::identify;
use crate::recording::{self, Recording};
use crate::routes::{find, routes};
use compare::{Comparison, Finding, Found};

mod compare;
mod text;

pub(crate) use text::print;

/// The arguments of `verify`.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// The recordings.
    pub(crate) files: Vec<PathBuf>,
    /// The program; overrides the recordings.
    pub(crate) program: Option<String>,
    /// The version; overrides the recordings.
    pub(crate) version: Option<String>,
    /// Whether bindings that are made for no older release than the one that answered would decode the answers too.
    pub(crate) own_floor: bool,
}

/// The result of `verify`.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    schema: &'static str,
    /// The number of recorded responses.
    pub(crate) total: u64,
    /// The number of responses with the method and path of an operation.
    pub(crate) matched: u64,
    /// The number of bodies that were decoded completely.
    pub(crate) decoded: u64,
    /// The bodies and list elements that could not be decoded.
    pub(crate) failed: Vec<Failure>,
    /// Requests that a server answered and that no operation covers, with their counts.
    pub(crate) unmatched: BTreeMap<String, u64>,
    /// Items that a release older than their Since has sent.
    pub(crate) too_early: Vec<Finding>,
    /// Fields that a release must send and did not.
    pub(crate) promised_but_absent: Vec<Finding>,
    /// Fields that a release never sends as null, and did.
    pub(crate) promised_but_null: Vec<Finding>,
    /// Fields that bindings with the answering release as their floor need, and that were absent or null; where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fails_with_floor: Option<Vec<Finding>>,
    /// Keys that the entity does not declare.
    pub(crate) unknown_fields: Vec<Finding>,
    /// Values that the enumeration does not list.
    pub(crate) unknown_values: Vec<Finding>,
}

/// A body that could not be decoded.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    /// The line of the recording.
    pub(crate) line: usize,
    /// The operation; empty if the line is not a recording.
    pub(crate) operation: String,
    /// The place in the body.
    pub(crate) json_path: String,
    /// The fault at that place.
    pub(crate) message: String,
}

/// Checks recordings against the catalogue.
///
/// # Errors
///
/// When a file cannot be read.
pub(crate) fn verify(
    api: &Api,
    readers: &[Reader],
    question: &Question,
) -> Result<Report, Unreadable> {
    let mut verifier = Verifier::new(api, readers, question);
    for file in &question.files {
        let unreadable = |error| Unreadable { file: file.clone(), error };
        let opened = open(file).map_err(unreadable)?;
        for (line, recording) in recording::read(BufReader::new(opened)) {
            verifier.line(line, recording);
        }
    }
    Ok(verifier.report())
}

fn open(file: &Path) -> io::Result<File> {
    let opened = File::open(file)?;
    if opened.metadata()?.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "is a folder; name the files in it",
        ));
    }
    Ok(opened)
}

/// A file that cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The file.
    pub(crate) file: PathBuf,
    /// The reason.
    pub(crate) error: io::Error,
}

struct Verifier<'a> {
    api: &'a Api,
    catalogue: Catalogue<'a>,
    question: &'a Question,
    readers: BTreeMap<&'a str, &'a Reader>,
    found: Found,
    counts: [u64; 3],
    failed: Vec<Failure>,
    unmatched: BTreeMap<String, u64>,
    /// The floors of each release that has answered.
    floors: BTreeMap<(usize, StableVersion), Floors>,
    /// The programs and versions that have answered.
    versions: BTreeSet<(Option<&'a str>, Option<String>)>,
}

impl<'a> Verifier<'a> {
    fn new(api: &'a Api, readers: &'a [Reader], question: &'a Question) -> Self {
        Self {
            api,
            catalogue: Catalogue::new(api),
            question,
            readers: readers.iter().map(|reader| (reader.operation().id, reader)).collect(),
            found: Found::default(),
            counts: [0; 3],
            failed: Vec::new(),
            unmatched: BTreeMap::new(),
            floors: BTreeMap::new(),
            versions: BTreeSet::new(),
        }
    }

    fn line(&mut self, line: usize, recording: Result<Recording, String>) {
        self.counts[0] += 1;
        let recording = match recording {
            Ok(recording) => recording,
            Err(message) => {
                return self.fail(
                    line,
                    String::new(),
                    "$".into(),
                    format!("the line is not a recording: {message}"),
                );
            }
        };
        match find(routes(self.api), &recording.method, recording.route()) {
            Some(operation) => {
                self.counts[1] += 1;
                if recording.succeeded() {
                    self.answer(line, &recording, operation);
                }
            }
            // With these statuses the server does not have the operation either.
            None if matches!(recording.status, 404 | 405 | 418 | 501) => {}
            None => {
                let request = format!("{} {}", recording.method, generic(recording.route()));
                *self.unmatched.entry(request).or_default() += 1;
            }
        }
    }

    fn answer(&mut self, line: usize, recording: &Recording, operation: &'a Operation) {
        let empty = recording.body.is_null() || recording.body.as_str().is_some_and(str::is_empty);
        if let Some(reader) = self.readers.get(operation.item.id.as_str()).filter(|_| !empty) {
            match reader.read(&http::HeaderMap::new(), body(recording).as_bytes()) {
                Ok(rejected) if rejected.is_empty() => self.counts[2] += 1,
                Ok(rejected) => {
                    for refused in rejected {
                        self.fail(line, operation.item.id.clone(), refused.path, refused.message);
                    }
                }
                Err(error) => self.fail(line, operation.item.id.clone(), error.path, error.message),
            }
        }
        let version = self.question.version.as_deref().or(recording.version.as_deref());
        let server = self.server(recording, version);
        let program = server.as_ref().map(|server| &*self.api.programs[server.program].key);
        if self.versions.insert((program, version.map(str::to_owned))) {
            identify::stands_for(self.api, program, version);
        }
        let floor = server.filter(|server| self.question.own_floor && !server.release.prerelease);
        let floor = floor.and_then(|server| {
            let release = server.release.version.release().to_string();
            Some((server.program, release.parse().ok()?))
        });
        if let Some((program, release)) = floor {
            let api = self.api;
            let key = || api.programs[program].key.clone();
            let only = || Floors::only(api, &BTreeMap::from([(key(), release)]));
            self.floors.entry((program, release)).or_insert_with(only);
        }
        let mut comparison = Comparison {
            catalogue: &self.catalogue,
            floors: floor.and_then(|floor| self.floors.get(&floor)),
            server,
            version,
            line,
            found: &mut self.found,
        };
        comparison.seen(&operation.item);
        comparison.walk(&recording.body, &operation.returns);
    }

    fn server(&self, recording: &Recording, version: Option<&str>) -> Option<Server> {
        let name = self.question.program.as_deref().or(recording.software.as_deref())?;
        self.catalogue.server(name, version?)
    }

    fn fail(&mut self, line: usize, operation: String, json_path: String, message: String) {
        self.failed.push(Failure { line, operation, json_path, message });
    }

    fn report(self) -> Report {
        let [total, matched, decoded] = self.counts;
        Report {
            schema: "fedispec-verify/1",
            total,
            matched,
            decoded,
            failed: self.failed,
            unmatched: self.unmatched,
            too_early: self.found.too_early.into_values().collect(),
            promised_but_absent: self.found.promised_but_absent.into_values().collect(),
            promised_but_null: self.found.promised_but_null.into_values().collect(),
            fails_with_floor: self
                .question
                .own_floor
                .then(|| self.found.fails_with_floor.into_values().collect()),
            unknown_fields: self.found.unknown_fields.into_values().collect(),
            unknown_values: self.found.unknown_values.into_values().collect(),
        }
    }
}

/// The body as received: one that was not JSON was recorded as a JSON string.
fn body(recording: &Recording) -> String {
    recording.body.to_string()
}

/// Replaces the segments of a path that look like ids with placeholders.
fn generic(path: &str) -> String {
    let segments =
        path.split('/').map(|segment| if looks_like_id(segment) { ":id" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

fn looks_like_id(segment: &str) -> bool {
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let letters = segment.bytes().filter(u8::is_ascii_alphabetic).count();
    let plain =
        segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    plain && digits > 0 && (letters == 0 || segment.len() >= 16)
}

#[cfg(test)]
mod tests {
    use super::generic;

    #[test]
    fn ids_become_placeholders() {
        for (path, told) in [
            ("/api/v1/x/123/y", "/api/v1/x/:id/y"),
            ("/api/v1/x/01M7WFFZQED638PKY0HS777JQZ", "/api/v1/x/:id"),
            ("/api/v2/search", "/api/v2/search"),
            ("/api/v1/tags/caturday2024", "/api/v1/tags/caturday2024"),
        ] {
            assert_eq!(generic(path), told);
        }
    }
}
