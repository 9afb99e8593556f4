//! What a gate costs: working it out for a server, and asking it for a request.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fedispec_runtime::codegen::Params;
use fedispec_runtime::compatibility::{Gate, RemoteServer};
use fedispec_runtime::{Item, ItemTable, Kind, Life, Method, Operation, Param, Program, Release};

const PARAMS: usize = 10;

static PROGRAMS: &[Program] = &[
    Program::new("mastodon", "Mastodon").releases(&[
        Release::new(4, 0, 0),
        Release::new(4, 3, 0).api(2),
        Release::new(4, 4, 0).api(6),
    ]),
    Program::new("gotosocial", "GoToSocial").releases(&[Release::new(0, 19, 2)]),
];

const LIVES: &[Life] = &[Life::since(4, 3, 0), Life::since(0, 17, 0)];
const PARAM: Item = Item::new(Kind::Param, "a.get.a", "a", LIVES);

static ROWS: &[Item] = &[
    Item::new(
        Kind::Operation,
        "a.get",
        "",
        &[Life::since(4, 0, 0), Life::since(0, 1, 0)],
    ),
    PARAM,
    Item::new(Kind::Param, "a.get.b", "b", LIVES),
    Item::new(Kind::Param, "a.get.c", "c", LIVES),
    Item::new(Kind::Param, "a.get.d", "d", LIVES),
    Item::new(Kind::Param, "a.get.e", "e", LIVES),
    Item::new(Kind::Param, "a.get.f", "f", LIVES),
    Item::new(Kind::Param, "a.get.g", "g", LIVES),
    Item::new(Kind::Param, "a.get.h", "h", LIVES),
    Item::new(Kind::Param, "a.get.i", "i", LIVES),
    Item::new(Kind::Param, "a.get.j", "j", LIVES),
];

const ITEMS: ItemTable = ItemTable::new(PROGRAMS, ROWS);

static OPERATION: Operation = Operation::new("a.get", Method::Get, "/a").params(&Params::of([
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
]));

fn gates(criterion: &mut Criterion) {
    for (software, version) in [("mastodon", "4.3.0"), ("gotosocial", "0.19.2+git-90851fc")] {
        let server = RemoteServer::of(software, version);
        let gate = Gate::new(server.clone(), ITEMS);
        let name = format!("gate/ten parameters/{software}");
        criterion.bench_function(&name, |bench| {
            bench.iter(|| black_box(&gate).request(black_box(&OPERATION), black_box(0..PARAMS)));
        });
        let name = format!("gate/evidence of one item/{software}");
        criterion.bench_function(&name, |bench| {
            bench.iter(|| black_box(&server).supports_item(&ITEMS, black_box(&PARAM)));
        });
    }
    criterion.bench_function("identity", |bench| {
        bench.iter(|| {
            RemoteServer::of(
                black_box("mastodon"),
                black_box("4.4.0-nightly.2025-02-07+glitch"),
            )
        });
    });
}

criterion_group!(benches, gates);
criterion_main!(benches);
