//! Encoding a page of 40 statuses as a server answers it, by its types and as older releases write it.
#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fedispec::entities::Status;
use fedispec::runtime::{de, ser};
use fedispec_tests::timeline;

fn encode(criterion: &mut Criterion) {
    let text = serde_json::to_string(&timeline::page(40)).unwrap_or_default();
    let page = match de::read::<Vec<Status>>(&text) {
        Ok(page) => page.value,
        Err(error) => return eprintln!("{error}"),
    };
    let mut group = criterion.benchmark_group("encode a page of 40 statuses");
    group.bench_function("by the types", |bencher| bencher.iter(|| ser::bytes(black_box(&page))));
    for release in ["mastodon@2.0.0", "mastodon@3.5.0", "gotosocial@0.10.0"] {
        match fedispec::server::emulation(release) {
            Ok(emulated) => {
                group.bench_function(release, |bencher| {
                    bencher.iter(|| emulated.encode(black_box(&page)));
                });
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
