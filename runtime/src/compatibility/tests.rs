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
        Release::new(1, 0, 0),
        Release::new(2, 9, 1),
        Release::new(3, 3, 0),
        Release::new(4, 0, 0),
        Release::new(4, 2, 0),
        Release::new(4, 3, 0).api(2),
        Release::new(4, 3, 5).api(2),
        Release::new(4, 4, 0).api(6),
        Release::new(4, 5, 0).api(7),
    ]),
    Program::new("gotosocial", "GoToSocial").nodeinfo(&["gotosocial"]).releases(&[
        Release::new(0, 1, 0),
        Release::new(0, 17, 0),
        Release::new(0, 19, 2),
    ]),
];

static ITEMS: ItemTable = ItemTable::new(
    PROGRAMS,
    r#"{"form": 3, "items": {
    "E.ignored": "field",
    "E.inner": "field",
    "E.patched": "field",
    "a.get": "operation",
    "a.get.id": "param",
    "a.get.new": {"kind": "param", "left_out": "harmless"},
    "a.get.open": "param",
    "b.gone": "operation",
    "c.hole": "operation",
    "d.new": "operation",
    "d.new.id": "param",
    "d.new.more": {"kind": "param", "left_out": "harmless"},
    "e.empty": "operation"
}}"#,
    &[
        r#"{"otherwise": "never", "items": {
    "E.ignored": "1.0.0 works 4.2.0",
    "E.inner": "1.5.0 effective 4.3.0",
    "E.patched": "4.3.5",
    "a.get": "2.0.0",
    "a.get.id": "2.0.0",
    "a.get.new": "4.4.0",
    "a.get.open": "unknown",
    "b.gone": "1.0.0 removed 4.0.0",
    "c.hole": "1.0.0 absent 2.4.0..3.3.0",
    "d.new": "4.0.0",
    "d.new.id": "4.0.0",
    "d.new.more": "4.5.0",
    "e.empty": "4.0.0"
}}"#,
        r#"{"otherwise": "never", "items": {
    "E.ignored": "0.1.0 works never",
    "E.inner": "unknown",
    "E.patched": "unknown",
    "a.get": "0.1.0",
    "a.get.id": "0.1.0",
    "a.get.open": "unknown",
    "b.gone": "0.1.0 removed 0.17.0",
    "c.hole": "unknown",
    "d.new": "0.19.0",
    "d.new.id": "0.19.0",
    "e.empty": {"life": "0.1.0 works 0.10.0", "stub": true}
}}"#,
    ],
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
