#[cfg(feature = "client")]
mod client;
mod corners;
mod discovery;
mod judge;
mod limits;
mod policy;
mod support;
mod weigh;
use crate::{ItemTable, Method, Operation, Param, Program, Release};

static PROGRAMS: &[Program] = &[
    Program::new("mastodon", "Mastodon").nodeinfo(&["mastodon"]).releases(&[
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

static ITEMS: ItemTable = ItemTable::new(
    PROGRAMS,
    r"
field E.ignored: 1.0.0 works 4.2.0, 0.1.0 works never
field E.inner: 1.5.0 effective 4.3.0, unknown
field E.patched: 4.3.5, unknown
operation a.get: 2.0.0, 0.1.0
param a.get.id: 2.0.0, 0.1.0
param a.get.new: 4.4.0, never
  harmless
param a.get.open: unknown, unknown
operation b.gone: 1.0.0 removed 4.0.0, 0.1.0 removed 0.17.0
operation c.hole: 1.0.0 absent 2.4.0..3.3.0, unknown
operation d.new: 4.0.0, 0.19.0
param d.new.id: 4.0.0, 0.19.0
param d.new.more: 4.5.0, never
  harmless
",
);

static A_GET: Operation = Operation::new("a.get", Method::Get, "/api/v1/a/:id").params(&[
    Param::path("id"),
    Param::query("new"),
    Param::query("open"),
]);
static B_GONE: Operation = Operation::new("b.gone", Method::Get, "/api/v1/b");
static D_NEW: Operation = Operation::new("d.new", Method::Get, "/api/v2/d/:id")
    .params(&[Param::path("id"), Param::query("more")]);
/// The table lacks it and its parameter.
static STRANGER: Operation =
    Operation::new("a.strange", Method::Get, "/a").params(&[Param::query("b")]);
