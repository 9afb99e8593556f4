//! Recorded responses: one JSON object per line.

use std::io::BufRead;

use fedispec_model::api::path_of;
use serde::Deserialize;
use serde_json::Value;

/// A recorded response.
#[derive(Debug, Deserialize)]
pub(crate) struct Recording {
    /// The HTTP method, `GET`.
    pub(crate) method: String,
    /// The path, `/api/v1/accounts/1`, or a whole URL.
    pub(crate) path: String,
    /// The status.
    pub(crate) status: u16,
    /// The body as JSON; a body that is not JSON is recorded as a string.
    #[serde(default)]
    pub(crate) body: Value,
    /// The program's name in `NodeInfo`.
    #[serde(default)]
    pub(crate) software: Option<String>,
    /// The version string of the server.
    #[serde(default)]
    pub(crate) version: Option<String>,
}

impl Recording {
    /// The path without host, query and trailing slash.
    pub(crate) fn route(&self) -> &str {
        let path = path_of(&self.path);
        if path.len() > 1 { path.trim_end_matches('/') } else { path }
    }

    /// Whether the status is a success.
    pub(crate) fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Reads the recordings of a file with their line numbers; a line that is not a recording is an error.
pub(crate) fn read(
    reader: impl BufRead,
) -> impl Iterator<Item = (usize, Result<Recording, String>)> {
    reader
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !matches!(line, Ok(line) if line.trim().is_empty()))
        .map(|(number, line)| {
            let recording = line.map_err(|error| error.to_string()).and_then(|line| {
                serde_json::from_str(line.trim_start_matches('\u{feff}'))
                    .map_err(|error| error.to_string())
            });
            (number, recording)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised() {
        let recording = |path: &str| Recording {
            method: "GET".into(),
            path: path.into(),
            status: 200,
            body: Value::Null,
            software: None,
            version: None,
        };
        assert_eq!(recording("https://a.example/api/v1/x/?b=c").route(), "/api/v1/x");
        assert_eq!(recording("/").route(), "/");
    }
}
