//! Recorded answers: what `verify` finds in them, as rows of a proposal.

use std::path::Path;

use fedispec_model::api::Since;
use fedispec_model::rows;
use fedispec_since::StableVersion;
use serde::Deserialize;

use crate::error::Error;
use crate::ours::{Ours, shown};
use crate::row::{Change, Edit, ItemKind, Proposal, Row, SCHEMA, yaml};

/// The name of the source of facts that recorded answers are.
const SOURCE: &str = "recordings";

/// The output of `verify --format json`, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct Report {
    unknown_fields: Vec<Finding>,
    unknown_values: Vec<Finding>,
    too_early: Vec<Finding>,
    promised_but_absent: Vec<Finding>,
    #[serde(default)]
    promised_but_null: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
struct Finding {
    id: String,
    since: Option<String>,
    line: usize,
    count: u64,
}

/// Proposes what recorded answers of a release show. `report` is what `verify --format json` prints of the recording `file`.
///
/// # Errors
///
/// When the catalogue is not sound, or the report is none.
pub fn propose(
    spec: &Path,
    program: &str,
    version: &str,
    file: &str,
    report: &str,
) -> Result<Proposal, Error> {
    let release = version.parse();
    let release: StableVersion = release
        .map_err(|error| Error(format!("`{version}` is no version of a release: {error}")))?;
    let report: Report = serde_json::from_str(report)
        .map_err(|error| Error(format!("this is no report of `verify --format json`: {error}")))?;
    let (catalogue, api) = crate::open(spec)?;
    let ours = Ours::new(&catalogue, &api, program)?;
    let recording = Recording { ours: &ours, release, file };
    let mut found = Vec::new();
    found.extend(
        report.unknown_fields.iter().map(|finding| recording.unknown(finding, ItemKind::Field)),
    );
    found.extend(
        report.unknown_values.iter().map(|finding| recording.unknown(finding, ItemKind::Value)),
    );
    found.extend(report.too_early.iter().map(|finding| recording.early(finding)));
    let mut unlike = |findings: &[Finding], told, word| {
        found.extend(findings.iter().map(|finding| recording.presence(finding, told, word)));
    };
    unlike(&report.promised_but_absent, "left out", "optional");
    unlike(&report.promised_but_null, "null", "nullable");
    Ok(Proposal {
        schema: SCHEMA,
        program: program.to_owned(),
        version: release.to_string(),
        from: None,
        date: None,
        api: None,
        rows: found,
        unread: Vec::new(),
        unread_decided: Vec::new(),
    })
}

struct Recording<'a> {
    ours: &'a Ours<'a>,
    release: StableVersion,
    file: &'a str,
}

impl Recording<'_> {
    fn row(&self, finding: &Finding, kind: ItemKind) -> Row {
        let name = finding.id.rsplit('.').next().unwrap_or(&finding.id);
        let at = format!("{}:{}@{}", self.file, finding.line, self.release);
        let to = format!("seen {} in {}", times(finding.count), self.release);
        Row { to: Some(to), ..Row::new(kind, &finding.id, name, at) }
    }

    /// A field or a value that the catalogue does not know.
    fn unknown(&self, finding: &Finding, kind: ItemKind) -> Row {
        let mut row = self.row(finding, kind);
        let (owner, rest) = finding.id.split_once('.').unwrap_or((&finding.id, ""));
        let (section, list) =
            if kind == ItemKind::Field { ("entities", "fields") } else { ("enums", "values") };
        let name = match (kind, rest.split_once('.')) {
            // A key of an object inside: `configuration.polls` is `configuration[polls]`.
            (ItemKind::Field, Some((first, inner))) => {
                format!("{first}[{}]", inner.replace('.', "]["))
            }
            _ => rest.to_owned(),
        };
        let since = self.ours.since_here(self.release);
        let evidence = format!("{{source: {SOURCE}, at: \"{}:{}\"}}", self.file, finding.line);
        let of = if kind == ItemKind::Field { "type: json, " } else { "" };
        let text = format!("{{{of}since: {since}, evidence: {{{}: {evidence}}}}}", self.ours.key());
        row.edits = vec![Edit::new([section, owner, list, name.as_str()], text)];
        row.file = shown(&self.ours.file(section, owner).unwrap_or_default());
        row.decide = Some("its summary and type, and whether an older release sends it".to_owned());
        row.yaml = yaml(&row.edits);
        row
    }

    /// An item that a release older than its Since has sent.
    fn early(&self, finding: &Finding) -> Row {
        let mut row = self.row(finding, ItemKind::Field);
        let mut items = rows::rows(self.ours.api).into_iter().map(|row| row.item);
        let item = items.find(|item| item.id == finding.id);
        let since = item.and_then(|item| self.ours.life(item)).map(|life| life.since);
        row.change = Change::Contradicts;
        row.from = finding.since.clone().or_else(|| Some(since?.to_string()));
        row.decide = Some(match since {
            Some(Since::Since(since)) => {
                format!("since when it is sent: the catalogue says {since}")
            }
            _ => "since when it is sent".to_owned(),
        });
        row
    }

    /// A field that was not sent as the release promises.
    fn presence(&self, finding: &Finding, told: &str, word: &str) -> Row {
        let mut row = self.row(finding, ItemKind::Presence);
        row.change = Change::Contradicts;
        row.from = Some("always".to_owned());
        row.to = Some(format!("{told} {} in {}", times(finding.count), self.release));
        row.decide = Some(format!("whether it is `{word}`, and `when` it is there"));
        row
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
