//! The outputs of a run.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fedispec_codegen::write;
use fedispec_report::diff::render::{View, github, html, json, lines, markdown, text, upgrade};
use fedispec_report::diff::report::Report;

use super::args::{DiffArgs, Format, name};
use crate::failure::Failure;
use crate::output;

/// A report and its view options.
pub(super) struct Printed<'r> {
    pub(super) report: &'r Report,
    pub(super) view: &'r View,
}

/// A format, and the file to write it to; `None` is stdout.
pub(super) type Target<'a> = (Format, Option<&'a Path>);

/// Pairs formats with files; formats without a file go to stdout.
pub(super) fn targets(args: &DiffArgs) -> Result<Vec<Target<'_>>, Failure> {
    let mut targets: Vec<Target<'_>> = Vec::new();
    for (number, path) in args.outputs.iter().enumerate() {
        let format = format_of(args.formats.get(number).copied(), path)?;
        targets.push((format, Some(path.as_path()).filter(|path| *path != Path::new("-"))));
    }
    targets.extend(args.formats.iter().skip(targets.len()).map(|format| (*format, None)));
    if targets.is_empty() {
        targets.push((Format::Text, None));
    }
    for (number, (_, path)) in targets.iter().enumerate() {
        if targets[..number].iter().any(|(_, other)| other == path) {
            return Err(Failure::Other(match path {
                Some(path) => format!("--output names {} twice", path.display()),
                None => {
                    "only one format can go to stdout; give each of the others an --output".into()
                }
            }));
        }
    }
    Ok(targets)
}

fn format_of(named: Option<Format>, path: &Path) -> Result<Format, Failure> {
    let by_ending = by_ending(path);
    match (named, by_ending) {
        (Some(named), Some(fitting)) if !fitting.contains(&named) => Err(Failure::Other(format!(
            "the first --format goes into the first --output and so on, and {} does not look like {}; `--output -` is the \
             standard output",
            path.display(),
            name(&named)
        ))),
        (Some(named), _) => Ok(named),
        (None, Some(fitting)) => Ok(fitting[0]),
        (None, None) if path == Path::new("-") => Ok(Format::Text),
        (None, None) => Err(Failure::Other(format!(
            "the format of {} is unknown; add a --format, or use the extension md, json, html or txt",
            path.display()
        ))),
    }
}

/// The formats of a file extension, the default first.
fn by_ending(path: &Path) -> Option<&'static [Format]> {
    Some(match path.extension()?.to_str()? {
        "md" => &[Format::Markdown, Format::Upgrade],
        "json" => &[Format::Json, Format::JsonSchema],
        "html" | "htm" => &[Format::Html],
        "txt" => &[Format::Text, Format::Lines, Format::Github],
        _ => return None,
    })
}

/// Renders all texts, and writes them only if none failed.
pub(super) fn write(
    targets: &[Target<'_>],
    text: impl Fn(Format, bool) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let texts: Vec<String> = targets
        .iter()
        .map(|(format, path)| text(*format, path.is_none()))
        .collect::<Result<_, _>>()?;
    for ((_, path), text) in targets.iter().zip(&texts) {
        match path {
            None => output::stdout(text)?,
            Some(path) => put(path, text)?,
        }
    }
    Ok(())
}

pub(super) fn print(targets: &[Target<'_>], printed: &Printed<'_>) -> Result<(), Failure> {
    write(targets, |format, to_stdout| printed.text(format, to_stdout))?;
    if targets.iter().any(|(format, _)| *format == Format::Github) {
        beside(printed)?;
    }
    Ok(())
}

impl Printed<'_> {
    fn text(&self, format: Format, to_stdout: bool) -> Result<String, Failure> {
        let view = View { color: self.view.color && to_stdout, ..self.view.clone() };
        Ok(match format {
            Format::Text => text::text(self.report, &view),
            Format::Markdown => markdown::markdown(self.report, &view),
            Format::Upgrade => upgrade::upgrade(self.report),
            Format::Json => json::json(self.report, &view).map_err(Failure::other)?,
            Format::JsonSchema => json::schema().map_err(Failure::other)?,
            Format::Github => github::github(self.report, &view),
            Format::Lines => lines::lines(self.report, &view),
            Format::Html => html::html(self.report, &view),
        })
    }
}

/// Writes the job's summary and outputs, when run in a GitHub job.
fn beside(printed: &Printed<'_>) -> Result<(), Failure> {
    summary(&markdown::markdown(printed.report, printed.view))?;
    append("GITHUB_OUTPUT", &github::outputs(printed.report))
}

/// Writes the job's summary, when run in a GitHub job.
pub(super) fn summary(markdown: &str) -> Result<(), Failure> {
    append("GITHUB_STEP_SUMMARY", markdown)
}

pub(super) fn append(variable: &str, text: &str) -> Result<(), Failure> {
    let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
    else {
        return Ok(());
    };
    let file = OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::file("write", &path, &error))
}

/// The address of the job's run, which lists its artifacts.
pub(super) fn run_address() -> Option<String> {
    let part = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let (server, repository) = (part("GITHUB_SERVER_URL")?, part("GITHUB_REPOSITORY")?);
    Some(format!("{server}/{repository}/actions/runs/{}", part("GITHUB_RUN_ID")?))
}

/// Replaces a file, or the target of a link, in one step; writes directly to a pipe or a device.
fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::file("write", path, &error);
    let Ok(there) = fs::metadata(path) else {
        return write::file(path, text).map(drop).map_err(Failure::other);
    };
    if there.is_file() {
        let real = fs::canonicalize(path).map_err(failed)?;
        return write::file(&real, text).map(drop).map_err(Failure::other);
    }
    let device = OpenOptions::new().write(true).open(path);
    device.and_then(|mut device| device.write_all(text.as_bytes())).map_err(failed)
}
