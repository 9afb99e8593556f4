//! `gen`: generates the crate and the resolved JSON.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fedispec_codegen::{emit, write};
use fedispec_diff::changes::changes;
use fedispec_diff::{Options, compare, lines, short};
use fedispec_model::api::{Api, Layer, Program};
use fedispec_model::resolved;
use fedispec_reader::load::Catalogue;
use fedispec_reader::schema;
use fedispec_report::coverage::coverage;
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::surface::Surface;

use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::{self, Place};

/// The generated files, before any is written.
struct Output {
    /// The crate's folder, and its files by relative path.
    out: PathBuf,
    out_name: String,
    generated: Vec<(String, String)>,
    /// Single files: path, displayed name and content.
    single: Vec<(PathBuf, String, String)>,
}

pub(crate) fn generate(place: &Place, out: Option<&Path>, check: bool) -> Result<(), Failure> {
    let mut clock = Clock::new();
    let (catalogue, api) = place.open(Layer::Full)?;
    clock.lap("load and resolve");
    let output_files = emit_all(place, out, &api)?;
    clock.lap("emit");
    if check {
        return stale(&output_files);
    }
    let changes_text = changes_text(place, &api, &output_files.generated);
    let written = output_files.write()?;
    clock.lap("write");
    output::stdout(&report(place, &catalogue, &api, &[changes_text, written, clock.text()]))
}

fn emit_all(place: &Place, out: Option<&Path>, api: &Api) -> Result<Output, Failure> {
    let generated = emit::files(api, &emit::Options::default()).map_err(Failure::other)?;
    let mut single = Vec::new();
    let mut add = |name: &str, text: String| {
        single.push((place.spec.join(name), format!("{}/{name}", place.spec_name), text));
    };
    add("api.json", resolved::to_json(api).map_err(Failure::other)?);
    for (name, text) in schema::schemas().map_err(Failure::other)? {
        add(&format!("schema/{name}"), text);
    }
    let (out, out_name) = if let Some(out) = out {
        refuse_other_folders(out)?;
        (out.to_owned(), out.display().to_string())
    } else {
        let root = place::root()?;
        refuse_another_catalogue(place, &root)?;
        for (name, text) in emit::known(api).map_err(Failure::other)? {
            single.push((root.join(&name), name, text));
        }
        (root.join("generated"), "generated".to_owned())
    };
    Ok(Output { out, out_name, generated, single })
}

/// Refuses to take the repository's own crate for that of another catalogue, which would replace it.
fn refuse_another_catalogue(place: &Place, root: &Path) -> Result<(), Failure> {
    let same = |one: &Path, other: &Path| {
        let [one, other] = [one, other].map(fs::canonicalize);
        one.is_ok_and(|one| other.is_ok_and(|other| one == other))
    };
    if same(&place.spec, &root.join("spec")) {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "generated/ is the crate of spec/, not of {}; name a folder for its crate with --out DIR",
        place.spec_name
    )))
}

/// Refuses a folder that holds something other than a generated crate, because the folder is replaced as a whole.
fn refuse_other_folders(out: &Path) -> Result<(), Failure> {
    let empty = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    let ours = || {
        fs::read_to_string(out.join("Cargo.toml"))
            .is_ok_and(|manifest| manifest.contains("name = \"fedispec\""))
    };
    if empty || ours() {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "{} holds files other than a generated crate, which would be deleted; name an empty folder",
        out.display()
    )))
}

/// Lists the stale files.
fn stale(output_files: &Output) -> Result<(), Failure> {
    let mut files: Vec<String> = write::check(&output_files.out, &output_files.generated)
        .map_err(Failure::other)?
        .into_iter()
        .map(|file| format!("{}/{file}", output_files.out_name))
        .collect();
    for (path, name, text) in &output_files.single {
        if fs::read(path).ok().as_deref() != Some(text.as_bytes()) {
            files.push(name.clone());
        }
    }
    if files.is_empty() {
        return output::stdout(&format!(
            "{} and the resolved JSON are up to date\n",
            output_files.out_name
        ));
    }
    output::stdout(&(files.join("\n") + "\n"))?;
    let many = if files.len() == 1 {
        "1 file is".to_owned()
    } else {
        format!("{} files are", files.len())
    };
    Err(Failure::Stale(format!("{many} stale; run `cargo xtask gen`")))
}

