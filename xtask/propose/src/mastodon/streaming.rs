//! The server of streams, a program of its own in JavaScript.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::git::Snapshot;
use crate::surface::{Endpoint, Operation, Surface};
use crate::syntax::{Spot, parse};

/// The file of the server, by the names that it had.
const FILES: [&str; 2] = ["streaming/index.js", "streaming/index.mjs"];

/// Adds the paths of the streams. Which parameters a stream reads and which token it wants is not read.
pub(super) fn add(snapshot: &Snapshot<'_>, surface: &mut Surface) -> Result<(), Error> {
    let mut texts = Vec::new();
    for file in FILES {
        texts.extend(snapshot.text(file)?.map(|text| (file.to_owned(), text)));
    }
    let (files, unread) = parse(&tree_sitter_javascript::LANGUAGE.into(), texts)?;
    surface.unread.extend(unread);
    for file in &files {
        file.root().walk(|spot| {
            if let Some(path) = path(spot) {
                let operation = Operation {
                    at: spot.place(),
                    condition: None,
                    params: BTreeMap::new(),
                    auth: None,
                    answer: None,
                    stub: false,
                    unfollowed: vec!["the parameters and tokens of a stream".to_owned()],
                };
                let endpoint = Endpoint {
                    method: "GET".to_owned(),
                    path,
                };
                surface.operations.entry(endpoint).or_insert(operation);
            }
            true
        });
    }
    Ok(())
}

/// The path that a case of a switch, or the first argument of `app.get`, names.
fn path(spot: Spot<'_>) -> Option<String> {
    if spot.kind() != "string" {
        return None;
    }
    let path = spot.text().trim_matches(['\'', '"']);
    let parent = spot.parent()?;
    let is_case = parent.kind() == "switch_case";
    let is_route = parent.kind() == "arguments";
    let is_path = path.starts_with("/api/v1/streaming/") && !path.contains('*');
    (is_path && (is_case || is_route)).then(|| path.to_owned())
}
