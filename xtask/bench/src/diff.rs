//! `bench diff`: the CPU time of a comparison of two loaded catalogues, at two sizes.
//!
//! A keeper compares once, so each comparison begins with caches that hold nothing of the catalogues. Repeated at once, the catalogue of today
//! stays in the processor's cache and takes a third of the time, and one of 10 times its size fits no cache: it seemed to take 20 to 30 times as
//! long, where cold it is about 10 times.

use std::fmt::Write as _;
use std::hint::black_box;

use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;
use fedispec_diff::{Options, compare};
use fedispec_model::api::{Api, Layer};

use super::enlarge::enlarge;
use super::meter::cpu_time;
use super::{LARGE, median};

/// One in this many items is edited.
const EVERY: usize = 20;

/// More bytes than the last cache of a processor holds.
const CACHE: usize = 256 << 20;

/// The bytes between two reads that both load memory: the lines of a cache are not shorter.
const LINE: usize = 64;

pub(super) fn run(place: &Place, runs: u32, times: Option<u32>) -> Result<(), Failure> {
    let sizes = [1, times.unwrap_or(LARGE)].map(|times| measured(place, runs, times));
    let [one, ten] = sizes;
    let (one, ten) = (one?, ten?);
    let large = format!("size {}", times.unwrap_or(LARGE));
    let mut text = format!("{:<12}{:>14}{:>14}{:>9}\n", "CPU, ms", "size 1", large, "growth");
    for ((name, one), (_, ten)) in one.iter().zip(&ten) {
        let _ = writeln!(text, "{name:<12}{one:>14.1}{ten:>14.1}{:>8.1}x", ten / one);
    }
    let _ = writeln!(
        text,
        "medians of {runs} runs, each with cold caches; one item of {EVERY} is edited"
    );
    output::stdout(&text)
}

/// The milliseconds of each comparison, with the number of items compared and of changes found.
fn measured(place: &Place, runs: u32, times: u32) -> Result<Vec<(&'static str, f64)>, Failure> {
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Other(format!("cannot make a scratch folder: {error}")))?;
    let spec = scratch.path().join("spec");
    enlarge(&place.spec, &spec, times)?;
    let (_, api) = fedispec_reader::open(&spec, Layer::Full).map_err(Failure::Invalid)?;
    let other = edited(&api);
    let found = compare(&api, &other, &Options::default()).changes.len();
    let count = |number: usize| u32::try_from(number).map_or(f64::MAX, f64::from);
    Ok(vec![
        ("equal", milliseconds(runs, &api, &api.clone())),
        ("edited", milliseconds(runs, &api, &other)),
        ("items", count(fedispec_model::rows::rows(&api).len())),
        ("findings", count(found)),
    ])
}

fn milliseconds(runs: u32, old: &Api, new: &Api) -> f64 {
    let mut other = vec![0_u8; CACHE];
    let times = (0..runs).map(|_| {
        for byte in other.iter_mut().step_by(LINE) {
            *byte = byte.wrapping_add(1);
        }
        black_box(&other);
        let start = cpu_time();
        black_box(compare(old, new, &Options::default()));
        cpu_time().saturating_sub(start)
    });
    median(times.collect()).as_secs_f64() * 1000.0
}

/// A copy with edits of texts, types and existence, spread over the catalogue.
fn edited(api: &Api) -> Api {
    let mut api = api.clone();
    for (number, operation) in api.operations.iter_mut().enumerate() {
        if number % EVERY == 0 {
            operation.item.summary = Some("Something else.".into());
            operation.success.push(299);
            operation.params.pop();
        }
    }
    let fields = api.entities.iter_mut().flat_map(|entity| &mut entity.fields);
    for field in fields.step_by(EVERY) {
        field.nullable = !field.nullable;
    }
    for value in api.enums.iter_mut().flat_map(|one| &mut one.values).step_by(EVERY) {
        value.id.push_str("_of_late");
    }
    api
}
