//! The cost of a gate: building it for a server, and asking it about a request.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fedispec_runtime::compatibility::{Gate, RemoteServer};
use fedispec_runtime::{ItemTable, Method, Operation, Param, Program, Release};

const PARAMS: usize = 10;

static PROGRAMS: &[Program] = &[
    Program::new("mastodon", "Mastodon").releases(&[
        Release::new(4, 0, 0),
        Release::new(4, 3, 0).api(2),
        Release::new(4, 4, 0).api(6),
    ]),
    Program::new("gotosocial", "GoToSocial").releases(&[Release::new(0, 19, 2)]),
];

static ITEMS: ItemTable = ItemTable::new(
    PROGRAMS,
    r#"{"form": 3, "items": {
    "a.get": "operation",
    "a.get.a": "param",
    "a.get.b": "param",
    "a.get.c": "param",
    "a.get.d": "param",
    "a.get.e": "param",
    "a.get.f": "param",
    "a.get.g": "param",
    "a.get.h": "param",
    "a.get.i": "param",
    "a.get.j": "param"
}}"#,
    &[
        r#"{"otherwise": "never", "items": {
    "a.get": "4.0.0",
    "a.get.a": "4.3.0",
    "a.get.b": "4.3.0",
    "a.get.c": "4.3.0",
    "a.get.d": "4.3.0",
    "a.get.e": "4.3.0",
    "a.get.f": "4.3.0",
    "a.get.g": "4.3.0",
    "a.get.h": "4.3.0",
    "a.get.i": "4.3.0",
    "a.get.j": "4.3.0"
}}"#,
        r#"{"otherwise": "never", "items": {
    "a.get": "0.1.0",
    "a.get.a": "0.17.0",
    "a.get.b": "0.17.0",
    "a.get.c": "0.17.0",
    "a.get.d": "0.17.0",
    "a.get.e": "0.17.0",
    "a.get.f": "0.17.0",
    "a.get.g": "0.17.0",
    "a.get.h": "0.17.0",
    "a.get.i": "0.17.0",
    "a.get.j": "0.17.0"
}}"#,
    ],
);

static OPERATION: Operation = Operation::new("a.get", Method::Get, "/a").params(&[
    Param::query("j"),
    Param::query("i"),
    Param::query("h"),
    Param::query("g"),
    Param::query("f"),
    Param::query("e"),
    Param::query("d"),
    Param::query("c"),
    Param::query("b"),
    Param::query("a"),
]);

fn gates(criterion: &mut Criterion) {
    let Some(param) = ITEMS.get("a.get.a") else {
        return eprintln!("the table has no such row");
    };
    for (software, version) in [("mastodon", "4.3.0"), ("gotosocial", "0.19.2+git-90851fc")] {
        let server = RemoteServer::of(software, version);
        let gate = Gate::new(server.clone(), &ITEMS);
        let name = format!("gate/ten parameters/{software}");
        criterion.bench_function(&name, |bench| {
            bench.iter(|| black_box(&gate).request(black_box(&OPERATION), black_box(0..PARAMS)));
        });
        let name = format!("gate/evidence of one item/{software}");
        criterion.bench_function(&name, |bench| {
            bench.iter(|| black_box(&server).supports_item(&ITEMS, black_box(param)));
        });
    }
    criterion.bench_function("identity", |bench| {
        bench.iter(|| {
            RemoteServer::of(black_box("mastodon"), black_box("4.4.0-nightly.2025-02-07+glitch"))
        });
    });
}

criterion_group!(benches, gates);
criterion_main!(benches);
