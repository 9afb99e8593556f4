//! Measurement of a subject: runs cargo and reads the resource usage of each rustc.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::Options;
use super::subject::Subject;
use super::wrapper::{Compiled, LOG, WRAPPER};
use crate::meter;
use fedispec_commands::failure::Failure;

/// The measurements of a subject.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The CPU seconds of `cargo check` from scratch.
    pub(super) cold: f64,
    /// The number of rustc processes in it.
    pub(super) units: usize,
    /// The CPU seconds and MiB of the crate alone.
    pub(super) check: (f64, f64),
    /// The same for an optimised build, if measured.
    pub(super) release: Option<(f64, f64)>,
    /// The number of lines of Rust.
    pub(super) lines: usize,
    /// The CPU seconds of the build script, if there is one.
    pub(super) script: Option<f64>,
}

pub(super) struct Bench<'a> {
    pub(super) subject: &'a Subject,
    pub(super) place: PathBuf,
    pub(super) target: PathBuf,
    pub(super) options: Options,
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
        let release = if self.options.release {
            let built = self.cargo(&["build", "--release"])?;
            Some(self.repeat(&built, &["build", "--release"])?)
        } else {
            None
        };
        Ok(Measured { cold, units: first.len(), check, release, lines, script })
    }

    /// Runs cargo and returns the usage of each rustc.
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

    /// Compiles the crate repeatedly and returns the medians, including the first run.
    fn repeat(&self, first: &[Compiled], arguments: &[&str]) -> Result<(f64, f64), Failure> {
        let mut all = vec![self.leaf(first)?.clone()];
        for _ in 1..self.options.runs {
            let mut clean = cargo(&self.place, &self.target);
            clean.args(["clean", "--offline", "--package", self.subject.leaf]);
            // Without `--release`, cargo cleans only the debug profile.
            clean.args(arguments.iter().filter(|argument| **argument == "--release"));
            finish(&mut clean)?;
            all.push(self.leaf(&self.cargo(arguments)?)?.clone());
        }
        let cpu = median(all.iter().map(|one| one.cpu_ms).collect());
        let peak = median(all.iter().map(|one| one.peak_kib).collect());
        Ok((cpu / 1000.0, peak / 1024.0))
    }

    /// The CPU time of the build script, run with cargo's environment.
    fn script(&self) -> Result<Option<f64>, Failure> {
        let Some(folder) = self.build_folder("build-script-build") else {
            return Ok(None);
        };
        let out = self.target.join("out");
        fs::create_dir_all(&out).map_err(|error| Failure::file("make", &out, &error))?;
        let mut times = Vec::new();
        for _ in 0..self.options.runs {
            let before = meter::children().cpu;
            let mut script = Command::new(folder.join("build-script-build"));
            finish(script.current_dir(&self.place).env("OUT_DIR", &out))?;
            times.push(meter::children().cpu.saturating_sub(before));
        }
        times.sort_unstable();
        Ok(times.get(times.len() / 2).map(Duration::as_secs_f64))
    }

    /// The build script's folder that contains a file.
    fn build_folder(&self, file: &str) -> Option<PathBuf> {
        let folders = fs::read_dir(self.target.join("debug/build")).ok()?;
        let start = format!("{}-", self.subject.leaf);
        folders
            .flatten()
            .filter(|folder| folder.file_name().to_string_lossy().starts_with(&start))
            .map(|folder| folder.path())
            .find(|folder| folder.join(file).exists())
    }

    /// The number of lines that the build script generated.
    fn included(&self) -> usize {
        let made = self.build_folder("out/fedispec.rs");
        made.map_or(0, |folder| formatted_lines(&folder.join("out/fedispec.rs"), &self.target))
    }
}

fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let value = values.get(values.len() / 2).copied().unwrap_or_default();
    f64::from(u32::try_from(value).unwrap_or(u32::MAX))
}

/// cargo in a folder, without this process's cargo environment.
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

/// Runs a command to its end and returns its output; on failure, the last lines of its stderr.
pub(super) fn finish(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::Other(format!("cannot start {command:?}: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // Cargo also names the packages that it compiles, such as thiserror.
    let told = said.lines().map(str::trim).find(|line| line.to_lowercase().starts_with("error"));
    let told = told.unwrap_or("it failed without a message");
    Err(Failure::Other(told.to_owned()))
}

/// The number of lines of Rust below the folder of a crate's root file.
fn lines(root: &Path, place: &Path) -> usize {
    let root = if root.is_absolute() { root.to_owned() } else { place.join(root) };
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

/// The number of lines of an unformatted file after formatting.
pub(super) fn formatted_lines(path: &Path, scratch: &Path) -> usize {
    let copy = scratch.join("formatted.rs");
    if fs::copy(path, &copy).is_ok() {
        // If rustfmt fails, the unformatted lines are counted.
        let _ = finish(Command::new("rustfmt").args(["--edition", "2024"]).arg(&copy));
    }
    fs::read_to_string(copy).map_or(0, |text| text.lines().count())
}
