//! `bench gen`: the cost of each step of the generator.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use fedispec_codegen::{emit, write};
use fedispec_commands::failure::Failure;
use fedispec_commands::place::Place;
use fedispec_model::api::Layer;
use fedispec_model::resolved;
use fedispec_reader::diagnostic::Report;
use fedispec_reader::{load, resolve};

use super::median;
use super::meter::{cpu_time, peak_memory_kib};

/// The steps in the order of a run.
const STEPS: [&str; 6] = ["load", "resolve", "json", "emit", "write", "all"];

/// Runs every step that many times.
pub(super) fn measured(place: &Place, runs: u32) -> Result<String, Failure> {
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Other(format!("cannot make a scratch folder: {error}")))?;
    let mut laps: Vec<Laps> = Vec::new();
    let mut size = (0, 0);
    for run in 0..runs {
        let out = scratch.path().join(format!("out-{run}"));
        let mut lap = Laps::default();
        size = pass(&place.spec, &out, &mut lap)?;
        laps.push(lap);
        let _ = fs::remove_dir_all(&out);
    }
    let mut text = "CPU, ms\n".to_owned();
    for (index, step) in STEPS.iter().enumerate() {
        let time = median(laps.iter().map(|lap| lap.times(index)).collect());
        let _ = writeln!(text, "{step:<10}{time:>14.1}");
    }
    let peak = peak_memory_kib().map_or("-".to_owned(), |kib| (kib / 1024).to_string());
    let (items, out) = (size.0.to_string(), (size.1 / 1024).to_string());
    for (label, number) in [("peak, MiB", peak), ("items", items), ("KiB out", out)] {
        let _ = writeln!(text, "{label:<10}{number:>14}");
    }
    let _ = writeln!(text, "medians of {runs} runs");
    Ok(text)
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
    let files = laps.time(|| emit::files(&api, &emit::Options::default()));
    let files = files.map_err(Failure::other)?;
    laps.time(|| write::replace(out, &files)).map_err(Failure::other)?;
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    Ok((fedispec_model::rows::rows(&api).len(), bytes + json.len()))
}

#[cfg(test)]
mod tests {
    use super::Laps;
    use std::time::Duration;

    #[test]
    fn the_sum_stands_after_the_steps() {
        let laps = Laps { steps: vec![Duration::from_millis(2), Duration::from_millis(3)] };
        assert_eq!(laps.times(1), Duration::from_millis(3));
        assert_eq!(laps.times(2), Duration::from_millis(5));
    }
}
