//! Runs cargo on a subject and reads what rustc took.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::How;
use super::subject::Subject;
use super::wrapper::{Compiled, LOG, WRAPPER};
use crate::bench::meter;
use crate::failure::Failure;

/// What a subject took.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// CPU seconds of `cargo check` with nothing compiled before.
    pub(super) cold: f64,
    /// Runs of rustc in it.
    pub(super) units: usize,
    /// The crate alone: CPU seconds and MiB.
    pub(super) check: (f64, f64),
    /// The same, optimised, where that was wanted.
    pub(super) release: Option<(f64, f64)>,
    /// Lines of Rust in it.
    pub(super) lines: usize,
    /// CPU seconds of its build script, where it has one.
    pub(super) script: Option<f64>,
}

pub(super) struct Bench<'a> {
    pub(super) subject: &'a Subject,
    pub(super) place: PathBuf,
    pub(super) target: PathBuf,
    pub(super) how: How,
}

impl Bench<'_> {
    pub(super) fn run(&self) -> Result<Measured, Failure> {
        self.cargo(&["fetch"])?;
        let before = meter::children().cpu;
        let first = self.cargo(&["check"])?;
        let cold = meter::children().cpu.saturating_sub(before).as_secs_f64();
        let check = self.repeat(&first, &["check"])?;
        let script = self.script()?;
        let leaf = self.leaf(&first)?;
        let lines = lines(Path::new(&leaf.root), &self.place) + self.included();
        let release = if self.how.release {
            let built = self.cargo(&["build", "--release"])?;
            Some(self.repeat(&built, &["build", "--release"])?)
        } else {
            None
        };
        Ok(Measured {
            cold,
            units: first.len(),
            check,
            release,
            lines,
            script,
        })
    }

    /// Runs cargo; gives what each rustc took.
    fn cargo(&self, arguments: &[&str]) -> Result<Vec<Compiled>, Failure> {
        let log = self.target.with_extension("log");
        let _ = fs::remove_file(&log);
        let wrapper = env::current_exe().map_err(Failure::other)?;
        let mut command = cargo(&self.place, &self.target);
        command.args(arguments).env(WRAPPER, wrapper).env(LOG, &log);
        if !self.subject.peer {
            command.arg("--offline");
        }
        finish(&mut command)?;
        let text = fs::read_to_string(&log).unwrap_or_default();
        Ok(text.lines().filter_map(Compiled::parse).collect())
    }

    fn leaf<'c>(&self, compiled: &'c [Compiled]) -> Result<&'c Compiled, Failure> {
        let name = self.subject.leaf.replace('-', "_");
        let found = compiled.iter().rfind(|one| one.name == name);
        found.ok_or_else(|| Failure::Other(format!("cargo has not compiled {}", self.subject.leaf)))
    }

    /// The medians of the crate alone, the first run among them.
    fn repeat(&self, first: &[Compiled], arguments: &[&str]) -> Result<(f64, f64), Failure> {
        let mut all = vec![self.leaf(first)?.clone()];
        for _ in 1..self.how.runs {
            let mut clean = cargo(&self.place, &self.target);
            clean.args(["clean", "--offline", "--package", self.subject.leaf]);
            // Without it only what is not optimised is removed.
            clean.args(
                arguments
                    .iter()
                    .filter(|argument| **argument == "--release"),
            );
            finish(&mut clean)?;
            all.push(self.leaf(&self.cargo(arguments)?)?.clone());
        }
        let cpu = median(all.iter().map(|one| one.cpu_ms).collect());
        let peak = median(all.iter().map(|one| one.peak_kib).collect());
        Ok((cpu / 1000.0, peak / 1024.0))
    }

    /// The CPU time of the build script, started as cargo starts it.
    fn script(&self) -> Result<Option<f64>, Failure> {
        let Some(folder) = self.build_folder("build-script-build") else {
            return Ok(None);
        };
        let out = self.target.join("out");
        fs::create_dir_all(&out).map_err(|error| Failure::file("make", &out, &error))?;
        let mut times = Vec::new();
        for _ in 0..self.how.runs {
            let before = meter::children().cpu;
            let mut script = Command::new(folder.join("build-script-build"));
            finish(script.current_dir(&self.place).env("OUT_DIR", &out))?;
            times.push(meter::children().cpu.saturating_sub(before));
        }
        times.sort_unstable();
        Ok(times.get(times.len() / 2).map(Duration::as_secs_f64))
    }

    /// The folder of the subject's build script that holds this.
    fn build_folder(&self, file: &str) -> Option<PathBuf> {
        let folders = fs::read_dir(self.target.join("debug/build")).ok()?;
        let start = format!("{}-", self.subject.leaf);
        folders
            .flatten()
            .filter(|folder| folder.file_name().to_string_lossy().starts_with(&start))
            .map(|folder| folder.path())
            .find(|folder| folder.join(file).exists())
    }

    /// The lines of what the build script has made.
    fn included(&self) -> usize {
        let made = self.build_folder("out/fedispec.rs");
        made.map_or(0, |folder| {
            formatted_lines(&folder.join("out/fedispec.rs"), &self.target)
        })
    }
}

fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let value = values.get(values.len() / 2).copied().unwrap_or_default();
    f64::from(u32::try_from(value).unwrap_or(u32::MAX))
}

/// cargo in a folder, with nothing of what has started this program.
pub(super) fn cargo(place: &Path, target: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(place)
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_PATH")
        .env_remove("RUSTFLAGS")
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_TARGET_DIR", target);
    command
}

/// Runs a command to its end, silently; the last lines of what it said where it fails.
pub(super) fn finish(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::Other(format!("cannot start {command:?}: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.to_lowercase().contains("error"))
        .collect();
    let told = lines
        .first()
        .copied()
        .unwrap_or("it failed and does not say why");
    Err(Failure::Other(told.to_owned()))
}

/// The lines of Rust below the folder of a crate's root.
fn lines(root: &Path, place: &Path) -> usize {
    let root = if root.is_absolute() {
        root.to_owned()
    } else {
        place.join(root)
    };
    let mut open: Vec<PathBuf> = root.parent().map(Path::to_owned).into_iter().collect();
    let mut lines = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                lines += fs::read_to_string(&path).map_or(0, |text| text.lines().count());
            }
        }
    }
    lines
}

/// The lines of a text that nobody has formatted, as if somebody had.
pub(super) fn formatted_lines(path: &Path, scratch: &Path) -> usize {
    let copy = scratch.join("formatted.rs");
    if fs::copy(path, &copy).is_ok() {
        // What rustfmt cannot format is counted as it is.
        let _ = finish(
            Command::new("rustfmt")
                .args(["--edition", "2024"])
                .arg(&copy),
        );
    }
    fs::read_to_string(copy).map_or(0, |text| text.lines().count())
}
