//! Building a request, and what a gate on each of its parameters would cost.
#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fedispec_runtime as rt;
use rt::client::Encode;
use rt::codegen::Encoder;

/// Ten parameters, all set.
struct Search {
    texts: [Option<String>; 5],
    numbers: [Option<i64>; 4],
    types: Vec<String>,
}

static SEARCH: rt::Operation = rt::Operation::new("search.all", rt::Method::Get, "/api/v2/search")
    .params(&[
        rt::Param::query("q"),
        rt::Param::query("type"),
        rt::Param::query("account_id"),
        rt::Param::query("max_id"),
        rt::Param::query("min_id"),
        rt::Param::query("limit"),
        rt::Param::query("offset"),
        rt::Param::query("since"),
        rt::Param::query("until"),
        rt::Param::query("types[]"),
    ]);

impl rt::Request for Search {
    type Answer = rt::Json;
    const OPERATION: &'static rt::Operation = &SEARCH;
}

impl Encode for Search {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        for (index, text) in self.texts.iter().enumerate() {
            to.optional(index, text);
        }
        for (index, number) in self.numbers.iter().enumerate() {
            to.optional(5 + index, number);
        }
        to.list(9, &self.types);
    }
}

static ITEMS: rt::ItemTable = rt::ItemTable::new(
    &[rt::Program::new("mastodon", "Mastodon"), rt::Program::new("gotosocial", "GoToSocial")],
    r#"{"form": 3, "items": {
    "search.all.q": "param"
}}"#,
    &[
        r#"{"otherwise": "never", "items": {
    "search.all.q": "4.2.0"
}}"#,
        r#"{"otherwise": "never", "items": {
    "search.all.q": "4.2.0"
}}"#,
    ],
);

fn encode(criterion: &mut Criterion) {
    let search = Search {
        texts: std::array::from_fn(|_| Some("garden of words".to_owned())),
        numbers: [Some(40); 4],
        types: vec!["accounts".to_owned()],
    };
    let origin: rt::client::Origin = match "https://example.org".parse() {
        Ok(origin) => origin,
        Err(error) => return eprintln!("{error}"),
    };
    let token = rt::client::Token::new("token");
    criterion.bench_function("build a request with ten parameters", |bencher| {
        bencher.iter(|| rt::client::request(black_box(&search), &origin, Some(&token)).is_ok());
    });
    criterion.bench_function("collect ten parameters", |bencher| {
        bencher.iter(|| Encoder::collect(&SEARCH, black_box(&search)).set().count());
    });
    let server = rt::Version::new(4, 3, 0);
    criterion.bench_function("ask the table for ten parameters", |bencher| {
        bencher.iter(|| {
            let has = |row: &&rt::Item| {
                row.life(0).is_some_and(|life| {
                    life.has(black_box(&server)).verdict == rt::compatibility::Verdict::Yes
                })
            };
            ITEMS.below(SEARCH.id).filter(has).count()
        });
    });
}

criterion_group!(benches, encode);
criterion_main!(benches);
