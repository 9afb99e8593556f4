//! `bench gen`: the cost of each step of the generator, and how it grows with the catalogue.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use fedispec_codegen::{emit, write};
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;
use fedispec_model::api::Layer;
use fedispec_model::resolved;
use fedispec_reader::diagnostic::Report;
use fedispec_reader::{load, resolve};
use serde_json::{Value, json};

use super::enlarge::enlarge;
use super::meter::{cpu_time, peak_memory_kib};
use super::{LARGE, median};

/// The steps in the order of a run.
const STEPS: [&str; 7] = ["load", "resolve", "json", "emit", "format", "write", "all"];

/// Measures each size in a process of its own, since the peak memory is per process.
pub(super) fn compare(place: &Place, runs: u32) -> Result<(), Failure> {
    let small = in_process(place, runs, 1)?;
    let large = in_process(place, runs.div_ceil(3), LARGE)?;
    output::stdout(&table(&small, &large))
}

fn in_process(place: &Place, runs: u32, times: u32) -> Result<Value, Failure> {
    let program = env::current_exe()
        .map_err(|error| Failure::Other(format!("cannot find this program: {error}")))?;
    let result = Command::new(program)
        .args(["gen", "--runs", &runs.to_string(), "--times", &times.to_string(), "--spec"])
        .arg(&place.spec)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::Other(format!("cannot start the measurement: {error}")))?;
    if !result.status.success() {
        return Err(Failure::Other(format!("the measurement of size {times} failed")));
    }
    serde_json::from_slice(&result.stdout).map_err(Failure::other)
}

fn table(small: &Value, large: &Value) -> String {
    let number = |of: &Value, key: &str| of[key].as_f64().unwrap_or(f64::NAN);
    let mut text = format!(
        "{:<10}{:>14}{:>14}{:>9}\n",
        "CPU, ms",
        "size 1",
        format!("size {LARGE}"),
        "growth"
    );
    for step in STEPS {
        let (one, ten) = (number(small, step), number(large, step));
        let _ = writeln!(text, "{step:<10}{one:>14.1}{ten:>14.1}{:>8.1}x", ten / one);
    }
    for (label, key) in [("peak, MiB", "peak"), ("items", "items"), ("KiB out", "out")] {
        let (one, ten) = (number(small, key), number(large, key));
        let _ = writeln!(text, "{label:<10}{one:>14.1}{ten:>14.1}{:>8.1}x", ten / one);
    }
    let _ = writeln!(text, "medians of {} and {} runs", small["runs"], large["runs"]);
    text
}

/// Runs every step `runs` times on a catalogue of `times` the size.
pub(super) fn measure(place: &Place, runs: u32, times: u32) -> Result<Value, Failure> {
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Other(format!("cannot make a scratch folder: {error}")))?;
    let spec = scratch.path().join("spec");
    enlarge(&place.spec, &spec, times)?;
    let mut laps: Vec<Laps> = Vec::new();
    let mut size = (0, 0);
    for run in 0..runs {
        let out = scratch.path().join(format!("out-{run}"));
        let mut lap = Laps::default();
        size = pass(&spec, &out, &mut lap)?;
        laps.push(lap);
        let _ = fs::remove_dir_all(&out);
    }
    let mut result = json!({"runs": runs, "items": size.0, "out": size.1 / 1024, "peak": peak_memory_kib().map(|kib| kib / 1024)});
    for (index, step) in STEPS.iter().enumerate() {
        let time = median(laps.iter().map(|lap| lap.times(index)).collect());
        result[*step] = (time.as_secs_f64() * 1000.0).into();
    }
    Ok(result)
}

#[derive(Default)]
struct Laps {
    steps: Vec<Duration>,
}

impl Laps {
    /// The times of a step; the index after the last step holds their sums.
    fn times(&self, step: usize) -> Duration {
        self.steps.get(step).copied().unwrap_or_else(|| self.steps.iter().sum())
    }

    fn time<T>(&mut self, step: impl FnOnce() -> T) -> T {
        let start = cpu_time();
        let made = step();
        self.steps.push(cpu_time().saturating_sub(start));
        made
    }
}

/// Runs the generation once; returns the number of items and of bytes written.
fn pass(spec: &Path, out: &Path, laps: &mut Laps) -> Result<(usize, usize), Failure> {
    let loaded = laps.time(|| load::load(spec)).map_err(Failure::Invalid)?;
    let resolved = laps.time(|| resolve::resolve(&loaded, Layer::Full));
    let api = resolved.map_err(|problems| {
        let (sources, report) = (loaded.sources.clone(), Report::new(problems));
        Failure::Invalid(Box::new(load::Failure { sources, report }))
    })?;
    let json = laps.time(|| resolved::to_json(&api)).map_err(Failure::other)?;
    let drafts = laps.time(|| emit::emit(&api, &emit::Options::default()));
    let files = laps.time(|| emit::format(drafts)).map_err(Failure::other)?;
    laps.time(|| write::replace(out, &files)).map_err(Failure::other)?;
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    Ok((fedispec_model::rows::rows(&api).len(), bytes + json.len()))
}

#[cfg(test)]
mod tests {
    use super::{Laps, median};
    use std::time::Duration;

    #[test]
    fn the_sum_stands_after_the_steps() {
        let laps = Laps { steps: vec![Duration::from_millis(2), Duration::from_millis(3)] };
        assert_eq!(laps.times(1), Duration::from_millis(3));
        assert_eq!(laps.times(2), Duration::from_millis(5));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(times.to_vec()), Duration::from_millis(5));
    }
}
