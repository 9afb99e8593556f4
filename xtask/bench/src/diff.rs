//! `bench diff`: the CPU time of a comparison of two loaded catalogues.
//!
//! A keeper compares once, so each comparison begins with caches that hold nothing of the catalogues. Repeated at once, they stay in the
//! processor's cache, and a comparison takes a third of the time.

use std::fmt::Write as _;
use std::hint::black_box;

use fedispec_commands::failure::Failure;
use fedispec_commands::place::Place;
use fedispec_diff::{Options, compare};
use fedispec_model::api::{Api, Layer};

use super::median;
use super::meter::cpu_time;

/// One in this many items is edited.
const EVERY: usize = 20;

/// More bytes than the last cache of a processor holds.
const CACHE: usize = 256 << 20;

/// The bytes between two reads that both load memory: the lines of a cache are not shorter.
const LINE: usize = 64;

pub(super) fn measured(place: &Place, runs: u32) -> Result<String, Failure> {
    let (_, api) = place.open(Layer::Full)?;
    let other = edited(&api);
    let found = compare(&api, &other, &Options::default()).changes.len();
    let mut text = "CPU, ms\n".to_owned();
    for (name, other) in [("equal", &api.clone()), ("edited", &other)] {
        let _ = writeln!(text, "{name:<10}{:>14.1}", milliseconds(runs, &api, other));
    }
    for (name, count) in [("items", fedispec_model::rows::rows(&api).len()), ("findings", found)] {
        let _ = writeln!(text, "{name:<10}{count:>14}");
    }
    let _ = writeln!(
        text,
        "medians of {runs} runs, each with cold caches; one item of {EVERY} is edited"
    );
    Ok(text)
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
    median(times.collect())
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
