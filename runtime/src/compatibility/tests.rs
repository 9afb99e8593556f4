#[cfg(feature = "client")]
mod client;
mod corners;
mod discovery;
mod judge;
mod limits;
mod policy;
mod support;
mod weigh;

use crate::operation::Params;
use crate::{Item, ItemTable, Kind, Life, Method, Operation, Param, Program, Release};

const NOBODY: Life = Life::UNKNOWN;

static PROGRAMS: &[Program] = &[
    Program::new("mastodon", "Mastodon")
        .nodeinfo(&["mastodon"])
        .releases(&[
            Release::new(2, 9, 1),
            Release::new(3, 3, 0),
            Release::new(4, 0, 0),
            Release::new(4, 2, 0),
            Release::new(4, 3, 0).api(2),
            Release::new(4, 3, 5).api(2),
            Release::new(4, 4, 0).api(6),
            Release::new(4, 5, 0).api(7),
        ]),
    Program::new("gotosocial", "GoToSocial")
        .nodeinfo(&["gotosocial"])
        .releases(&[Release::new(0, 17, 0), Release::new(0, 19, 2)]),
];

static ROWS: &[Item] = &[
    Item::new(
        Kind::Field,
        "E.ignored",
        "ignored",
        &[
            Life::since(1, 0, 0).works_since(4, 2, 0),
            Life::since(0, 1, 0).works_never(),
        ],
    ),
    Item::new(
        Kind::Field,
        "E.inner",
        "inner",
        &[Life::since(1, 5, 0).effective_since(4, 3, 0), NOBODY],
    ),
    Item::new(
        Kind::Field,
        "E.patched",
        "patched",
        &[Life::since(4, 3, 5), NOBODY],
    ),
    Item::new(
        Kind::Operation,
        "a.get",
        "",
        &[Life::since(2, 0, 0), Life::since(0, 1, 0)],
    ),
    Item::new(
        Kind::Param,
        "a.get.id",
        "id",
        &[Life::since(2, 0, 0), Life::since(0, 1, 0)],
    ),
    Item::new(
        Kind::Param,
        "a.get.new",
        "new",
        &[Life::since(4, 4, 0), Life::NEVER],
    )
    .harmless(),
    Item::new(Kind::Param, "a.get.open", "open", &[NOBODY, NOBODY]),
    Item::new(
        Kind::Operation,
        "b.gone",
        "",
        &[
            Life::since(1, 0, 0).removed(4, 0, 0),
            Life::since(0, 1, 0).removed(0, 17, 0),
        ],
    ),
    Item::new(
        Kind::Operation,
        "c.hole",
        "",
        &[
            Life::since(1, 0, 0).absent(&[((2, 4, 0), (3, 3, 0))]),
            NOBODY,
        ],
    ),
    Item::new(
        Kind::Operation,
        "d.new",
        "",
        &[Life::since(4, 0, 0), Life::since(0, 19, 0)],
    ),
    Item::new(
        Kind::Param,
        "d.new.id",
        "id",
        &[Life::since(4, 0, 0), Life::since(0, 19, 0)],
    ),
    Item::new(
        Kind::Param,
        "d.new.more",
        "more",
        &[Life::since(4, 5, 0), Life::NEVER],
    )
    .harmless(),
];

const ITEMS: ItemTable = ItemTable::new(PROGRAMS, ROWS);

static A_GET: Operation =
    Operation::new("a.get", Method::Get, "/api/v1/a/:id").params(&Params::of([
        Param::path("id"),
        Param::query("new"),
        Param::query("open"),
    ]));
static B_GONE: Operation = Operation::new("b.gone", Method::Get, "/api/v1/b");
static D_NEW: Operation = Operation::new("d.new", Method::Get, "/api/v2/d/:id")
    .params(&Params::of([Param::path("id"), Param::query("more")]));
/// The table lacks it and its parameter.
static STRANGER: Operation =
    Operation::new("a.strange", Method::Get, "/a").params(&Params::of([Param::query("b")]));
