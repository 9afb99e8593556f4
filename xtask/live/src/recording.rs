//! Recorded responses: one JSON object per line.

use std::io::BufRead;

use fedispec::runtime::Version;
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
        let path = match self.path.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => &self.path,
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
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

/// The release in a version string: `0.19.2+git-90851fc` is 0.19.2, `4.3.0-beta.1` is a pre-release of 4.3.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Release {
    /// The numbers of the version.
    pub(crate) version: Version,
    /// Whether it is a pre-release.
    pub(crate) prerelease: bool,
}

/// Parses the release in a version string.
pub(crate) fn release(text: &str) -> Option<Release> {
    let text = text.trim().trim_start_matches('v');
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let mut parts = numbers.trim_end_matches('.').split('.').map(str::parse);
    let mut next = || parts.next().unwrap_or(Ok(0)).ok();
    let version = Version::new(next()?, next()?, next()?);
    let known = ["-alpha", "-beta", "-rc", "rc", "-nightly", "-SNAPSHOT", "-pre", "-dev"];
    (!numbers.is_empty())
        .then(|| Release { version, prerelease: known.iter().any(|mark| rest.starts_with(mark)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(String, bool)> {
        release(text).map(|release| (release.version.to_string(), release.prerelease))
    }

    #[test]
    fn releases_are_read_from_version_strings() {
        for (text, version, prerelease) in [
            ("4.6.4", "4.6.4", false),
            ("0.19.2+git-90851fc", "0.19.2", false),
            ("0.13.3 git-fb3e3ca", "0.13.3", false),
            ("0.20.0-rc1+git-8221628", "0.20.0", true),
            ("4.3.0-beta.1", "4.3.0", true),
            ("v4.2", "4.2.0", false),
        ] {
            assert_eq!(told(text), Some((version.to_owned(), prerelease)), "{text}");
        }
        assert_eq!(told("git-1a2b3c4"), None);
        assert_eq!(told(""), None);
    }

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
