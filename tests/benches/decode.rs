//! Decoding a page of 40 statuses: the generated types against structs as one writes them by hand, with the same keys kept.
#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fedispec::client::FromAnswer as _;
use fedispec::entities::Status;
use fedispec::runtime::Page;
use fedispec_tests::timeline;
use http::HeaderMap;

fn decode(criterion: &mut Criterion) {
    let mut page = timeline::page(40);
    let body = serde_json::to_vec(&page).unwrap_or_default();
    let headers = HeaderMap::new();
    let mut group = criterion.benchmark_group("decode a page of 40 statuses");
    group.throughput(Throughput::Bytes(body.len() as u64));
    group.bench_function("structs by hand", |bencher| {
        bencher.iter(|| {
            let text = std::str::from_utf8(black_box(&body)).unwrap_or_default();
            serde_json::from_str::<Vec<timeline::Status>>(text)
        });
    });
    group.bench_function("generated types", |bencher| {
        bencher.iter(|| Page::<Status>::from_answer(&headers, black_box(&body)));
    });
    page[20]["account"]["id"] = serde_json::Value::Null;
    let body = serde_json::to_vec(&page).unwrap_or_default();
    group.bench_function("generated types, one status refused", |bencher| {
        bencher.iter(|| Page::<Status>::from_answer(&headers, black_box(&body)));
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