impl Output {
    fn write(&self) -> Result<String, Failure> {
        let changed = write::replace(&self.out, &self.generated).map_err(Failure::other)?;
        let mut text = format!("wrote    {}/: {changed}", self.out_name);
        for (path, name, content) in &self.single {
            if write::file(path, content).map_err(Failure::other)? {
                let _ = write!(text, ", {name}");
            }
        }
        Ok(text)
    }
}

/// Describes how the catalogue differs from the last generated api.json.
fn changes_text(place: &Place, api: &Api, generated: &[(String, String)]) -> String {
    let before =
        fs::read_to_string(place.spec.join("api.json")).ok().map(|text| resolved::from_json(&text));
    match before {
        Some(Ok(before)) => {
            // Registering a program changes no item that says nothing of it.
            let known =
                |program: &Program| before.programs.iter().any(|one| one.key == program.key);
            let same = api.without_apart(known);
            let mut text = format!("changed  {}", changes(&before, same.as_ref().unwrap_or(api)));
            let lines = told(&before, api, generated);
            for line in &lines {
                let _ = write!(text, "\n         {line}");
            }
            if !lines.is_empty() {
                text.push_str("\n         the full report: cargo xtask diff");
            }
            text
        }
        Some(Err(_)) => {
            "changed  (the previous api.json cannot be read and is replaced)".to_owned()
        }
        None => "changed  everything is new".to_owned(),
    }
}

/// The changes in a few lines, as the comparison of both states tells them. A former state of which no crate can be made any more is
/// compared by the rules alone.
fn told(before: &Api, api: &Api, generated: &[(String, String)]) -> Vec<String> {
    if before == api {
        return Vec::new();
    }
    let Ok(former) = emit::files(before, &emit::Options::default()) else {
        return short(before, api);
    };
    let measured = Surface::read(&former).measure(&Surface::read(generated));
    let known = Known { measured: Some(&measured), ..Known::default() };
    let report = assemble::report(compare(before, api, &Options::default()), &known);
    let changes: Vec<_> = report.changes.iter().map(|entry| &entry.change).collect();
    lines(&changes, report.bump.needed())
}

fn report(place: &Place, catalogue: &Catalogue, api: &Api, lines: &[String; 3]) -> String {
    let coverage = coverage(api, false);
    let files = catalogue.sources.files().count();
    let count = |kind: &str| coverage.kinds.get(kind).map_or(0, |counts| counts.items);
    let mut text = format!(
        "read     {}/: {files} files, {} items ({} operations, {} parameters, {} fields, {} values)\n",
        place.spec_name,
        coverage.items,
        count("operation"),
        count("param"),
        count("field") + count("response"),
        count("value"),
    );
    let [changes_text, written, times] = lines;
    let _ = writeln!(text, "{changes_text}\n{written}\n{}\n{times}", coverage.summary());
    text
}

/// The duration of each step.
struct Clock {
    start: Instant,
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn new() -> Self {
        let now = Instant::now();
        Self { start: now, last: now, laps: Vec::new() }
    }

    fn lap(&mut self, step: &'static str) {
        let now = Instant::now();
        self.laps.push((step, now - self.last));
        self.last = now;
    }

    fn text(&self) -> String {
        let laps: Vec<_> = self
            .laps
            .iter()
            .map(|(step, took)| format!("{step} {:.2}", took.as_secs_f64()))
            .collect();
        format!("took     {:.2} s ({})", (self.last - self.start).as_secs_f64(), laps.join(", "))
    }
}
